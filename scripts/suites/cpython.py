"""CPython's own tests, as they come with an installed interpreter."""
import os, shutil, subprocess, sys
import xml.etree.ElementTree as tree

from . import Absent, output


class CPython:
    name = "cpython"
    units = ["test_os", "test_shutil", "test_pathlib", "test_tempfile", "test_subprocess", "test_posix", "test_io"]

    def prepare(self, cache):
        question = "import sys, test.test_os; print(sys.executable, sys.version.split()[0])"
        candidates = os.environ.get("PYTHON"), sys.executable, shutil.which("python3", path="/usr/bin")
        for candidate in filter(None, candidates):
            asked = subprocess.run([candidate, "-c", question], capture_output=True, text=True)
            if asked.returncode == 0:
                self.python, self.version = asked.stdout.split()
                return
        raise Absent("no python3 with its test package (Debian: libpython3-testsuite)")

    def run(self, side, work, units):
        report = os.path.join(work, "report.xml")
        text, status = output(side, [self.python, "-m", "test", "-j2", "--junit-xml", report, *units], work)
        results = {("regrtest", "end"): "pass" if status == 0 else "fail"}
        if not os.path.exists(report):
            print(text[-2000:])
            return results
        for case in tree.parse(report).iter("testcase"):
            name = case.get("name")
            unit = next((part for part in name.split(".") if part in units), "other")
            kinds = {child.tag for child in case}
            result = "fail" if kinds & {"failure", "error"} else "skip" if "skipped" in kinds else "pass"
            # Subtests go under one name: the worst of them counts.
            key = (unit, name)
            if results.get(key) != "fail":
                results[key] = result
        return results
