use super::*;

#[test]
fn only_canonical_bytes_become_a_path() {
    let rows: &[(&[u8], bool)] = &[
        (b"/", true),
        (b"/a", true),
        (b"/a/b", true),
        (b"/a b\n\xff", true),
        (b"/...", true),
        (b"/.a", true),
        (b"", false),
        (b"a", false),
        (b"/a/", false),
        (b"//", false),
        (b"//a", false),
        (b"/a//b", false),
        (b"/.", false),
        (b"/a/./b", false),
        (b"/a/..", false),
        (b"/a\0b", false),
    ];
    for (bytes, fine) in rows {
        assert_eq!(
            Canonical::new(bytes).is_some(),
            *fine,
            "{}",
            bytes.escape_ascii()
        );
    }
}

fn path(text: &str) -> Canonical<'_> {
    Canonical::new(text.as_bytes()).unwrap_or_else(|| panic!("not canonical: {text}"))
}

#[test]
fn a_path_is_compared_by_component() {
    let rows = [
        ("/a/b", "/a", true, true),
        ("/a", "/a", true, false),
        ("/ab", "/a", false, false),
        ("/a", "/a/b", false, false),
        ("/a", "/", true, true),
        ("/", "/", true, false),
        ("/", "/a", false, false),
        ("/a/b/c", "/a/b", true, true),
        ("/a/bc", "/a/b", false, false),
    ];
    for (one, top, at_or_below, below) in rows {
        assert_eq!(
            path(one).is_at_or_below(path(top)),
            at_or_below,
            "{one} at or below {top}"
        );
        assert_eq!(path(one).is_below(path(top)), below, "{one} below {top}");
    }
}

#[test]
fn a_path_knows_its_parts() {
    let rows: &[(&str, Option<&str>, &str, usize)] = &[
        ("/", None, "", 0),
        ("/a", Some("/"), "a", 1),
        ("/a/b", Some("/a"), "b", 2),
        ("/a/b/c", Some("/a/b"), "c", 3),
    ];
    for (text, parent, name, depth) in rows {
        let path = path(text);
        assert_eq!(
            path.parent().map(Canonical::as_bytes),
            parent.map(str::as_bytes),
            "{text}"
        );
        assert_eq!(path.name(), name.as_bytes(), "{text}");
        assert_eq!(path.depth(), *depth, "{text}");
        assert_eq!(path.components().count(), *depth, "{text}");
        assert_eq!(path.ancestors().count(), depth + 1, "{text}");
    }
}

#[test]
fn a_buffer_stays_canonical() {
    let mut buffer = PathBuffer::new();
    assert_eq!(buffer.as_bytes(), b"/");
    buffer.pop();
    assert_eq!(buffer.as_bytes(), b"/");
    buffer.push(b"a").unwrap();
    buffer.push(b"b").unwrap();
    assert_eq!(buffer.as_bytes(), b"/a/b");
    buffer.pop();
    assert_eq!(buffer.as_bytes(), b"/a");
    buffer.push_lexically(b"./x//../y/").unwrap();
    assert_eq!(buffer.as_bytes(), b"/a/y");
    buffer.push_lexically(b"../../../..").unwrap();
    assert_eq!(buffer.as_bytes(), b"/");
    buffer.set(path("/System/Volumes/Data/Users")).unwrap();
    buffer.cut_head("/System/Volumes/Data".len());
    assert_eq!(buffer.as_bytes(), b"/Users");
}

#[test]
fn a_buffer_says_when_it_is_full() {
    let mut buffer = PathBuffer::new();
    let name = [b'a'; 255];
    for _ in 0..PATH_ROOM / 256 {
        buffer.push(&name).unwrap();
    }
    assert_eq!(buffer.push(b"x"), Err(TooLong));
    assert_eq!(buffer.as_bytes().len(), PATH_ROOM);
    assert!(Canonical::new(buffer.as_bytes()).is_some());
}

#[test]
fn case_counts_only_where_the_disk_says_so() {
    assert_eq!(
        path("/Users/Dev") == path("/users/dev"),
        cfg!(target_os = "macos")
    );
    assert_eq!(
        path("/USERS/dev/x").is_below(path("/Users/dev")),
        cfg!(target_os = "macos")
    );
}
