"""Power fails at every write of a command: power_loss.py ROOFLOG PRELOAD IMAGES.

Records the writes of commands that change a store (record_writes.c), builds the images that a loss
of power may leave (disk.py), and opens each with rooflog: the store is sound, it has all that was
acknowledged, and of the command that was under way everything or nothing. IMAGES: about how many
images of a scenario are opened, chosen at random; 0 is all. SEED: another choice.

Without the syncs of the record, images must be found that lost something.
"""
import contextlib
import copy
import glob
import hashlib
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import disk

ROOFLOG, PRELOAD, IMAGES = sys.argv[1], sys.argv[2], int(sys.argv[3])
ROOT = os.environ["root"]
PROFILE = ROOT + "/samples/formats/neuron/neuron-profile-json/sample.json"
STORE = ".rooflog/runs.db"
RANDOM_IMAGES = 6  # subsets of the pending writes that are built at each point
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAILED: " + text)


def run(arguments, folder, environment=None):
    return subprocess.run(arguments, cwd=folder, env={**os.environ, **(environment or {})},
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


def ingest(number):
    return ["ingest", "--set", f"kernel=mlp,dtype=bf16,b={number}", "sample.json"]


def text_of(path):
    with contextlib.suppress(FileNotFoundError), open(path, encoding="utf-8") as file:
        return file.read()
    return None


def state(folder):
    """What a person would miss: runs, baselines and the files next to the store."""
    path = os.path.join(folder, STORE)
    runs = baselines = ()
    if os.path.exists(path) and os.path.getsize(path):
        with contextlib.closing(sqlite3.connect(path)) as store:
            tables = {row[0] for row in store.execute("SELECT name FROM sqlite_master")}
            if "run" in tables:
                runs = tuple(sorted(row[0] for row in store.execute("SELECT hex(hash) FROM run")))
                baselines = tuple(store.execute("SELECT name FROM baseline ORDER BY name"))
    return {"runs": runs, "baselines": baselines,
            **{name: text_of(os.path.join(folder, ".rooflog", name))
               for name in ("config", "accept", ".gitignore")}}


def short(value):
    return [one[:8] for one in value] if isinstance(value, tuple) else repr(value)[:40]


def state_of_copy(folder):
    """The state, read from a copy: to open a store may change it."""
    with tempfile.TemporaryDirectory(dir=scratch) as copy:
        if os.path.isdir(folder + "/.rooflog"):
            shutil.copytree(folder + "/.rooflog", copy + "/.rooflog")
        return state(copy)


class Record:
    """The events of some commands in a folder, and what each has acknowledged."""

    def __init__(self, folder, commands, environment=None):
        self.folder = folder
        self.commands = commands
        self.before = disk.Disk(folder, [".rooflog"])
        self.states = [state_of_copy(folder)]
        self.acknowledged = []  # after how many events each command has printed what it did
        self.ends = []
        self.events = []
        log = tempfile.mktemp(dir=scratch)
        environment = {"LD_PRELOAD": PRELOAD, "RECORD_TO": log, "RECORD_ROOT": folder,
                       **(environment or {})}
        for command in commands:
            done = run([ROOFLOG, *command], folder, environment)
            if done.returncode:
                sys.exit(f"FAILED: {command}: {done.stderr}")
            begin, self.events = len(self.events), disk.read_events(log)
            self.ends.append(len(self.events))
            self.acknowledged.append(next(
                (i + 1 for i in range(begin, len(self.events)) if self.events[i] == ["print"]),
                len(self.events)))
            self.states.append(state_of_copy(folder))

    def allowed(self, point):
        """What may be there when power fails before an event: what is acknowledged, and that plus
        the command under way."""
        done = sum(at <= point for at in self.acknowledged)
        begun = min(sum(at <= point for at in self.ends) + 1, len(self.commands))
        return self.states[done], self.states[max(done, begun)]

    def syncs(self, last):
        """The events that are syncs; `last`: only those right before an acknowledgement."""
        return {i for i, event in enumerate(self.events) if event[0] == "sync" and
                (not last or i + 2 in self.acknowledged)}

    def images(self, rng, ignored, count):
        """(event, how, files) of images before each event: about `count`, and all after an
        acknowledgement; 0: all that differ."""
        now, seen, written = copy.deepcopy(self.before), set(), None
        share = count / (len(self.events) * 15) if count else 1
        for point, event in enumerate([*self.events, None]):
            choices = [("everything", disk.everything), ("only what is synced", disk.nothing),
                       ("no data", disk.names_only), ("no names", disk.data_only)]
            if written:
                choices += [(f"torn after {n} sectors", disk.torn_last(written, n))
                            for n in range(9)]
            choices += [("a part", disk.some(rng))] * RANDOM_IMAGES
            for how, choose in choices:
                if rng.random() >= share and point not in self.acknowledged:
                    continue
                files = now.image(choose)
                key = hashlib.sha256(repr((sorted(files.items()), self.allowed(point))).encode())
                if key.digest() not in seen:
                    seen.add(key.digest())
                    yield point, how, files
            if event:
                now.event(event, point in ignored)
                written = now.nodes[event[1]] if event[0] == "write" else None


def write_image(files, folder):
    for path, data in files.items():
        full = os.path.join(folder, path)
        if data is None:
            os.mkdir(full)
        else:
            with open(full, "wb") as file:
                file.write(data)


def open_store(store, folder, upgrade):
    """What rooflog complains of; None if the store is sound."""
    complaint = None
    for command in (["init"] if upgrade else [], ["doctor"], ["init"], ["doctor"]):
        if not command:
            continue
        done = run([ROOFLOG, *command, "--store", store], folder)
        if command == ["doctor"] and done.returncode == 0:
            return None
        if done.returncode:
            bad = re.sub(r"^ok .*\n", "", done.stdout, flags=re.MULTILINE)
            complaint = f"{command[0]}: {bad}{done.stderr}"
            if command == ["init"] or "`rooflog init`" not in complaint:
                break
    return complaint


def fault_of(record, point, files, upgrade, again):
    """What is wrong with an image; None if nothing."""
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        write_image(files, folder)
        store = os.path.join(folder, STORE)
        if os.path.exists(store) and (complaint := open_store(store, folder, upgrade)):
            return complaint
        found = state(folder)
        for name, value in found.items():
            least, most = (allowed[name] for allowed in record.allowed(point))
            if value not in (least, most):
                return f"{name}: {short(value)} is neither {short(least)} nor {short(most)}"
        if again:
            for command in record.commands:
                run([ROOFLOG, *command, "--store", store], record.folder)
            if state(folder)["runs"] != record.states[-1]["runs"]:
                return "the same commands again do not complete it"
    return None


def check(name, record, upgrade=False, ignored=(), images=IMAGES):
    """The faults of the images of a record."""
    rng = random.Random(os.environ.get("SEED", "1") + name)
    faults, opened = [], 0
    for point, how, files in record.images(rng, ignored, images):
        opened += 1
        event = record.events[point][:4] if point < len(record.events) else "the end"
        fault = fault_of(record, point, files, upgrade, rng.random() < 0.2)
        if fault:
            faults.append(f"{name}: power fails before event {point}, {event}; on the disk is "
                          f"{how}: {fault}")
    print(f"{name}: {len(record.events)} events, {opened} images, {len(faults)} faults", flush=True)
    return faults


# --- the scenarios: each returns a record ---

def repository(name):
    folder = tempfile.mkdtemp(prefix=name + ".", dir=scratch)
    shutil.copy(PROFILE, folder + "/sample.json")
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        run(["git", *command], folder)
    return folder


def measured(name, count):
    """A repository whose store has `count` ingests."""
    folder = repository(name)
    for number in range(count):
        run([ROOFLOG, *ingest(number)], folder)
    return folder


def first_ingest():
    return Record(repository("first"), [["init"], ingest(1), ingest(2)])


def ingest_makes_the_store():
    return Record(repository("made"), [ingest(1)])


def ingests():
    return Record(measured("ingests", 3), [ingest(10), ingest(11), ingest(12)])


def ingests_beside_a_reader():
    """The reader keeps the log from being removed: it grows, and begins again."""
    folder = measured("reader", 3)
    with contextlib.closing(sqlite3.connect(f"{folder}/{STORE}")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM run").fetchall()
        run([ROOFLOG, *ingest(4)], folder)
        reader.execute("COMMIT")
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM run").fetchall()
        record = Record(folder, [ingest(10), ingest(11)])
        reader.execute("COMMIT")
    return record


def ingest_after_a_kill():
    """A killed writer left a log, of which a part is not committed."""
    folder = measured("killed", 2)
    store, saved = f"{folder}/{STORE}", {}
    with contextlib.closing(sqlite3.connect(store)) as reader:
        reader.execute("SELECT count(*) FROM run").fetchall()
        run([ROOFLOG, *ingest(3)], folder)
        for suffix in ("", "-wal"):
            with open(store + suffix, "rb") as file:
                saved[suffix] = file.read()
    saved["-wal"] += saved["-wal"][32:9000]
    for suffix, data in saved.items():
        with open(store + suffix, "wb") as file:
            file.write(data)
    return Record(folder, [ingest(10)])


def ingests_on_a_network():
    """Without shared memory there is no log, and a journal is rolled back."""
    network = {"RECORD_NETWORK": "1"}
    folder = repository("network")
    run([ROOFLOG, *ingest(1)], folder, {"LD_PRELOAD": PRELOAD, **network})
    return Record(folder, [ingest(10), ingest(11)], network)


def changes_by_hand():
    return Record(measured("hand", 1), [["baseline", "set", "release", "HEAD"],
                                        ["accept", "mlp*", "--reason", "known"],
                                        ["accept", "mlp*", "--reason", "known better"],
                                        ["baseline", "rm", "release"]])


def migration(path):
    folder = os.path.join(scratch, os.path.basename(path))
    os.makedirs(folder + "/.rooflog")
    with contextlib.closing(sqlite3.connect(f"{folder}/{STORE}")) as store:
        with open(path, encoding="utf-8") as text:
            store.executescript(text.read())
        store.execute("PRAGMA journal_mode = WAL")
    return Record(folder, [["init", "--store", STORE]])


def expect_none(faults):
    for fault in faults[:3]:
        fail(fault)


def expect(words, name, record, ignored):
    """The check can fail: without these syncs, one of these words is in a fault."""
    faults = check(name, record, ignored=ignored, images=20)
    if not any(word in fault for fault in faults for word in words):
        fail(f"{name}: no {words} in {faults[:3]}")


scratch = tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
try:
    for scenario in (ingest_makes_the_store, first_ingest, ingests, ingests_beside_a_reader,
                     ingest_after_a_kill, ingests_on_a_network, changes_by_hand):
        expect_none(check(scenario.__name__.replace("_", " "), scenario()))
    for version in sorted(glob.glob(ROOT + "/tests/golden/stores/v*.sql"))[:-1]:
        expect_none(check("migration of " + os.path.basename(version), migration(version), True))
    trial = ingests()
    expect(["runs: "], "without the sync of a commit", trial, trial.syncs(last=True))
    expect(["malformed", "damaged", "integrity"], "without any sync", trial, trial.syncs(last=False))
finally:
    shutil.rmtree(scratch)
print(f"power loss: {failures} failures")
sys.exit(failures != 0)
