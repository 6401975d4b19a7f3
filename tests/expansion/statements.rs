//! Statements, and strings of them.

pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).expect("a side")
    }

    pub(super) fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.roll(choices.len())]
    }

    fn name(&mut self) -> &'static str {
        self.of(&[
            "X", "Y", "Z", "W", "V", "P", "N", "S", "Q", "G", "T", "B", "L",
        ])
    }

    fn statement(&mut self, deep: usize) -> String {
        let choice = self.roll(if deep == 0 { 13 } else { 27 });
        match choice {
            0..=3 => format!("rm -- {}", self.words()),
            4 => format!("{}={}", self.name(), self.word(2)),
            5 => format!(
                "IFS={}",
                self.of(&["/", ":", "' :'", "", "$' \\t\\n'", "'/ '"])
            ),
            6 => format!("set -- {}", self.words()),
            7 => format!(
                "cd {}",
                self.of(&[
                    "a", "b", "link", "..", "a/sub", "nope", "-", "\"$Y\"", "$P", ".", "\"$Q\"",
                    "~+"
                ])
            ),
            8 => format!("A=({})", self.words()),
            9 => format!("unset {}", self.name()),
            10 => self
                .of(&[
                    "shift",
                    "shift 2",
                    "set -f",
                    "set +f",
                    "shopt -s nullglob",
                    "shopt -s dotglob",
                    "A+=(z)",
                    "A[3]=k",
                    "X+=y",
                    "export X",
                    "true",
                    "false",
                ])
                .to_owned(),
            11 => format!(
                "read -r {} <<< {}",
                self.of(&["L", "L N", "-a A"]),
                self.word(1)
            ),
            12 => format!(
                "printf -v L '{}' {}",
                self.of(&["%s", "%s-%s", "[%s]"]),
                self.words()
            ),
            13 => format!("for L in {}; do {}; done", self.words(), self.body(deep)),
            14 => format!("f() {{ {}; }}; f {}", self.body(deep), self.words()),
            15 => format!("( {} )", self.body(deep)),
            16 => format!("{{ {}; }}", self.body(deep)),
            17 => format!(
                "if {}; then {}; else {}; fi",
                self.test(),
                self.body(deep),
                self.body(deep)
            ),
            18 => format!(
                "case {} in {}) {};; *) {};; esac",
                self.word(1),
                self.of(&["a*", "[ab]", "''", "*e", "\"$W\"", "$W"]),
                self.body(deep),
                self.body(deep)
            ),
            19 => format!(
                "while read -r L; do {}; done <<< {}",
                self.body(deep),
                self.word(1)
            ),
            20 => format!(
                "{} {} {}",
                self.test(),
                self.of(&["&&", "||"]),
                self.body(0)
            ),
            21 => format!("eval {}", quoted(&self.statement(deep - 1))),
            22 => format!("for L; do {}; done", self.body(deep)),
            23 => format!("{}={} rm -- {}", self.name(), self.word(1), self.words()),
            24 => format!(
                "f() {{ local X={}; {}; }}; f {}; rm -- \"$X\"",
                self.word(1),
                self.body(deep),
                self.words()
            ),
            25 => format!(
                "echo {} | while read L N; do {}; done",
                self.words(),
                self.body(deep)
            ),
            _ => format!("X=$({})", self.body(deep)),
        }
    }

    fn test(&mut self) -> String {
        match self.roll(5) {
            0 => "true".to_owned(),
            1 => "false".to_owned(),
            2 => format!("[ -n \"{}\" ]", self.braced(1, true)),
            3 => format!(
                "[ \"${}\" = \"{}\" ]",
                self.name(),
                self.of(&["", "3", "a"])
            ),
            _ => format!(
                "[[ {} == {} ]]",
                self.braced(1, false),
                self.of(&["a*", "3", "''"])
            ),
        }
    }

    fn body(&mut self, deep: usize) -> String {
        let deep = deep.saturating_sub(1);
        (0..=self.roll(2))
            .map(|_| self.statement(deep))
            .collect::<Vec<_>>()
            .join("; ")
    }

    pub(super) fn string(&mut self) -> String {
        let mut statements: Vec<String> = (0..self.roll(4)).map(|_| self.statement(2)).collect();
        statements.push(format!("rm -- {}", self.words()));
        let joined = self.of(&["; ", "\n", " && ", "; "]);
        statements.join(joined)
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
