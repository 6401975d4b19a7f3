//! Statements by their tokens: what is in a string, a comment or a name in quotes is not SQL.

use sqlparser::dialect::{Dialect, GenericDialect, MySqlDialect, PostgreSqlDialect};
use sqlparser::tokenizer::{Token, Tokenizer};

/// A statement that takes everything.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Danger {
    /// What it does.
    Done(String),
    /// The same in a transaction that is rolled back at the end.
    Undone,
}

/// The first statement that takes everything. A text that is no SQL holds none.
pub(super) fn first_danger(text: &[u8]) -> Option<Danger> {
    let text = String::from_utf8_lossy(text);
    // Commands of the client itself.
    let own =
        |line: &&str| !line.trim_start().starts_with('\\') && !line.trim_start().starts_with('.');
    let text: String = text.lines().filter(own).collect::<Vec<_>>().join("\n");
    let dialects: [&dyn Dialect; 3] = [&PostgreSqlDialect {}, &MySqlDialect {}, &GenericDialect {}];
    let tokens = dialects
        .into_iter()
        .find_map(|dialect| Tokenizer::new(dialect, &text).tokenize().ok())?;
    let tokens: Vec<Piece> = tokens.iter().filter_map(piece).collect();
    let statements: Vec<&[Piece]> = tokens
        .split(|piece| *piece == Piece::End)
        .filter(|statement| !statement.is_empty())
        .collect();
    let mut made: Vec<String> = Vec::new();
    let done = statements.iter().find_map(|statement| {
        made.extend(created(statement));
        // Nothing was in what the same text has made.
        danger(statement).filter(|_| subject(statement).is_none_or(|table| !made.contains(&table)))
    })?;
    let begins = statements.iter().any(|statement| {
        is_word(statement.first(), "BEGIN") || is_word(statement.first(), "START")
    });
    let ends = statements.iter().rev().find_map(|statement| {
        ["COMMIT", "ROLLBACK", "END"]
            .into_iter()
            .find(|word| is_word(statement.first(), word))
    });
    match (begins, ends) {
        (true, Some("ROLLBACK")) => Some(Danger::Undone),
        _ => Some(Danger::Done(done)),
    }
}

/// What matters of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// A word that is not in quotes, in capitals.
    Word(String),
    Open,
    Close,
    End,
    /// Anything else that is no white space.
    Other(String),
}

fn piece(token: &Token) -> Option<Piece> {
    Some(match token {
        Token::Whitespace(_) | Token::EOF => return None,
        Token::Word(word) if word.quote_style.is_none() => Piece::Word(word.value.to_uppercase()),
        Token::LParen => Piece::Open,
        Token::RParen => Piece::Close,
        Token::SemiColon => Piece::End,
        other => Piece::Other(other.to_string()),
    })
}

fn is_word(piece: Option<&Piece>, word: &str) -> bool {
    matches!(piece, Some(Piece::Word(found)) if found == word)
}

/// The table that a statement makes.
fn created(statement: &[Piece]) -> Option<String> {
    is_word(statement.first(), "CREATE").then(|| subject(statement))?
}

/// The table that a statement is about: the first name behind the words of the grammar.
fn subject(statement: &[Piece]) -> Option<String> {
    const GRAMMAR: &[&str] = &[
        "CREATE",
        "TEMP",
        "TEMPORARY",
        "UNLOGGED",
        "TABLE",
        "IF",
        "NOT",
        "EXISTS",
        "DELETE",
        "FROM",
        "UPDATE",
        "DROP",
        "TRUNCATE",
        "ONLY",
        "OR",
        "REPLACE",
        "LOCAL",
        "GLOBAL",
    ];
    statement.iter().find_map(|piece| match piece {
        Piece::Word(word) if GRAMMAR.contains(&word.as_str()) => None,
        Piece::Word(word) | Piece::Other(word) => Some(word.to_uppercase()),
        Piece::Open | Piece::Close | Piece::End => Some(String::new()),
    })
}

fn danger(statement: &[Piece]) -> Option<String> {
    let first = match statement.first() {
        Some(Piece::Word(word)) => word.as_str(),
        _ => return None,
    };
    match first {
        "TRUNCATE" => return Some("TRUNCATE takes every row".to_owned()),
        "DROP" => {
            let Some(Piece::Word(kind)) = statement.get(1) else {
                return None;
            };
            let kept = [
                "TABLE",
                "DATABASE",
                "SCHEMA",
                "KEYSPACE",
                "OWNED",
                "TABLESPACE",
            ];
            return kept
                .contains(&kind.as_str())
                .then(|| format!("DROP {kind} takes all that is in it"));
        }
        "ALTER" => {
            let column = statement
                .windows(2)
                .any(|pair| is_word(pair.first(), "DROP") && is_word(pair.get(1), "COLUMN"));
            return column.then(|| "DROP COLUMN takes what every row has there".to_owned());
        }
        "EXPLAIN"
            if !statement
                .iter()
                .any(|piece| is_word(Some(piece), "ANALYZE")) =>
        {
            return None;
        }
        // Rights, triggers, functions and rules only name the verbs.
        "GRANT" | "REVOKE" | "CREATE" | "COMMENT" | "PREPARE" | "MERGE" => return None,
        _ => {}
    }
    (0..statement.len()).find_map(|at| row_danger(statement, at))
}

/// `DELETE FROM t` and `UPDATE t SET`, where a statement or a part of one begins.
fn row_danger(statement: &[Piece], at: usize) -> Option<String> {
    let verb = ["DELETE", "UPDATE"]
        .into_iter()
        .find(|verb| is_word(statement.get(at), verb))?;
    let begins = match at.checked_sub(1).map(|before| &statement[before]) {
        None | Some(Piece::Open | Piece::Close) => true,
        Some(Piece::Word(before)) => matches!(before.as_str(), "ANALYZE" | "EXPLAIN"),
        _ => false,
    };
    if !begins {
        return None;
    }
    let mut depth = 0_i32;
    let mut body: Vec<&Piece> = Vec::new();
    for piece in &statement[at + 1..] {
        depth += match piece {
            Piece::Open => 1,
            Piece::Close => -1,
            _ => 0,
        };
        if depth < 0 {
            break;
        }
        if depth == 0 {
            body.push(piece);
        }
    }
    let has = |word: &str| body.iter().position(|piece| is_word(Some(piece), word));
    if verb == "UPDATE" && has("SET").is_none() {
        return None;
    }
    match has("WHERE") {
        Some(place) if is_always(&body[place + 1..]) => {
            Some(format!("{verb} with a WHERE that holds for every row"))
        }
        Some(_) => None,
        None if has("LIMIT").is_some() => None,
        None => Some(format!("{verb} without WHERE takes every row")),
    }
}

/// `1=1`, `TRUE`
fn is_always(condition: &[&Piece]) -> bool {
    let condition: Vec<&Piece> = condition
        .iter()
        .copied()
        .take_while(|piece| !is_word(Some(piece), "RETURNING"))
        .collect();
    match condition.as_slice() {
        [Piece::Word(word)] => word == "TRUE",
        [Piece::Other(one)] => one == "1",
        [
            Piece::Other(left),
            Piece::Other(equals),
            Piece::Other(right),
        ] => equals == "=" && left == right,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Danger, first_danger};

    #[test]
    fn statements_are_told_by_their_tokens() {
        for (text, says) in [
            ("DELETE FROM a", Some("DELETE without")),
            ("delete from a where id = 1", None),
            ("DELETE FROM a WHERE true", Some("every row")),
            ("DELETE FROM a USING b WHERE a.id = b.id", None),
            ("DELETE FROM a LIMIT 10", None),
            (
                "UPDATE a SET b = (SELECT c FROM d WHERE e = 1)",
                Some("UPDATE without"),
            ),
            ("UPDATE a SET b = 1 WHERE c IN (SELECT 1)", None),
            ("SELECT 'DELETE FROM a'", None),
            ("SELECT \"DELETE\" FROM a", None),
            ("/* DROP TABLE a */ SELECT 1", None),
            ("DROP TABLE IF EXISTS a", Some("DROP TABLE")),
            ("DROP VIEW a", None),
            (
                "CREATE FUNCTION f() RETURNS void AS $$ DELETE FROM a; $$ LANGUAGE sql",
                None,
            ),
            (
                "CREATE TRIGGER t AFTER DELETE ON a FOR EACH ROW EXECUTE FUNCTION f()",
                None,
            ),
            ("INSERT INTO a SELECT 1 ON DUPLICATE KEY UPDATE b = 1", None),
            ("BEGIN; DELETE FROM a; COMMIT", Some("DELETE without")),
            ("SELECT truncate(1.5)", None),
            (
                "CREATE TABLE t(a); INSERT INTO t VALUES (1); DELETE FROM t; DROP TABLE t",
                None,
            ),
            ("CREATE TABLE t(a); DELETE FROM u", Some("DELETE without")),
            (
                "DROP TABLE IF EXISTS t; CREATE TABLE t(a)",
                Some("DROP TABLE"),
            ),
            ("it's no sql at all", None),
        ] {
            let found = first_danger(text.as_bytes());
            let matches = match (&found, says) {
                (None, None) => true,
                (Some(Danger::Done(what)), Some(says)) => what.contains(says),
                _ => false,
            };
            assert!(matches, "{text}: {found:?}");
        }
        assert_eq!(
            first_danger(b"BEGIN; DELETE FROM a; ROLLBACK"),
            Some(Danger::Undone)
        );
    }
}
