//! Operands: the words that an expansion may come to, and what they would run.

use super::lost;
use crate::{
    interp::{
        Halt, Interpreter,
        expand::{Chunk, push_text},
        state::State,
        value::Value,
    },
    shell::ast::{Dialect, Parameter, Piece},
};

impl Interpreter<'_> {
    /// zsh expands also the operands of what is not set.
    pub(super) fn unused_operands(
        &mut self,
        parameter: &Parameter,
        state: &State,
    ) -> Result<(), Halt> {
        match self.dialect() {
            Dialect::Zsh | Dialect::Unknown => self.operands_may_run(parameter, state),
            Dialect::Bash | Dialect::Sh => Ok(()),
        }
    }

    pub(super) fn operands_may_run(
        &mut self,
        parameter: &Parameter,
        state: &State,
    ) -> Result<(), Halt> {
        self.may_run(&parameter.operand, state)?;
        self.may_run(parameter.second.as_deref().unwrap_or_default(), state)
    }

    /// Judges what an operand would run if it came to that.
    pub(super) fn may_run(&mut self, operand: &[Piece], state: &State) -> Result<(), Halt> {
        let inert = |piece: &Piece| matches!(piece, Piece::Literal { .. });
        if operand.iter().all(inert) {
            return Ok(());
        }
        match self.pieces(operand, &mut state.clone()) {
            Ok(_) | Err(Halt::Exit) => Ok(()),
            Err(Halt::Spent) => Err(Halt::Spent),
        }
    }

    /// The operand of `${x:-word}` and `${x:+word}`: its own quoting counts.
    pub(super) fn operand(
        &mut self,
        operand: &[Piece],
        name: &[u8],
        value: &Value,
        quoted: bool,
        state: &mut State,
        out: &mut Vec<Chunk>,
    ) -> Result<(), Halt> {
        if quoted {
            let text = self.pieces(operand, state)?;
            if text.is_empty() {
                out.push(Chunk::Losses(lost(value, name)));
            }
            push_text(&text, quoted, out);
            return Ok(());
        }
        let mut chunks = self.operand_chunks(operand, state)?;
        let nothing = chunks.iter().all(|chunk| match chunk {
            Chunk::Bytes { bytes, .. } => bytes.is_empty(),
            Chunk::Losses(_) | Chunk::Exists => true,
            Chunk::Unknown(_) | Chunk::Break => false,
        });
        if nothing {
            out.push(Chunk::Losses(lost(value, name)));
        }
        // Its literals are split like what an expansion gives, but what it quotes stays whole.
        for chunk in &mut chunks {
            if let Chunk::Bytes { expanded, .. } = chunk {
                *expanded = true;
            }
        }
        out.append(&mut chunks);
        Ok(())
    }
}
