#!/usr/bin/env python3
"""Random native traces as rooflog reads them and as the slow decoder does.

    python3 tests/oracle/ntff_differential.py ROOFLOG FOLDER [COUNT [SEED]]

Writes the traces into FOLDER, and says for each difference which trace and which figure it is.
With files instead of a folder it compares those.
"""
import json
import math
import os
import subprocess
import sys

from ntff import decode
from ntff_answer import answer_of
from ntff_random import random_trace

BATCH = 100


def read(rooflog, paths):
    """path: the run that rooflog reads from it."""
    runs = {}
    for at in range(0, len(paths), BATCH):
        done = subprocess.run(
            [rooflog, "ingest", "--dry-run", "--json", "--split-by", "none", "--keep-going", "--set",
             "kernel=k,dtype=bf16", "--commit", "0" * 40] + paths[at:at + BATCH], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, check=False)
        if done.returncode:
            print(done.stderr.decode()[-2000:])
        for run in json.loads(done.stdout or b'{"runs": []}')["runs"]:
            runs[run["source"]] = run
    return runs


def same(found, expected):
    """Numbers to the last bits that adding up and scaling can cost."""
    if isinstance(expected, (list, tuple)):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, float) and isinstance(found, (int, float)):
        return math.isclose(found, expected, rel_tol=1e-14)
    return found == expected


def table(rows, *keys):
    return {row["name"]: [row[key]["value"] if key in row else 0 for key in keys] for row in rows}


def parts_of(run, expected):
    """(what, found, expected) of everything that both say."""
    rows = {row["key"]: row for row in run["metric_rows"] if row["provenance"] != "derived"}
    metrics = expected["metrics"]
    yield "metrics", sorted(rows), sorted(metrics)
    for key in sorted(set(rows) & set(metrics)):
        value = metrics[key]
        exact = rows[key]["value"] == value
        yield key, rows[key]["value"] if not exact else value, value
    yield "unsound", {key: row["provenance"] for key, row in rows.items()
                      if row["provenance"] in ("estimated", "at least")}, expected["unsound"]
    opcodes = {name: [count, ps / 1e12, flops] for name, (count, ps, flops) in
               expected["opcodes"].items()}
    yield "opcodes", table(run["opcodes"], "count", "time", "flops"), opcodes
    queues = {name: [count, ps / 1e12, size] for name, (count, ps, size) in
              expected["dma"].items()}
    yield "DMA", table(run["dma"], "count", "time", "bytes"), queues
    yield "memory", table(run["memory"], "bytes"), {name: [size] for name, size in
                                                    expected["memory"].items()}
    yield "cores", [tuple(row[key]["value"] if key in row else None for key in
                          ("cycles", "instructions", "flops")) for row in run["cores_work"]], \
        [row[1:] for row in expected["cores"]]
    yield "throttling", [tuple(row[key] for key in ("core", "type", "start", "duration", "limit"))
                         for row in run["throttles"]], expected["throttles"]
    yield "versions", {row["key"]: row["text"] for row in run["versions"]}, expected["versions"]


def is_same(what, found, expected):
    if what in ("opcodes", "DMA", "memory"):
        return set(found) == set(expected) and all(same(found[name], expected[name])
                                                   for name in expected)
    if what in ("cores", "throttling", "throttle_time"):    # sums of rounded numbers
        return same(found, expected)
    return found == expected


def compare(path, run):
    expected = answer_of(decode(path))
    wrong = [(what, found, wanted) for what, found, wanted in parts_of(run, expected)
             if not is_same(what, found, wanted)]
    for engine in run["engines"]:
        bins = engine.get("timeline", [])
        wanted = expected["timelines"].get(engine["name"], [])
        if len(bins) != len(wanted) or any(abs(a - b) > 2e-4 for a, b in zip(bins, wanted)):
            wrong.append(("timeline of " + engine["name"], bins, wanted))
    told = [row["message"] for row in run["warnings"]]
    counted = [text for text in told if text[0].isdigit() or text.startswith("no start marker")]
    missing = [text for text in expected["notes"] if not any(one.startswith(text)
                                                             for one in told)]
    if missing or len(counted) != len(expected["notes"]):
        wrong.append(("notes", counted, expected["notes"]))
    for what, found, wanted in wrong:
        print("%s: %s: rooflog says %s, the slow decoder %s" % (path, what, found, wanted))
    return not wrong


def main():
    rooflog, places = sys.argv[1], sys.argv[2:]
    if os.path.isdir(places[0]):
        folder, count, seed = places[0], int((places + [400])[1]), (places + ["", "", "1"])[2] \
            if len(places) > 2 else "1"
        places = [os.path.join(folder, "%s-%d.ntff" % (seed, number)) for number in range(count)]
        for number, path in enumerate(places):
            with open(path, "wb") as file:
                file.write(random_trace("%s-%d" % (seed, number)))
    runs = read(rooflog, places)
    good = [path in runs and compare(path, runs[path]) for path in places]
    for path in places:
        if path not in runs:
            print("%s: not read" % path)
    print("%d traces, %d as the slow decoder reads them" % (len(good), sum(good)))
    sys.exit(good.count(False) > 0)


if __name__ == "__main__":
    main()
