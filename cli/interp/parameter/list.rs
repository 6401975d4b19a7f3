//! `$@`, `$*` and arrays.

use super::unknown_why;
use crate::{
    interp::{
        Halt, Interpreter,
        expand::{Chunk, push_text},
        state::State,
        value::{Text, Trace, Unknown, Value},
    },
    shell::ast::{Dialect, Parameter, Piece},
};

impl Interpreter<'_> {
    /// Expands a list with any operator.
    pub(super) fn listed(
        &mut self,
        parameter: &Parameter,
        texts: Vec<Text>,
        quoted: bool,
        state: &mut State,
        out: &mut Vec<Chunk>,
    ) -> Result<(), Halt> {
        let operator = parameter.operator;
        if parameter.length {
            let length = if texts.iter().all(|text| text.bytes().is_some()) {
                Text::known(texts.len().to_string())
            } else {
                Text::unknown(Unknown::name("the length of a list"))
            };
            push_text(&length, quoted, out);
            return Ok(());
        }
        // bash has uses of its own for these, and shows them where it joins a list.
        let is_marked = |text: &Text| {
            let mut known = text.bytes().unwrap_or_default().iter();
            known.any(|byte| matches!(byte, 0x01 | 0x7f))
        };
        if !operator.is_empty() && texts.iter().any(is_marked) {
            self.operands_may_run(parameter, state)?;
            let why = "a list with control characters";
            out.push(Chunk::Several(Unknown::anything(why)));
            return Ok(());
        }
        // `$0` comes before the first.
        let has_zero = operator == ":" && parameter.subscript.is_none();
        if changes_each(operator) && (has_zero || !texts.is_empty()) {
            return self.each_changed(parameter, texts, quoted, state, out);
        }
        match operator {
            ":-" | "-" | ":=" | "=" | ":?" | "?" | ":+" | "+" => {}
            "" => {
                self.laid_out(parameter, &texts, quoted, state, out);
                return Ok(());
            }
            // `${a[@]@A}` tells of an empty array too.
            _ if texts.is_empty() && operator != "@" => {
                self.unused_operands(parameter, state)?;
                self.laid_out(parameter, &texts, quoted, state, out);
                return Ok(());
            }
            _ => {
                self.operands_may_run(parameter, state)?;
                out.push(Chunk::Several(Unknown::anything(
                    "a parameter expansion of an unknown form",
                )));
                return Ok(());
            }
        }
        let colon = operator.len() == 2;
        let missing = match texts.as_slice() {
            [] => Some(true),
            [_] if !colon => Some(false),
            [only] if only.is_empty() => Some(true),
            [only] if only.may_be_empty() => None,
            // Several empty ones are joined before they are looked at, by what IFS begins with.
            several if colon && several.iter().all(Text::may_be_empty) => None,
            _ => Some(false),
        };
        let is_alternative = operator.ends_with('+');
        if missing == Some(false) && !is_alternative {
            self.laid_out(parameter, &texts, quoted, state, out);
            return Ok(());
        }
        if parameter.quoted {
            // Without an element there is no field, but what an operand is worth is one.
            let is_star = parameter.name == b"*" || is_star(parameter.subscript.as_deref());
            let alone = texts.is_empty() && is_alternative && !is_star;
            if !alone {
                out.push(Chunk::Exists);
            }
        }
        let is_blank = |piece: &Piece| {
            matches!(piece, Piece::Literal { bytes, quoted: true }
                if bytes.iter().any(u8::is_ascii_whitespace))
        };
        if !parameter.quoted && parameter.operand.iter().any(is_blank) {
            // Some versions of bash split what is quoted there.
            self.may_run(&parameter.operand, state)?;
            out.push(Chunk::Several(Unknown::anything("an operand of a list")));
            return Ok(());
        }
        let value = match texts.into_iter().next() {
            None => Value::Unset,
            Some(first) => Value::Scalar(first),
        };
        self.alternative(parameter, value, missing, quoted, state, out)
    }

    /// The items as fields, or joined.
    pub(super) fn laid_out(
        &self,
        parameter: &Parameter,
        texts: &[Text],
        quoted: bool,
        state: &State,
        out: &mut Vec<Chunk>,
    ) {
        // zsh joins an array between double quotes.
        let is_named = parameter.subscript.is_none() && parameter.name != b"@";
        let is_star = parameter.name == b"*"
            || is_star(parameter.subscript.as_deref())
            || is_named && self.dialect() == Dialect::Zsh && parameter.quoted;
        if texts.is_empty() && !(parameter.quoted && is_star) {
            if !parameter.quoted {
                out.push(Chunk::Trace(Trace {
                    unset: vec![parameter.name.clone()],
                    ..Trace::default()
                }));
            }
            return;
        }
        if parameter.quoted {
            out.push(Chunk::Exists);
        }
        let Some(ifs) = self.separators(state) else {
            let why = "words that depend on an unknown IFS";
            out.push(Chunk::Several(Unknown::anything(why)));
            return;
        };
        let first: Vec<u8> = ifs.iter().take(1).copied().collect();
        let is_plain = parameter.operator.is_empty() && !(is_star && parameter.subscript.is_some());
        let is_gapless = is_plain && !texts.iter().any(Text::may_be_empty);
        if ifs.is_empty() && !is_gapless && !parameter.quoted {
            let why = "an array without anything to join it";
            out.push(Chunk::Several(Unknown::anything(why)));
            return;
        }
        // Where that is no blank, versions of bash keep or lose what is empty between two items.
        let is_ragged = |text: &Text| {
            let separates = |byte: Option<&u8>| byte.is_none_or(|byte| ifs.contains(byte));
            let bytes = text.bytes().unwrap_or_default();
            separates(bytes.first()) || separates(bytes.last())
        };
        let begins_with_blank = ifs.first().is_none_or(u8::is_ascii_whitespace);
        let splits = !parameter.quoted && self.dialect() != Dialect::Zsh;
        if splits && !begins_with_blank && texts.iter().any(is_ragged) {
            let why = "a list that IFS takes apart";
            out.push(Chunk::Several(Unknown::anything(why)));
            return;
        }
        // `"$*"` is joined by the first character of IFS; so is `${@#a}` where there is but one string, and `"${@:1}"`.
        let is_changed =
            !parameter.operator.is_empty() && (parameter.quoted || parameter.operator != ":");
        let joint = if is_star || is_changed && !ifs.is_empty() {
            Text::known(first)
        } else {
            Text::known(*b" ")
        };
        for (at, text) in texts.iter().enumerate() {
            if at > 0 {
                match (parameter.quoted, is_star) {
                    (true, true) => push_text(&joint, true, out),
                    (true, false) => out.push(Chunk::Break(joint.clone())),
                    (false, _) => out.push(Chunk::Joint(joint.clone())),
                }
            }
            if parameter.quoted {
                out.push(Chunk::Exists);
            }
            push_text(text, quoted, out);
        }
    }

    /// `${@#pattern}`, `${a[@]/x/y}`: each item is changed; `${@:1:2}`: some are taken.
    fn each_changed(
        &mut self,
        parameter: &Parameter,
        mut texts: Vec<Text>,
        quoted: bool,
        state: &mut State,
        out: &mut Vec<Chunk>,
    ) -> Result<(), Halt> {
        if parameter.operator == ":" {
            if parameter.subscript.is_none() {
                texts.insert(0, state.zero.as_ref().clone());
            }
            let from = self.number(&parameter.operand, state)?;
            let count = match &parameter.second {
                Some(second) => self.number(second, state)?,
                None => Some(i64::MAX),
            };
            let (Some(from), Some(count)) = (from, count.filter(|count| *count >= 0)) else {
                self.failures += 1;
                out.push(Chunk::Several(Unknown::anything("some of a list")));
                return Ok(());
            };
            let length = i64::try_from(texts.len()).unwrap_or(i64::MAX);
            let from = if from < 0 {
                from.saturating_add(length)
            } else {
                from
            };
            let skipped = usize::try_from(from).unwrap_or(usize::MAX);
            let taken = usize::try_from(count).unwrap_or(usize::MAX);
            texts = texts.into_iter().skip(skipped).take(taken).collect();
        } else {
            for text in &mut texts {
                *text = self.transform(parameter, std::mem::take(text), state)?;
            }
        }
        if let Some(text) = texts.iter().find(|text| text.why_unknown().is_some())
            && parameter.operator == "@"
        {
            out.push(Chunk::Several(Unknown::anything(unknown_why(text))));
            return Ok(());
        }
        self.laid_out(parameter, &texts, quoted, state, out);
        Ok(())
    }
}

/// Whether an operator works on each item of a list by itself.
fn changes_each(operator: &str) -> bool {
    matches!(
        operator,
        "#" | "##" | "%" | "%%" | "/" | "//" | "/#" | "/%" | "^" | "^^" | "," | ",," | ":" | "@"
    )
}

pub(crate) fn is_star(subscript: Option<&[Piece]>) -> bool {
    matches!(subscript, Some([Piece::Literal { bytes, .. }]) if bytes == b"*")
}
