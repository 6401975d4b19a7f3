"""Plays a person at a terminal, whose shell starts programs under guard: `terminal.py BINARY SCENE`.

Each scene types, waits for what the terminal must show, and fails where it does not come.
"""
import fcntl
import os
import pty
import re
import select
import struct
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
    terminal.do(guarded("vim -u NONE -N note"), r"note")
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
