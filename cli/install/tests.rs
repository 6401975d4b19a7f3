use super::entry::{Edit, MATCHER, Unsafe, add, binary, take_out};

const BINARY: &str = "/opt/my tools/blastradius";

fn added(text: &str) -> String {
    match add(text, BINARY).unwrap() {
        Edit::Added(edited) => edited,
        other => panic!("{text:?}: {other:?}"),
    }
}

/// Every byte of `part` stands in `whole`, in order.
fn is_kept(part: &str, whole: &str) -> bool {
    let mut bytes = whole.bytes();
    part.bytes().all(|wanted| bytes.any(|byte| byte == wanted))
}

const FILES: &[(&str, &str)] = &[
    ("empty object", "{}"),
    ("empty object on two lines", "{\n}\n"),
    ("one setting", "{\n  \"model\": \"opus\"\n}\n"),
    ("no newline at the end", "{\n  \"model\": \"opus\"\n}"),
    ("four spaces", "{\n    \"model\": \"opus\"\n}\n"),
    ("tabs", "{\n\t\"env\": {\n\t\t\"A\": \"1\"\n\t}\n}\n"),
    ("carriage returns", "{\r\n  \"model\": \"opus\"\r\n}\r\n"),
    ("one line", "{\"model\":\"opus\"}"),
    (
        "one line with hooks",
        "{\"hooks\": {\"Stop\": []}, \"model\": \"opus\"}",
    ),
    (
        "comments",
        "// mine\n{\n  // which one\n  \"model\": \"opus\" // for now\n  /* more to come */\n}\n// end\n",
    ),
    ("trailing commas", "{\n  \"model\": \"opus\", // so\n}\n"),
    ("empty hooks", "{\n  \"hooks\": {}\n}\n"),
    ("empty hooks on two lines", "{\n  \"hooks\": {\n  }\n}\n"),
    (
        "empty event",
        "{\n  \"hooks\": {\n    \"PreToolUse\": []\n  }\n}\n",
    ),
    (
        "other hooks",
        "{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": []}],\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [{\"type\": \"command\", \"command\": \"lint, {}\"}]\n      } // mine\n    ]\n  },\n  \"model\": \"opus\"\n}\n",
    ),
    (
        "comment before the end",
        "{\n  \"a\": [1, 2] /* x */ // y\n}",
    ),
    (
        "escapes",
        "{\n  \"a\\u0062\": \"\\\\\\\" // no comment\"\n}\n",
    ),
];

#[test]
fn adds_without_touching_another_byte() {
    for (name, text) in FILES {
        let edited = added(text);
        assert!(is_kept(text, &edited), "{name}: {edited}");
        assert_eq!(binary(&edited).as_deref(), Some(BINARY), "{name}");
        assert_eq!(add(&edited, BINARY), Ok(Edit::Unchanged), "{name}");
        if text.contains("\r\n") {
            assert_eq!(
                edited.matches('\n').count(),
                edited.matches("\r\n").count(),
                "{name}"
            );
        }
        let strict = serde_json::from_str::<serde_json::Value>(text).is_ok();
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&edited).is_ok(),
            strict,
            "{name}: {edited}"
        );
    }
}

#[test]
fn takes_out_exactly_what_was_added() {
    for (name, text) in FILES {
        let edited = added(text);
        let back = take_out(&edited, Some(text)).unwrap().expect(name);
        // An emptied container closes on one line; only the backup knows that it did not.
        if !name.ends_with("on two lines") {
            assert_eq!(&back, text, "{name}: {edited}");
        }
        assert_eq!(take_out(&back, Some(text)), Ok(None), "{name}");
    }
}

#[test]
fn takes_out_around_what_came_later() {
    let edited = added("{\n  \"model\": \"opus\"\n}\n");
    let later = edited.replace(
        "\"model\": \"opus\",",
        "\"model\": \"sonnet\",\n  \"theme\": \"dark\",",
    );
    assert_ne!(edited, later);
    assert_eq!(
        take_out(&later, Some("{\n  \"model\": \"opus\"\n}\n")),
        Ok(Some(
            "{\n  \"model\": \"sonnet\",\n  \"theme\": \"dark\"\n}\n".to_owned()
        ))
    );
}

#[test]
fn leaves_handlers_of_others_in_a_shared_group() {
    let text = format!(
        r#"{{"hooks":{{"PreToolUse":[{{"matcher":"Bash","hooks":[{{"type":"command","command":"a"}}, {{"type":"command","command":"{BINARY}","args":["hook","claude-code"]}}, {{"type":"command","command":"b"}}]}}]}}}}"#
    );
    let back = take_out(&text, None).unwrap().unwrap();
    assert_eq!(
        back,
        r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"a"}, {"type":"command","command":"b"}]}]}}"#
    );
}

#[test]
fn renews_a_stale_entry_in_place() {
    let text = added("{\n  \"model\": \"opus\"\n}\n");
    let stale = text
        .replace(BINARY, "/old/blastradius")
        .replace(MATCHER, "Bash");
    assert_eq!(add(&stale, BINARY), Ok(Edit::Updated(text)));
    let shell = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"\"/old/blastradius\" hook claude-code"}]}]}}"#;
    let Edit::Updated(renewed) = add(shell, BINARY).unwrap() else {
        panic!("not renewed")
    };
    assert_eq!(binary(&renewed).as_deref(), Some(BINARY));
    assert_eq!(add(&renewed, BINARY), Ok(Edit::Unchanged));
}

#[test]
fn will_not_edit_what_it_cannot_read_for_certain() {
    for (text, reason) in [
        ("{", "not valid JSON"),
        ("[]", "not a JSON object"),
        ("{'a': 1}", "not valid JSON"),
        ("{a: 1}", "not valid JSON"),
        ("{\"a\": 1 \"b\": 2}", "not valid JSON"),
        ("{} {}", "not valid JSON"),
        ("// nothing", "only comments"),
        ("{\"hooks\": []}", "\"hooks\" is not an object"),
        ("{\"hooks\": null}", "\"hooks\" is not an object"),
        ("{\"hooks\": {\"PreToolUse\": {}}}", "is not an array"),
        ("{\"hooks\": {}, \"hooks\": {}}", "twice"),
    ] {
        let Err(Unsafe(found)) = add(text, BINARY) else {
            panic!("{text} was edited")
        };
        assert!(found.contains(reason), "{text}: {found}");
    }
}
