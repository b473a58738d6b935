#!/usr/bin/env python3
"""Attacks a store and watches the program read it.

    store_attack.py ROOFLOG columns [TABLE.COLUMN...]
    store_attack.py ROOFLOG objects
    store_attack.py ROOFLOG bytes|cut SEED COUNT

Makes a store from the samples, then, for each attack, a copy of it that is damaged:
  columns  every column of every table, or those that are named, set to NULL, to extreme numbers, to other
           types, to huge texts
  objects  views, triggers, tables and indexes that do not belong to a store
  bytes    COUNT stores with flipped bits, overwritten bytes, copied or emptied pages
  cut      COUNT stores that end too early
All commands that read run on each. None may be ended by a signal or take more than 10 s (or, where a
sanitizer slows all of them, 100 times what the slowest takes on the whole store), and none may succeed with
another answer than that of the whole store. Prints what was done; exit status 1 when a rule was broken."""
import hashlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

LIMIT = 10  # seconds a command, at least
FACTOR = 100  # times the slowest command on the whole store
COMMANDS = (
    ("log", "--json"),
    ("log", "--view", "series"),
    ("gate", "--json"),
    ("gate", "--against", "window"),
    ("show", "--json"),
    ("report", "--as", "json"),
    ("compare", "HEAD~1", "HEAD", "--json"),
    ("baseline", "list"),
    ("site", "pages"),
    ("doctor", "--json"),
)
VALUES = (
    None, -(1 << 63), (1 << 63) - 1, -1, 0, 1 << 40, 1.5, float("inf"), -1e308, "", "text",
    "\udc80\x1b[31m".encode("utf-8", "surrogateescape").decode("latin-1"), "x" * 3000000, b"", b"\0" * 7, b"\xff" * 4096,
)


class Place:
    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.folder = tempfile.mkdtemp(prefix="rooflog-attack-")
        self.store = os.path.join(self.folder, ".rooflog", "runs.db")
        self.env = dict(os.environ, HOME=self.folder, GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL="/dev/null",
                        SOURCE_DATE_EPOCH="1772874000", NO_COLOR="1", LC_ALL="C.UTF-8")
        self.env.pop("ROOFLOG_STORE", None)
        self.faults = 0
        self.limit = LIMIT

    def run(self, *words):
        try:
            done = subprocess.run(words, cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=self.limit)
        except subprocess.TimeoutExpired:
            return None, b"", b""
        return done.returncode, done.stdout, done.stderr

    def must(self, *words):
        status, out, err = self.run(*words)
        if status != 0:
            sys.exit(f"{' '.join(words)}: status {status}: {err.decode()}")
        return out

    def fill(self):
        root = os.getcwd()
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        self.must("git", "init", "-q", ".")
        for night in range(1, 9):
            self.env["GIT_AUTHOR_DATE"] = self.env["GIT_COMMITTER_DATE"] = f"2026-03-{night:02}T09:00:00Z"
            self.must("git", *who, "commit", "-q", "--allow-empty", "-m", f"night {night}")
            self.env["SOURCE_DATE_EPOCH"] = str(1772300000 + night * 86400)
            sample = 4 if night < 8 else 5
            self.must(self.program, "ingest", f"{root}/samples/history/0{sample}/attention-s512")
            if night > 5:
                self.must(self.program, "ingest", f"{root}/samples/mlp")
                self.must(self.program, "ingest", "--set", "kernel=bmm", f"{root}/samples/history/04/attention-s256")
        self.env["SOURCE_DATE_EPOCH"] = "1773000000"
        self.must(self.program, "baseline", "set", "release", "HEAD~3")
        shutil.copyfile(self.store, os.path.join(self.folder, "whole.db"))

    def digest_of_pages(self):
        digest = hashlib.sha256()
        for folder, folders, names in os.walk(os.path.join(self.folder, "pages")):
            folders.sort()
            for name in sorted(names):
                with open(os.path.join(folder, name), "rb") as file:
                    digest.update(name.encode() + b"\0" + file.read())
        return digest.digest()

    def answers(self):
        """What the commands answer, and how long the slowest takes."""
        found = []
        slowest = 0.0
        for words in COMMANDS:
            shutil.rmtree(os.path.join(self.folder, "pages"), ignore_errors=True)
            began = time.monotonic()
            status, out, err = self.run(self.program, *words)
            slowest = max(slowest, time.monotonic() - began)
            if words[0] == "site" and status == 0:
                out = self.digest_of_pages()
            found.append((status, out, err))
        return found, slowest

    def renew(self):
        for end in ("", "-wal", "-shm", "-journal"):
            if os.path.exists(self.store + end):
                os.remove(self.store + end)
        shutil.copyfile(os.path.join(self.folder, "whole.db"), self.store)

    def fault(self, attack, words, what):
        self.faults += 1
        print(f"FAILED: {attack}: {' '.join(words)}: {what}")

    def judge(self, attack, right):
        """How many commands refused the store, and how many gave the right answer."""
        refused = same = 0
        healthy = False
        wrong = []
        for words, (status, out, err), good in zip(COMMANDS, self.answers()[0], right):
            if status is None:
                self.fault(attack, words, f"takes more than {self.limit:.0f} s")
            elif status < 0 or status > 6:
                self.fault(attack, words, f"status {status}: {err.decode(errors='replace')[-1500:]}")
            elif words[0] == "doctor":
                healthy = status == 0
            elif status == 2:
                refused += 1
                if not err.strip():
                    self.fault(attack, words, "no message")
            elif (status, out) == good[:2]:
                same += 1
            else:
                wrong.append(words)
        for words in wrong:
            self.fault(attack, words, f"another answer, without a word{' (doctor: healthy)' if healthy else ''}")
        return refused, same


def columns_of(path):
    with sqlite3.connect(path) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"):
            for column in db.execute(f"PRAGMA table_info({table})"):
                yield table, column[1]


def set_column(path, table, column, value):
    """Sets the column in all rows, or in the first one where it must be unique; the schema stays as it is."""
    db = sqlite3.connect(path, isolation_level=None)
    schema = db.execute("SELECT rowid, sql FROM sqlite_schema WHERE type = 'table'").fetchall()
    db.execute("PRAGMA writable_schema = ON")
    db.execute("UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table'")
    db.execute("PRAGMA writable_schema = RESET")
    changed = False
    for where in ("", f" WHERE {column} = (SELECT max({column}) FROM {table})"):
        try:
            changed = db.execute(f"UPDATE {table} SET {column} = ?{where}", (value,)).rowcount > 0
            break
        except (sqlite3.IntegrityError, OverflowError, sqlite3.DataError):
            continue
    db.execute("PRAGMA writable_schema = ON")
    for row, sql in schema:
        db.execute("UPDATE sqlite_schema SET sql = ? WHERE rowid = ?", (sql, row))
    db.execute("PRAGMA writable_schema = RESET")
    db.close()
    return changed


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT "
OBJECTS = (
    "ALTER TABLE series RENAME TO hidden; CREATE VIEW series AS " + ENDLESS +
    "x AS id, 'k' AS key, 'k' AS kernel, '' AS variant, '' AS dtype, '{}' AS params, '' AS device, "
    "'' AS instance_type, 1 AS cores, '' AS tool FROM c",
    "DROP TABLE history; CREATE VIEW history AS " + ENDLESS + "x AS revision_id, x'00' AS records FROM c",
    "CREATE TRIGGER evil AFTER INSERT ON run BEGIN DELETE FROM baseline; END",
    "CREATE TEMP TABLE x (a); CREATE TABLE other (a)",
    "DROP INDEX run_by_revision",
    "DROP INDEX run_by_revision; CREATE INDEX run_by_revision ON run (revision_id, series_id, dirty) WHERE id > 3",
    "CREATE INDEX more ON run (abs(series_id))",
    "DROP TABLE baseline; CREATE TABLE baseline (name TEXT PRIMARY KEY, oid TEXT, set_at, pinned)",
    "ALTER TABLE series ADD COLUMN g AS (length(zeroblob(1 << 30)))",
    "CREATE VIRTUAL TABLE words USING fts5(a)",
    "DROP TABLE tally",
    "PRAGMA user_version = 3",
    "PRAGMA user_version = -1",
    "PRAGMA user_version = 0",
)


def damage_bytes(path, rng):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    pages = len(data) // 4096
    kind = rng.randrange(7)
    if kind == 0:
        for _ in range(rng.choice((1, 1, 1, 2, 8))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == 1:
        at = rng.randrange(len(data) - 16)
        data[at:at + 16] = rng.randbytes(16)
    elif kind == 2:
        data[rng.randrange(100)] = rng.randrange(256)
    elif kind == 3:
        at = rng.randrange(pages) * 4096
        at += 100 if at == 0 else 0
        data[at + rng.randrange(12)] = rng.randrange(256)
    elif kind == 4:
        a, b = rng.randrange(pages), rng.randrange(pages)
        data[a * 4096:(a + 1) * 4096] = data[b * 4096:(b + 1) * 4096]
    elif kind == 5:
        at = rng.randrange(1, pages) * 4096
        data[at:at + 4096] = bytes(4096) if rng.random() < 0.5 else rng.randbytes(4096)
    else:
        a, b, at = rng.randrange(pages), rng.randrange(pages), rng.randrange(4096)
        data[a * 4096 + at:(a + 1) * 4096] = data[b * 4096 + at:(b + 1) * 4096]
    with open(path, "wb") as file:
        file.write(data)
    return ("bits", "16 bytes", "header", "page header", "page copied", "page lost", "page torn")[kind]


def cut(path, rng):
    size = os.path.getsize(path)
    size = rng.randrange(size // 4096) * 4096 if rng.random() < 0.5 else rng.randrange(size)
    os.truncate(path, size)
    return f"cut at {size}"


def attacks(place, kind, words):
    whole = os.path.join(place.folder, "whole.db")
    if kind == "columns":
        for table, column in columns_of(whole):
            for value in VALUES if not words or f"{table}.{column}" in words else ():
                place.renew()
                if set_column(place.store, table, column, value):
                    yield f"{table}.{column} = {value!r:.40}"
    elif kind == "objects":
        for text in OBJECTS:
            place.renew()
            with sqlite3.connect(place.store) as db:
                db.executescript(text)
            db.close()
            yield text
    else:
        damage = {"bytes": damage_bytes, "cut": cut}[kind]
        seed, count = (int(word) for word in words)
        for number in range(seed, seed + count):
            place.renew()
            yield f"seed {number}: {damage(place.store, random.Random(number))}"


def main():
    program, kind = sys.argv[1:3]
    place = Place(program)
    try:
        place.fill()
        right, slowest = place.answers()
        place.limit = max(LIMIT, FACTOR * slowest)
        for words, (status, _, err) in zip(COMMANDS, right):
            if status is None or status not in (0, 1, 3, 4, 5, 6):
                sys.exit(f"{' '.join(words)}: the whole store: status {status}: {err.decode()}")
        stores = refusals = answers = unharmed = 0
        for attack in attacks(place, kind, sys.argv[3:]):
            refused, same = place.judge(attack, right)
            stores += 1
            refusals += refused
            answers += same
            unharmed += refused == 0
        print(f"{kind}: {stores} stores, {refusals} commands refused one, {answers} answered as for the whole store, "
              f"{unharmed} stores where none refused, {place.faults} faults")
    finally:
        shutil.rmtree(place.folder)
    sys.exit(place.faults > 0)


main()
