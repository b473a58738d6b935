#!/usr/bin/env python3
"""Compares `rooflog inspect --events` with the rows of the vendor's JSON of the same capture, one to one.

usage: ntff_rows.py ROOFLOG NTFF JSON ...   (pairs)

Prints a table and exits with 1 when a row differs. The JSON has whole nanoseconds, cut off; ours are
cut off the same way. Rows that only the trace has fail too, but for instructions of version 6: the
vendor's list lacks some that its trace_count includes.
"""
import collections
import json
import subprocess
import sys


def ns(ps):
    return ps // 1000


def events(rooflog, path):
    rows = collections.defaultdict(list)
    with subprocess.Popen([rooflog, "inspect", "--events", path], stdout=subprocess.PIPE) as program:
        for line in program.stdout:
            row = json.loads(line)
            rows[row["kind"]].append(row)
    if program.returncode != 0:
        raise SystemExit("%s: status %d" % (path, program.returncode))
    return rows


# Each gives rows as (what identifies it, begin, duration): ours, then the vendor's.

def instructions(ours, theirs):
    engines = {"Tensor": "tensor", "Scalar": "scalar", "GpSimd": "gpsimd", "Vector": "vector", "Sync": "sync"}
    return ([((r["core"], r["engine"], r["pc"], r["opcode"]), ns(r["begin_ps"]), ns(r["end_ps"] - r["begin_ps"]))
             for r in ours["instruction"] if r["in_window"]],
            [((r["fully_qualified_subgraph"].lstrip("/"), engines[r["subgroup"]], r["pc"], r["opcode"]),
              r["timestamp"], r["duration"]) for r in theirs["instruction"]])


def transfers(ours, theirs):
    return ([((r["dma_engine"], r["ring"], r["bytes"], r["crc"], r["queue_type"]), ns(r["begin_ps"]),
              ns(r["end_ps"] - r["begin_ps"])) for r in ours["dma"] if r["in_window"] and not r["left_out_by_vendor"]],
            [((int(r["dma_engine"]), int(r["dma_queue"]), r["transfer_size"], r["crc"], r["queue_type"]),
              r["timestamp"], r["duration"]) for r in theirs["dma"] if r["aggregated"] == "no"])


def semaphores(ours, theirs):
    def number(text):  # "8" or "S[8] (qSyncSpillReload0)"
        return int(text.split("]")[0].lstrip("S["))
    return ([((r["id"], r["value"]), ns(r["time_ps"]), 0) for r in ours["semaphore"] if r["in_window"]],
            [((number(r["id"]), r["value"]), r["timestamp"], 0) for r in theirs["semaphore_update"]])


def limits(ours, theirs):
    def kind(r):
        return (99, 1, 1) if r["type"] is None else (r["type"], r["cycles"], r["of_cycles"])
    return ([(kind(r), ns(r["begin_ps"]), ns(r["end_ps"] - r["begin_ps"])) for r in ours["clock_limit"] if r["in_window"]],
            [((r["type"], r["k"], r["n"]), r["timestamp"], r["duration"]) for r in theirs["ham"]])


KINDS = (("instructions", instructions), ("DMA transfers", transfers), ("semaphores", semaphores),
         ("clock limits", limits))


def compare(ours, theirs, count):
    """Pairs rows of equal identity in the order of time."""
    groups = collections.defaultdict(lambda: ([], []))
    for side, rows in enumerate((ours, theirs)):
        for identity, begin, duration in rows:
            groups[identity][side].append((begin, duration))
    for left, right in groups.values():
        left.sort()
        right.sort()
        count["missing"] += max(0, len(right) - len(left))
        count["more"] += max(0, len(left) - len(right))
        for (begin, duration), (other, length) in zip(left, right):
            count["rows"] += 1
            count["begin equal"] += begin == other
            count["begin 1 ns"] += abs(begin - other) == 1
            count["begin off"] += abs(begin - other) > 1
            count["duration equal"] += duration == length
            count["duration 1 ns"] += abs(duration - length) == 1
            count["duration off"] += abs(duration - length) > 1


def main():
    rooflog, files = sys.argv[1], sys.argv[2:]
    counts = collections.defaultdict(collections.Counter)
    pairs = collections.Counter()
    for ntff, path in zip(files[::2], files[1::2]):
        with open(ntff, "rb") as file:
            version = file.read(1)[0]
        pairs[version] += 1
        ours = events(rooflog, ntff)
        with open(path, encoding="utf-8") as file:
            theirs = json.load(file)
        for name, rows in KINDS:
            compare(*rows(ours, theirs), counts[version, name])
    columns = ("rows", "missing", "more", "begin equal", "begin 1 ns", "begin off", "duration equal",
               "duration 1 ns", "duration off")
    print("%-18s" % "version, rows of" + "".join("%15s" % column for column in columns))
    bad = 0
    for (version, name), count in sorted(counts.items()):
        print("v%d %-15s" % (version, name) + "".join("%15d" % count[column] for column in columns))
        bad += sum(count[column] for column in columns if column not in ("rows", "begin equal", "duration equal", "more"))
        bad += count["more"] if (version, name) != (6, "instructions") else 0
        bad += count["rows"] == 0
    print("pairs: " + ", ".join("v%d %d" % pair for pair in sorted(pairs.items())))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
