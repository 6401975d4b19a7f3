"""Whoever starts a program notices nothing of `run` in between: `same.py BINARY`.

Each row is done without and with it, and must come to the same. `$R` in a script stands for either.
"""
import os
import shutil
import signal
import subprocess
import sys
import time

BINARY = sys.argv[1]
RUN = [BINARY, "run", "--quiet", "--"]

SCRIPTS = {
    "what is read": r'printf "a\nb\nc\n" | (read x; $R sh -c "read y; echo got \$y"; read z; echo $x $z)',
    "what is not read": r'printf "a\nb\nc\n" > in; (read x; $R true; read z; echo $x $z) < in',
    "descriptors": r'''for i in 3 4 5 6 7 8 9; do eval "exec $i>f$i"; done
        $R sh -c 'for i in 3 4 5 6 7 8 9; do eval echo x$i ">&$i"; done; ls /proc/self/fd | tr "\n" " "'; cat f3 f9''',
    "nothing to write to": "$R sh -c 'exit 4' <&- >&- 2>&-; echo $?",
    "variables": "env -i A=b $R /usr/bin/env | grep -v -e BLASTRADIUS -e LD_PRELOAD",
    "limits": 'ulimit -n 64; ulimit -c 0; $R sh -c "ulimit -a"',
    "niceness, mask and directory": '(umask 027; cd /tmp; nice -n 3 $R sh -c "umask; pwd; nice")',
    "signals that are ignored": "trap '' INT USR1; $R grep -E 'Sig(Ign|Blk)' /proc/self/status",
    "a group": '$R sh -c "ps -o pgid= -p \\$\\$ | grep -qx \\" *$(ps -o pgid= -p $$ | tr -d " ")\\" && echo same"',
    "nohup": "nohup $R sh -c 'kill -HUP $$; echo alive' 2> /dev/null",
    "setsid": "setsid -w $R sh -c 'exit 6'; echo $?",
    "timeout": """timeout 0.3 $R sleep 5; echo $?; timeout -s INT 0.3 $R sleep 5; echo $?
        timeout --foreground 0.3 $R sleep 5; echo $?""",
    "timeout that comes back": "timeout -k 0.3 0.3 $R sh -c 'trap : TERM; while :; do sleep 0.1; done' 2> /dev/null; echo $?",
    "xargs": """seq 20 | xargs -P4 -n1 $R echo | sort -n | tr "\\n" " "; seq 3 | xargs -n1 $R sh -c 'exit 9'; echo $?""",
    "a job that is waited for": "$R sh -c 'exit 33' & wait $!; echo $?; $R sleep 5 & kill -TERM $!; wait $!; echo $?",
    "a job that stops": "set -m; $R sh -c 'kill -TSTP $$; exit 7' & wait %1; echo $?; fg %1 > /dev/null; echo $?",
    "a terminal": r"""script -qec "$R sh -c 'test -t 0 && test -t 1 && echo yes; exit 5'" /dev/null; echo $?""",
    "strace": "strace -f -o /dev/null $R sh -c 'exit 3'; echo $?",
    "gdb": "gdb -batch -ex run --args $R sh -c 'exit 3' 2> /dev/null | grep -o 'exited with code.*'",
}
NEEDS = {"script": "a terminal", "strace": "strace", "gdb": "gdb", "nohup": "nohup", "setsid": "setsid", "ps": "a group"}


def shell(script):
    def row(first):
        environment = dict(os.environ, R=" ".join(first))
        ran = subprocess.run(["bash", "-c", script], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, timeout=60)
        errors = ran.stderr.replace(" ".join(RUN), "").strip()
        return ran.stdout, [line for line in errors.splitlines() if line.strip() and "line 1:" not in line]
    return row


def statuses(first):
    return [subprocess.run(first + ["sh", "-c", f"exit {status}"]).returncode for status in (0, 1, 2, 42, 125, 127, 128, 255)]


def signals(first):
    deadly = [number for number in range(1, 65) if number not in (17, 18, 19, 20, 21, 22, 23, 28, 32, 33)]
    return [subprocess.run(first + ["sh", "-c", f"kill -{number} $$; exit 3"], stderr=subprocess.DEVNULL).returncode
            for number in deadly]


def masks(first):
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2, 40])
    try:
        return subprocess.run(first + ["grep", "SigBlk", "/proc/self/status"], stdout=subprocess.PIPE).stdout
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR2, 40])


def stops(first):
    process = subprocess.Popen(first + ["sh", "-c", "kill -STOP $$; exit 5"])
    _, stopped = os.waitpid(process.pid, os.WUNTRACED)
    os.kill(process.pid, signal.SIGCONT)
    _, ended = os.waitpid(process.pid, 0)
    return os.WIFSTOPPED(stopped), os.WSTOPSIG(stopped), os.waitstatus_to_exitcode(ended)


def what_stays(first):
    """A daemon that holds nothing keeps nobody waiting."""
    began = time.monotonic()
    script = "(setsid sleep 8 > /dev/null 2>&1 < /dev/null &); echo said; exit 6"
    ran = subprocess.run(first + ["sh", "-c", script], stdout=subprocess.PIPE)
    return ran.stdout, ran.returncode, time.monotonic() - began < 6


ROWS = {"statuses": statuses, "signals": signals, "masks": masks, "stops": stops, "what stays": what_stays}
ROWS.update((name, shell(script)) for name, script in SCRIPTS.items())

missing = {row for program, row in NEEDS.items() if not shutil.which(program)}
different = [(name, expected, found) for name, row in ROWS.items() if name not in missing
             if (expected := row([])) != (found := row(RUN))]
for name, expected, found in different:
    print(f"{name}: {found} instead of {expected}", file=sys.stderr)
if missing:
    print("skipped:", *sorted(missing))
sys.exit(bool(different))
