//! Functions of languages that remove, empty, move or run, and those that make paths.

use super::{
    Effect, Language,
    evaluate::{Arguments, Reader, Value, joined},
};
use crate::interp::value::Text;

/// Whether a function of Perl or Ruby may be given values without brackets.
pub(super) fn takes_bare_words(language: Language, dotted: &[u8]) -> bool {
    match language {
        Language::Perl => matches!(
            dotted,
            b"glob"
                | b"unlink"
                | b"rmdir"
                | b"rmtree"
                | b"remove_tree"
                | b"system"
                | b"exec"
                | b"rename"
                | b"truncate"
                | b"open"
        ),
        Language::Ruby => {
            dotted.starts_with(b"File.")
                || dotted.starts_with(b"FileUtils.")
                || dotted.starts_with(b"Dir.")
                || matches!(
                    dotted,
                    b"system" | b"exec" | b"rm_rf" | b"rm_r" | b"rm" | b"rm_f"
                )
        }
        _ => false,
    }
}

/// Values that need no arguments.
pub(super) fn constant(dotted: &[u8], home: Text, cwd: Text) -> Option<Text> {
    match dotted {
        b"Dir.home" => Some(home),
        b"Dir.pwd" => Some(cwd),
        _ => None,
    }
}

impl Reader<'_> {
    /// A call of a function; its value.
    pub(super) fn call(&mut self, dotted: &[u8], path: &[Vec<u8>], arguments: &Arguments) -> Value {
        let name = path.last().map_or(&b""[..], Vec::as_slice);
        let base = (path.len() > 1).then(|| path[path.len() - 2].as_slice());
        if let Some(value) = self.made(dotted, name, arguments) {
            return value;
        }
        match self.language() {
            Language::Python => self.python(dotted, name, base, arguments),
            Language::Node => self.node(name, base, arguments),
            Language::Perl | Language::Php => self.perl(name, arguments),
            Language::Ruby => self.ruby(name, base, arguments),
        }
        // A method of a variable: `p.unlink()`.
        if let [object, method] = path
            && let Some(object) = self.object(object)
        {
            return self.method(&object, method, arguments);
        }
        Self::result(None)
    }

    /// Functions that make a path.
    fn made(&self, dotted: &[u8], name: &[u8], arguments: &Arguments) -> Option<Value> {
        let first = || arguments.text(0).cloned();
        let text = match dotted {
            // The name of a module, for what is called on it.
            b"__import__" | b"importlib.import_module" | b"require" => {
                return Some(Value::from(first()?));
            }
            b"os.path.expanduser" => self.with_home(&first()?),
            b"File.expand_path" if arguments.values.len() == 1 => {
                self.absolute(&self.with_home(&first()?))
            }
            b"os.path.join" | b"path.join" | b"File.join" => joined(&arguments.values),
            b"os.path.abspath" | b"os.path.realpath" | b"path.resolve"
                if arguments.values.len() == 1 =>
            {
                self.absolute(&first()?)
            }
            b"glob" | b"glob.glob" | b"glob.iglob" | b"Dir.glob" => {
                let pattern = first()?;
                return Some(Value {
                    is_glob: pattern
                        .bytes()
                        .is_some_and(|bytes| self.is_plain_pattern(bytes)),
                    ..Value::from(pattern)
                });
            }
            b"str" | b"String" | b"os.fspath" | b"os.path.normpath" => first()?,
            b"os.getenv" | b"os.environ.get" | b"ENV.fetch" | b"getenv"
                if arguments.values.len() == 1 =>
            {
                self.variable(first()?.bytes()?)
            }
            b"Path.home" | b"pathlib.Path.home" | b"os.homedir" | b"homedir" | b"Dir.home" => {
                self.home()
            }
            _ if matches!(name, b"Path" | b"PosixPath" | b"Pathname") => {
                if arguments.values.is_empty() {
                    Text::known(*b".")
                } else {
                    joined(&arguments.values)
                }
            }
            _ => return None,
        };
        Some(Self::result(Some(text)))
    }

    /// Whether a shell would find the same names by a pattern.
    fn is_plain_pattern(&self, pattern: &[u8]) -> bool {
        let tilde = pattern.first() == Some(&b'~') && self.language() != Language::Perl;
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./~*?[]+@%,".contains(byte);
        !tilde && pattern.iter().all(plain)
    }

    /// A method of a value, or an attribute.
    pub(super) fn method(&mut self, object: &Value, name: &[u8], arguments: &Arguments) -> Value {
        let path = || object.text.clone();
        match name {
            b"expanduser" => return Self::result(Some(self.with_home(&object.text))),
            b"resolve" | b"absolute" => return Self::result(Some(self.absolute(&object.text))),
            b"joinpath" | b"join" if object.is_path => {
                let mut parts = vec![object.clone()];
                parts.extend(arguments.values.iter().cloned());
                return Self::result(Some(joined(&parts)));
            }
            b"unlink" | b"delete" if object.is_path => self.push(Effect::Remove(path())),
            b"rmdir" if object.is_path => self.push(Effect::RemoveDirectory(path())),
            b"rmtree" if object.is_path => self.push(Effect::RemoveTree(path())),
            b"write_text" | b"write_bytes" | b"write" if object.is_path => {
                self.push(Effect::Empty(path()));
            }
            b"open" if object.is_path && empties(arguments.text(0)) => {
                self.push(Effect::Empty(path()));
            }
            b"rename" | b"replace" if object.is_path => {
                if let Some(to) = arguments.text(0) {
                    self.push(Effect::Move(path(), to.clone()));
                }
            }
            _ if object.is_path => {}
            _ => {
                let module = object.text.bytes().or(Some(b""));
                match self.language() {
                    Language::Python => self.python(b"", name, module, arguments),
                    Language::Node => self.node(name, module, arguments),
                    _ => {}
                }
            }
        }
        Self::result(None)
    }

    fn python(&mut self, dotted: &[u8], name: &[u8], base: Option<&[u8]>, arguments: &Arguments) {
        let of_os = base.is_none_or(|base| base == b"os");
        match name {
            b"rmtree" => self.each(arguments, 1, Effect::RemoveTree),
            b"remove" if base == Some(b"os") => self.each(arguments, 1, Effect::Remove),
            b"unlink" if of_os => self.each(arguments, 1, Effect::Remove),
            b"rmdir" | b"removedirs" if of_os => self.each(arguments, 1, Effect::RemoveDirectory),
            b"truncate" if base == Some(b"os") => self.each(arguments, 1, Effect::Empty),
            b"rename" | b"replace" | b"renames" if base == Some(b"os") => self.moves(arguments),
            b"move" if base == Some(b"shutil") => self.moves(arguments),
            b"copy" | b"copy2" | b"copyfile" if base == Some(b"shutil") => {
                self.copies(arguments);
            }
            b"open" if matches!(dotted, b"open" | b"io.open") && empties(arguments.text(1)) => {
                self.each(arguments, 1, Effect::Empty);
            }
            b"system" | b"popen" if of_os => self.each(arguments, 1, Effect::Shell),
            b"run" | b"call" | b"check_call" | b"check_output" | b"Popen" | b"getoutput"
            | b"getstatusoutput" => self.program(arguments, 1),
            _ => {}
        }
    }

    fn node(&mut self, name: &[u8], base: Option<&[u8]>, arguments: &Arguments) {
        match name {
            b"rmSync" | b"rm" | b"rmdirSync" | b"rmdir" => {
                if arguments.names("recursive") && arguments.names("true") {
                    self.each(arguments, 1, Effect::RemoveTree);
                } else {
                    self.each(arguments, 1, Effect::Remove);
                }
            }
            b"rimraf" | b"rimrafSync" | b"removeSync" | b"emptyDirSync" => {
                self.each(arguments, 1, Effect::RemoveTree);
            }
            b"unlinkSync" | b"unlink" => self.each(arguments, 1, Effect::Remove),
            b"truncateSync" | b"truncate" | b"writeFileSync" | b"writeFile"
            | b"createWriteStream" => {
                self.each(arguments, 1, Effect::Empty);
            }
            b"renameSync" | b"rename" => self.moves(arguments),
            b"copyFileSync" | b"copyFile" => self.copies(arguments),
            // A pattern has one too.
            b"exec" if base.is_some_and(|base| base != b"child_process" && base != b"cp") => {}
            b"execSync" | b"exec" => self.each(arguments, 1, Effect::Shell),
            b"spawnSync" | b"spawn" | b"execFileSync" | b"execFile" => self.program(arguments, 2),
            _ => {}
        }
    }

    /// Perl, and PHP, which took its names.
    fn perl(&mut self, name: &[u8], arguments: &Arguments) {
        let all = arguments.values.len();
        match name {
            b"unlink" => self.each(arguments, all, Effect::Remove),
            b"rmdir" => self.each(arguments, 1, Effect::RemoveDirectory),
            b"rmtree" | b"remove_tree" => self.each(arguments, all, Effect::RemoveTree),
            b"truncate" | b"file_put_contents" => self.each(arguments, 1, Effect::Empty),
            b"rename" => self.moves(arguments),
            b"open" | b"fopen" => self.opens(arguments),
            b"system" | b"exec" if all > 1 && self.language() == Language::Perl => {
                self.program(arguments, all);
            }
            b"system" | b"exec" | b"shell_exec" | b"passthru" | b"popen" => {
                self.each(arguments, 1, Effect::Shell);
            }
            _ => {}
        }
    }

    fn ruby(&mut self, name: &[u8], base: Option<&[u8]>, arguments: &Arguments) {
        let all = arguments.values.len();
        match (base, name) {
            (Some(b"File"), b"delete" | b"unlink") => self.each(arguments, all, Effect::Remove),
            (Some(b"File" | b"IO"), b"write" | b"binwrite" | b"truncate") => {
                self.each(arguments, 1, Effect::Empty);
            }
            (Some(b"File"), b"open" | b"new") if empties(arguments.text(1)) => {
                self.each(arguments, 1, Effect::Empty);
            }
            (Some(b"File"), b"rename") | (Some(b"FileUtils"), b"mv" | b"move") => {
                self.moves(arguments);
            }
            (Some(b"FileUtils"), b"cp" | b"copy") => self.copies(arguments),
            (Some(b"Dir"), b"rmdir" | b"delete" | b"unlink") => {
                self.each(arguments, 1, Effect::RemoveDirectory);
            }
            (
                Some(b"FileUtils") | None,
                b"rm_rf"
                | b"rm_r"
                | b"rmtree"
                | b"remove_dir"
                | b"remove_entry"
                | b"remove_entry_secure",
            ) => self.each(arguments, all, Effect::RemoveTree),
            (Some(b"FileUtils") | None, b"rm" | b"rm_f" | b"remove" | b"safe_unlink") => {
                self.each(arguments, all, Effect::Remove);
            }
            (None | Some(b"Kernel"), b"system" | b"exec" | b"spawn") => {
                self.program(arguments, all)
            }
            _ => {}
        }
    }

    /// The effect on each of the first values, and on each element of a list.
    fn each(&mut self, arguments: &Arguments, count: usize, effect: fn(Text) -> Effect) {
        for value in arguments.values.iter().take(count) {
            match &value.items {
                Some(items) => {
                    for item in items {
                        self.push(effect(item.text.clone()));
                    }
                }
                None if value.is_glob => match effect(Text::default()) {
                    Effect::Remove(_) | Effect::RemoveTree(_) | Effect::RemoveDirectory(_) => {
                        let mut line = Text::known(*b"rm -rf -- ");
                        line.append(&value.text);
                        self.push(Effect::Shell(line));
                    }
                    _ => {}
                },
                None => self.push(effect(value.text.clone())),
            }
        }
    }

    fn moves(&mut self, arguments: &Arguments) {
        if let (Some(from), Some(to)) = (arguments.text(0), arguments.text(1)) {
            self.push(Effect::Move(from.clone(), to.clone()));
        }
    }

    fn copies(&mut self, arguments: &Arguments) {
        if let (Some(from), Some(to)) = (arguments.text(0), arguments.text(1)) {
            let words = [
                Text::known(*b"cp"),
                Text::known(*b"--"),
                from.clone(),
                to.clone(),
            ];
            self.push(Effect::Program(words.to_vec()));
        }
    }

    /// A program with its words: a list, or the values one by one; a single string is for a shell.
    fn program(&mut self, arguments: &Arguments, count: usize) {
        let mut words = Vec::new();
        for value in arguments.values.iter().take(count.max(1)) {
            match &value.items {
                Some(items) => words.extend(items.iter().map(|item| item.text.clone())),
                None => words.push(value.text.clone()),
            }
        }
        let listed = arguments
            .values
            .first()
            .is_some_and(|value| value.items.is_some());
        match words.as_slice() {
            [] => {}
            [text] if !listed => self.push(Effect::Shell(text.clone())),
            _ => self.push(Effect::Program(words)),
        }
    }

    /// Perl's `open(F, '>', X)` and `open(F, ">X")`, PHP's `fopen(X, 'w')`.
    fn opens(&mut self, arguments: &Arguments) {
        let text = |index: usize| arguments.text(index).and_then(Text::bytes);
        if self.language() == Language::Php {
            if empties(arguments.text(1)) {
                self.each(arguments, 1, Effect::Empty);
            }
            return;
        }
        let emptied = match (text(1).map(<[u8]>::trim_ascii), arguments.text(2)) {
            (Some(mode), Some(file)) if mode.starts_with(b">") && !mode.starts_with(b">>") => {
                file.clone()
            }
            (Some([b'>', file @ ..]), None) if !file.starts_with(b">") => {
                Text::known(file.trim_ascii_start())
            }
            _ => return,
        };
        self.push(Effect::Empty(emptied));
    }
}

/// Whether a mode of `fopen` empties the file.
fn empties(mode: Option<&Text>) -> bool {
    mode.and_then(Text::bytes)
        .is_some_and(|mode| mode.starts_with(b"w"))
}
