//! The system calls that may destroy, by their numbers: one table an instruction set, from which both the filter is
//! made and what it reports is read.

/// What a system call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Unlink,
    Rmdir,
    UnlinkAt,
    Rename,
    RenameAt,
    RenameAt2,
    Link,
    LinkAt,
    Symlink,
    SymlinkAt,
    Open,
    Creat,
    OpenAt,
    OpenAt2,
    OpenByHandle,
    Truncate,
    /// The length is in two registers.
    TruncateHalves,
    Ftruncate,
    FtruncateHalves,
    Fallocate,
    Fcntl,
    /// A ring: what goes through it is seen by nobody. The filter answers it.
    Ring,
    /// Changes who the process is, or what it may do.
    Changes,
    /// With some options, the same.
    Prctl,
    /// Puts it into a sandbox.
    Confines,
}

/// How calls are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Abi {
    /// As `linux/audit.h` names it.
    pub(super) arch: u32,
    /// Number and meaning.
    pub(super) table: &'static [(u32, Call)],
    /// Whether registers hold 32 bits: then no session number fits in one.
    pub(super) is_narrow: bool,
}

/// Set in the numbers of x32, which are otherwise those of x86-64.
#[cfg(target_arch = "x86_64")]
pub(super) const X32_BIT: u32 = 0x4000_0000;

/// What a process of this machine can call: its own way first.
#[cfg(target_arch = "x86_64")]
pub(super) const ABIS: &[Abi] = ABIS_OF_X86;
#[cfg(target_arch = "aarch64")]
pub(super) const ABIS: &[Abi] = ABIS_OF_ARM;

#[cfg(any(target_arch = "x86_64", test))]
pub(super) const ABIS_OF_X86: &[Abi] = &[
    Abi {
        arch: 0xc000_003e,
        table: X86_64,
        is_narrow: false,
    },
    Abi {
        arch: 0x4000_0003,
        table: I386,
        is_narrow: true,
    },
];

#[cfg(any(target_arch = "aarch64", test))]
pub(super) const ABIS_OF_ARM: &[Abi] = &[
    Abi {
        arch: 0xc000_00b7,
        table: AARCH64,
        is_narrow: false,
    },
    Abi {
        arch: 0x4000_0028,
        table: ARM,
        is_narrow: true,
    },
];

/// What a number means there.
pub(super) fn find(arch: u32, number: i32) -> Option<(&'static Abi, Call)> {
    let abi = ABIS.iter().find(|abi| abi.arch == arch)?;
    let number = number.cast_unsigned();
    #[cfg(target_arch = "x86_64")]
    let number = number & !X32_BIT;
    let (_, call) = abi.table.iter().find(|(known, _)| *known == number)?;
    Some((abi, *call))
}

use Call::{
    Changes, Confines, Creat, Fallocate, Fcntl, Ftruncate, FtruncateHalves, Link, LinkAt, Open,
    OpenAt, OpenAt2, OpenByHandle, Prctl, Rename, RenameAt, RenameAt2, Ring, Rmdir, Symlink,
    SymlinkAt, Truncate, TruncateHalves, Unlink, UnlinkAt,
};

#[cfg(any(target_arch = "x86_64", test))]
const X86_64: &[(u32, Call)] = &[
    (2, Open),
    (72, Fcntl),
    (76, Truncate),
    (77, Ftruncate),
    (82, Rename),
    (84, Rmdir),
    (85, Creat),
    (86, Link),
    (87, Unlink),
    (88, Symlink),
    (105, Changes), // setuid
    (106, Changes), // setgid
    (113, Changes), // setreuid
    (114, Changes), // setregid
    (116, Changes), // setgroups
    (117, Changes), // setresuid
    (119, Changes), // setresgid
    (122, Changes), // setfsuid
    (123, Changes), // setfsgid
    (126, Changes), // capset
    (157, Prctl),
    (257, OpenAt),
    (263, UnlinkAt),
    (264, RenameAt),
    (265, LinkAt),
    (266, SymlinkAt),
    (285, Fallocate),
    (304, OpenByHandle),
    (316, RenameAt2),
    (425, Ring),
    (426, Ring),
    (427, Ring),
    (437, OpenAt2),
    (446, Confines), // landlock_restrict_self
];

#[cfg(any(target_arch = "aarch64", test))]
const AARCH64: &[(u32, Call)] = &[
    (25, Fcntl),
    (35, UnlinkAt),
    (36, SymlinkAt),
    (37, LinkAt),
    (38, RenameAt),
    (45, Truncate),
    (46, Ftruncate),
    (47, Fallocate),
    (56, OpenAt),
    (91, Changes),  // capset
    (143, Changes), // setregid
    (144, Changes), // setgid
    (145, Changes), // setreuid
    (146, Changes), // setuid
    (147, Changes), // setresuid
    (149, Changes), // setresgid
    (151, Changes), // setfsuid
    (152, Changes), // setfsgid
    (159, Changes), // setgroups
    (167, Prctl),
    (265, OpenByHandle),
    (276, RenameAt2),
    (425, Ring),
    (426, Ring),
    (427, Ring),
    (437, OpenAt2),
    (446, Confines), // landlock_restrict_self
];

/// What both 32-bit ways have in common: they share these numbers.
macro_rules! narrow {
    ($($own:tt)*) => {
        &[
            (5, Open),
            (8, Creat),
            (9, Link),
            (10, Unlink),
            (38, Rename),
            (40, Rmdir),
            (55, Fcntl),
            (83, Symlink),
            (92, Truncate),
            (93, Ftruncate),
            (193, TruncateHalves),
            (194, FtruncateHalves),
            (221, Fcntl),
            (23, Changes),  // setuid
            (46, Changes),  // setgid
            (70, Changes),  // setreuid
            (71, Changes),  // setregid
            (81, Changes),  // setgroups
            (138, Changes), // setfsuid
            (139, Changes), // setfsgid
            (164, Changes), // setresuid
            (170, Changes), // setresgid
            (172, Prctl),
            (185, Changes), // capset
            (203, Changes), // setreuid32
            (204, Changes), // setregid32
            (206, Changes), // setgroups32
            (208, Changes), // setresuid32
            (210, Changes), // setresgid32
            (213, Changes), // setuid32
            (214, Changes), // setgid32
            (215, Changes), // setfsuid32
            (216, Changes), // setfsgid32
            (425, Ring),
            (426, Ring),
            (427, Ring),
            (437, OpenAt2),
            (446, Confines), // landlock_restrict_self
            $($own)*
        ]
    };
}

#[cfg(any(target_arch = "x86_64", test))]
const I386: &[(u32, Call)] = narrow![
    (295, OpenAt),
    (301, UnlinkAt),
    (302, RenameAt),
    (303, LinkAt),
    (304, SymlinkAt),
    (324, Fallocate),
    (342, OpenByHandle),
    (353, RenameAt2),
];

#[cfg(any(target_arch = "aarch64", test))]
const ARM: &[(u32, Call)] = narrow![
    (322, OpenAt),
    (328, UnlinkAt),
    (329, RenameAt),
    (330, LinkAt),
    (331, SymlinkAt),
    (352, Fallocate),
    (371, OpenByHandle),
    (382, RenameAt2),
];

#[cfg(test)]
mod tests;
