//! Where a string would run.

use blastradius_policy::Fs;

use crate::{case::Background, git::Ask, judge::Session};

/// What the interpreter needs to know about where it runs.
pub(crate) struct Place<'a> {
    pub(crate) session: &'a Session<'a>,
    pub(crate) fs: &'a dyn Fs,
    /// The home that `~` stands for when HOME is not set.
    pub(crate) home: Option<&'a [u8]>,
    /// Who knows what a repository holds.
    pub(crate) git: &'a dyn Ask,
    /// What is known beside the string.
    pub(crate) background: &'a Background,
}

impl Place<'_> {
    pub(crate) fn variable(&self, name: &[u8]) -> Option<&[u8]> {
        self.session
            .environment
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_slice())
    }

    /// The home of a user in the password database.
    fn listed_home(&self, user: &[u8]) -> Option<Vec<u8>> {
        let mut file = vec![0; LONGEST_DATABASE];
        let length = self.fs.read(b"/etc/passwd", &mut file).ok()?;
        file[..length]
            .split(|byte| *byte == b'\n')
            .find_map(|line| {
                let mut fields = line.split(|byte| *byte == b':');
                (fields.next()? == user).then_some(())?;
                let home = fields.nth(4)?;
                home.starts_with(b"/").then(|| home.to_vec())
            })
    }

    /// The home of another user, as far as the policy and the password database know homes.
    pub(crate) fn home_of(&self, user: &[u8]) -> Option<Vec<u8>> {
        if matches!(user, b"." | b"..") {
            return None;
        }
        let known = self.session.policy.homes().find(|home| home.name() == user);
        match known {
            Some(home) => Some(home.as_bytes().to_vec()),
            None if user == b"root" => Some(b"/root".to_vec()),
            None => self.listed_home(user).or_else(|| {
                let guess = [b"/home/", user].concat();
                self.fs.lstat(&guess).is_ok().then_some(guess)
            }),
        }
    }
}

/// Longest password database that is looked through.
const LONGEST_DATABASE: usize = 64 << 10;
