//! A browser without a window, with a sandbox of its own where it is not root.

use super::work::Work;

pub(super) const ROWS: &[Work] = &[Work {
    name: "a screenshot by Chromium",
    needs: &["chromium"],
    before: r#"echo '<h1>hello</h1>' > page.html && mkdir -p ~/.config/chromium/'Crash Reports' &&
            head -c 40 /dev/zero > ~/.config/chromium/'Crash Reports'/settings.dat"#,
    script: r#"test "$(id -u)" != 0 || bare=--no-sandbox
            for turn in 1 2; do
                timeout 60 chromium --headless=new $bare --disable-gpu --user-data-dir="$PWD/profile" --window-size=200,100 \
                    --screenshot="$PWD/shot.png" "file://$PWD/page.html" 2> errors; echo $?
                grep blastradius errors; head -c 8 shot.png | od -An -c
            done
            timeout 60 chromium --headless=new $bare --disable-gpu --user-data-dir="$PWD/profile" --dump-dom "file://$PWD/page.html" 2> errors
            rm -rf profile errors shot.png; ls -A"#,
}];
