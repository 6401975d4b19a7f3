//! Words of every kind that a shell expands.

use super::statements::Dice;

const NAMES: &[&str] = &[
    "X", "Y", "Z", "W", "V", "P", "N", "S", "Q", "G", "T", "B", "I", "M", "1", "2", "3", "4",
];
const LISTS: &[&str] = &["@", "*", "A[@]", "A[*]"];
const PATTERNS: &[&str] = &[
    "*",
    "?",
    "??",
    "a*",
    "*/",
    "/*",
    ".*",
    "*.",
    ":*",
    "[a-f]",
    "[!a]",
    "[^a-c]*",
    "[[:alpha:]]",
    "[[:alpha:][:space:]]*",
    "[![:digit:]]",
    "[]a]",
    "[a",
    "x",
    "e",
    "d e",
    "b\\*",
    "\"*\"",
    "'a'*",
    "\\",
    "\\\\",
    "$W",
    "\"$W\"",
    "$G",
    "${G}*",
    "*[/.]*",
    "?(a)*",
    "@(a|d)",
    "p:q",
    "",
];
const REPLACEMENTS: &[&str] = &[
    "", "r", "r s", "$N", "\"$X\"", "'r s'", "&", "\\&", "\"&\"", "[&]", "'&'", "/", "\\/", "$B",
    "~", "*", "\\\\", "a\\b", "${Y:-k}",
];
const OFFSETS: &[&str] = &[
    "0",
    "1",
    " -2",
    "1:1",
    "0:2",
    "1: -1",
    "N",
    "2:0",
    " -3:2",
    "N-1",
    "N-2:N-1",
    "(-2)",
    "1+1",
    "$N-2",
    "$((1+1))",
    "N==3?1:0",
    "N==3?1:0:2",
    " -9",
    "9",
    ":2",
    "0:-1",
    "1:",
    "0x1",
    "I",
    "1:N==3?1:2",
    " -1:1",
    "0:9",
];
const EXPRESSIONS: &[&str] = &[
    "1+2",
    "N*2",
    "N-3",
    "N>2?5:6",
    "(N+1)%3",
    "1<<3",
    "$N+1",
    "07",
    "0x1f",
    "-N",
    "!N",
    "N++",
    "L=4",
    "2**3",
    "10/3",
    "N--",
    "++N",
    "N+=2",
    "L=N,L*2",
    "2#101",
    "36#z",
    "16#fF",
    "64#_",
    "0||N",
    "1&&0",
    "~N",
    "6&3",
    "6|3",
    "6^3",
    "Z",
    "I",
    "I+1",
    "Z++",
    "N<<1",
    "-7/2",
    "-7%3",
    "2**3**2",
    "-2**2",
    "N==3",
    "N!=3",
    "1?2:0?3:4",
    "",
    " 3 ",
    "A[1]",
    "'N'",
    "\"N\"",
    "N*-1",
    "- -3",
    "1,2",
    "(1,2)+1",
    "L=L+1",
    "0&&(L=9)",
    "1||(L=9)",
    "N=N==3",
    "0b1",
    "08",
    "1/0",
    "X",
    "0-1",
    "010",
    "0XAf",
    "$((N+1))*2",
    "${#X}",
    "N[0]",
    "A[0]",
    "K+1",
    "K",
    "N>>1",
    "L+=K",
    "9223372036854775807",
    "1 2",
    "N=",
];
const BRACES: &[&str] = &[
    "{1..3}",
    "{a..c}",
    "{3..1..2}",
    "{a,b}{1,2}",
    "{,x}",
    "{x}",
    "{1..a}",
    "{01..3}",
    "{a,{b,c}}",
    "{-1..1}",
    "{1..-1}",
    "{+1..3}",
    "{1..5..2}",
    "{1..5..-2}",
    "{5..1..2}",
    "{5..1..-2}",
    "{1..3..0}",
    "{-02..2}",
    "{001..-1}",
    "{1..010..4}",
    "{c..a}",
    "{a..e..2}",
    "{e..a..2}",
    "{a..e..-2}",
    "{Z..a..3}",
    "{a,b",
    "a,b}",
    "a{b}c",
    "{a,{b,c}",
    "{a,b}}",
    "{{a,b}",
    "{a{b,c}}",
    "{a,b,}",
    "{,}",
    "{}",
    "{ }",
    "{},a",
    "{a,b}{",
    "}{a,b}",
    "{$X,b}",
    "{a,\"b c\"}",
    "{a,'b,c'}",
    "{a\\,b,c}",
    "\\{a,b}",
    "{a,b\\}",
    "$X{a,b}",
    "${X}{a,b}",
    "{$N..5}",
    "{1..$N}",
    "{a..}",
    "{..a}",
    "{1...3}",
    "{1..2..3..4}",
    "{a..b..c}",
    "{1.0..2}",
    "{~,b}",
    "{~/x,b}",
    "~{a,b}",
    "{a,~}",
    "{*,x}",
    "{'1'..3}",
    "{a,b}~",
    "{1..3}{a,b}",
    "{0..-0}",
    "{00..1}",
    "{9..11}",
    "{09..11}",
    "{a..C}",
    "{\"a\"..c}",
    "{a,${Y:-b,c}}",
    "{a,$(echo b,c)}",
    "{a,b}$Y",
    "${Z:-{a,b}}",
    "{a,{1..2}}",
    "{{1..2},{x,y}}",
    "{a,b}\\",
    "{\"\",x}",
    "{'',''}",
    "$Y{,a}",
    "{a,b}=c",
    "x={a,b}",
    "{-1..-3}",
    "{--1..3}",
    "{1..3.}",
];
const GLOBS: &[&str] = &[
    "*",
    "?",
    "[ab]",
    "[!a]",
    "*/",
    "*.log",
    ".*",
    "a/*",
    "**",
    "[[:alpha:]]",
    "[a-c]*",
    "\\*",
    "f?.log",
    "*/*",
    "[^a]*",
    ".e*",
    "[.]e*",
    "*[!g]",
    "**/",
    "a/**",
    "a/.*",
    "[[:digit:]]*",
    "f[12].log",
    "f[!1].log",
    "[a",
    "a]",
    "[]",
    "[!]",
    "./*",
    "a//*",
    "*/b",
    "*/../*",
    "[a-]*",
    "[-a]*",
    "f1.lo[g]",
    "f1\\.*",
    "\"f\"*",
    "f*'.log'",
    "?[[:space:]]?",
    "x\\ *",
    "[\"a\"b]",
    "[a\\]b]",
    "link/*",
    "link*/",
    "*k",
    "a/sub/../*",
    "-*",
    "[[:upper:]]*",
    "[[:nope:]]*",
    "[z-a]*",
    "a*b",
    "*\\",
    "[[.a.]]",
    "[[=a=]]*",
    "nope/*",
    "nope*",
    "..",
    "../w/a*",
    "*/sub/*",
];
const QUOTES: &[&str] = &[
    "'*'",
    "'q r'",
    "''",
    "\"\"",
    "\\ ",
    "$'\\t'",
    "$'\\x41'",
    "'$X'",
    "\\$X",
    "\"~\"",
    "\\\\",
    "\"\\a\"",
    "\"\\$\"",
    "$'a\\'b'",
    "'\\'",
    "$'\\101'",
    "$'\\e'",
    "$'\\cA'",
    "$'\\u41'",
    "$'\\x4'",
    "$'\\xg'",
    "$'\\q'",
    "$'\\\\'",
    "$'\\\"'",
    "$'a\\0b'",
    "$'\\1012'",
    "$'\\n'",
    "$'a b'",
    "$\"a b\"",
    "$\"$X\"",
    "\"$'a'\"",
    "\"\\\\\"",
    "\"\\`\"",
    "\"a\\\nb\"",
    "a\\\nb",
    "\"'\"",
    "'\"'",
    "\"\\\"\"",
    "$'\\x{41}'",
    "$'\\U41'",
    "$'\\7'",
    "$'\\E'",
    "$'*'",
    "\\'",
    "$'\\c?'",
    "$'\\x00'",
    "$'\\?'",
    "$''",
    "\"$\"",
    "$",
    "\"${Y}\"",
    "\"a$\"",
    "#",
    "\\#",
];
const TILDES: &[&str] = &[
    "~",
    "~/x",
    "~nosuch",
    "~+",
    "~-",
    "~+/x",
    "~root",
    "~root/x",
    "~:a",
    "~\\/x",
    "\\~",
    "\"~\"/x",
    "~/",
    "~//x",
    "~$N",
    "~'x'",
    "~x:~",
    "a=~",
    "a=~/x:~",
    "a=x:~/y",
    "a=b=~",
    "--a=~/x",
    "a=~root",
    "a=~+",
    "a:~",
    "=~",
    "1=~",
    "a+=~/x",
    "a[0]=~",
    "a=\"~\"",
    "a='x':~",
    "a=$Y~",
    "a=$Y:~",
    "~0",
    "~1",
    "~+1",
    "~a*",
    "a=~/*",
    "a=~{x,y}",
    "a=~\\/x",
    "a=x~",
    "~/$N",
    "~~",
    "a=:~",
    "a=::~",
    "a=~:~:~/b",
    "_a=~",
    "a-b=~",
];

impl Dice {
    /// The operand of `${x:-word}`.
    fn operand(&mut self, deep: usize, quoted: bool) -> String {
        let mut out = String::new();
        for _ in 0..=self.roll(2) {
            match self.roll(12) {
                0 => out.push_str(self.of(&["a", "b c", " ", "x:y", "a/b", ".", "-", "k "])),
                1 if !quoted => out.push_str(self.of(&["'q r'", "''", "'$X'", "'*'", "'}'"])),
                1 => out.push_str(self.of(&["'q r'", "'$X'", "''"])),
                2 => out.push_str(self.of(&["*", "?", "[ab]", "f*"])),
                3 => out.push_str(self.of(&["~", "~/x", "a:~", "~root"])),
                4 => {
                    out.push_str(self.of(&["$N", "$X", "$Y", "$S", "${Q}", "$V", "$W", "$@", "$*"]))
                }
                5 => out.push_str(self.of(&[
                    "\"p $X\"", "\"q\"", "\"\"", "\"$@\"", "\"$*\"", "\"${X}\"", "\"'\"",
                ])),
                6 => out.push_str(self.of(&["\\}", "\\ ", "\\\\", "\\$X", "\\a", "\\\"", "\\*"])),
                7 if !quoted => out.push_str(self.of(&["$'\\t'", "$'a b'", "{a,b}"])),
                8 | 9 if deep > 0 => {
                    let inner = self.expansion(deep - 1, quoted);
                    out.push_str(&inner);
                }
                10 => out.push_str(self.of(&["$((N+1))", "$(echo a b)", "`echo c`"])),
                _ => out.push_str(self.of(&["/y", "d", "", "e f"])),
            }
        }
        out
    }

    /// A `${...}` over a name or a list.
    pub(super) fn braced(&mut self, deep: usize, quoted: bool) -> String {
        let name = match self.roll(10) {
            0..=6 => self.of(NAMES).to_owned(),
            7 => self
                .of(&[
                    "A", "A[0]", "A[1]", "A[-1]", "A[N-2]", "A[9]", "A[$N-1]", "A[ 1 ]", "X[0]",
                    "X[1]",
                ])
                .to_owned(),
            _ => self.of(LISTS).to_owned(),
        };
        match self.roll(20) {
            0 => format!("${{{name}}}"),
            1..=4 => {
                let operator = self.of(&[":-", "-", ":+", "+"]);
                format!("${{{name}{operator}{}}}", self.operand(deep, quoted))
            }
            5 => {
                let operator = self.of(&[":=", "="]);
                let name = self.of(&["Z", "Y", "L", "X"]);
                format!("${{{name}{operator}{}}}", self.operand(deep, quoted))
            }
            6 => {
                let operator = self.of(&[":?", "?"]);
                format!("${{{name}{operator}}}")
            }
            7..=9 => {
                let operator = self.of(&["#", "##", "%", "%%"]);
                let pattern = if deep > 0 && self.roll(4) == 0 {
                    self.operand(deep - 1, false)
                } else {
                    self.of(PATTERNS).to_owned()
                };
                format!("${{{name}{operator}{pattern}}}")
            }
            10..=12 => {
                let operator = self.of(&["/", "//", "/#", "/%"]);
                let (pattern, with) = (self.of(PATTERNS), self.of(REPLACEMENTS));
                if self.roll(8) == 0 {
                    format!("${{{name}{operator}{pattern}}}")
                } else {
                    format!("${{{name}{operator}{pattern}/{with}}}")
                }
            }
            13 | 14 => format!("${{{name}:{}}}", self.of(OFFSETS)),
            15 => format!(
                "${{{name}{}{}}}",
                self.of(&["^", "^^", ",", ",,"]),
                self.of(&["", "", "[a-f]", "?", "e", "*", "$G"])
            ),
            16 => format!("${{#{name}}}"),
            17 => format!(
                "${{{name}@{}}}",
                self.of(&["Q", "U", "u", "L", "E", "P", "A", "a", "K", "k"])
            ),
            _ => self
                .of(&[
                    "${!I}",
                    "${!Z}",
                    "${!I:-x}",
                    "${!A[@]}",
                    "${!A[*]}",
                    "${!I/3/x}",
                    "${!X}",
                    "${!J}",
                    "${!J:1}",
                    "${!U}",
                    "${##}",
                    "${#}",
                    "${#@}",
                    "${#*}",
                    "${@:0}",
                    "${@:1:2}",
                    "${*:2}",
                    "${A[@]:1:2}",
                    "${A[@]: -2:1}",
                    "${A[@]/e/y}",
                    "${@: -1}",
                    "${@:0:1}",
                    "${*: -2}",
                    "${#A[1]}",
                    "${#A}",
                    "${-:+x}",
                    "${10}",
                    "${1}0",
                    "${A[@]@Q}",
                    "${A[*]^}",
                    "${@/o/&&}",
                    "${A[@]:(-1)}",
                    "${!#}",
                    "${!1}",
                ])
                .to_owned(),
        }
    }

    /// Anything that begins with `$` or a backtick.
    pub(super) fn expansion(&mut self, deep: usize, quoted: bool) -> String {
        match self.roll(14) {
            0 => format!("${}", self.of(NAMES)),
            1 => self
                .of(&["$@", "$*", "$#", "$A", "${A[@]}", "${A[*]}", "$10", "$-x"])
                .to_owned(),
            2 | 3 => format!("$(({}))", self.of(EXPRESSIONS)),
            4 => format!("$(echo {})", self.operand(deep, false)),
            5 => {
                let format = self.of(&[
                    "%s", "%s\\n", "<%s>", "%s %s", "%b", "%5s", "%%", "a\\tb", "%-4s|", "%d",
                    "%03d", "%x", "%c", "%.2s", "%q", "%s\\x41", "%i", "%u", "%5.1s|", "%o",
                    "\\\\%s",
                ]);
                format!("$(printf '{format}' {})", self.operand(deep, false))
            }
            6 => format!(
                "`echo {}`",
                self.of(&["$X", "a b", "\\$X", "'*'", "\"$S\"", "$V", "\\\\a"])
            ),
            _ => self.braced(deep, quoted),
        }
    }

    fn piece(&mut self, deep: usize) -> String {
        match self.roll(14) {
            0 | 1 => self
                .of(&[
                    "a", "b", "sub", "f", "x", ".", "..", "/", "-", "1", ":", "=", "q", "\u{e9}",
                    "%", "+", "^", "~", "!", ",", "@", "f1.log", "link", "a/sub",
                ])
                .to_owned(),
            2 => self.of(GLOBS).to_owned(),
            3 => self.of(QUOTES).to_owned(),
            4..=6 => self.expansion(deep, false),
            7..=9 => {
                let inner = self.expansion(deep, true);
                let (before, after) = (
                    self.of(&["", "", "a", " ", "'"]),
                    self.of(&["", "", "b", " ", "*"]),
                );
                format!("\"{before}{inner}{after}\"")
            }
            10 if deep > 0 => format!("{{{},{}}}", self.word(deep - 1), self.word(deep - 1)),
            11 => self.of(BRACES).to_owned(),
            12 => self.of(TILDES).to_owned(),
            _ => self.of(&["a", "b", "/"]).to_owned(),
        }
    }

    pub(super) fn word(&mut self, deep: usize) -> String {
        (0..=self.roll(3)).map(|_| self.piece(deep)).collect()
    }

    pub(super) fn words(&mut self) -> String {
        let words: Vec<String> = (0..=self.roll(2)).map(|_| self.word(2)).collect();
        words.join(" ")
    }

    /// One command, and little before it: where it differs, the form at fault is plain.
    pub(super) fn short(&mut self) -> String {
        let before = self.of(&[
            "",
            "",
            "",
            "",
            "",
            "",
            "IFS=:; ",
            "IFS=; ",
            "IFS=' :'; ",
            "IFS=/; ",
            "set -f; ",
            "shopt -s nullglob; ",
            "shopt -s dotglob; ",
            "shopt -s extglob\n",
            "shopt -s globstar; ",
            "unset IFS; ",
            "set --; ",
            "set -- ''; ",
            "set -- a '' 'b c' ''; ",
            "A=(); ",
            "A=(''); ",
            "A[5]=x; ",
            "A[1]=x; ",
            "A+=(y z); ",
            "A[0]+=q; ",
            "set -u; ",
            "cd a; ",
            "declare -i N; N=N+1; ",
            "declare -u X; X=abc; ",
            "B='\\*'; ",
            "W='a\\*'; ",
            "X='!(a)'; ",
            "declare -A A; A[k]=v; ",
            "let 'N=N+1' L=2; ",
            "((N+=2)); ",
            "mapfile -t A <<< $'p q\\nr'; ",
            "mapfile A <<< 'm'; ",
            "read -r X Y <<< ' a  b c '; ",
            "IFS=: read -r X Y <<< 'p:q:r'; ",
            "read -ra A <<< 'u v  w'; ",
            "printf -v X '%s/' d e; ",
            "printf -v A[1] k; ",
            "local_=1; ",
            "GLOBIGNORE=a; ",
            "readonly X; ",
            "X=~; ",
            "X=~/x:~; ",
            "X=a:~/y; ",
            "X=$*; ",
            "X=$@; ",
            "X=\"$*\"; ",
            "X=${A[*]}; ",
            "X=*; ",
            "X={a,b}; ",
            "X=a\\ b; ",
            "export X=~/q:~; ",
            "declare X=$S Y=~; ",
            "N=; ",
            "N=08; ",
            "X=$'a\\nb c\\n'; ",
            "X=\"*.log\"; ",
            "X='[a'; ",
            "S='a:b'; ",
            "V=::a::; ",
            "V=' : a'; ",
            "shift; ",
            "X=\u{e9}t\u{e9}; ",
            "X=\u{e9}t\u{e9}; Y=?; ",
            "unset A; ",
            "unset 'A[1]'; ",
            "A=(a b); ",
            "A=($X \"$X\" *); ",
            "A=([2]=x y); ",
            "for X in a b; do :; done; ",
            "set -- *; ",
        ]);
        format!("{before}rm -- {}", self.words())
    }
}
