"""git's t/: what removes, moves, resets and checks out."""
import glob, os

from . import debian, each, output, stamp, tap, tool


class Git:
    name = "git"
    numbers = ["t0001", "t1050", "t2000", "t2007", "t2022", "t2402", "t2403", "t3600", "t3903", "t4122", "t5304",
               "t5601", "t6500", "t7001", "t7102", "t7103", "t7300", "t7508"]
    # What the tests can do without.
    switches = [f"NO_{what}=1" for what in
                ("CURL", "GETTEXT", "TCLTK", "PERL", "EXPAT", "PYTHON", "OPENSSL", "RUST")]

    def prepare(self, cache):
        self.folder, self.version = debian.source(cache, "git")
        stamp(self.folder, lambda: tool(["make", "-s", "-j2", "CFLAGS=-O1", *self.switches], cwd=self.folder))
        self.tests = os.path.join(self.folder, "t")
        self.units = [os.path.basename(path) for number in self.numbers
                      for path in glob.glob(os.path.join(self.tests, f"{number}-*.sh"))]

    def run(self, side, work, units):
        return each(units, lambda unit: tap(*output(side, [f"./{unit}", f"--root={work}"], self.tests)))
