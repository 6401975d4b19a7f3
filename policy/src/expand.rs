//! From a pattern as a person writes it to a pattern of the policy.

use crate::config::Fault;
use crate::discover::Overflow;
use crate::glob::{self, BadGlob};
use crate::path::TooLong;
use crate::pattern::Form;
use crate::text::{PolicyText, Record};
use crate::{Canonical, Fs, PATH_ROOM, PathBuffer, canonicalise};

/// What the beginnings of patterns stand for.
#[derive(Clone, Copy)]
pub(crate) struct Bases<'a> {
    /// The directory of the file.
    pub(crate) file: Canonical<'a>,
    /// `~` and `$HOME`.
    pub(crate) home: Option<Canonical<'a>>,
    /// `<repo>`.
    pub(crate) project: Option<Canonical<'a>>,
}

/// A pattern taken apart: the path it begins with, resolved on disk, and what follows it.
pub(crate) struct Expanded<'b> {
    pub(crate) form: Form,
    /// The path, links followed.
    pub(crate) path: &'b PathBuffer,
    /// The link itself, where the path is one.
    pub(crate) link: Option<&'b PathBuffer>,
    /// For [`Form::Glob`] the components after the path, with a slash before each.
    rest: &'b [u8],
}

/// Room for one expanded pattern.
pub(crate) struct Room {
    path: PathBuffer,
    link: PathBuffer,
    rest: [u8; PATH_ROOM],
}

impl Room {
    pub(crate) const fn new() -> Self {
        Self {
            path: PathBuffer::new(),
            link: PathBuffer::new(),
            rest: [0; PATH_ROOM],
        }
    }

    /// Expands `pattern`. `None` if it speaks of a project and there is none.
    pub(crate) fn expand<'p>(
        &mut self,
        fs: &(impl Fs + ?Sized),
        bases: &Bases<'_>,
        pattern: &'p str,
    ) -> Result<Option<Expanded<'_>>, Fault<'p>> {
        let (base, tail) = match begin(bases, pattern)? {
            Some(found) => found,
            None => return Ok(None),
        };
        let lexical = &mut self.link;
        lexical.set(base).map_err(|TooLong| Fault::TooLong)?;
        let mut length = 0;
        let mut count = 0;
        for component in tail.split('/') {
            if matches!(component, "" | ".") {
                continue;
            }
            if component == ".." {
                if length > 0 {
                    return Err(Fault::DotsAfterWildcard(pattern));
                }
                lexical.pop();
                continue;
            }
            glob::check(component.as_bytes()).map_err(|bad| Fault::Glob(pattern, bad))?;
            if length == 0 && glob::is_literal(component.as_bytes()) {
                push_literal(lexical, component, pattern)?;
                continue;
            }
            let end = length + 1 + component.len();
            let place = self.rest.get_mut(length..end).ok_or(Fault::TooLong)?;
            place[0] = b'/';
            place[1..].copy_from_slice(component.as_bytes());
            length = end;
            count += 1;
        }
        let form = match &self.rest[..length] {
            b"" => Form::Literal,
            b"/**" => Form::Tree,
            b"/*/**" => Form::Under,
            _ => Form::Glob,
        };
        self.resolve(fs)?;
        if form == Form::Glob && self.path.canonical().depth() + count > glob::COMPONENTS_MAX {
            return Err(Fault::Glob(pattern, BadGlob::Components));
        }
        let is_link = matches!(form, Form::Literal | Form::Tree)
            && self.link.canonical() != self.path.canonical();
        Ok(Some(Expanded {
            form,
            path: &self.path,
            link: is_link.then_some(&self.link),
            rest: &self.rest[..length],
        }))
    }

    /// From the lexical path in `link` to the path without links, and to the path whose last component is
    /// kept. What cannot be resolved (a loop, a sealed directory) stays as it is spelled: nothing that is
    /// judged can be reached through it either.
    fn resolve<'p>(&mut self, fs: &(impl Fs + ?Sized)) -> Result<(), Fault<'p>> {
        let mut lexical = PathBuffer::new();
        lexical
            .set(self.link.canonical())
            .map_err(|TooLong| Fault::TooLong)?;
        let spelled = lexical.as_bytes();
        if canonicalise(fs, b"", spelled, true, &mut self.path).is_err() {
            self.path
                .set(lexical.canonical())
                .map_err(|TooLong| Fault::TooLong)?;
        }
        if canonicalise(fs, b"", spelled, false, &mut self.link).is_err() {
            self.link
                .set(lexical.canonical())
                .map_err(|TooLong| Fault::TooLong)?;
        }
        Ok(())
    }
}

impl Expanded<'_> {
    /// Writes it as a record, and the link itself as another.
    pub(crate) fn write(&self, kind: Record, text: &mut PolicyText) -> Result<(), Overflow> {
        match self.form {
            Form::Glob => {
                let mut escaped = Escaped::new();
                escaped.push(self.path.canonical())?;
                text.record(
                    kind,
                    &[&[Form::Glob.letter()], escaped.as_bytes(), self.rest],
                )
            }
            form => write_plain(kind, form, self.path.canonical(), text),
        }
    }
}

/// Writes a pattern that is a path and a form.
pub(crate) fn write_plain(
    kind: Record,
    form: Form,
    path: Canonical<'_>,
    text: &mut PolicyText,
) -> Result<(), Overflow> {
    let bytes = if path.is_root() && form != Form::Literal {
        b""
    } else {
        path.as_bytes()
    };
    text.record(kind, &[&[form.letter()], bytes, form.suffix()])
}

/// What a pattern begins with, and what follows. `None` for `<repo>` without a project.
fn begin<'a, 'p>(
    bases: &Bases<'a>,
    pattern: &'p str,
) -> Result<Option<(Canonical<'a>, &'p str)>, Fault<'p>> {
    let after = |word: &str| {
        let rest = pattern.strip_prefix(word)?;
        (rest.is_empty() || rest.starts_with('/')).then_some(rest)
    };
    if let Some(rest) = after("~")
        .or_else(|| after("$HOME"))
        .or_else(|| after("${HOME}"))
    {
        return Ok(Some((bases.home.ok_or(Fault::NoHome)?, rest)));
    }
    if let Some(rest) = after("<repo>") {
        return Ok(bases.project.map(|project| (project, rest)));
    }
    match pattern.as_bytes()[0] {
        b'/' => Ok(Some((Canonical::ROOT, pattern))),
        b'~' | b'$' | b'<' => Err(Fault::UnknownBegin(pattern)),
        _ => Ok(Some((bases.file, pattern))),
    }
}

/// Adds a literal component, whose escapes are taken off.
fn push_literal<'p>(
    path: &mut PathBuffer,
    component: &str,
    pattern: &'p str,
) -> Result<(), Fault<'p>> {
    // NAME_MAX, with room for one more to tell that it is exceeded.
    let mut plain = [0; 256];
    let mut length = 0;
    let mut bytes = component.bytes();
    while let Some(mut byte) = bytes.next() {
        if byte == b'\\' {
            byte = bytes
                .next()
                .ok_or(Fault::Glob(pattern, BadGlob::Backslash))?;
        }
        *plain.get_mut(length).ok_or(Fault::TooLong)? = byte;
        length += 1;
    }
    match &plain[..length] {
        // An escaped dot is a dot all the same.
        b"." => Ok(()),
        b".." => {
            path.pop();
            Ok(())
        }
        name => path.push(name).map_err(|TooLong| Fault::TooLong),
    }
}

/// A path whose special characters stand for themselves in a glob.
struct Escaped {
    bytes: [u8; PATH_ROOM],
    length: usize,
}

impl Escaped {
    const fn new() -> Self {
        Self {
            bytes: [0; PATH_ROOM],
            length: 0,
        }
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn push(&mut self, path: Canonical<'_>) -> Result<(), Overflow> {
        if path.is_root() {
            return Ok(());
        }
        for &byte in path.as_bytes() {
            // A brace that chooses is refused in a pattern, so one that does not must not look like it.
            if glob::is_special(byte) || byte == b'{' {
                self.push_byte(b'\\')?;
            }
            self.push_byte(byte)?;
        }
        Ok(())
    }

    fn push_byte(&mut self, byte: u8) -> Result<(), Overflow> {
        *self.bytes.get_mut(self.length).ok_or(Overflow)? = byte;
        self.length += 1;
        Ok(())
    }
}
