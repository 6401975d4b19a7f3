"""Plays a person at a terminal, whose shell starts programs under guard: `terminal.py BINARY SCENE`.

Each scene types, waits for what the terminal must show, and fails where it does not come.
"""
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time

BINARY, SCENE = sys.argv[1:3]
PATIENCE = 20


class Terminal:
    def __init__(self, shell):
        os.environ.update(PS1="$ ", INPUTRC="/dev/null", TERM="dumb", HISTFILE="")
        self.seen = ""
        self.child, self.end = pty.fork()
        if self.child == 0:
            os.execvp(shell[0], shell)
        self.expect(r"\$ ")

    def type(self, keys):
        self.seen = ""
        os.write(self.end, keys.encode())

    def expect(self, pattern):
        """Waits until what is seen since the last keys matches."""
        until = time.monotonic() + PATIENCE
        while not re.search(pattern, self.seen, re.DOTALL):
            if not select.select([self.end], [], [], max(0, until - time.monotonic()))[0]:
                sys.exit(f"{SCENE}: {pattern!r} did not come, but {self.seen!r}")
            self.seen += os.read(self.end, 4096).decode(errors="replace")
        return self.seen

    def do(self, line, pattern):
        self.type(line + "\n")
        return self.expect(pattern)

    def status(self, number):
        self.do("echo status=$?.", rf"\nstatus={number}\.")


def guarded(words):
    return f"{BINARY} run -- {words}"


def interrupt():
    terminal = Terminal(["bash", "--norc", "-i"])
    terminal.do(guarded("sh -c 'echo begun; exec sleep 60'"), r"\nbegun")
    terminal.type("\x03")
    terminal.expect(r"\$ ")
    terminal.status(130)
    # It comes once: a program that takes it is not sent it again.
    taker = guarded("""bash -c 'trap "echo taken" INT; echo begun; for i in 1 2 3 4 5; do sleep 0.1; done; echo over'""")
    terminal.do(taker, r"\nbegun")
    terminal.type("\x03")
    assert terminal.expect(r"\nover").count("taken") == 1, terminal.seen
    # A loop in a script ends as it does without us.
    turn = guarded("sh -c 'echo turn; exec sleep 60'")
    terminal.do(f"for i in 1 2 3; do {turn}; done", r"\nturn")
    terminal.type("\x03")
    terminal.expect(r"\$ $")
    assert terminal.seen.count("turn") == 0, terminal.seen


def stop():
    terminal = Terminal(["bash", "--norc", "-i"])
    for _ in range(10):
        terminal.do(guarded("sh -c 'echo begun; exec sed -u s/^/got-/'"), r"\nbegun")
        terminal.do("first", r"got-first")
        terminal.type("\x1a")
        terminal.expect(r"Stopped.*\$ ")
        terminal.do("jobs", r"Stopped.*sed")
        # It is stopped again at once, because it reads.
        terminal.do("bg", r"&")
        terminal.do("sleep 0.5; jobs", r"Stopped.*sed")
        terminal.do("fg", r"fg\r\n.*sed")
        terminal.do("again", r"got-again")
        terminal.type("\x04")
        terminal.expect(r"\$ ")
        terminal.status(0)


def shell():
    terminal = Terminal(["bash", "--norc", "-i"])
    terminal.do(guarded("bash --norc -i"), r"\$ ")
    terminal.do("sh -c 'echo begun; exec sleep 60'", r"\nbegun")
    terminal.type("\x1a")
    terminal.expect(r"Stopped.*sleep")
    terminal.do("kill %1; wait; echo gone", r"\ngone")
    terminal.do("suspend", r"Stopped.*bash --norc")
    terminal.do("fg", r"fg\r\n.*bash --norc -i\r\n")
    terminal.do("echo below=$((6 * 7))", r"below=42")
    terminal.do("exit 3", r"\$ $")
    terminal.status(3)


def window():
    terminal = Terminal(["bash", "--norc", "-i"])
    script = """bash -c 'trap "stty size; exit 5" WINCH; echo begun; while :; do sleep 0.1; done'"""
    terminal.do(guarded(script), r"\nbegun")
    fcntl.ioctl(terminal.end, termios.TIOCSWINSZ, struct.pack("HHHH", 41, 99, 0, 0))
    terminal.expect(r"\n41 99")
    terminal.status(5)


def editor():
    terminal = Terminal(["bash", "--norc", "-i"])
    # What is typed before the editor has the terminal may be thrown away.
    terminal.do(guarded("vim -u NONE -N note"), r'"note" \[New')
    terminal.type("ihello\x1b:w\r")
    terminal.expect(r"written")
    terminal.type("\x1a")
    terminal.expect(r"Stopped.*vim")
    terminal.do("cat note", r"\nhello")
    terminal.do("fg", r"hello")
    terminal.type(":q\r")
    terminal.expect(r"\$ $")
    terminal.status(0)


def repl():
    terminal = Terminal(["bash", "--norc", "-i"])
    terminal.do(guarded("python3 -q"), r">>> ")
    terminal.do("6 * 7", r"\n42")
    terminal.do("import time; print('be' + 'gun'); time.sleep(60)", r"\nbegun")
    terminal.type("\x03")
    terminal.expect(r"KeyboardInterrupt\r\n>>> ")
    terminal.do("exit(4)", r"\$ ")
    terminal.status(4)


def hangup():
    terminal = Terminal(["bash", "--norc", "-i"])
    script = """bash -c 'trap "echo told > told; exit" HUP; echo begun; while :; do sleep 0.1; done'"""
    terminal.do(guarded(script), r"\nbegun")
    os.close(terminal.end)
    until = time.monotonic() + PATIENCE
    while not os.path.exists("told"):
        if time.monotonic() > until:
            sys.exit("hangup: the program was not told")
        time.sleep(0.05)


COUNTER = """
import signal, sys, time
told = {}
def note(number, _):
    told[number] = told.get(number, 0) + 1
for number in signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP:
    signal.signal(number, note)
print("begun", flush=True)
until = time.monotonic() + 20
while signal.SIGTERM not in told and time.monotonic() < until:
    time.sleep(0.01)
time.sleep(0.3)
print(sorted((signal.Signals(number).name, count) for number, count in told.items()))
"""


def group():
    """What a process sends to the whole group comes once, and so does what it sends to one."""
    counter = [BINARY, "run", "--", sys.executable, "-c", COUNTER]
    program = subprocess.Popen(counter, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert program.stdout.readline() == "begun\n"
    # When it has just begun it may come twice.
    time.sleep(0.2)
    for _ in range(5):
        os.killpg(program.pid, signal.SIGUSR1)
        time.sleep(0.03)
        os.kill(program.pid, signal.SIGUSR2)
        time.sleep(0.03)
        os.killpg(program.pid, signal.SIGTSTP)
        time.sleep(0.03)
    os.killpg(program.pid, signal.SIGTERM)
    said = program.stdout.read().strip()
    assert said == "[('SIGTERM', 1), ('SIGTSTP', 5), ('SIGUSR1', 5), ('SIGUSR2', 5)]", said
    assert program.wait() == 0
    if shutil.which("bwrap"):
        # Its group has no number in there.
        sandbox = ["bwrap", "--bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid"]
        program = subprocess.Popen(sandbox + counter, stdout=subprocess.PIPE, text=True, start_new_session=True)
        assert program.stdout.readline() == "begun\n"
        time.sleep(0.2)
        os.killpg(program.pid, signal.SIGTERM)
        said = program.stdout.read().strip()
        assert said == "[('SIGTERM', 1)]", said
        program.wait()
    # Whoever looks for us by name means the wrapper.
    program = subprocess.Popen(counter, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert program.stdout.readline() == "begun\n"
    time.sleep(0.2)
    subprocess.run(["pkill", "-USR1", "-s", str(program.pid), "-f", "^[^ ]*blastradius run"], check=True)
    os.kill(program.pid, signal.SIGTERM)
    said = program.stdout.read().strip()
    assert said == "[('SIGTERM', 1), ('SIGUSR1', 1)]", said
    # Nobody is left in the group.
    until = time.monotonic() + PATIENCE
    program.wait()
    while True:
        try:
            os.killpg(program.pid, 0)
        except ProcessLookupError:
            break
        assert time.monotonic() < until
        time.sleep(0.01)


def witness():
    """Where the witness is stopped nothing is kept from the program, nor comes twice."""
    counter = [BINARY, "run", "--", sys.executable, "-c", COUNTER]
    program = subprocess.Popen(counter, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert program.stdout.readline() == "begun\n"
    time.sleep(0.2)
    with open(f"/proc/{program.pid}/task/{program.pid}/children") as children:
        names = {open(f"/proc/{child}/comm").read().strip(): int(child) for child in children.read().split()}
    os.kill(names["witness"], signal.SIGSTOP)
    os.killpg(program.pid, signal.SIGUSR1)
    time.sleep(1.5)
    os.kill(names["witness"], signal.SIGSTOP)
    os.kill(program.pid, signal.SIGUSR2)
    time.sleep(1.5)
    os.killpg(program.pid, signal.SIGUSR1)
    time.sleep(0.2)
    os.kill(program.pid, signal.SIGTERM)
    said = program.stdout.read().strip()
    assert said == "[('SIGTERM', 1), ('SIGUSR1', 2), ('SIGUSR2', 1)]", said
    assert program.wait() == 0


def leader():
    """It is the first process at its terminal, as by `ssh -t`: of the end of that nobody else is told."""
    child, end = pty.fork()
    if child == 0:
        script = "trap 'echo told > told; exit 7' HUP; echo begun; while :; do sleep 0.05; done"
        os.execv(BINARY, [BINARY, "run", "--", "bash", "-c", script])
    seen = b""
    while b"begun" not in seen:
        seen += os.read(end, 4096)
    os.close(end)
    until = time.monotonic() + PATIENCE
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > until:
            sys.exit("leader: the program was not told")
        time.sleep(0.02)
    assert os.waitstatus_to_exitcode(ended[1]) == 7, ended
    assert os.path.exists("told")


def background():
    """A job in the background is stopped when it reads, or is told that it may not write; a shell of its own group
    gets what the job is sent."""
    terminal = Terminal(["bash", "--norc", "-i"])
    terminal.do(guarded("cat") + " &", r"\$ ")
    terminal.do("sleep 0.5; jobs", r"Stopped.*cat")
    terminal.do("stty tostop; " + guarded("/bin/echo hi") + " &", r"\$ ")
    terminal.do("sleep 0.5; jobs", r"Stopped.*Stopped.*echo")
    terminal.do("stty -tostop; kill -9 %1 %2; wait; echo gone", r"\ngone")
    terminal.do(guarded("bash --norc -i"), r"\$ ")
    terminal.do("trap 'echo told > told; exit 4' USR1; echo set", r"\nset")
    terminal.do("kill -USR1 -- -$(ps -o pgid= -p $(ps -o ppid= -p $(ps -o ppid= -p $$)) | tr -d ' '); :", r"\$ ")
    until = time.monotonic() + PATIENCE
    # It looks for signals when a line is there.
    while not os.path.exists("told") and time.monotonic() < until:
        terminal.do("", r"\$ ")
        time.sleep(0.02)
    terminal.status(4)


def multiplexer():
    terminal = Terminal(["bash", "--norc", "-i"])
    terminal.do(guarded("tmux -f /dev/null -L blastradius-test new-session -d 'sh -c \"sleep 1; echo born > born\"'"), r"\$ ")
    terminal.status(0)
    until = time.monotonic() + PATIENCE
    while not os.path.exists("born"):
        if time.monotonic() > until:
            sys.exit("multiplexer: nothing ran below it")
        time.sleep(0.05)


globals()[SCENE]()
