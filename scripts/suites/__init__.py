"""The test suites of peers, one a file: how each is had, run, and its results read.

A suite has `name`, `units` (its files), `prepare(cache)` and `run(side, work, units)`, which runs these units in the
fresh directory `work` and returns the result of each test: {(unit, test): "pass" | "fail" | "skip"}.
"""
import concurrent.futures, os, re, subprocess

TAP = re.compile(r"^(not )?ok (\d+)\b(?:.*# *(SKIP|TODO))?", re.IGNORECASE | re.MULTILINE)
# A test that hangs is a difference, if only one side has it.
LONGEST = 1200


class Absent(Exception):
    """What a suite needs is not here."""


def tool(command, **options):
    """Runs what prepares a suite; its output is shown only if it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", **options)
    if done.returncode:
        raise Absent(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}")
    return done.stdout


def output(side, command, folder, **variables):
    """What a program of the suite prints, and how it ends."""
    try:
        done = subprocess.run([*side.prefix, *command], env={**side.environment, **variables}, cwd=folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=LONGEST)
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode(errors="replace"), "timeout"
    return done.stdout.decode(errors="replace"), done.returncode


def tap(text, status):
    """The tests of one TAP producer by number, because names hold what varies from run to run. How it ended counts as
    one of them, so that a crash is seen."""
    results = {"end": "pass" if status == 0 else "fail"}
    for failed, number, directive in TAP.findall(text):
        results[number] = "skip" if directive else "fail" if failed else "pass"
    return results


def each(units, action):
    """Runs the units, two at a time, and joins their results."""
    joined = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for unit, results in zip(units, pool.map(action, units)):
            joined.update({(unit, test): result for test, result in results.items()})
    return joined


def stamp(folder, action):
    """Does what has to be done once in a directory."""
    done = os.path.join(folder, ".prepared")
    if not os.path.exists(done):
        action()
        open(done, "w").close()
