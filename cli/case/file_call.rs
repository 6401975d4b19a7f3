//! A call of a tool that reads or changes files, as an agent makes it.

/// Such a call. Paths are as the agent gave them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileCall {
    /// The tool's own name.
    pub tool: String,
    /// The file.
    pub path: String,
    /// What is to happen to it.
    pub deed: FileDeed,
}

/// What is to happen to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileDeed {
    /// Its content comes into the session.
    Read,
    /// It gets this content; `None` if that is not told.
    Write(Option<String>),
    /// Parts of it are replaced by others.
    Edit(Vec<(String, String)>),
    /// It is removed.
    Remove,
}
