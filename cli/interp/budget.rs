//! How much a string may take before its interpretation gives up, and what is left of that.

use super::state::{Path, merge};
use super::{Halt, Interpreter};

/// Words, commands and matches that are looked at before giving up.
pub(super) const STEPS: u32 = 16_000;
/// Comparing so many variables, or copying them, is worth a step; comparing what else a state holds is worth as many
/// variables as [`STATE`].
const COMPARED: usize = 256;
const STATE: usize = 16;
/// So are so many bytes that are searched for destructive words.
pub(super) const SEARCHED: usize = 64;
/// Bytes of expanded text before giving up: `x=$x$x` doubles with every turn of a loop.
const VOLUME: usize = 8 << 20;
/// How deep functions, `eval`, `sh -c` and substitutions nest.
const DEEPEST: u32 = 24;

impl Interpreter<'_> {
    pub(super) fn nested<T>(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        if self.depth >= DEEPEST {
            return Err(Halt::Spent);
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        result
    }

    pub(super) fn step(&mut self) -> Result<(), Halt> {
        self.pay(1)
    }

    /// Takes work that is worth so many steps out of the budget.
    pub(super) fn pay(&mut self, steps: usize) -> Result<(), Halt> {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.limit {
            Err(Halt::Spent)
        } else {
            Ok(())
        }
    }

    /// Merges equal states, which takes comparing each with all others.
    pub(super) fn merged(&mut self, paths: Vec<Path>) -> Result<Vec<Path>, Halt> {
        let most = paths.iter().map(|path| path.state.variables.len()).max();
        let pairs = paths.len() * paths.len();
        self.pay(pairs.saturating_mul(STATE + most.unwrap_or(0)) / COMPARED)?;
        Ok(merge(paths))
    }

    /// Takes text that an expansion has made out of the budget.
    pub(super) fn charge(&mut self, bytes: usize) -> Result<(), Halt> {
        self.volume = self.volume.saturating_add(bytes);
        if self.volume > VOLUME {
            Err(Halt::Spent)
        } else {
            Ok(())
        }
    }
}
