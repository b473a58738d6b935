#!/usr/bin/env python3
"""usage: peer.py FILE: what answer.jq takes from rooflog, computed with Python's json alone.

Prints the active time of each engine (union of its intervals), count and time of each opcode, and
count, time and bytes of each DMA queue; times in ns.
"""
import json
import sys


def union(intervals):
    """Length of what at least one interval covers."""
    total, covered = 0, 0
    for start, end in sorted(intervals):
        total += max(0, end - max(start, covered))
        covered = max(covered, end)
    return total


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        profile = json.load(file)
    engines, opcodes, queues = {}, {}, {}
    for row in profile["active_time"]:
        engines.setdefault(row["engine"], []).append((row["start_ts"], row["end_ts"]))
    for row in profile["instruction"]:
        entry = opcodes.setdefault(row["opcode"], [0, 0])
        entry[0] += 1
        entry[1] += row["duration"]
    for row in profile["dma"]:
        start = row["timestamp"]
        engines.setdefault("dma", []).append((start, start + row["duration"]))
        entry = queues.setdefault(row["queue_type"], [0, 0, 0])
        entry[0] += 1
        entry[1] += row["duration"]
        entry[2] += row["transfer_size"]
    lines = ["engine %s %d" % (name, union(rows)) for name, rows in engines.items()]
    lines += ["opcode %s %d %d" % (name, *entry) for name, entry in opcodes.items()]
    lines += ["queue %s %d %d %d" % (name, *entry) for name, entry in queues.items()]
    print("\n".join(sorted(lines)))


if __name__ == "__main__":
    main()
