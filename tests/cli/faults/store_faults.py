"""Each statement of a store fails once: store_faults.py PRELOAD.

Runs commands with fail_calls.c, which makes one call of SQLite fail as a bad disk does. A command then
either fails, says so, and leaves the store as it was, or it gives the answer and the store that it gives
without the fault. Afterwards the store is sound, and the same command without a fault completes.

FAULTS: how many percent of the statements of each command fail, once at their first call and once later
(10); all: every call. SEED: other ones.
"""
import collections
import contextlib
import difflib
import glob
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import trials

PRELOAD = os.path.abspath(sys.argv[1])
ROOFLOG, ROOT = os.environ["ROOFLOG"], os.environ["root"]
SAMPLES = ROOT + "/samples"
FAULTS = os.environ.get("FAULTS", "10")
ONLY = os.environ.get("ONLY", "")
base = os.path.abspath("base")
others = os.path.abspath("others")


def run(folder, arguments, **environment):
    return subprocess.run([ROOFLOG, *arguments], cwd=folder, env={**os.environ, **environment},
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


def must(folder, *arguments):
    done = run(folder, arguments)
    if done.returncode not in (0, 1):
        sys.exit(f"FAILED: {arguments}: {done.stderr}")
    return done.stdout


def prepare():
    """A repository whose store has runs, repeats, edits, a baseline and removed runs, and other stores."""
    subprocess.run(["sh", SAMPLES + "/history.sh", base, "1", "6"], check=True, capture_output=True)
    subprocess.run(["git", "tag", "v1", "HEAD~3"], cwd=base, check=True)
    must(base, "ingest", SAMPLES + "/history/05-again", "--commit", "HEAD~1")
    must(base, "ingest", SAMPLES + "/mlp")
    must(base, "ingest", SAMPLES + "/formats/nvidia/ncu-csv/sample-summary.csv", "--set", "device=h100-sxm")
    must(base, "baseline", "set", "good", "HEAD~3")
    must(base, "rm", "--commit", "HEAD~5", "--reason", "wrong input")
    must(base, "mv", "attention s=256", "flash-attention")
    os.mkdir(others)
    must(base, "store", "export", "-o", others + "/runs.jsonl")
    must(base, "ingest", "--store", others + "/other.db", "--commit", "HEAD~2", SAMPLES + "/history/03")
    must(base, "ingest", "--store", others + "/other.db", SAMPLES + "/mlp")
    must(base, "rm", "--store", others + "/other.db", "--commit", "HEAD~2", "--reason", "again")
    for path in glob.glob(ROOT + "/tests/golden/stores/v*.sql"):
        with sqlite3.connect(f"{others}/{os.path.basename(path)[:-4]}.db") as store, \
                open(path, encoding="utf-8") as text:
            store.executescript(text.read())
    damaged = others + "/damaged.db"
    shutil.copy(base + "/.rooflog/runs.db", damaged)
    with sqlite3.connect(damaged) as store:
        store.execute("UPDATE run SET ingested_at = ingested_at + 1 WHERE id IN (3, 7)")
        store.execute("UPDATE series SET kernel = 'other' WHERE id = 2")
        store.execute("UPDATE revision SET subject = 'other' WHERE id = 2")
        store.execute("UPDATE baseline SET name = 'other'")
        store.execute("UPDATE metric SET key = 'other' WHERE id = 5")
        store.execute("DELETE FROM edit WHERE id = 1")


# What may differ between two answers: paths, how long something took, and how the store is written.
def plain(text, folder):
    return re.sub(r"\d+(\.\d+)? m?s\b|took .*|write-ahead log|rollback journal", "", text.replace(folder, ""))


def state_of(path):
    """All rows of a store but for what can be made again, without times and seals; none if it has nothing."""
    if not os.path.exists(path):
        return []
    with tempfile.TemporaryDirectory() as copied:
        for name in glob.glob(path + "*"):
            shutil.copy(name, copied)
        with contextlib.closing(sqlite3.connect(f"{copied}/{os.path.basename(path)}")) as store:
            lines = [re.sub(r"-?\d{15,}|X'[0-9A-F]{48}'", "*", line) for line in store.iterdump()
                     if line.startswith("INSERT INTO") and not re.match('INSERT INTO "?(history|tree|sqlite_stat1)"', line)]
    return lines


Scenario = collections.namedtuple("Scenario", "arguments store status", defaults=(None, 0))
other = others + "/other.db"
SCENARIOS = [
    # What changes the store.
    Scenario(["ingest", SAMPLES + "/history/02", "--commit", "HEAD"], None, 2),
    Scenario(["ingest", SAMPLES + "/history/02", "--commit", "HEAD", "--replace"]),
    Scenario(["ingest", SAMPLES + "/history/02", "--commit", "HEAD~4"]),
    Scenario(["ingest", SAMPLES + "/history/04", "--commit", "HEAD~2", "--set", "dtype=fp8"]),
    Scenario(["ingest", SAMPLES + "/formats/frameworks/proton/sample.hatchet"], "absent"),
    Scenario(["init"], "absent"),
    Scenario(["baseline", "set", "better", "HEAD"]),
    Scenario(["baseline", "rm", "good"]),
    Scenario(["rm", "--commit", "HEAD~2", "--reason", "why"]),
    Scenario(["rm", "--undo"]),
    Scenario(["mv", "mlp", "ffn"]),
    Scenario(["mv", "--undo"]),
    Scenario(["store", "prune", "--keep", "2"]),
    Scenario(["store", "prune", "--samples", "1"]),
    Scenario(["store", "merge", other]),
    Scenario(["store", "copy", other, others + "/copy.db"]),
    Scenario(["store", "import", others + "/runs.jsonl"], "absent"),
    Scenario(["store", "import", others + "/runs.jsonl"]),
    Scenario(["doctor", "--repair"], others + "/damaged.db"),
    *[Scenario(["doctor", "--repair"], f"{others}/v{version}.db") for version in (1, 2, 4, 7)],
    # What reads it.
    Scenario(["gate"]),
    Scenario(["gate", "--against", "good"]),
    Scenario(["gate", "--json", "HEAD~1"]),
    Scenario(["log"]),
    Scenario(["log", "--view", "edits"]),
    Scenario(["log", "--view", "series"]),
    Scenario(["log", "--view", "history"]),
    Scenario(["show"]),
    Scenario(["show", "HEAD~1"]),
    Scenario(["compare", "HEAD~2", "HEAD"]),
    Scenario(["report"]),
    Scenario(["report", "--as", "html"]),
    Scenario(["chart", "trend"]),
    Scenario(["list", "kernels"]),
    Scenario(["list", "series"]),
    Scenario(["baseline"]),
    Scenario(["calibrate"]),
    Scenario(["doctor"]),
    Scenario(["doctor"], others + "/damaged.db"),
    Scenario(["store", "export"]),
    Scenario(["store", "size"]),
]


class Trial:
    """A command, its store before each of its runs, and what it does without a fault."""

    def __init__(self, number, scenario):
        self.number, self.scenario, self.failures, self.count = number, scenario, [], 0
        self.name = " ".join(scenario.arguments).replace(ROOT + "/", "").replace(others + "/", "")
        self.folder = os.path.abspath(f"trial-{number}")
        self.outputs = [path for path in scenario.arguments if path.endswith("copy.db")]

    def fail(self, text):
        self.failures.append(f"FAILED: {self.name} ({self.scenario.store or 'a full store'}): {text}")

    def restore(self):
        for path in [*glob.glob(self.folder + "/.rooflog/runs.db*"),
                     *[name for path in self.outputs for name in glob.glob(path + "*")]]:
            os.unlink(path)
        if self.scenario.store != "absent":
            shutil.copy(self.scenario.store or base + "/.rooflog/runs.db", self.folder + "/.rooflog/runs.db")
        shutil.copy(base + "/.rooflog/config", self.folder + "/.rooflog/config")

    def state(self):
        return [line for store in [self.folder + "/.rooflog/runs.db", *self.outputs] for line in state_of(store)]

    def sound(self):
        path = self.folder + "/.rooflog/runs.db"
        if not os.path.exists(path):
            return True
        with contextlib.closing(sqlite3.connect(path)) as store:
            return store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]

    def calls(self):
        """The statements of the command, in order; and what it does."""
        log = self.folder + "/.calls"
        self.restore()
        self.before = self.state()
        done = run(self.folder, self.scenario.arguments, LD_PRELOAD=PRELOAD, FAIL_CALLS="sql", FAIL_LOG=log)
        self.done, self.after = done, self.state()
        if done.returncode not in (0, 1, self.scenario.status):
            self.fail(f"without a fault: {done.stderr}")
        if not os.path.exists(log):
            return []
        with open(log, encoding="utf-8", errors="replace") as text:
            lines = text.read().splitlines()
        os.unlink(log)
        return lines

    def chosen(self, calls):
        places = collections.defaultdict(list)
        for number, text in enumerate(calls, 1):
            places[text].append(number)
        if FAULTS == "all":
            return range(1, len(calls) + 1)
        rng = random.Random(os.environ.get("SEED", "1") + self.name)
        return sorted({number for at in places.values()
                       if rng.random() * 100 < float(FAULTS) for number in (at[0], rng.choice(at))})

    def one(self, number, statement):
        self.count += 1
        self.restore()
        done = run(self.folder, self.scenario.arguments, LD_PRELOAD=PRELOAD, FAIL_CALLS="sql", FAIL_AT=str(number))
        state = self.state()
        where = f"call {number}, {statement[:90]!r}"
        if done.returncode < 0 or "Sanitizer" in done.stderr:
            return self.fail(f"{where}: status {done.returncode}: {done.stderr[-2000:]}")
        if done.returncode == 2:
            if "rooflog" not in done.stderr or len(done.stderr.strip()) < 30:
                self.fail(f"{where}: it says only {done.stderr!r}")
            if state != self.before and "the store is pruned, but" not in done.stderr:
                self.fail(f"{where}: it fails ({done.stderr.strip()}), and the store has changed")
        elif self.name.startswith("doctor") and done.returncode == 1 and "\nFAIL " in done.stdout:
            pass  # it says so
        else:
            if (done.returncode, plain(done.stdout, self.folder)) != \
                    (self.done.returncode, plain(self.done.stdout, self.folder)):
                self.fail(f"{where}: status {done.returncode} and another answer: {done.stdout[:1500]}{done.stderr}")
            if state != self.after:
                self.fail(f"{where}: it succeeds, and the store is another one: {done.stdout}{done.stderr}" +
                          "\n".join(difflib.unified_diff(self.after, state, n=0)))
        if not self.sound():
            self.fail(f"{where}: the store is not sound")
        if state == self.before != self.after and number % 4 == 0:
            run(self.folder, self.scenario.arguments)
            if self.state() != self.after:
                self.fail(f"{where}: the same command again does not complete it")

    def run(self):
        shutil.copytree(base, self.folder, symlinks=True)
        calls = self.calls()
        if len(calls) < 5:
            self.fail(f"only {len(calls)} calls were counted")
        for number in self.chosen(calls):
            self.one(number, calls[number - 1])
        shutil.rmtree(self.folder)
        return self


prepare()
trials.run_all((Trial(number, one) for number, one in enumerate(SCENARIOS) if ONLY in " ".join(one.arguments)),
               0 if ONLY else 50, {})
