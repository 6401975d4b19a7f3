//! What a Makefile says, as far as it can be told without running it.

use std::collections::{BTreeMap, BTreeSet};

/// A variable's text; `None` if it depends on what only make finds out.
type Definition = Option<Vec<u8>>;

#[derive(Default)]
pub(super) struct Makefile {
    pub(super) variables: BTreeMap<Vec<u8>, Definition>,
    rules: Vec<Rule>,
    /// Another file may define what this one does not.
    pub(super) includes: bool,
    /// A rule's lines run in one shell.
    pub(super) one_shell: bool,
}

struct Rule {
    targets: Vec<Vec<u8>>,
    needs: Vec<Vec<u8>>,
    recipe: Vec<Vec<u8>>,
}

/// One target, with all that its rules say.
pub(super) struct Target {
    pub(super) needs: Vec<Vec<u8>>,
    pub(super) recipe: Vec<Vec<u8>>,
}

impl Makefile {
    pub(super) fn read(source: &[u8]) -> Self {
        let mut file = Self::default();
        let mut conditions = 0_u32;
        let mut defines: Option<Vec<u8>> = None;
        for line in logical_lines(source) {
            if let Some(recipe) = line.strip_prefix(b"\t") {
                if let Some(rule) = file.rules.last_mut() {
                    rule.recipe.push(recipe.to_vec());
                }
                continue;
            }
            let line = without_comment(&line);
            let line = line.trim_ascii();
            let first = line.split(|byte| *byte == b' ').next().unwrap_or(b"");
            match (first, &defines) {
                (b"endef", _) => defines = None,
                (_, Some(_)) => {}
                (b"define", None) => {
                    let name = line[first.len()..].trim_ascii().to_vec();
                    file.variables.insert(name.clone(), None);
                    defines = Some(name);
                }
                (b"ifeq" | b"ifneq" | b"ifdef" | b"ifndef", _) => conditions += 1,
                (b"endif", _) => conditions = conditions.saturating_sub(1),
                (b"else", _) => {}
                (b"include" | b"-include" | b"sinclude" | b"load", _) => file.includes = true,
                _ => file.line(line, conditions == 0),
            }
        }
        file
    }

    fn line(&mut self, line: &[u8], certain: bool) {
        let mut line = line;
        for word in [&b"export "[..], b"override ", b"private "] {
            line = line.strip_prefix(word).map_or(line, <[u8]>::trim_ascii);
        }
        if let Some((name, operator, value)) = assignment(line) {
            self.assign(name, operator, value, certain);
            return;
        }
        let Some((targets, rest)) = split(line, b':') else {
            return;
        };
        let rest = rest.strip_prefix(b":").unwrap_or(rest);
        // Of one target alone: not followed.
        if let Some((name, ..)) = assignment(rest) {
            self.variables.insert(name.to_vec(), None);
            return;
        }
        let (needs, recipe) = split(rest, b';').unwrap_or((rest, b""));
        let targets = words(targets);
        self.one_shell |= targets.iter().any(|target| target == b".ONESHELL");
        let recipe = recipe.trim_ascii();
        self.rules.push(Rule {
            targets,
            needs: words(needs)
                .into_iter()
                .filter(|word| word != b"|")
                .collect(),
            recipe: if recipe.is_empty() {
                Vec::new()
            } else {
                vec![recipe.to_vec()]
            },
        });
    }

    fn assign(&mut self, name: &[u8], operator: &[u8], value: &[u8], certain: bool) {
        let known = self.variables.get(name);
        let text = match operator {
            b"?=" if known.is_some() => return,
            b"+=" => known
                .map_or(Some(Vec::new()), Clone::clone)
                .map(|before| [&before, &b" "[..], value].concat()),
            b"!=" => None,
            // `X := $(X) y` would never end.
            _ if mentions(value, name) => None,
            _ => Some(value.to_vec()),
        };
        self.variables
            .insert(name.to_vec(), text.filter(|_| certain));
    }

    /// The target that is made if none is named.
    pub(super) fn goal(&self) -> Option<Vec<u8>> {
        if let Some(Some(goal)) = self.variables.get(&b".DEFAULT_GOAL"[..]) {
            return Some(goal.clone());
        }
        let mut targets = self.rules.iter().flat_map(|rule| &rule.targets);
        targets
            .find(|target| !target.starts_with(b".") && !target.contains(&b'%'))
            .cloned()
    }

    /// What making a target takes; `None` if no rule names it.
    pub(super) fn target(&self, name: &[u8]) -> Option<Target> {
        let mut target = None;
        for rule in &self.rules {
            if rule.targets.iter().any(|known| known == name) {
                let all = target.get_or_insert_with(|| Target {
                    needs: Vec::new(),
                    recipe: Vec::new(),
                });
                all.needs.extend(rule.needs.iter().cloned());
                all.recipe.extend(rule.recipe.iter().cloned());
            }
        }
        target
    }

    /// A target and all that it needs, in the order in which they are made.
    pub(super) fn order(&self, goal: &[u8]) -> Vec<(Vec<u8>, Target)> {
        let mut order = Vec::new();
        self.visit(goal, &mut BTreeSet::new(), &mut order, 0);
        order
    }

    fn visit(
        &self,
        name: &[u8],
        seen: &mut BTreeSet<Vec<u8>>,
        order: &mut Vec<(Vec<u8>, Target)>,
        depth: u32,
    ) {
        /// Deeper chains are cut off.
        const DEEPEST: u32 = 100;
        if depth > DEEPEST || !seen.insert(name.to_vec()) {
            return;
        }
        if let Some(target) = self.target(name) {
            for need in &target.needs {
                self.visit(need, seen, order, depth + 1);
            }
            order.push((name.to_vec(), target));
        }
    }
}

/// Lines, joined where one ends with a backslash; of a recipe the backslash stays, for the shell.
fn logical_lines(source: &[u8]) -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    let mut open = false;
    for line in source.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match lines.last_mut().filter(|_| open) {
            Some(last) if last.starts_with(b"\t") => {
                last.push(b'\n');
                last.extend_from_slice(line.strip_prefix(b"\t").unwrap_or(line));
            }
            Some(last) => {
                last.pop();
                last.push(b' ');
                last.extend_from_slice(line.trim_ascii_start());
            }
            None => lines.push(line.to_vec()),
        }
        let slashes = line.iter().rev().take_while(|byte| **byte == b'\\').count();
        open = slashes % 2 == 1;
    }
    lines
}

fn without_comment(line: &[u8]) -> &[u8] {
    let mut before = 0;
    for (at, byte) in line.iter().enumerate() {
        if *byte == b'#' && before != b'\\' {
            return &line[..at];
        }
        before = *byte;
    }
    line
}

/// Where a byte first stands outside of references.
fn outside(text: &[u8], wanted: u8) -> Option<usize> {
    let mut depth = 0_u32;
    let mut before = 0;
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'(' | b'{' if before == b'$' || depth > 0 => depth += 1,
            b')' | b'}' => depth = depth.saturating_sub(1),
            _ if byte == wanted && depth == 0 => return Some(at),
            _ => {}
        }
        before = byte;
    }
    None
}

fn split(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let at = outside(text, at)?;
    Some((&text[..at], &text[at + 1..]))
}

/// `NAME`, the operator, and the value.
fn assignment(line: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let equals = outside(line, b'=')?;
    let start = match &line[..equals] {
        [.., b':', b':', b':'] => equals - 3,
        [.., b':', b':'] => equals - 2,
        [.., b':' | b'?' | b'+' | b'!'] => equals - 1,
        _ => equals,
    };
    let name = line[..start].trim_ascii();
    let plain = !name.is_empty() && !name.iter().any(|byte| b" \t:#=$".contains(byte));
    plain.then(|| {
        (
            name,
            &line[start..=equals],
            line[equals + 1..].trim_ascii_start(),
        )
    })
}

fn words(text: &[u8]) -> Vec<Vec<u8>> {
    text.split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .map(<[u8]>::to_vec)
        .collect()
}

fn mentions(value: &[u8], name: &[u8]) -> bool {
    [[b"$(", name, b")"].concat(), [b"${", name, b"}"].concat()]
        .iter()
        .any(|reference| {
            value
                .windows(reference.len())
                .any(|window| window == reference)
        })
}

#[cfg(test)]
mod tests {
    use super::Makefile;

    const SOURCE: &str = "\
X = a\n\
Y := $(X)/b # a comment\n\
Y += c\n\
ifdef Z\n\
W = 1\n\
endif\n\
all: build | dir\n\
build: main.o ; cc -o build main.o\n\
.PHONY: clean\n\
clean::\n\
\t@rm -rf \\\n\
\t  $(Y)\n\
\techo $$HOME\n";

    #[test]
    fn reads_variables_and_rules() {
        let file = Makefile::read(SOURCE.as_bytes());
        let variable = |name: &str| file.variables.get(name.as_bytes()).cloned();
        assert_eq!(variable("Y"), Some(Some(b"$(X)/b c".to_vec())));
        assert_eq!(variable("W"), Some(None));
        assert_eq!(file.goal().as_deref(), Some(&b"all"[..]));
        let order: Vec<_> = file
            .order(b"all")
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(order, [b"build".to_vec(), b"all".to_vec()]);
        assert_eq!(
            file.target(b"clean").unwrap().recipe,
            [b"@rm -rf \\\n  $(Y)".to_vec(), b"echo $$HOME".to_vec()]
        );
        assert_eq!(
            file.target(b"build").unwrap().recipe,
            [b"cc -o build main.o".to_vec()]
        );
        assert!(file.target(b"nothing").is_none());
    }
}
