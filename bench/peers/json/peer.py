#!/usr/bin/env python3
"""usage: peer.py FILE: the answer, with Python's json alone."""
import json
import sys

from answer import print_answer


def main():
    with open(sys.argv[1], "rb") as file:
        profile = json.load(file)
    engines, opcodes, sources, queues = {}, {}, {}, {}
    for row in profile["active_time"]:
        engines.setdefault(row["engine"], []).append((row["start_ts"], row["end_ts"]))
    for row in profile["instruction"]:
        duration = row["duration"]
        entry = opcodes.setdefault(row["opcode"], [0, 0])
        entry[0] += 1
        entry[1] += duration
        source = row.get("nki_source_location")
        if source:
            entry = sources.setdefault(source, [0, 0])
            entry[0] += 1
            entry[1] += duration
    transfers = engines["dma"] = []
    for row in profile["dma"]:
        start, duration = row["timestamp"], row["duration"]
        transfers.append((start, start + duration))
        entry = queues.setdefault(row["queue_type"], [0, 0, 0])
        entry[0] += 1
        entry[1] += duration
        entry[2] += row["transfer_size"]
    print_answer(profile["summary"][0]["total_time"], engines, opcodes, sources, queues)


if __name__ == "__main__":
    main()
