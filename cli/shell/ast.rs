//! What a shell string says, before any of it is expanded.
//!
//! Everything is bytes; every word keeps which of its pieces were quoted, because that decides what a shell
//! splits, globs and expands.

/// A range of bytes of the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// Which shell's grammar is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// bash.
    Bash,
    /// `sh`: dash, bash in POSIX mode, or bash 3.2.
    Sh,
    /// zsh.
    Zsh,
    /// Not known: whatever one of them would run counts.
    Unknown,
}

/// A whole string, a substitution or the body of a here-document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Every complete command, also those before an error.
    pub list: List,
    /// Where reading stopped, if it did.
    pub error: Option<SyntaxError>,
    /// Places that shells read differently.
    pub doubts: Vec<Doubt>,
    /// How many bytes of a whole string are the bodies of here-documents.
    pub body_bytes: usize,
}

/// Why reading stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Byte offset of the error.
    pub at: usize,
    /// Byte offset where the complete command (the line) that holds it begins. What lies before has run when a
    /// shell finds the error.
    pub line_start: usize,
    /// What is wrong, as a lower-case fragment.
    pub message: &'static str,
    /// The reader's own limits are at fault: a shell may well read it.
    pub is_limit: bool,
}

/// A place that shells read differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// Where. It reaches to the end of the string if shells differ on where the place ends.
    pub span: Span,
    /// What.
    pub kind: DoubtKind,
}

/// Kinds of doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoubtKind {
    /// A single quote inside `"${x:-'}"`: bash keeps it literal, sh quotes with it.
    QuoteInQuotedParameter,
    /// `!(...)`: a negated subshell, or an extended glob.
    NegatedParenthesis,
    /// A here-document ended by the end of the string.
    HereDocumentAtEnd,
    /// A here-document whose end shells see in different places, or a substitution in its body that does not parse.
    HereDocumentBody,
    /// A substitution between the single quotes of `"${x:-'...'}"` that does not end there.
    UnevenSubstitution,
    /// `time {`, which dash takes for the arguments of a command.
    TimeKeyword,
    /// `${ command; }`, which only bash 5.3 runs.
    FunctionSubstitution,
    /// `&>`: a redirection, or `&` and then `>`.
    AmpersandRedirection,
    /// `$'...'` and `$"..."`: dash keeps the `$` and every backslash, and ends the quotes at the first single quote.
    EscapedQuote,
    /// `((...))`: arithmetic, or in dash a subshell in a subshell.
    ArithmeticCommand,
    /// `[[ ... ]]`: a condition, or in dash a command whose arguments end at `&&` and `||`.
    ConditionalCommand,
    /// `function name ...`: a definition, or in dash a command, whose body runs at once.
    FunctionKeyword,
    /// `a[...]` and `$[...]` with blanks or operators: one word in bash, several elsewhere.
    SpacedSubscript,
    /// `@(...)` and the like in an array, in a command of several lines.
    ArrayPattern,
    /// An escaped `$` or backtick in arithmetic, which some versions of bash expand after all.
    EscapedArithmetic,
    /// `{name`, `repeat` and `foreach`: compound commands in zsh, names of commands elsewhere.
    ZshCompound,
    /// `>!`: zsh writes to the next word, others to a file whose name begins with `!`.
    ClobberRedirection,
    /// `*(...)` and the like in zsh, where a qualifier may run code.
    GlobQualifier,
}

/// Commands in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// The commands.
    pub items: Vec<Item>,
}

/// One and-or list with what ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The first pipeline.
    pub first: Pipeline,
    /// Those joined to it by `&&` and `||`.
    pub rest: Vec<(Connector, Pipeline)>,
    /// Ended by `&`.
    pub background: bool,
}

/// `&&` or `||`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connector {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|` or `|&`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// An odd number of `!` in front.
    pub negated: bool,
    /// The commands, at least one.
    pub commands: Vec<Command>,
}

/// A command with its redirections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// What it is.
    pub kind: CommandKind,
    /// In source order. Those of a simple command stand here too.
    pub redirections: Vec<Redirection>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// Assignments and words; either may be empty.
    Simple {
        /// `NAME=value` in front of the command word.
        assignments: Vec<Assignment>,
        /// The command word and its arguments.
        words: Vec<Word>,
    },
    /// `( list )`
    Subshell(List),
    /// `{ list; }`
    Group(List),
    /// `if`, `elif`, `else`.
    If {
        /// Condition and body of `if` and of each `elif`.
        branches: Vec<(List, List)>,
        /// `else`.
        otherwise: Option<List>,
    },
    /// `while` and `until`.
    Loop {
        /// `until`.
        until: bool,
        /// The condition.
        condition: List,
        /// The body.
        body: List,
    },
    /// `for name in words` and `select`.
    For {
        /// The variable.
        name: Vec<u8>,
        /// `None`: over the positional parameters.
        words: Option<Vec<Word>>,
        /// The body.
        body: List,
        /// `select`.
        select: bool,
    },
    /// `for (( init; condition; step ))`
    ArithmeticFor {
        /// All three expressions as one text.
        text: Vec<Piece>,
        /// The body.
        body: List,
    },
    /// zsh's `repeat count list`
    Repeat {
        /// How often.
        count: Word,
        /// The body.
        body: List,
    },
    /// `case`.
    Case {
        /// What is compared.
        subject: Word,
        /// The arms.
        arms: Vec<Arm>,
    },
    /// `name() command`
    Function {
        /// Its name.
        name: Vec<u8>,
        /// Its body, a compound command.
        body: Box<Command>,
    },
    /// `(( text ))`
    Arithmetic(Vec<Piece>),
    /// `[[ words ]]`: operators and parentheses stand among the words as unquoted literals.
    Conditional(Vec<Word>),
    /// `time pipeline`
    Time(Box<Pipeline>),
    /// `coproc NAME command`
    Coproc {
        /// `COPROC` if not given.
        name: Vec<u8>,
        /// The command.
        body: Box<Command>,
    },
}

/// One arm of a `case`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// Patterns, joined by `|`.
    pub patterns: Vec<Word>,
    /// What runs.
    pub body: List,
    /// `;&` or `;;&`: a later arm may run too.
    pub falls_through: bool,
}

/// `NAME=value`, `NAME+=value`, `NAME[subscript]=value`, `NAME=(...)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The name.
    pub name: Vec<u8>,
    /// The subscript.
    pub subscript: Option<Vec<Piece>>,
    /// `+=`.
    pub append: bool,
    /// What is assigned.
    pub value: AssignedValue,
    /// Where it stands.
    pub span: Span,
}

/// The right-hand side of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssignedValue {
    /// One word, possibly without pieces.
    Scalar(Word),
    /// `( ... )`: elements with their subscripts.
    Array(Vec<(Option<Vec<Piece>>, Word)>),
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirection {
    /// The descriptor in front (`2>`, or a name in `{name}>`), if any.
    pub descriptor: Option<Vec<u8>>,
    /// The operator.
    pub operator: RedirectionOperator,
    /// The operand: a file name, a descriptor, the text of a here-string. Empty for a here-document.
    pub operand: Word,
    /// The body of a here-document.
    pub here_document: Option<HereDocument>,
    /// Where it stands.
    pub span: Span,
}

/// The redirection operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectionOperator {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>|`, and zsh's `>!`
    Clobber,
    /// `>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `<&`
    DuplicateIn,
    /// `>&`: a descriptor, or a file for both outputs.
    DuplicateOut,
    /// `&>`
    WriteBoth,
    /// `&>>`
    AppendBoth,
    /// `<<` and `<<-`
    HereDocument,
    /// `<<<`
    HereString,
}

/// The body of a here-document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HereDocument {
    /// The delimiter was quoted: the body is data.
    pub quoted: bool,
    /// The body. One quoted literal if the delimiter was quoted, else pieces as in double quotes.
    pub body: Vec<Piece>,
}

/// A word before expansion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// Its pieces; empty only where a word is missing (`X=`).
    pub pieces: Vec<Piece>,
    /// Where it stands.
    pub span: Span,
}

/// A piece of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Bytes after quote removal. Unquoted bytes may be tilde, brace, glob and splitting characters; `""` is a
    /// quoted literal without bytes.
    Literal {
        /// The bytes.
        bytes: Vec<u8>,
        /// Quoted in any way (backslash, single, double, `$'..'`).
        quoted: bool,
    },
    /// `$name` and `${...}`.
    Parameter(Box<Parameter>),
    /// `$(...)`, backticks, and bash 5.3's `${ ...; }`.
    Command {
        /// What runs.
        script: Script,
        /// Inside double quotes.
        quoted: bool,
        /// Where it stands.
        span: Span,
    },
    /// `$((...))` and `$[...]`.
    Arithmetic {
        /// The expression.
        text: Vec<Piece>,
        /// Inside double quotes.
        quoted: bool,
        /// Where it stands.
        span: Span,
    },
    /// `<(...)`, `>(...)`, and zsh's `=(...)`.
    Process {
        /// What runs.
        script: Script,
        /// Where it stands.
        span: Span,
    },
}

/// `$name` and `${...}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameter {
    /// A name, a positional number, or one of `@ * # ? - $ ! 0 _`.
    pub name: Vec<u8>,
    /// `[subscript]`.
    pub subscript: Option<Vec<Piece>>,
    /// `${#name}`.
    pub length: bool,
    /// `${!name}`, `${!prefix*}`.
    pub indirect: bool,
    /// `:-`, `-`, `:=`, `#`, `##`, `%`, `%%`, `/`, `//`, `/#`, `/%`, `^`, `^^`, `,`, `,,`, `:` (substring), `@`,
    /// and for `${!prefix*}` the `*` or `@`. Empty for none. For text that is no known form: `?bad`.
    pub operator: &'static str,
    /// The first operand.
    pub operand: Vec<Piece>,
    /// The replacement of `/`, the length of `:`.
    pub second: Option<Vec<Piece>>,
    /// Inside double quotes.
    pub quoted: bool,
    /// `${...}`: what follows is no part of the name.
    pub braced: bool,
    /// Where it stands.
    pub span: Span,
}
