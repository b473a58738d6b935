"""Many processes use one store at once: contention.py PROCESSES SECONDS.

PROCESSES writers begin at once, with a store that does not exist; then as many writers and as many
readers work for SECONDS: every writer succeeds, all that was acknowledged is there, every reader
sees a whole answer. Then a process holds the lock: a writer says that it waits, can be interrupted,
and goes on when the lock is free. Runs in an empty repository.
"""
import array
import contextlib
import fcntl
import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import termios
import threading
import time

import store_state
from store_state import ROOFLOG, check_sound, equal, fail, rooflog, runs_by_param

PROCESSES, SECONDS = int(sys.argv[1]), float(sys.argv[2])
STORE = os.path.abspath(".rooflog/runs.db")
RUNS = 5  # of each ingest
VERDICTS = (0, 1, 3, 4, 5, 6)  # of the gate


def ingest(writer, **more):
    return rooflog("ingest", "--commit", "HEAD", "--set", f"writer={writer}",
                   os.path.abspath("few.json"), **more)


def together(tasks):
    threads = [threading.Thread(target=task) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def check_done(name, done, statuses=(0,)):
    if done.returncode not in statuses or "lock" in done.stderr:
        fail(f"{name}: status {done.returncode}: {done.stderr}")


def writers_at_once(name, folders):
    """One ingest in each folder, all at the same time."""
    together([lambda i=i, folder=folder: check_done(name, ingest(f"{name}-{i}", cwd=folder))
              for i, folder in enumerate(folders)])
    stored = runs_by_param(STORE, "writer")
    equal(f"{name}: stored", [stored.get(f"{name}-{i}") for i in range(len(folders))],
          [RUNS] * len(folders))
    check_sound(name, STORE)


def worktrees():
    """Work trees of a clone share its store."""
    subprocess.run(["git", "worktree", "add", "-q", "--detach", "../other"], check=True)
    writers_at_once("worktrees", [".", "../other"] * 8)


READERS = (
    (["gate", "--json"], VERDICTS),
    (["log", "--json"], (0,)),
    (["report", "--as", "json"], (0,)),
    (["init"], (0,)),
)


def mixed():
    """Writers and readers until the time is over."""
    end = time.monotonic() + SECONDS
    acknowledged, answers = set(), [0]

    def write(writer):
        number = 0
        while time.monotonic() < end:
            name = f"mixed-{writer}-{number}"
            done = ingest(name)
            check_done(name, done)
            acknowledged.add(name)
            number += 1

    def read(reader):
        arguments, statuses = READERS[reader % len(READERS)]
        while time.monotonic() < end:
            done = rooflog(*arguments)
            check_done(str(arguments), done, statuses)
            if arguments != ["init"]:
                json.loads(done.stdout)
            answers[0] += 1

    together([lambda i=i: write(i) for i in range(PROCESSES)] +
             [lambda i=i: read(i) for i in range(PROCESSES)])
    stored = runs_by_param(STORE, "writer")
    equal("mixed: not stored", [name for name in acknowledged if stored.get(name) != RUNS], [])
    check_sound("mixed", STORE)
    print(f"{PROCESSES} writers stored {len(acknowledged)} ingests, {PROCESSES} readers got "
          f"{answers[0]} answers", flush=True)


# --- one process holds the lock ---

@contextlib.contextmanager
def locked():
    with contextlib.closing(sqlite3.connect(STORE, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        yield
        holder.execute("ROLLBACK")


def on_terminal(*options):
    """An ingest on a terminal, and what it has printed there."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, array.array("H", [24, 200, 0, 0]))
    child = subprocess.Popen([ROOFLOG, "ingest", "--commit", "HEAD", "--set", "writer=terminal",
                              *options, "few.json"], stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=slave,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    os.close(slave)
    return child, master


def read_until(master, text):
    """What is printed until the text has come or all ends of the terminal are closed."""
    shown = b""
    with contextlib.suppress(OSError):
        while text not in shown and (more := os.read(master, 4096)):
            shown += more
    return shown


def waits():
    said = b"waiting for another process that writes to " + os.fsencode(STORE)
    with locked():
        begin = time.monotonic()
        child, master = on_terminal()
        equal("it says that it waits", said in read_until(master, said), True)
        equal("after two seconds", time.monotonic() - begin >= 2, True)
        child.send_signal(signal.SIGINT)
        equal("interrupted: status", child.wait(), -signal.SIGINT)
        os.close(master)
        quiet, master_of_quiet = on_terminal("--quiet")
        child, master = on_terminal()
        equal("it says so again", said in read_until(master, said), True)
    equal("it goes on: status", child.wait(), 0)
    equal("it says so once", said in read_until(master, said), False)
    equal("--quiet: status", quiet.wait(), 0)
    equal("--quiet: nothing is said", read_until(master_of_quiet, b"\n"), b"")
    equal("what waited is stored", runs_by_param(STORE, "writer").get("terminal"), RUNS)
    check_sound("waits", STORE)


store_state.benchmark("few.json", RUNS)
writers_at_once("new", ["."] * PROCESSES)
worktrees()
mixed()
waits()
sys.exit(store_state.failures != 0)
