#!/usr/bin/env python3
"""usage: store_files.py STORE FILE...: profiles into SQLite, as a script with json and sqlite3 would.

Keeps of each file its total time, the active time of every engine, and count and time of every opcode
and source line, in one transaction for all files. Prints how many runs the store then has.
"""
import json
import sqlite3
import sys

from answer import union

SCHEMA = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = EXTRA;
    CREATE TABLE IF NOT EXISTS run (id INTEGER PRIMARY KEY, file TEXT, total_time REAL);
    CREATE TABLE IF NOT EXISTS total (run INTEGER, kind TEXT, name TEXT, count INTEGER, time INTEGER,
        PRIMARY KEY (run, kind, name)) WITHOUT ROWID;
"""


def totals(profile):
    """Yields (kind, name, count, time)."""
    engines, sums = {}, {}
    for row in profile["active_time"]:
        engines.setdefault(row["engine"], []).append((row["start_ts"], row["end_ts"]))
    engines["dma"] = [(row["timestamp"], row["timestamp"] + row["duration"])
                      for row in profile["dma"]]
    for row in profile["instruction"]:
        for kind, column in ("opcode", "opcode"), ("source", "nki_source_location"):
            if row.get(column):
                entry = sums.setdefault((kind, row[column]), [0, 0])
                entry[0] += 1
                entry[1] += row["duration"]
    for name, intervals in engines.items():
        yield "engine", name, len(intervals), sum(end - start for start, end in union(intervals))
    for (kind, name), (count, time) in sums.items():
        yield kind, name, count, time


def main():
    store = sqlite3.connect(sys.argv[1])
    store.executescript(SCHEMA)
    with store:
        for path in sys.argv[2:]:
            with open(path, "rb") as file:
                profile = json.load(file)
            run = store.execute("INSERT INTO run (file, total_time) VALUES (?, ?)",
                                (path, profile["summary"][0]["total_time"])).lastrowid
            store.executemany("INSERT INTO total VALUES (?, ?, ?, ?, ?)",
                              [(run, *total) for total in totals(profile)])
    print(store.execute("SELECT count(*) FROM run").fetchone()[0])
    store.close()


if __name__ == "__main__":
    main()
