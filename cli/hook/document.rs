//! JSON read so that two readers can never see different things in it.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

/// A JSON value. Numbers are only told from other kinds: no question depends on one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Json {
    Null,
    Bool,
    Number,
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The value under a key of an object.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a string.
    pub(super) fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// What kind of value it is, with its article.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}

/// Reads exactly one document: no key twice, nothing after it, at most 128 levels deep, every string valid UTF-8
/// without lone surrogates. A byte order mark in front is skipped.
pub(super) fn read(bytes: &[u8]) -> Result<Json, serde_json::Error> {
    serde_json::from_slice(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Bool)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Json, E> {
        Ok(Json::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Json, E> {
        Ok(Json::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Number)
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members: Vec<(String, Json)> = Vec::new();
        let mut names = std::collections::HashSet::new();
        while let Some((key, value)) = map.next_entry::<String, Json>()? {
            if !names.insert(key.clone()) {
                return Err(A::Error::custom(format_args!(
                    "the key {key:?} stands twice"
                )));
            }
            members.push((key, value));
        }
        Ok(Json::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_two_readers_could_read_differently() {
        let deep = "[".repeat(100_000);
        for (input, error) in [
            ("", "EOF"),
            ("{", "EOF"),
            ("{} {}", "trailing"),
            ("{}x", "trailing"),
            (r#"{"a":1,"a":2}"#, "stands twice"),
            (r#"{"a":[{"b":1,"\u0062":2}]}"#, "stands twice"),
            (r#"{"a":"\ud800"}"#, "hex escape"),
            (r#"{"a":"\udc00\ud800"}"#, "surrogate"),
            (&deep, "recursion limit"),
        ] {
            let found = read(input.as_bytes()).expect_err(error).to_string();
            assert!(found.contains(error), "{error}: {found}");
        }
        assert!(
            read(b"{\"a\":\"\xff\"}").is_err(),
            "a byte that is no UTF-8"
        );
    }

    #[test]
    fn skips_a_byte_order_mark() {
        assert_eq!(
            read("\u{feff}{\"a\":null}".as_bytes()).unwrap(),
            Json::Object(vec![("a".into(), Json::Null)])
        );
    }
}
