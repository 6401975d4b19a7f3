//! Files that are written: what may be lost through a descriptor, and whether it may be had.

use super::{Deed, Guard, Object, Place, Refusal};
use crate::{Act, Kind, contract};

impl Deed {
    /// What an open does to a file of this size; None if it has no content that could be lost (a pipe, a terminal,
    /// `/dev/null`).
    #[must_use]
    pub const fn of_open(kind: Kind, size: u64, truncates: bool, appends: bool) -> Option<Self> {
        match kind {
            // Disks of macOS are character devices, too, and not to be told from terminals without asking each.
            Kind::BlockDevice => Some(Self::OVERWRITE),
            Kind::File => Some(if size == 0 {
                // Only the guard's own files must not be written although they are empty.
                Self::APPEND
            } else if truncates {
                Self::TRUNCATE
            } else if appends {
                Self::APPEND
            } else {
                Self::OVERWRITE
            }),
            _ => None,
        }
    }

    /// What setting the length of a file does. One that grows loses nothing.
    #[must_use]
    pub const fn of_length(size: u64, length: u64) -> Self {
        if length < size {
            Self::TRUNCATE
        } else {
            Self::APPEND
        }
    }
}

impl<'p> Guard<'_, 'p> {
    /// Why an open file must not be written as `deed` says; None if it may.
    #[inline]
    #[must_use]
    pub fn refusal_to_write(
        &self,
        deed: Deed,
        place: Place<'_>,
        kind: Kind,
        object: &impl Object,
    ) -> Option<Refusal<'p>> {
        let refusal = self.judge(place, deed.act, Some(kind))?;
        (!self.is_exempt(refusal, object)).then_some(refusal)
    }

    /// Why a file must not be made: it would be one of the guard, whose configuration would be the caller's.
    #[must_use]
    pub fn refusal_to_create(&self, place: Place<'_>) -> Option<Refusal<'p>> {
        self.judge(place, Act::Append, None)
    }
}

/// Whether a name is that of a file of the guard, wherever it lies. Another of the same name costs a lookup.
#[must_use]
pub fn is_name_of_guard(name: &[u8]) -> bool {
    const FILES: [&[u8]; 4] = [
        contract::PROJECT_FILE,
        contract::USER_FILE,
        contract::LOG_FILE,
        contract::TRUST_FILE,
    ];
    FILES.iter().any(|file| {
        let file = file.rsplit(|&byte| byte == b'/').next().unwrap_or(file);
        // File systems of macOS take a name in any case.
        file == name || cfg!(target_os = "macos") && file.eq_ignore_ascii_case(name)
    })
}
