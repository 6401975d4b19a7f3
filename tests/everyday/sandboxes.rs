//! Other sandboxes below the guard.

use super::work::Work;

pub(super) const ROWS: &[Work] = &[
    Work {
        name: "bubblewrap",
        needs: &["bwrap", "python3"],
        before: r#"cat > touch.py <<'EOF'
import os, sys
for path in sys.argv[1:]:
    try:
        open(path, "w").write("x")
        os.remove(path)
        print("made and removed")
    except OSError as error:
        print(error)
EOF"#,
        script: r#"bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp python3 touch.py /tmp/x x
            bwrap --ro-bind / / --dev /dev --proc /proc --bind "$HOME" "$HOME" --unshare-all python3 touch.py x ../new /tmp/x; echo $?"#,
    },
    Work {
        name: "name spaces of one's own",
        needs: &["unshare", "mount"],
        before: "",
        script: "unshare -Ur sh -c 'id -u && echo x > x && rm x'; echo $?
            unshare -Urmpf --mount-proc sh -c 'echo $$ && mkdir m && mount -t tmpfs none m && echo x > m/x && rm m/x && umount m && rmdir m'; echo $?
            ls -A",
    },
];
