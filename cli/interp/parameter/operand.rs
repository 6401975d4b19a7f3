//! Operands: the words that an expansion may come to, and what they would run.

use super::lost;
use crate::{
    interp::{
        Halt, Interpreter,
        expand::{Chunk, holds_list},
        state::State,
        value::{Unknown, Value},
    },
    shell::ast::{Dialect, Parameter, Piece},
};

impl Interpreter<'_> {
    /// zsh expands also the operands of what is not set.
    pub(super) fn unused_operands(
        &mut self,
        parameter: &Parameter,
        state: &mut State,
    ) -> Result<(), Halt> {
        match self.dialect() {
            Dialect::Zsh | Dialect::Unknown => self.operands_may_run(parameter, state),
            Dialect::Bash | Dialect::Sh => Ok(()),
        }
    }

    pub(super) fn operands_may_run(
        &mut self,
        parameter: &Parameter,
        state: &mut State,
    ) -> Result<(), Halt> {
        self.may_run(&parameter.operand, state)?;
        self.may_run(parameter.second.as_deref().unwrap_or_default(), state)
    }

    /// Judges what an operand would run if it came to that.
    pub(super) fn may_run(&mut self, operand: &[Piece], state: &mut State) -> Result<(), Halt> {
        let inert = |piece: &Piece| matches!(piece, Piece::Literal { .. });
        if operand.iter().all(inert) {
            return Ok(());
        }
        let mut after = state.clone();
        match self.pieces(operand, &mut after) {
            Ok(_) | Err(Halt::Exit) => {}
            Err(Halt::Spent) => return Err(Halt::Spent),
        }
        // What it may have assigned is not known from here on.
        if after != *state {
            state.widen(&after);
        }
        Ok(())
    }

    /// Whether an operand is quoted in a way that versions of bash see differently.
    pub(super) fn is_misquoted(&self, parameter: &Parameter) -> bool {
        if parameter.quoted {
            // The quotes in `"${x:-$y"z"}"` are gone before `$y` is looked for.
            return parameter.operand.windows(2).any(|pair| {
                matches!(pair, [Piece::Parameter(parameter), Piece::Literal { bytes, .. }]
                if !parameter.braced
                    && bytes.first().is_some_and(|byte| {
                        *byte == b'_' || byte.is_ascii_alphanumeric()
                    }))
            });
        }
        // In a substitution between quotes `$'...'` quotes nothing there.
        let text = self.spelled(parameter.span);
        self.is_catching() && text.windows(2).any(|pair| pair == b"$'")
    }

    /// The operand of `${x:-word}` and `${x:+word}`: its own quoting counts, and in zsh nothing in it is split.
    pub(super) fn operand(
        &mut self,
        operand: &[Piece],
        name: &[u8],
        value: &Value,
        quoted: bool,
        state: &mut State,
        out: &mut Vec<Chunk>,
    ) -> Result<(), Halt> {
        let is_zsh = self.dialect() == Dialect::Zsh;
        let has_brace = |piece: &Piece| matches!(piece, Piece::Literal { bytes, quoted: false } if bytes.contains(&b'{'));
        // Nor is a set that is negated one to zsh there.
        let negates = |piece: &Piece| {
            matches!(piece, Piece::Literal { bytes, quoted: false }
                if bytes.windows(2).any(|pair| matches!(pair, b"[!" | b"[^")))
        };
        if is_zsh
            && !quoted
            && operand
                .iter()
                .any(|piece| has_brace(piece) || negates(piece))
        {
            self.may_run(operand, state)?;
            out.push(Chunk::Several(Unknown::anything(
                "an operand that zsh reads in its own way",
            )));
            return Ok(());
        }
        let mut chunks = self.operand_chunks(operand, state)?;
        // Where it comes from decides nothing.
        out.extend(chunks.extract_if(
            ..,
            |chunk| matches!(chunk, Chunk::Trace(lost) if lost.lost_nothing()),
        ));
        let nothing = chunks.iter().all(|chunk| match chunk {
            Chunk::Bytes { bytes, .. } => bytes.is_empty(),
            Chunk::Trace(_) | Chunk::Exists => true,
            Chunk::Unknown(_) | Chunk::Several(_) | Chunk::Break(_) | Chunk::Joint(_) => false,
        });
        if nothing {
            out.push(Chunk::Trace(lost(value, name)));
        }
        // Behind quotes around nothing, bash may lose others that an operand holds.
        let is_null = |chunks: &[Chunk]| {
            (0..chunks.len())
                .any(|at| matches!(chunks[at], Chunk::Exists) && !is_text(chunks.get(at + 1)))
        };
        if nothing && !quoted && is_null(&chunks) && is_null(out) {
            out.push(Chunk::Several(Unknown::anything("quotes around nothing")));
            return Ok(());
        }
        // bash joins a list in an operand in its own way if IFS does not begin with a blank or an item is empty.
        let begins_with_blank = self
            .separators(state)
            .is_some_and(|ifs| ifs.first().is_some_and(u8::is_ascii_whitespace));
        let is_joint = |chunk: Option<&Chunk>| matches!(chunk, Some(Chunk::Joint(_)));
        let is_odd = (0..chunks.len()).any(|at| {
            is_joint(chunks.get(at))
                && (!begins_with_blank || at == 0 || !is_text(chunks.get(at + 1)))
        });
        let is_gap = |chunk: Option<&Chunk>| matches!(chunk, Some(Chunk::Break(_)) | None);
        let is_blank = |piece: &Piece| matches!(piece, Piece::Literal { bytes, .. } if bytes.iter().any(u8::is_ascii_whitespace));
        let breaks: Vec<usize> = (0..chunks.len())
            .filter(|&at| matches!(chunks[at], Chunk::Break(_)))
            .collect();
        let is_gappy = breaks.iter().any(|&at| {
            let text = chunks[at + 1..]
                .iter()
                .find(|chunk| !matches!(chunk, Chunk::Exists | Chunk::Trace(_)));
            is_gap(text) || matches!(text, Some(Chunk::Bytes { bytes, .. }) if bytes.is_empty())
        });
        // Beside a list, what an expansion is split into may lose its blanks.
        let is_split = |piece: &Piece| match piece {
            Piece::Parameter(parameter) => !parameter.quoted,
            Piece::Command { quoted, .. } => !quoted,
            Piece::Literal { .. } | Piece::Arithmetic { .. } | Piece::Process { .. } => false,
        };
        let is_odd = is_odd || holds_list(operand) && operand.iter().any(is_split);
        let is_odd = is_odd || !breaks.is_empty() && (is_gappy || operand.iter().any(is_blank));
        if is_odd {
            chunks = vec![Chunk::Several(Unknown::anything(
                "an operand that shells read in their own ways",
            ))];
        }
        for chunk in &mut chunks {
            match chunk {
                Chunk::Bytes { active, splits, .. } if quoted => {
                    (*active, *splits) = (false, false)
                }
                Chunk::Bytes { .. } if is_zsh => {}
                // Its literals are split like what an expansion gives, but what it quotes stays whole.
                Chunk::Bytes { active, splits, .. } => *splits |= *active,
                Chunk::Joint(joint) if quoted => *chunk = Chunk::Break(std::mem::take(joint)),
                _ => {}
            }
        }
        out.append(&mut chunks);
        Ok(())
    }
}

fn is_text(chunk: Option<&Chunk>) -> bool {
    matches!(chunk, Some(Chunk::Bytes { bytes, .. }) if !bytes.is_empty())
}
