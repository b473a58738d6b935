#!/usr/bin/env python3
"""Flips bits of a store and repairs it.

    flips.py ROOFLOG [SEED COUNT]

Makes a small store from the samples; then, for each column of each row of each table (with COUNT: of that many columns
in one row each, chosen by SEED), a copy in which one bit of it is flipped. Demanded of each:
  - `doctor` ends with status 1, or no answer changes and the column is one of those that do not matter;
  - `doctor --repair` ends, and a second one finds no more;
  - afterwards every answer is that of the whole store; or a run is named as set aside, nobody reads a damaged one,
    and ingesting the files again restores all answers.
Prints what was done; exit status 1 when a rule was broken."""
import collections
import json
import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

LIMIT = 20  # seconds a command
QUESTIONS = (("gate", "--json"), ("gate", "--json", "HEAD~1"), ("log", "--json"), ("show", "--json", "--details"),
             ("log", "--view", "edits"), ("baseline", "list"))
# Why a flip in these may go unnamed: the order of a list remains; git is asked where the row does not fit.
FREE = {"ordinal": "its order is what counts", "tree_file": "asked of git again", "committed_file": "asked of git again"}
# The call of ingest that stored the run is not known any more, or its name, by which it was removed: ingested again, it
# is a measurement of its own.
APART = ("run.hash", "run.ingest")


class Place:
    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.root = os.getcwd()
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # every ingest waits for the disk
        self.folder = tempfile.mkdtemp(prefix="rooflog-flips-", dir=memory)
        self.store = os.path.join(self.folder, ".rooflog", "runs.db")
        self.whole = os.path.join(self.folder, "whole.db")
        self.env = dict(os.environ, HOME=self.folder, GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL="/dev/null",
                        SOURCE_DATE_EPOCH="1772874000", NO_COLOR="1", LC_ALL="C.UTF-8")
        self.env.pop("ROOFLOG_STORE", None)
        self.faults = 0

    def run(self, *words):
        try:
            done = subprocess.run(words, cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return None, b"", b""
        return done.returncode, done.stdout, done.stderr

    def must(self, *words):
        status, out, err = self.run(*words)
        if status != 0:
            sys.exit(f"{' '.join(words)}: status {status}: {err.decode()}")
        return out

    def ingest(self):
        """Ends with the status of each command; the same files again change nothing."""
        found = []
        for night in range(1, 5):
            self.env["SOURCE_DATE_EPOCH"] = str(1772300000 + night * 86400)
            commit = f"HEAD~{4 - night}"
            for sample in ("history/04/attention-s512", "mlp") if night in (2, 4) else ("history/04/attention-s512",):
                found.append(self.run(self.program, "ingest", "--commit", commit, f"{self.root}/samples/{sample}"))
        self.env["SOURCE_DATE_EPOCH"] = "1773000000"
        return [(status, err) for status, _, err in found if status != 0]

    def fill(self):
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        self.must("git", "init", "-q", ".")
        for night in range(1, 5):
            self.env["GIT_AUTHOR_DATE"] = self.env["GIT_COMMITTER_DATE"] = f"2026-03-{night:02}T09:00:00Z"
            with open(os.path.join(self.folder, "file"), "w", encoding="utf-8") as file:
                file.write(f"{night}\n")
            self.must("git", "add", "file")
            self.must("git", *who, "commit", "-q", "-m", f"night {night}")
        for status, err in self.ingest():
            sys.exit(f"ingest: status {status}: {err.decode()}")
        self.must(self.program, "baseline", "set", "release", "HEAD~2")
        run = json.loads(self.must(self.program, "log", "--json"))["runs"][-1]["id"]
        self.must(self.program, "rm", run[:16], "--reason", "a test")
        shutil.copyfile(self.store, self.whole)

    def answers(self):
        """With the runs of a commit in the order of their names: one that is ingested again is the newest."""
        found = []
        for words in QUESTIONS:
            status, out, _ = self.run(self.program, *words)
            if words[0] in ("log", "show") and "--json" in words and status == 0:
                runs = json.loads(out)["runs"]
                assert isinstance(runs, list), out[:200]
                out = json.dumps(sorted(runs, key=lambda run: json.dumps(run, sort_keys=True)))
            found.append((status, out))
        return found

    def fault(self, flip, what):
        self.faults += 1
        print(f"FAILED: {flip}: {what}")

    def renew(self):
        for end in ("", "-wal", "-shm", "-journal"):
            if os.path.exists(self.store + end):
                os.remove(self.store + end)
        shutil.copyfile(self.whole, self.store)


def cells_of(path):
    """Table, key and column of each value that is not NULL."""
    with sqlite3.connect(path) as db:
        db.text_factory = bytes
        tables = [name.decode() for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name "
                                                         "NOT LIKE 'sqlite%' ORDER BY name")]
        for table in tables:
            columns = db.execute(f"PRAGMA table_info({table})").fetchall()
            names = [column[1].decode() for column in columns]
            keys = [column[1].decode() for column in columns if column[5]]
            for row in db.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY {', '.join(keys)}"):
                key = [(name, row[names.index(name)]) for name in keys]
                for name, value in zip(names, row):
                    if value is not None and value != b"":
                        yield table, key, name


def flipped(value, kind, rng):
    if kind == "integer":
        bit = rng.randrange(max(8, (abs(value).bit_length() + 7) // 8 * 8))
        number = (value ^ 1 << bit) & (1 << 64) - 1
        return number - (1 << 64) if number >> 63 else number
    if kind == "real":
        bits, = struct.unpack("<Q", struct.pack("<d", value))
        return struct.unpack("<d", struct.pack("<Q", bits ^ 1 << rng.randrange(64)))[0]
    data = bytearray(value)
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def flip(path, cell, rng):
    """False if the table refuses it."""
    table, key, column = cell
    db = sqlite3.connect(path, isolation_level=None)
    db.text_factory = bytes
    where = " AND ".join(f"CAST({name} AS BLOB) = CAST(? AS BLOB)" for name, _ in key)
    kind, value = db.execute(f"SELECT typeof({column}), {column} FROM {table} WHERE {where}",
                             [value for _, value in key]).fetchone()
    target = "CAST(? AS TEXT)" if kind == b"text" else "?"
    try:
        done = db.execute(f"UPDATE {table} SET {column} = {target} WHERE {where}",
                          [flipped(value, kind.decode(), rng)] + [value for _, value in key]).rowcount
    except (sqlite3.IntegrityError, OverflowError):
        done = 0
    db.close()
    return done == 1


def ids(answer):
    return {run["id"] for run in json.loads(answer[1])}


def check(place, what, column, right, found):
    status, out, _ = place.run(place.program, "doctor", "--json")
    if status == 0:
        found["unnamed"] += 1
        if place.answers() != right:
            place.fault(what, f"doctor: healthy, but the answers changed: {out.decode()[-300:]}")
        if column not in FREE and what.split(".")[0] not in FREE:
            place.fault(what, "not named")
    elif status != 1:
        place.fault(what, f"doctor: status {status}")
    status, out, err = place.run(place.program, "doctor", "--repair", "--json")
    if status not in (0, 1):
        place.fault(what, f"repair: status {status}: {err.decode()[-300:]}")
    again, text, _ = place.run(place.program, "doctor", "--repair", "--json")
    answers = place.answers()
    if answers == right:
        found["repaired"] += 1
        if again != 0:
            place.fault(what, f"not repaired at the second time: {text.decode()[-700:]}")
        return
    found["set aside"] += 1
    if b"set aside" not in text and b"damaged" not in out:
        place.fault(what, f"other answers, and nothing is named: {text.decode()[-700:]}")
    for words, (status, _) in zip(QUESTIONS, answers):
        if status == 2 and words[0] == "log":
            place.fault(what, f"{' '.join(words)} is still refused")
    for status, err in place.ingest():
        place.fault(what, f"ingest: status {status}: {err.decode()[-500:]}")
    for words, answer, good in zip(QUESTIONS, place.answers(), right):
        if what.split(" ")[0] in APART and words[0] in ("gate", "log"):
            if words == ("log", "--json") and not ids(good) <= ids(answer):
                place.fault(what, "a run is missing after the ingest")
        elif answer != good:
            place.fault(what, f"{' '.join(words)}: another answer after the ingest, status {answer[0]}")


def sample(cells, count, rng):
    """A row of each of COUNT columns: most rows are those of few long lists."""
    columns = collections.defaultdict(list)
    for cell in cells:
        columns[cell[0], cell[2]].append(cell)
    return [rng.choice(columns[name]) for name in rng.sample(sorted(columns), min(count, len(columns)))]


def main():
    place = Place(sys.argv[1])
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    found = collections.Counter()
    try:
        place.fill()
        right = place.answers()
        if any(status not in (0, 1, 3, 4, 5, 6) for status, _ in right):
            sys.exit(f"the whole store: {[status for status, _ in right]}")
        cells = list(cells_of(place.whole))
        chosen = sample(cells, int(sys.argv[3]), rng) if len(sys.argv) > 3 else cells
        for cell in chosen:
            place.renew()
            if flip(place.store, cell, rng):
                found["flips"] += 1
                table, key, column = cell
                key = ", ".join(value.decode() if isinstance(value, bytes) else str(value) for _, value in key)
                check(place, f"{table}.{column} ({key})", column, right, found)
            else:
                found["refused by SQLite"] += 1
        print(f"{len(cells)} values; " + ", ".join(f"{name} {number}" for name, number in sorted(found.items())) +
              f"; {place.faults} faults")
    finally:
        shutil.rmtree(place.folder)
    sys.exit(place.faults > 0)


main()
