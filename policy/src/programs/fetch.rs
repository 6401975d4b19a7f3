//! curl and wget: empty the file that they save to.

use super::line::{Item, Line};
use super::options::{Options, options};
use super::{Directory, Effect, Follow, Piece, Sink, Spelled, Word};
use crate::Act;

const DIRECTORY: u8 = 128;
const ETAG: u8 = 129;
const KEEPS: u8 = 130;
const ALL: u8 = 131;

/// Long options without a single letter that take an argument matter only to tell what is a URL; those that
/// are often used are listed.
const CURL: Options = options! {
    short: "#0123460A:aBb:C:c:D:d:E:e:F:fGgH:hIiJjK:kLlMm:NnOo:P:pQ:qRr:SsT:t:U:u:VvW:w:X:x:Y:y:Z:",
    long: [
        ("output=", b'o'),
        ("output-dir=", DIRECTORY),
        ("remote-name", b'O'),
        ("remote-name-all", ALL),
        ("cookie-jar=", b'c'),
        ("dump-header=", b'D'),
        ("etag-save=", ETAG),
        ("hsts=", ETAG),
        ("libcurl=", ETAG),
        ("stderr=", ETAG),
        ("trace=", ETAG),
        ("trace-ascii=", ETAG),
        ("continue-at=", b'C'),
        ("no-clobber", KEEPS),
        ("cacert=", b'E'),
        ("cert=", b'E'),
        ("connect-timeout=", b'm'),
        ("cookie=", b'b'),
        ("data=", b'd'),
        ("data-ascii=", b'd'),
        ("data-binary=", b'd'),
        ("data-raw=", b'd'),
        ("data-urlencode=", b'd'),
        ("form=", b'F'),
        ("header=", b'H'),
        ("json=", b'd'),
        ("key=", b'E'),
        ("max-redirs=", b'm'),
        ("max-time=", b'm'),
        ("proxy=", b'x'),
        ("referer=", b'e'),
        ("request=", b'X'),
        ("resolve=", b'x'),
        ("retry=", b'm'),
        ("retry-delay=", b'm'),
        ("retry-max-time=", b'm'),
        ("upload-file=", b'T'),
        ("url=", b'u'),
        ("user=", b'u'),
        ("user-agent=", b'A'),
        ("write-out=", b'w'),
    ],
    permute: true,
};

pub(super) fn curl(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, CURL);
    if line.only_informs() {
        return;
    }
    let directory = line
        .value(&[DIRECTORY])
        .map_or(Directory::Current, Directory::Word);
    let act = if line.has(b"C") {
        Act::Append
    } else {
        Act::Truncate
    };
    let keeps = line.has(&[KEEPS]);
    let named = line.has(&[b'O', ALL]);
    for item in line.items() {
        match item {
            Item::Option(b'o', Some(piece)) if !keeps && !is_dash(line, piece) => {
                sink(line.on(act, Spelled { piece, directory }));
            }
            Item::Option(b'c' | b'D' | ETAG, Some(path)) if !is_dash(line, path) => {
                sink(line.on(Act::Truncate, path));
            }
            Item::Operand(index) if named && !keeps => {
                saves_as_named(argv, act, index, directory, sink);
            }
            _ => {}
        }
    }
}

fn is_dash(line: Line<'_>, piece: Piece) -> bool {
    line.bytes(piece) == Some(b"-")
}

/// The file is named as the last part of the URL's path.
fn saves_as_named(
    argv: &[Word<'_>],
    act: Act,
    index: usize,
    directory: Directory,
    sink: &mut Sink<'_>,
) {
    let Some(url) = argv[index].known() else {
        // Whatever its name, it lies in the directory.
        sink(Effect::here(Act::Select, directory).sure(false));
        return;
    };
    let end = url.iter().position(|b| b"?#".contains(b));
    let path = &url[..end.unwrap_or(url.len())];
    let below = match path.iter().rposition(|&b| b == b'/') {
        Some(slash) => &path[slash + 1..],
        None => return,
    };
    if !below.is_empty() {
        sink(Effect::Here {
            act,
            directory,
            below,
            follow: Follow::No,
            certain: true,
        });
    }
}

const WGET: Options = options! {
    short: "a:A:B:bcD:dEe:FHhI:i:kKLl:mNn:o:O:P:pQ:qR:rSt:T:U:vVw:X:x46",
    long: [
        ("output-document=", b'O'),
        ("output-file=", b'o'),
        ("append-output=", b'a'),
        ("directory-prefix=", b'P'),
        ("continue", b'c'),
        ("spider", b's'),
        ("save-cookies=", b'o'),
        ("rejected-log=", b'o'),
        ("warc-file=", b'w'),
        ("execute=", b'e'),
        ("header=", b'U'),
        ("input-file=", b'i'),
        ("tries=", b't'),
        ("timeout=", b'T'),
        ("user-agent=", b'U'),
        ("post-data=", b'U'),
        ("user=", b'U'),
        ("password=", b'U'),
    ],
    permute: true,
};

/// Without `-O` wget gives a new name to a file whose name is taken.
pub(super) fn wget(argv: &[Word<'_>], sink: &mut Sink<'_>) {
    let line = Line::new(argv, WGET);
    if line.only_informs() {
        return;
    }
    if let Some(path) = line.value(b"O").filter(|&path| !is_dash(line, path)) {
        let act = if line.has(b"c") {
            Act::Append
        } else {
            Act::Truncate
        };
        sink(line.on(act, path));
    }
    for item in line.items() {
        match item {
            Item::Option(b'o', Some(path)) => sink(line.on(Act::Truncate, path)),
            Item::Option(b'a', Some(path)) => sink(line.on(Act::Append, path)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::programs::rows::check;

    #[test]
    fn curl_empties_its_outputs() {
        check(&[
            ("curl -o a http://x/y", "truncate 2"),
            ("curl -oa http://x/y", "truncate 1+2"),
            ("curl -fsSLo a http://x/y", "truncate 2"),
            ("curl http://x/y --output a", "truncate 3"),
            (
                "curl -o a -o b http://x/1 http://x/2",
                "truncate 2, truncate 4",
            ),
            ("curl --output-dir d -o a http://x/y", "truncate 4@2"),
            ("curl -c jar -D head http://x", "truncate 2, truncate 4"),
            ("curl -C - -o a http://x/y", "append 4"),
            ("curl -O http://x/y.tgz", "truncate @./y.tgz"),
            ("curl -LO http://x/d/y.tgz?a=/b", "truncate @./y.tgz"),
            ("curl -O http://x/y --output-dir d", "truncate @4/y"),
            ("curl -O $X", "select @. ?"),
            ("curl -o $X http://x/y", "truncate 2"),
        ]);
    }

    #[test]
    fn curl_that_prints_loses_nothing() {
        check(&[
            ("curl http://x/y", ""),
            ("curl -s http://x/install.sh", ""),
            ("curl -H -o http://x", ""),
            ("curl -d @a -X POST http://x", ""),
            ("curl -H $X $Y", ""),
            ("curl -o - http://x", ""),
            ("curl --no-clobber -o a http://x", ""),
            ("curl -O http://x/", ""),
            ("curl --help", ""),
        ]);
    }

    #[test]
    fn wget_empties_its_outputs() {
        check(&[
            ("wget -O a http://x", "truncate 2"),
            ("wget -qO a http://x", "truncate 2"),
            ("wget -Oa http://x", "truncate 1+2"),
            ("wget --output-document=a http://x", "truncate 1+18"),
            ("wget -o log http://x", "truncate 2"),
            ("wget -a log http://x", "append 2"),
            ("wget -c -O a http://x", "append 3"),
            ("wget http://x/y", ""),
            ("wget -nc http://x/y", ""),
            ("wget -qO- http://x", ""),
            ("wget -O - http://x", ""),
            ("wget --help", ""),
        ]);
    }
}
