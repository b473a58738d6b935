"""What tests of durability ask of a store: whether it is sound, and what is in it."""
import contextlib
import json
import os
import sqlite3
import subprocess

ROOFLOG = os.environ["ROOFLOG"]
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAILED: " + text, flush=True)


def equal(name, actual, expected):
    if actual != expected:
        fail(f"{name}: expected {expected!r}, actual {actual!r}")


def rooflog(*arguments, **more):
    return subprocess.run([ROOFLOG, *arguments], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False, **more)


def benchmark(path, count):
    """A profile of `count` invented results."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"context": {"date": "2026-03-01T10:00:00+00:00", "host_name": "h",
                               "executable": "x", "num_cpus": 1, "mhz_per_cpu": 1,
                               "library_build_type": "release"},
                   "benchmarks": [{"name": f"k{i}", "run_type": "iteration", "iterations": 1,
                                   "real_time": 1000 + i, "cpu_time": 1, "time_unit": "us"}
                                  for i in range(count)]}, file)


def rows(store, statement):
    with contextlib.closing(sqlite3.connect(store, timeout=60)) as connection:
        return connection.execute(statement).fetchall()


def runs_by_param(store, name):
    """How many runs each value of a parameter has."""
    counts = {}
    for params, count in rows(store, "SELECT params, count(*) FROM run JOIN series ON series.id = "
                                     "run.series_id GROUP BY params"):
        value = json.loads(params).get(name)
        counts[value] = counts.get(value, 0) + count
    return counts


def check_sound(name, store):
    """SQLite and rooflog find nothing wrong, and nothing is left next to the store."""
    equal(f"{name}: integrity", rows(store, "PRAGMA integrity_check"), [("ok",)])
    equal(f"{name}: foreign keys", rows(store, "PRAGMA foreign_key_check"), [])
    doctor = rooflog("doctor", "--store", store)
    if doctor.returncode:
        fail(f"{name}: doctor: {doctor.stdout}{doctor.stderr}")
    for suffix in ("-wal", "-shm", "-journal"):
        equal(f"{name}: {suffix} is left", os.path.exists(store + suffix), False)
