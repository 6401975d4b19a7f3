//! Secrets: what they look like, which files hold them, what prints those, and how they are kept out of the log.

mod assigned;
mod files;
mod redact;
mod shapes;
mod sight;
mod token;

pub(crate) use assigned::{is_marked, is_placeholder};
pub(crate) use files::{is_example, secret_kind};
pub(crate) use redact::redacted;
pub(crate) use shapes::Credential;

/// Every credential in a text: by its shape, or by the name before it.
pub(crate) fn find(text: &[u8]) -> Vec<Credential> {
    let mut found = shapes::find(text);
    let by_name = assigned::find(text);
    let fresh = |new: &Credential| {
        found
            .iter()
            .all(|known| known.range.end <= new.range.start || new.range.end <= known.range.start)
    };
    let fresh: Vec<_> = by_name.into_iter().filter(fresh).collect();
    found.extend(fresh);
    found
}
pub(crate) use sight::{hands_on, reads_secret};

/// Whether a text holds another, which is not empty.
pub(crate) fn holds(text: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && text.windows(part.len()).any(|found| found == part)
}
