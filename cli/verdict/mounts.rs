//! Other file systems mounted inside a tree that would be removed.

use blastradius_policy::{Canonical, Fs, Rule};

use super::{Court, wording};
use crate::report::Refusal;

/// Room for the table of mounts; a longer one is read as far as it goes.
const TABLE: usize = 256 * 1024;

impl Court<'_> {
    /// Refuses the removal of a tree that another file system is mounted in, unless an `allow` line spells the
    /// mount point.
    pub(super) fn crosses_mount(&self, path: Canonical<'_>) -> Option<(Refusal, Option<String>)> {
        let mounts = self.mounts.get_or_init(|| self.read_mounts());
        let inside = mounts.iter().find(|mount| {
            Canonical::new(mount).is_some_and(|mount| {
                mount.is_below(path) && !self.place.session.policy.spelt(mount)
            })
        })?;
        let mount = wording::shown(inside);
        let reason = format!("another file system is mounted at {mount}, inside it");
        Some((
            wording::refusal(Rule::MountCrossing, vec![reason]),
            Some(mount),
        ))
    }

    fn read_mounts(&self) -> Vec<Vec<u8>> {
        let mut table = vec![0; TABLE];
        // Where there is no table there are no mounts to be told of.
        let Ok(length) = self.fs.read(b"/proc/self/mountinfo", &mut table) else {
            return Vec::new();
        };
        table[..length]
            .split(|byte| *byte == b'\n')
            .filter_map(|line| line.split(|byte| *byte == b' ').nth(4))
            .map(unescaped)
            .collect()
    }
}

/// The kernel writes blanks, tabs, newlines and backslashes as `\040` and so on.
fn unescaped(field: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&byte, after)) = rest.split_first() {
        let octal = after.get(..3).filter(|digits| {
            byte == b'\\' && digits.iter().all(|digit| (b'0'..=b'7').contains(digit))
        });
        match octal {
            Some(digits) => {
                let value = digits
                    .iter()
                    .fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
                out.push(u8::try_from(value).unwrap_or(b'?'));
                rest = &after[3..];
            }
            None => {
                out.push(byte);
                rest = after;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn reads_the_kernels_escapes() {
        for (field, expected) in [
            ("/a", "/a"),
            ("/my\\040dir", "/my dir"),
            ("/a\\134b", "/a\\b"),
            ("/a\\", "/a\\"),
            ("/a\\9", "/a\\9"),
        ] {
            assert_eq!(unescaped(field.as_bytes()), expected.as_bytes(), "{field}");
        }
    }
}
