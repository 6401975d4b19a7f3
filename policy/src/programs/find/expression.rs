//! Which part of an expression is reached only by what some test picks.

/// Groups nest no deeper than this for anybody; below it nothing counts as narrowed.
const DEPTH: usize = 16;

#[derive(Clone, Copy)]
struct Group {
    /// A test stands before this point in the present alternative.
    narrowed: bool,
    /// Every alternative before the present one was narrowed.
    every: bool,
    /// `!` stands before the group.
    negated: bool,
}

const FRESH: Group = Group {
    narrowed: false,
    every: true,
    negated: false,
};

/// The tests met so far in an expression that is read from left to right.
pub(super) struct Narrowing {
    groups: [Group; DEPTH],
    /// The group that is open; past the array if the expression nests deeper.
    depth: usize,
    negated: bool,
}

impl Narrowing {
    pub(super) const fn new() -> Self {
        Self {
            groups: [FRESH; DEPTH],
            depth: 0,
            negated: false,
        }
    }

    /// Whether what stands here is reached only by what a test picked.
    pub(super) fn narrowed(&self) -> bool {
        self.depth < DEPTH && self.groups[..=self.depth].iter().any(|g| g.narrowed)
    }

    fn group(&mut self) -> Option<&mut Group> {
        self.groups.get_mut(self.depth)
    }

    /// A term that picks something or not. The negation of a test leaves nearly everything, unless it picks
    /// `either` way, as an age does.
    pub(super) fn term(&mut self, picks: bool, either: bool) {
        let negated = core::mem::take(&mut self.negated);
        if let Some(group) = self.group() {
            group.narrowed |= picks && (either || !negated);
        }
    }

    pub(super) const fn negate(&mut self) {
        self.negated = !self.negated;
    }

    pub(super) fn open(&mut self) {
        self.depth += 1;
        let negated = core::mem::take(&mut self.negated);
        if let Some(group) = self.group() {
            *group = Group { negated, ..FRESH };
        }
    }

    pub(super) fn close(&mut self) {
        let picks = self
            .group()
            .is_some_and(|group| group.every && group.narrowed && !group.negated);
        self.depth = self.depth.saturating_sub(1);
        self.negated = false;
        self.term(picks, false);
    }

    /// `-o`: what follows is reached by what the part before did not pick.
    pub(super) fn or(&mut self) {
        self.negated = false;
        if let Some(group) = self.group() {
            group.every &= group.narrowed;
            group.narrowed = false;
        }
    }

    /// `,`: what follows is reached by everything, and alone gives the value of the group.
    pub(super) fn comma(&mut self) {
        self.negated = false;
        if let Some(group) = self.group() {
            group.every = true;
            group.narrowed = false;
        }
    }
}
