//! What a call was given.

use nix::libc;
use rustix::fs::OFlags;

use crate::kernel::calls::Abi;
use crate::kernel::sys::seccomp_data;

/// A path as a call takes it.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) dirfd: i32,
    pub(super) address: u64,
}

/// Registers, as the caller's instruction set has them.
pub(super) struct Registers<'d> {
    pub(super) abi: &'static Abi,
    pub(super) data: &'d seccomp_data,
}

impl Registers<'_> {
    pub(super) const fn word(&self, index: usize) -> i32 {
        self.data.args[index] as i32
    }

    pub(super) fn address(&self, index: usize) -> u64 {
        match self.abi.is_narrow {
            true => self.data.args[index] & u64::from(u32::MAX),
            false => self.data.args[index],
        }
    }

    pub(super) fn flags(&self, index: usize) -> OFlags {
        OFlags::from_bits_retain(self.data.args[index] as u32)
    }

    /// A path from the working directory.
    pub(super) fn here(&self, index: usize) -> Spot {
        Spot {
            dirfd: libc::AT_FDCWD,
            address: self.address(index),
        }
    }

    /// A path from a directory, which comes before it.
    pub(super) fn at(&self, index: usize) -> Spot {
        Spot {
            dirfd: self.word(index),
            address: self.address(index + 1),
        }
    }

    pub(super) fn length(&self, index: usize) -> i64 {
        match self.abi.is_narrow {
            true => i64::from(self.word(index)),
            false => self.data.args[index].cast_signed(),
        }
    }

    /// A length of which the halves come one after the other. On ARM they begin at an even register.
    pub(super) fn halves(&self, index: usize) -> i64 {
        let index = match cfg!(target_arch = "aarch64") {
            true => index.next_multiple_of(2),
            false => index,
        };
        let half = |index: usize| u64::from(self.data.args[index] as u32);
        (half(index) | half(index + 1) << 32).cast_signed()
    }
}
