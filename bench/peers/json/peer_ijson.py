#!/usr/bin/env python3
"""usage: peer_ijson.py FILE: the answer, with ijson: one event after the other, in little memory.

What is wanted of a record is kept until it ends, because its members come in any order. Only the
events of the four sections that are wanted are looked at more closely.
"""
import sys

import ijson.backends.yajl2_c as ijson
from answer import print_answer

WANTED = {
    "instruction.item": ("opcode", "duration", "nki_source_location"),
    "dma.item": ("timestamp", "duration", "queue_type", "transfer_size"),
    "active_time.item": ("engine", "start_ts", "end_ts"),
    "summary.item": ("total_time",),
}


def records(file):
    """Yields (section, record) with the wanted members only."""
    members = {"%s.%s" % (prefix, name): name for prefix, names in WANTED.items() for name in names}
    record = {}
    for prefix, event, value in ijson.parse(file, use_float=True):
        name = members.get(prefix)
        if name:
            record[name] = value
        elif event == "end_map" and prefix in WANTED:
            yield prefix, record
            record = {}


def main():
    engines, opcodes, sources, queues = {}, {}, {}, {}
    total_time = 0
    with open(sys.argv[1], "rb") as file:
        for section, row in records(file):
            if section == "instruction.item":
                source = row.get("nki_source_location")
                for totals, name in (opcodes, row["opcode"]), (sources, source):
                    if name:
                        entry = totals.setdefault(name, [0, 0])
                        entry[0] += 1
                        entry[1] += row["duration"]
            elif section == "dma.item":
                start, duration = row["timestamp"], row["duration"]
                engines.setdefault("dma", []).append((start, start + duration))
                entry = queues.setdefault(row["queue_type"], [0, 0, 0])
                entry[0] += 1
                entry[1] += duration
                entry[2] += row["transfer_size"]
            elif section == "active_time.item":
                engines.setdefault(row["engine"], []).append((row["start_ts"], row["end_ts"]))
            else:
                total_time = row["total_time"]
    print_answer(total_time, engines, opcodes, sources, queues)


if __name__ == "__main__":
    main()
