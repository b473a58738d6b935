"""kill -9 at random times: kills.py INGESTS MIGRATIONS RUNS EDITS OUTPUTS. SEED: other times.

Ingests of samples (and of ../shared/data where that exists) are killed: a killed ingest left all of
its runs or none, and all if it has printed them. Migrations of a store of RUNS runs are killed: the
store has its old version or the new one, with all runs. Edits (rm, mv and their undoing) are killed:
all runs are removed or renamed, or none, and the list of edits says which. Outputs are killed: the
old file is there, or the new one to its end, and the next output removes what is left. Runs in an
empty repository.
"""
import contextlib
import glob
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import store_state
from store_state import ROOFLOG, check_sound, equal, fail, rooflog, rows, runs_by_param

ROOT = os.environ["root"]
INGESTS, MIGRATIONS, RUNS, EDITS, OUTPUTS = map(int, sys.argv[1:])
STORE = os.path.abspath(".rooflog/runs.db")
rng = random.Random(int(os.environ.get("SEED", "1")))


def killed(arguments, seconds):
    """Kills rooflog after so many seconds: what it has printed, and whether it was killed."""
    with subprocess.Popen([ROOFLOG, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as child:
        time.sleep(seconds)
        child.send_signal(signal.SIGKILL)
        printed = child.stdout.read()
        return printed, child.wait() == -signal.SIGKILL


def log_is_left(store):
    return os.path.exists(store + "-wal") and os.path.getsize(store + "-wal") > 0


def ingest(path, number, store):
    return ["ingest", "--commit", "HEAD", "--set", f"kill={number}", "--store", store, path]


def candidates():
    paths = sorted(glob.glob(ROOT + "/samples/formats/*/*/sample*"))
    for folder, _, names in os.walk(ROOT + "/../shared/data"):
        paths += [os.path.join(folder, name) for name in names]
    paths = [path for path in paths if os.path.isfile(path) and os.path.getsize(path) < 300_000]
    return rng.sample(paths, len(paths))


def inputs():
    """(path, runs, seconds) of the files that can be ingested without further options."""
    store_state.benchmark("many.json", 300)
    found, wanted = [], 10 if INGESTS <= 100 else 50
    for number, path in enumerate([os.path.abspath("many.json"), *candidates()]):
        if len(found) == wanted:
            break
        begin = time.monotonic()
        if rooflog(*ingest(path, number, "trial.db")).returncode == 0:
            runs = runs_by_param("trial.db", "kill").get(str(number), 0)
            if runs:
                found.append((path, runs, time.monotonic() - begin))
    return found


def kill_ingests():
    files, started, left, kills = inputs(), {}, 0, 0
    equal("there are files to ingest", len(files) > 2, True)
    for number in range(INGESTS):
        path, runs, seconds = files[0] if number % 3 == 0 else rng.choice(files)
        printed, was_killed = killed(ingest(path, number, STORE), rng.uniform(0, 1.3 * seconds))
        started[str(number)] = (runs, b"stored" in printed, path)
        kills += was_killed
        left += log_is_left(STORE)
        if number % 100 == 99:
            equal(f"integrity after {number}", rows(STORE, "PRAGMA quick_check"), [("ok",)])
    stored = runs_by_param(STORE, "kill")
    for number, (runs, acknowledged, path) in started.items():
        allowed = [runs] if acknowledged else [0, runs]
        if stored.get(number, 0) not in allowed:
            fail(f"{path}: {stored.get(number, 0)} runs of {runs}, acknowledged: {acknowledged}")
    equal("an ingest afterwards", rooflog(*ingest(files[0][0], "last", STORE)).returncode, 0)
    check_sound("after kills of ingests", STORE)
    acknowledged = sum(one[1] for one in started.values())
    whole = sum(number in stored for number in started)
    print(f"{INGESTS} ingests of {len(files)} files, {kills} killed, {left} left a log; "
          f"{acknowledged} acknowledged, {whole} whole, {INGESTS - whole} absent, "
          f"{sum(stored.values())} runs", flush=True)


def kill_edits():
    """Of the store that the ingests left."""
    runs = rows(STORE, "SELECT count(*) FROM run")[0][0]
    edits = [(["rm", "--commit", "HEAD"], ["rm", "--undo"], "count(*) FROM run WHERE dirty >= 4", "rm", runs)]
    kernel, series = rows(STORE, "SELECT kernel, count(*) FROM run JOIN series ON series.id = series_id "
                                 "GROUP BY kernel ORDER BY 2 DESC")[0]
    edits.append((["mv", kernel, "renamed"], ["mv", "--undo"],
                  "count(*) FROM run JOIN series ON series.id = series_id WHERE kernel = 'renamed'", "mv", series))
    kills = 0
    for do, undo, count, kind, most in edits:
        seconds, done = .1, 0
        for number in range(EDITS):
            begin = time.monotonic()
            kills += killed([*(undo if done else do), "--store", STORE], rng.uniform(0, 1.3 * seconds))[1]
            seconds = max(seconds, time.monotonic() - begin)
            done = rows(STORE, "SELECT " + count)[0][0]
            if done not in (0, most):
                fail(f"{kind} {number}: {done} runs of {most}")
            equal(f"{kind} {number}: listed", rows(STORE, f"SELECT count(*) FROM edit WHERE undone_at = 0 AND "
                                                          f"kind = '{kind}'"), [(int(done > 0),)])
        if done:
            equal(f"{kind}: undone", rooflog(*undo, "--store", STORE).returncode, 0)
    check_sound("after kills of edits", STORE)
    print(f"{len(edits) * EDITS} edits of {runs} runs, {kills} killed", flush=True)


def content(path):
    with open(path, "rb") as file:
        return file.read()


def kill_outputs():
    """Of more runs than a document keeps, so that the text leaves while it is made."""
    store_state.benchmark("outputs.json", 700)
    store = os.path.abspath("outputs.db")
    equal("ingest for outputs", rooflog(*ingest("outputs.json", "0", store)).returncode, 0)
    folder, file = os.path.abspath("outputs"), os.path.abspath("outputs/file")
    kinds = [["report", "--as", "json", "--output", file], ["report", "--as", "html", "--output", file],
             ["report", "--as", "openmetrics", "--output", file], ["report", "--as", "md", "--output", file],
             ["gate", "-o", "jsonl=" + file]]
    os.mkdir(folder)
    kills = old = left = 0
    for kind in kinds:
        command = [*kind, "--store", store]
        begin = time.monotonic()
        equal(f"{kind[:3]}: status", rooflog(*command).returncode in (0, 4), True)
        seconds, whole, names = time.monotonic() - begin, content(file), sorted(os.listdir(folder))
        equal(f"{kind[:3]}: no temporary file", [name for name in names if name[0] == "."], [])
        for number in range(OUTPUTS):
            with open(file, "w", encoding="utf-8") as stale:
                stale.write("old")
            kills += killed(command, rng.uniform(0, 1.1 * seconds))[1]
            found = content(file)
            old += found == b"old"
            left += sorted(os.listdir(folder)) != names
            if found not in (b"old", whole):
                fail(f"{kind[:3]} {number}: {len(found)} of {len(whole)} bytes")
        equal(f"{kind[:3]}, again: status", rooflog(*command).returncode in (0, 4), True)
        equal(f"{kind[:3]}, again: whole", content(file) == whole, True)
        equal(f"{kind[:3]}, again: no temporary file", sorted(os.listdir(folder)), names)
        shutil.rmtree(folder)
        os.mkdir(folder)
    print(f"{len(kinds) * OUTPUTS} outputs, {kills} killed, {left} left a temporary file; {old} old, "
          f"{len(kinds) * OUTPUTS - old} new", flush=True)


def old_store(path):
    """A store of schema 3 with so many runs of seven numbers each."""
    with contextlib.closing(sqlite3.connect(path)) as store:
        with open(ROOT + "/tests/golden/stores/v3.sql", encoding="utf-8") as text:
            store.executescript(text.read())
        store.execute("PRAGMA journal_mode = WAL")
        numbers = f"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {RUNS})"
        store.execute(f"{numbers} INSERT INTO run SELECT i, randomblob(32), content, series_id, "
                      "revision_id, dirty, node, ingested_at + i, source, kernel_hash FROM n, run "
                      "WHERE id = 1")
        store.execute(f"{numbers} INSERT INTO value SELECT i, metric_id, value, provenance FROM n, "
                      "value WHERE run_id = 1")
        store.commit()


def runs_of(store):
    return rows(store, "SELECT id, hex(hash), series_id, revision_id, ingested_at FROM run ORDER BY id")


def kill_migrations():
    old_store("old.db")
    before = runs_of("old.db")
    seconds = 60
    for _ in range(3):
        shutil.copy("old.db", "new.db")
        begin = time.monotonic()
        made = rooflog("init", "--store", "new.db")
        seconds = min(seconds, time.monotonic() - begin)
        equal("migration: " + made.stderr, made.returncode, 0)
    newest = rows("new.db", "PRAGMA user_version")
    kills = old = inside = 0
    for number in range(MIGRATIONS):
        for path in glob.glob("copy.db*"):
            os.unlink(path)
        shutil.copy("old.db", "copy.db")
        kills += killed(["init", "--store", "copy.db"], rng.uniform(0, 1.1 * seconds))[1]
        logged = log_is_left("copy.db")
        version = rows("copy.db", "PRAGMA user_version")
        old += version == [(3,)]
        inside += logged and version == [(3,)]
        if version not in ([(3,)], newest):
            fail(f"migration {number}: version {version}")
        equal(f"migration {number}: runs", runs_of("copy.db") == before, True)
        again = rooflog("init", "--store", "copy.db")
        equal(f"migration {number}, again: {again.stderr}", again.returncode, 0)
        equal(f"migration {number}, again: version", rows("copy.db", "PRAGMA user_version"), newest)
        equal(f"migration {number}, again: runs", runs_of("copy.db") == before, True)
        equal(f"migration {number}, again: integrity", rows("copy.db", "PRAGMA integrity_check"),
              [("ok",)])
    print(f"{MIGRATIONS} migrations of {RUNS} runs ({seconds:.2f} s each), {kills} killed, {inside} "
          f"with uncommitted writes in the log; {old} have version 3, {MIGRATIONS - old} "
          f"the newest", flush=True)


kill_ingests()
kill_outputs()
kill_edits()
kill_migrations()
sys.exit(store_state.failures != 0)
