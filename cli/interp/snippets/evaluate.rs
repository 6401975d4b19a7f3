//! Expressions of code, as far as their value can be told.

use std::collections::BTreeMap;

use super::{
    Effect, Language, calls,
    token::{Part, Token, tokens},
};
use crate::interp::{
    Interpreter,
    directories::lexical,
    expand::cwd_text,
    state::State,
    value::{Text, Unknown, Value as Variable},
};

/// How deep expressions nest.
const DEEPEST: u32 = 64;

/// A value.
#[derive(Clone, Debug, Default)]
pub(super) struct Value {
    pub(super) text: Text,
    /// It is a path object, to which `/` adds a component.
    pub(super) is_path: bool,
    /// Its elements, if it is a list.
    pub(super) items: Option<Vec<Value>>,
    /// It is what this pattern matches.
    pub(super) is_glob: bool,
}

impl Value {
    fn unknown() -> Self {
        Self::from(Text::unknown(Unknown::anything("what the code computes")))
    }

    fn path(text: Text) -> Self {
        Self {
            text,
            is_path: true,
            ..Self::default()
        }
    }
}

impl From<Text> for Value {
    fn from(text: Text) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }
}

/// What stands between the brackets of a call.
#[derive(Default)]
pub(super) struct Arguments {
    pub(super) values: Vec<Value>,
    /// Names and marks among them, for options such as `shell=True`.
    pub(super) names: Vec<Vec<u8>>,
}

impl Arguments {
    pub(super) fn text(&self, index: usize) -> Option<&Text> {
        self.values.get(index).map(|value| &value.text)
    }

    pub(super) fn names(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name.as_bytes())
    }
}

pub(super) struct Reader<'a> {
    interpreter: &'a Interpreter<'a>,
    state: &'a State,
    language: Language,
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    /// Variables; `None` if one is assigned more than once.
    variables: BTreeMap<Vec<u8>, Option<Value>>,
    effects: Vec<Effect>,
}

impl<'a> Reader<'a> {
    /// Everything that code surely does to paths that can be told.
    pub(super) fn read(
        interpreter: &'a Interpreter<'a>,
        state: &'a State,
        language: Language,
        code: &[u8],
    ) -> Vec<Effect> {
        let mut reader = Self {
            interpreter,
            state,
            language,
            tokens: tokens(language, code),
            at: 0,
            depth: 0,
            variables: BTreeMap::new(),
            effects: Vec::new(),
        };
        while reader.at < reader.tokens.len() {
            let before = reader.at;
            reader.statement();
            reader.at = reader.at.max(before + 1);
        }
        reader.effects
    }

    pub(super) fn language(&self) -> Language {
        self.language
    }

    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    fn is_mark(&self, ahead: usize, mark: u8) -> bool {
        self.peek(ahead) == Some(&Token::Mark(mark))
    }

    fn statement(&mut self) {
        // `for NAME in VALUES`: each of them.
        if let (Some(Token::Name(keyword)), Some(Token::Name(name)), Some(Token::Name(of))) =
            (self.peek(0), self.peek(1), self.peek(2))
            && keyword == b"for"
            && of == b"in"
        {
            let name = name.clone();
            self.at += 3;
            let value = self.expression();
            let again = self.variables.contains_key(&name);
            let listed = value.items.is_some() || value.is_glob;
            self.variables
                .insert(name, (listed && !again).then_some(value));
            return;
        }
        let assigns = matches!(self.peek(0), Some(Token::Name(_)))
            && self.is_mark(1, b'=')
            && !self.is_mark(2, b'=')
            && !self.is_mark(2, b'~')
            && !self.is_mark(2, b'>');
        match self.peek(0) {
            Some(Token::Name(name)) if assigns => {
                let name = name.clone();
                self.at += 2;
                let value = self.expression();
                let again = self.variables.contains_key(&name);
                self.variables.insert(name, (!again).then_some(value));
            }
            Some(Token::Name(_) | Token::Text { .. } | Token::Mark(b'(')) => {
                self.expression();
            }
            _ => {}
        }
    }

    fn expression(&mut self) -> Value {
        self.depth += 1;
        let value = if self.depth > DEEPEST {
            self.at += 1;
            Value::unknown()
        } else {
            self.sum()
        };
        self.depth -= 1;
        value
    }

    fn sum(&mut self) -> Value {
        let mut left = self.postfix();
        loop {
            let concatenates = match self.language {
                Language::Perl | Language::Php => self.is_mark(0, b'.'),
                _ => self.is_mark(0, b'+'),
            };
            if concatenates && !self.is_mark(1, b'=') {
                self.at += 1;
                let right = self.postfix();
                left.text.append(&right.text);
            } else if self.language == Language::Python && left.is_path && self.is_mark(0, b'/') {
                self.at += 1;
                let right = self.postfix();
                left = Value::path(joined(&[left, right]));
            } else {
                return left;
            }
        }
    }

    fn postfix(&mut self) -> Value {
        let mut value = self.primary();
        while self.is_mark(0, b'.') && self.language != Language::Perl {
            let Some(Token::Name(name)) = self.peek(1) else {
                break;
            };
            let name = name.clone();
            self.at += 2;
            let arguments = self.arguments();
            value = self.method(&value, &name, &arguments.unwrap_or_default());
        }
        value
    }

    fn primary(&mut self) -> Value {
        match self.peek(0).cloned() {
            Some(Token::Text { parts, command }) => {
                self.at += 1;
                let text = self.joined_parts(&parts);
                if command {
                    self.effects.push(Effect::Shell(text));
                    return Value::unknown();
                }
                Value::from(text)
            }
            Some(Token::Mark(b'(')) => {
                let arguments = self.arguments().unwrap_or_default();
                match <[Value; 1]>::try_from(arguments.values) {
                    Ok([value]) => value,
                    Err(items) => Value {
                        items: Some(items),
                        ..Value::unknown()
                    },
                }
            }
            Some(Token::Mark(b'[')) => {
                let arguments = self.list(b']');
                Value {
                    items: Some(arguments.values),
                    ..Value::unknown()
                }
            }
            Some(Token::Name(_)) => self.named(),
            Some(_) => {
                self.at += 1;
                Value::unknown()
            }
            None => Value::unknown(),
        }
    }

    /// A variable, a value of the environment, or a call.
    fn named(&mut self) -> Value {
        let mut path = Vec::new();
        while let Some(Token::Name(name)) = self.peek(0) {
            path.push(name.clone());
            self.at += 1;
            let dots = match self.language {
                Language::Perl | Language::Php => 0,
                _ => usize::from(self.is_mark(0, b'.')),
            };
            let colons = if self.is_mark(0, b':') && self.is_mark(1, b':') {
                2
            } else {
                0
            };
            let step = dots.max(colons);
            if step == 0 || !matches!(self.peek(step), Some(Token::Name(_))) {
                break;
            }
            self.at += step;
        }
        let dotted: Vec<u8> = path.join(&b'.');
        if let Some(value) = self.environment(&dotted) {
            return value;
        }
        if let Some(arguments) = self.arguments() {
            return self.call(&dotted, &path, &arguments);
        }
        if calls::takes_bare_words(self.language, &dotted) && self.begins_value() {
            let arguments = self.list(0);
            return self.call(&dotted, &path, &arguments);
        }
        if let Some(Some(value)) = self.variables.get(&dotted) {
            return value.clone();
        }
        calls::constant(&dotted, self.home(), cwd_text(&self.state.cwd))
            .map_or_else(Value::unknown, Value::path)
    }

    fn begins_value(&self) -> bool {
        matches!(
            self.peek(0),
            Some(Token::Text { .. } | Token::Name(_) | Token::Mark(b'['))
        )
    }

    /// `os.environ["X"]`, `process.env.X`, `$ENV{X}`.
    fn environment(&mut self, dotted: &[u8]) -> Option<Value> {
        let name = match (self.language, dotted) {
            (Language::Node, _) if dotted.starts_with(b"process.env.") => {
                dotted[b"process.env.".len()..].to_vec()
            }
            (Language::Python, b"os.environ" | b"environ")
            | (Language::Node, b"process.env")
            | (Language::Ruby, b"ENV")
            | (Language::Perl, b"$ENV") => {
                if !self.is_mark(0, b'[') && !self.is_mark(0, b'{') {
                    return None;
                }
                let name = match self.peek(1)? {
                    Token::Name(name) if self.language == Language::Perl => name.clone(),
                    Token::Text { parts, .. } => {
                        self.joined_parts(&parts.clone()).bytes()?.to_vec()
                    }
                    _ => return None,
                };
                self.at += 3;
                name
            }
            _ => return None,
        };
        Some(Value::from(self.variable(&name)))
    }

    /// A variable of the environment.
    pub(super) fn variable(&self, name: &[u8]) -> Text {
        match self.interpreter.lookup(name, self.state) {
            Variable::Scalar(text) => text,
            Variable::Unset if matches!(self.language, Language::Perl | Language::Ruby) => {
                let mut text = Text::default();
                text.trace.unset.push(name.to_vec());
                text
            }
            // Python raises an error, and node writes `undefined`.
            _ => Value::unknown().text,
        }
    }

    /// The value of a variable.
    pub(super) fn object(&self, name: &[u8]) -> Option<Value> {
        self.variables.get(name)?.clone()
    }

    pub(super) fn home(&self) -> Text {
        self.interpreter.home_text(self.state)
    }

    pub(super) fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// `( ... )`, if it is next.
    fn arguments(&mut self) -> Option<Arguments> {
        self.is_mark(0, b'(').then(|| self.list(b')'))
    }

    /// Values up to a closing mark; up to the end of the statement if there is none.
    fn list(&mut self, close: u8) -> Arguments {
        let mut arguments = Arguments::default();
        if close != 0 {
            self.at += 1;
        }
        while let Some(token) = self.peek(0) {
            match token {
                Token::Mark(mark) if *mark == close => {
                    self.at += 1;
                    break;
                }
                Token::Line | Token::Mark(b';' | b')' | b'}') if close == 0 => break,
                Token::Line | Token::Mark(b',' | b'*' | b'{' | b'}' | b';') => self.at += 1,
                // `shell=True`, `recursive: true`
                Token::Name(name)
                    if self.is_mark(1, b'=') || self.is_mark(1, b':') && !self.is_mark(2, b':') =>
                {
                    arguments.names.push(name.clone());
                    self.at += 2;
                    if let Some(Token::Name(value)) = self.peek(0) {
                        arguments.names.push(value.clone());
                    }
                    self.expression();
                }
                Token::Name(_) | Token::Text { .. } | Token::Mark(b'(' | b'[') => {
                    let value = self.expression();
                    // `a, b` are values; `a == b` and `-x` are one that is not known.
                    match self.peek(0) {
                        Some(Token::Mark(b',')) | Some(Token::Line) | None => {
                            arguments.values.push(value);
                        }
                        Some(Token::Mark(mark)) if *mark == close || close == 0 => {
                            arguments.values.push(value);
                        }
                        _ => {
                            arguments.values.push(Value::unknown());
                            self.skip_value(close);
                        }
                    }
                }
                _ => {
                    arguments.values.push(Value::unknown());
                    self.skip_value(close);
                }
            }
        }
        arguments
    }

    /// Over what is left of a value; the calls in it count all the same.
    fn skip_value(&mut self, close: u8) {
        while let Some(token) = self.peek(0) {
            match token {
                Token::Mark(b',') => break,
                Token::Mark(mark) if *mark == close => break,
                Token::Line | Token::Mark(b';') if close == 0 => break,
                Token::Name(_) | Token::Text { .. } | Token::Mark(b'(' | b'[') => {
                    self.expression();
                }
                _ => self.at += 1,
            }
        }
    }

    fn joined_parts(&mut self, parts: &[Part]) -> Text {
        let mut text = Text::default();
        for part in parts {
            match part {
                Part::Known(bytes) => text.push_bytes(bytes),
                Part::Code(code) => text.append(&self.inner(code)),
            }
        }
        text
    }

    /// The value of an expression in a string.
    fn inner(&mut self, code: &[u8]) -> Text {
        let outer = std::mem::replace(&mut self.tokens, tokens(self.language, code));
        let at = std::mem::replace(&mut self.at, 0);
        let value = self.expression();
        let whole = self.at >= self.tokens.len();
        self.tokens = outer;
        self.at = at;
        if whole {
            value.text
        } else {
            Value::unknown().text
        }
    }

    /// `~` at the beginning stands for the home.
    pub(super) fn with_home(&self, text: &Text) -> Text {
        match text.bytes() {
            Some(b"~") => self.home(),
            Some(bytes) if bytes.starts_with(b"~/") => {
                let mut home = self.home();
                home.push_bytes(&bytes[1..]);
                home
            }
            Some(bytes) if bytes.starts_with(b"~") => Value::unknown().text,
            _ => text.clone(),
        }
    }

    /// An absolute path with its dots gone.
    pub(super) fn absolute(&self, text: &Text) -> Text {
        match (text.bytes(), cwd_text(&self.state.cwd).bytes()) {
            (Some(path), Some(cwd)) => Text::known(lexical(cwd, path)),
            _ => text.clone(),
        }
    }

    pub(super) fn result(text: Option<Text>) -> Value {
        text.map_or_else(Value::unknown, Value::path)
    }
}

/// Components joined as `os.path.join` does: an absolute one begins anew.
pub(super) fn joined(values: &[Value]) -> Text {
    let mut text = Text::default();
    for value in values {
        if value.text.prefix().first() == Some(&b'/') {
            text = value.text.clone();
            continue;
        }
        if !text.is_empty() {
            text.push_bytes(b"/");
        }
        text.append(&value.text);
    }
    text
}
