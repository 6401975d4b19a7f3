//! PowerShell commands: not read, only looked at for words that destroy.

use blastradius_policy::{Act, Rule};

use crate::report::{Action, Evidence, Refusal, Report, Target};

/// Cmdlets, aliases and programs that remove or empty something, and what hides them.
const WORDS: &[&str] = &[
    "remove-item",
    "ri",
    "rm",
    "rmdir",
    "rd",
    "del",
    "erase",
    "unlink",
    "shred",
    "clear-content",
    "clc",
    "clear-item",
    "cli",
    "clear-recyclebin",
    "format-volume",
    "clear-disk",
    "initialize-disk",
    "remove-partition",
    "diskpart",
    "rimraf",
    "invoke-expression",
    "iex",
    "-encodedcommand",
    "-enc",
    "-ec",
];

/// Judges a PowerShell command: a refusal if it holds a destructive word, else nothing.
pub(super) fn judge(command: &str) -> Report {
    let Some(word) = destructive_word(command) else {
        return Report::default();
    };
    Report {
        actions: vec![Action {
            program: b"powershell".to_vec(),
            argv: vec![command.as_bytes().to_vec()],
            cwd: None,
            exact: false,
            targets: vec![Target {
                act: Act::RemoveTree,
                spelled: command.as_bytes().to_vec(),
                resolved: None,
                refusal: Some(Refusal {
                    rule: Rule::UnparseableCommand,
                    detail: Some("powershell".to_owned()),
                    operation: None,
                    reasons: vec![format!(
                        "the command holds {word}, and PowerShell is not read: its target is not known"
                    )],
                    instead: "remove it with the Bash tool, where the target can be judged"
                        .to_owned(),
                }),
                evidence: Evidence::default(),
            }],
        }],
        ..Report::default()
    }
}

fn destructive_word(command: &str) -> Option<String> {
    // A backtick in a word is dropped by PowerShell, and case does not matter to it.
    let plain = command.replace('`', "").to_ascii_lowercase();
    if plain.contains("::delete") || plain.contains(".delete(") {
        return Some("a call of Delete".to_owned());
    }
    plain
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '.'))
        .map(|word| word.strip_suffix(".exe").unwrap_or(word))
        .find(|word| WORDS.contains(word))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_by_destructive_word_alone() {
        for (command, refused) in [
            ("Get-ChildItem | Select-Object Name", false),
            ("docker run --rm image", false),
            ("npm run format", false),
            ("Remove-Item -Recurse C:\\", true),
            ("rEmOvE-iTeM x", true),
            ("Re`move-Item x", true),
            ("cmd /c del x", true),
            ("gci | % { rm $_ }", true),
            ("[IO.File]::Delete('x')", true),
            ("pwsh -EncodedCommand AAAA", true),
            ("rm.exe -rf x", true),
        ] {
            assert_eq!(judge(command).is_refused(), refused, "{command}");
        }
    }
}
