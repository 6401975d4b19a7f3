//! Compound commands.

use super::{
    ast::{Arm, Command, CommandKind, Dialect, Piece, Pipeline, Word},
    cursor::{Read, Reader, ends_word},
    word::Stops,
};

impl Reader<'_> {
    /// A compound command, if one stands here.
    pub(super) fn compound(&mut self) -> Read<Option<CommandKind>> {
        if self.peek() == Some(b'(') {
            return self.parenthesis().map(Some);
        }
        let rest = self.rest();
        // Nearly every command is none: look at one byte before comparing words.
        if !rest
            .first()
            .is_some_and(|byte| b"{iwufscft[\\".contains(byte))
        {
            return Ok(None);
        }
        let kind = if self.takes_reserved(b"{") {
            let list = self.filled_list()?;
            self.expects_reserved(b"}", "a { is not closed")?;
            CommandKind::Group(list)
        } else if self.takes_reserved(b"if") {
            self.conditional_branches()?
        } else if self.takes_reserved(b"while") {
            self.repeat(false)?
        } else if self.takes_reserved(b"until") {
            self.repeat(true)?
        } else if self.takes_reserved(b"for") {
            self.for_loop()?
        } else if self.takes_reserved(b"select") {
            self.each(true)?
        } else if self.takes_reserved(b"case") {
            self.case()?
        } else if self.dialect != Dialect::Sh && self.takes_reserved(b"function") {
            self.function()?
        } else if self.dialect != Dialect::Sh && self.takes_reserved(b"[[") {
            self.conditional()?
        } else if self.dialect != Dialect::Sh && self.takes_reserved(b"coproc") {
            self.coproc()?
        } else if self.takes_reserved(b"time") {
            self.time()?
        } else {
            return Ok(None);
        };
        Ok(Some(kind))
    }

    fn parenthesis(&mut self) -> Read<CommandKind> {
        if self.starts_with(b"((") && self.dialect != Dialect::Sh {
            let arithmetic = self.attempt(|this| {
                this.at += 2;
                this.arithmetic_text()
            });
            if let Some(text) = arithmetic {
                return Ok(CommandKind::Arithmetic(text));
            }
        }
        self.at += 1;
        let list = self.filled_list()?;
        if self.takes(b")") {
            Ok(CommandKind::Subshell(list))
        } else {
            self.fail("a ( is not closed")
        }
    }

    fn conditional_branches(&mut self) -> Read<CommandKind> {
        let mut branches = Vec::new();
        loop {
            let condition = self.filled_list()?;
            self.expects_reserved(b"then", "an if has no then")?;
            let body = self.filled_list()?;
            branches.push((condition, body));
            self.newlines()?;
            if self.takes_reserved(b"elif") {
                continue;
            }
            let otherwise = if self.takes_reserved(b"else") {
                Some(self.filled_list()?)
            } else {
                None
            };
            self.expects_reserved(b"fi", "an if is not closed")?;
            return Ok(CommandKind::If {
                branches,
                otherwise,
            });
        }
    }

    fn repeat(&mut self, until: bool) -> Read<CommandKind> {
        let condition = self.filled_list()?;
        let body = self.loop_body()?;
        Ok(CommandKind::Loop {
            until,
            condition,
            body,
        })
    }

    /// `do ... done`, or a group.
    fn loop_body(&mut self) -> Read<super::ast::List> {
        self.newlines()?;
        if self.takes_reserved(b"{") {
            let list = self.filled_list()?;
            self.expects_reserved(b"}", "a { is not closed")?;
            return Ok(list);
        }
        self.expects_reserved(b"do", "a loop has no do")?;
        let list = self.filled_list()?;
        self.expects_reserved(b"done", "a loop is not closed")?;
        Ok(list)
    }

    fn for_loop(&mut self) -> Read<CommandKind> {
        self.blanks()?;
        if self.starts_with(b"((") && self.dialect != Dialect::Sh {
            self.at += 2;
            let text = self.arithmetic_text()?;
            self.blanks()?;
            self.takes(b";");
            let body = self.loop_body()?;
            return Ok(CommandKind::ArithmeticFor { text, body });
        }
        self.each(false)
    }

    fn each(&mut self, select: bool) -> Read<CommandKind> {
        self.blanks()?;
        let start = self.at;
        while self.peek().is_some_and(|byte| !ends_word(byte)) {
            self.at += 1;
        }
        let name = self.source[start..self.at].to_vec();
        if name.is_empty() {
            return self.fail("a loop has no variable");
        }
        self.newlines()?;
        let mut words = None;
        if self.takes_reserved(b"in") {
            let mut list = Vec::new();
            loop {
                self.blanks()?;
                match self.word(Stops::Command)? {
                    Some(word) => list.push(word),
                    None => break,
                }
            }
            words = Some(list);
        }
        self.blanks()?;
        match self.peek() {
            Some(b';') if self.peek_at(1) != Some(b';') => self.at += 1,
            Some(b'\n') | None => {}
            Some(_) if self.at_reserved_of(&[b"do", b"{"]) && words.is_none() => {}
            Some(_) => return self.fail("something stands here that cannot be in a for loop"),
        }
        let body = self.loop_body()?;
        Ok(CommandKind::For {
            name,
            words,
            body,
            select,
        })
    }

    fn case(&mut self) -> Read<CommandKind> {
        self.blanks()?;
        let Some(subject) = self.word(Stops::Command)? else {
            return self.fail("a case has no subject");
        };
        self.expects_reserved(b"in", "a case has no in")?;
        let mut arms = Vec::new();
        loop {
            self.newlines()?;
            if self.takes_reserved(b"esac") {
                return Ok(CommandKind::Case { subject, arms });
            }
            self.takes(b"(");
            let mut patterns = Vec::new();
            loop {
                self.blanks()?;
                self.pay()?;
                match self.word(Stops::Command)? {
                    Some(word) => patterns.push(word),
                    None => return self.fail("a case has no pattern here"),
                }
                self.blanks()?;
                if self.takes(b")") {
                    break;
                }
                if !self.takes(b"|") {
                    return self.fail("a pattern of a case is not closed");
                }
            }
            let body = self.list()?;
            let falls_through = if self.takes(b";;&") || self.takes(b";&") {
                true
            } else if self.takes(b";;") {
                false
            } else {
                self.expects_reserved(b"esac", "a case is not closed")?;
                arms.push(Arm {
                    patterns,
                    body,
                    falls_through: false,
                });
                return Ok(CommandKind::Case { subject, arms });
            };
            arms.push(Arm {
                patterns,
                body,
                falls_through,
            });
        }
    }

    fn function(&mut self) -> Read<CommandKind> {
        self.blanks()?;
        let start = self.at;
        while self.peek().is_some_and(|byte| !ends_word(byte)) {
            self.at += 1;
        }
        let name = self.source[start..self.at].to_vec();
        self.blanks()?;
        if self.takes(b"(") {
            self.blanks()?;
            if !self.takes(b")") {
                return self.fail("the parentheses of a function are not closed");
            }
        }
        self.newlines()?;
        let body = Box::new(self.command()?);
        Ok(CommandKind::Function { name, body })
    }

    /// `[[ ... ]]`: operators and parentheses become literal words.
    fn conditional(&mut self) -> Read<CommandKind> {
        let mut words: Vec<Word> = Vec::new();
        loop {
            self.newlines()?;
            self.pay()?;
            if self.takes_reserved(b"]]") {
                return Ok(CommandKind::Conditional(words));
            }
            if words.last().is_some_and(|word| is_literal(word, b"=~")) {
                words.extend(self.word(Stops::Regex)?);
                continue;
            }
            let start = self.at;
            if let Some(operator) = self.test_operator() {
                self.at += operator.len();
                let pieces = vec![Piece::Literal {
                    bytes: operator.to_vec(),
                    quoted: false,
                }];
                words.push(Word {
                    pieces,
                    span: self.span(start),
                });
                continue;
            }
            match self.word(Stops::Command)? {
                Some(word) => words.push(word),
                None => return self.fail("a [[ is not closed"),
            }
        }
    }

    fn test_operator(&self) -> Option<&'static [u8]> {
        let process = matches!(self.peek(), Some(b'<' | b'>')) && self.peek_at(1) == Some(b'(');
        let operators: [&[u8]; 6] = [b"&&", b"||", b"(", b")", b"<", b">"];
        operators
            .into_iter()
            .find(|operator| self.starts_with(operator))
            .filter(|_| !process)
    }

    fn coproc(&mut self) -> Read<CommandKind> {
        self.blanks()?;
        let start = self.at;
        let mut name = b"COPROC".to_vec();
        if !self.at_compound()
            && let Some(word) = self.word(Stops::Command)?
        {
            self.blanks()?;
            if self.at_compound() {
                if let [
                    Piece::Literal {
                        bytes,
                        quoted: false,
                    },
                ] = word.pieces.as_slice()
                {
                    name.clone_from(bytes);
                }
            } else {
                self.at = start;
            }
        }
        let body = Box::new(self.command()?);
        Ok(CommandKind::Coproc { name, body })
    }

    fn at_compound(&self) -> bool {
        self.peek() == Some(b'(')
            || self.at_reserved_of(&[
                b"{", b"if", b"while", b"until", b"for", b"case", b"select", b"[[",
            ])
    }

    fn time(&mut self) -> Read<CommandKind> {
        loop {
            self.blanks()?;
            self.pay()?;
            if !(self.takes_reserved(b"time")
                || self.takes_reserved(b"-p")
                || self.takes_reserved(b"--"))
            {
                break;
            }
        }
        let nothing = matches!(self.peek(), None | Some(b'\n' | b';' | b'&' | b'|' | b')'));
        if nothing {
            let kind = CommandKind::Simple {
                assignments: Vec::new(),
                words: Vec::new(),
            };
            let command = Command {
                kind,
                redirections: Vec::new(),
                span: self.span(self.at),
            };
            return Ok(CommandKind::Time(Box::new(Pipeline {
                negated: false,
                commands: vec![command],
            })));
        }
        Ok(CommandKind::Time(Box::new(self.pipeline()?)))
    }
}

fn is_literal(word: &Word, text: &[u8]) -> bool {
    matches!(word.pieces.as_slice(), [Piece::Literal { bytes, quoted: false }] if bytes == text)
}
