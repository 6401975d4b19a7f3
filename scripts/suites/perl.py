"""perl's tests of files and processes, run with the installed perl of the same release."""
import glob, os, shutil

from . import Absent, debian, each, output, stamp, tap, tool

# Below the source's root: the tests, and what they are run from.
MODULES = ["cpan/File-Temp", "cpan/File-Path", "ext/File-Find", "ext/IPC-Open3", "dist/IO"]
FOLDERS = {"t/io": "t", "t/op": "t", "lib/File": "t", **{f"{module}/t": module for module in MODULES}}
OPERATORS = ["chdir", "chown", "exec", "filetest", "filetest_t", "fork", "getppid", "glob", "lfs", "mkdir", "readline",
             "stat", "sysio", "write"]


class Perl:
    name = "perl"

    def prepare(self, cache):
        perl = shutil.which("perl")
        if not perl:
            raise Absent("no perl")
        self.perl = perl
        self.source, self.version = debian.source(cache, "perl")
        asked = tool([perl, "-MConfig", "-e", "print join(' ', @Config{qw(version privlibexp archlibexp)})"])
        installed, *self.libraries = asked.split()
        if not os.path.basename(self.source).endswith("-" + installed):
            raise Absent(f"perl is {installed}, its source {self.version}")
        stamp(self.source, self.build)
        self.units = sorted(os.path.relpath(path, self.source) for folder in FOLDERS
                            for path in glob.glob(os.path.join(self.source, folder, "*.t"))
                            if folder != "t/op" or os.path.basename(path)[:-2] in OPERATORS)

    def build(self):
        """Puts the installed modules where the tests look for those of a build."""
        for library in self.libraries:
            shutil.copytree(library, os.path.join(self.source, "lib"), dirs_exist_ok=True)

    def run(self, side, work, units):
        for folder in ["t", "lib", *MODULES]:
            shutil.copytree(os.path.join(self.source, folder), os.path.join(work, folder), symlinks=True)

        def one(unit):
            start = os.path.join(work, FOLDERS[os.path.dirname(unit)])
            library = os.path.relpath(os.path.join(work, "lib"), start)
            # By its name only, as the tests call it again.
            script = os.path.relpath(os.path.join(work, unit), start)
            return tap(*output(side, [self.perl, f"-I{library}", script], start))

        return each(units, one)
