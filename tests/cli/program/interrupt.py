"""Interrupts ROOFLOG ingest and compares the store: interrupt.py ROOFLOG PROFILE OTHER PRELOAD.

Runs in a repository with a store. PRELOAD (interrupt_write.c) raises a signal in the middle of the
transaction, at every write to the log; when it is empty only reading is interrupted.
"""
import array
import contextlib
import fcntl
import os
import pty
import select
import signal
import sqlite3
import subprocess
import sys
import termios
import time

ROOFLOG, PROFILE, OTHER, PRELOAD = sys.argv[1:]
STORE = ".rooflog/runs.db"
OPTIONS = ["--set", "kernel=mlp,dtype=bf16,b=2"]
LIMIT = 60  # seconds until something is called stuck
failures = 0


def check(name, actual, expected):
    global failures
    if actual != expected:
        failures += 1
        print(f"FAILED: {name}\n  expected: {expected!r}\n  actual:   {actual!r}")


def content():
    """What the store holds, as SQL; sqlite recovers what was left beside it."""
    with contextlib.closing(sqlite3.connect(STORE)) as store:
        check("integrity", store.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        return list(store.iterdump())


def default_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def start(arguments, **more):
    return subprocess.Popen([ROOFLOG, "ingest", *OPTIONS, *arguments], preexec_fn=default_signals,
                            stdout=subprocess.PIPE, **more)


def wait_until(what, holds):
    end = time.monotonic() + LIMIT
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"FAILED: {what} does not come")
        time.sleep(0.01)


def unread(pipe):
    """Bytes in the pipe that nobody has taken."""
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


def half_fed(stderr):
    """An ingest that has read half a document from a pipe and waits for more."""
    text = open(PROFILE, "rb").read()
    child = start(["-"], stdin=subprocess.PIPE, stderr=stderr)
    child.stdin.write(text[:len(text) // 2])
    child.stdin.flush()
    wait_until("the reader", lambda: unread(child.stdin) == 0)
    return child


def while_reading(number):
    before = content()
    child = half_fed(subprocess.PIPE)
    child.send_signal(number)
    check(f"{number.name} while it reads: status", child.wait(LIMIT), -number)
    check(f"{number.name} while it reads: output", child.stdout.read() + child.stderr.read(), b"")
    check(f"{number.name} while it reads: store", content() == before, True)


def on_terminal(number):
    """The line of progress is there when the signal comes, and gone afterwards."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, array.array("H", [24, 80, 0, 0]))
    before, shown = content(), b""
    child = half_fed(slave)
    os.close(slave)
    end = time.monotonic() + LIMIT
    while b"reading 0 of 1 file" not in shown and time.monotonic() < end:
        if select.select([master], [], [], 1)[0]:
            shown += os.read(master, 4096)
    check("a line of progress", b"reading 0 of 1 file, " in shown, True)
    child.send_signal(number)
    check(f"{number.name} on a terminal: status", child.wait(LIMIT), -number)
    try:
        while more := os.read(master, 4096):
            shown += more
    except OSError:  # nobody holds the other end any more
        pass
    check("no line is wider", max(len(line) for line in shown.split(b"\r\x1b[K")) <= 79, True)
    check(f"{number.name} on a terminal: the line", shown.endswith(b"\r\x1b[K"), True)
    check(f"{number.name} on a terminal: store", content() == before, True)


def while_writing(number, at):
    """Of two runs in one transaction; what was written of it is gone when the store is opened. False
    when there are not so many writes: then both are stored."""
    before = content()
    environment = {**os.environ, "LD_PRELOAD": PRELOAD, "INTERRUPT_AT": str(at),
                   "INTERRUPT_BY": str(int(number))}
    child = start([PROFILE, OTHER], stderr=subprocess.PIPE, env=environment)
    child.communicate(timeout=LIMIT)
    name = f"{number.name} at write {at}"
    if child.returncode == 0:
        check(f"{name}: stored", content() != before, True)
        return False
    check(f"{name}: status", child.returncode, -number)
    check(f"{name}: there is a log", os.path.exists(STORE + "-wal"), True)
    check(f"{name}: store", content() == before, True)
    left = os.path.getsize(STORE + "-wal") if os.path.exists(STORE + "-wal") else 0
    check(f"{name}: nothing is left of the log", left, 0)
    return True


for interrupt in (signal.SIGINT, signal.SIGTERM):
    while_reading(interrupt)
    on_terminal(interrupt)
if PRELOAD:
    check("SIGTERM while it writes", while_writing(signal.SIGTERM, 3), True)
    writes = 0
    while while_writing(signal.SIGINT, writes + 1):
        writes += 1
    print(f"interrupted at each of {writes} writes")
    check("there are writes enough to be between two runs", writes > 20, True)
print(f"interrupt: {failures} failures")
sys.exit(failures != 0)
