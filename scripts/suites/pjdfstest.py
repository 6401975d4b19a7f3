"""pjdfstest: what POSIX says of each file system call, errno by errno. Switches users, so it needs root."""
import os, re

from . import Absent, output, tool

VERSION = "0.2.2"
SETTINGS = """\
[features]
posix_fallocate = {}
rename_ctime = {}
utimensat = {}
utime_now = {}
[settings]
naptime = 0.001
[dummy_auth]
entries = [["nobody", "nogroup"], ["daemon", "daemon"]]
"""


class Pjdfstest:
    name = "pjdfstest"
    units = ["all"]
    version = VERSION

    def prepare(self, cache):
        if os.geteuid():
            raise Absent("root is needed")
        root = os.path.join(cache, "pjdfstest")
        self.program = os.path.join(root, "bin", "pjdfstest")
        if not os.path.exists(self.program):
            tool(["cargo", "install", "--quiet", "--locked", "--root", root, "pjdfstest", "--version", VERSION],
                 env={**os.environ, "CARGO_TARGET_DIR": os.path.join(root, "target")})

    def run(self, side, work, units):
        settings, tree = os.path.join(work, "settings.toml"), os.path.join(work, "tree")
        with open(settings, "w") as file:
            file.write(SETTINGS)
        os.mkdir(tree)
        # Its other users come by here too.
        for folder in work, tree:
            os.chmod(folder, 0o755)
        text, _ = output(side, [self.program, "-c", settings, "-p", tree], tree)
        kinds = {"ok": "pass", "FAILED": "fail", "skipped": "skip"}
        lines = re.findall(r"^(\w+::\S+) +(\w+)", text, re.MULTILINE)
        return {("all", name): kinds.get(result, "fail") for name, result in lines}
