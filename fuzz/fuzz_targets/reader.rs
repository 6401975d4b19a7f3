//! Reading any bytes in any dialect: soon, without a panic, and with places that lie in the string.
#![no_main]

use blastradius_cli::shell::{
    ast::{CommandKind, Span},
    read,
    tail::holds_destructive_word,
    walk,
};
use blastradius_fuzz::{DIALECTS, soon};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &[u8]| {
    soon("a look at the words", || holds_destructive_word(source));
    for dialect in DIALECTS {
        let script = soon("reading", || read(source, dialect));
        let lies_inside = |span: Span| {
            assert!(
                span.start <= span.end && span.end <= source.len(),
                "{span:?}"
            )
        };
        if let Some(error) = &script.error {
            assert!(
                error.line_start <= error.at && error.at <= source.len(),
                "{error:?}"
            );
        }
        script
            .doubts
            .iter()
            .for_each(|doubt| lies_inside(doubt.span));
        walk::for_each_command(&script, &mut |command| {
            lies_inside(command.span);
            if let CommandKind::Simple { words, .. } = &command.kind {
                words.iter().for_each(|word| lies_inside(word.span));
            }
        });
        // What comes before an error is kept, and is read as it would be without the rest.
        if let Some(error) = &script.error
            && error.line_start > 0
            && source[error.line_start - 1] == b'\n'
            && script.doubts.is_empty()
        {
            let before = read(&source[..error.line_start], dialect);
            assert_eq!(
                before.list.items.len(),
                script.list.items.len(),
                "{dialect:?}"
            );
        }
    }
});
