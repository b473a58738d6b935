#!/usr/bin/env python3
"""usage: peer_pandas.py FILE: the answer, with json to read and pandas to compute.

pandas.read_json wants one table a file, so the sections are read by json and become frames of the
wanted columns.
"""
import json
import sys

import numpy
import pandas

PARTS, KEPT = 256, 50


def union(frame):
    """Disjoint intervals, in order, of a frame with start and end."""
    frame = frame.sort_values("start")
    covered = frame["end"].cummax()
    begins = (frame["start"] > covered.shift(fill_value=-1)).cumsum()
    return frame.groupby(begins).agg({"start": "min", "end": "max"})


def timeline(disjoint, width):
    """Covered until each edge, by interpolation, and the differences of that."""
    start, end = disjoint["start"].to_numpy(), disjoint["end"].to_numpy()
    covered = numpy.concatenate(([0], numpy.cumsum(end - start)))
    times = numpy.column_stack((start, end)).ravel()
    at_times = numpy.column_stack((covered[:-1], covered[1:])).ravel()
    at_edges = numpy.interp(numpy.arange(PARTS + 1) * width, times, at_times)
    return numpy.rint(numpy.diff(at_edges) / width * 10000).astype(int)


def longest(kind, frame, column):
    """Lines of the names with the most time, and the rest as one."""
    totals = frame.groupby(column)["duration"].agg(["count", "sum"]).reset_index()
    totals = totals.sort_values(["sum", column], ascending=[False, True])
    kept = len(totals) if len(totals) <= KEPT + 1 else KEPT
    lines = ["%s %s %d %d" % (kind, *row) for row in totals[:kept].itertuples(index=False)]
    rest = totals[kept:]
    if len(rest):
        lines.append("%s (rest) %d %d" % (kind, rest["count"].sum(), rest["sum"].sum()))
    return lines


def frame_of(rows, columns):
    return pandas.DataFrame.from_records(
        [[row.get(column) for column in columns] for row in rows], columns=columns)


def main():
    with open(sys.argv[1], "rb") as file:
        profile = json.load(file)
    instructions = frame_of(profile["instruction"], ["opcode", "duration", "nki_source_location"])
    transfers = frame_of(profile["dma"], ["timestamp", "duration", "queue_type", "transfer_size"])
    active = frame_of(profile["active_time"], ["engine", "start_ts", "end_ts"])
    width = profile["summary"][0]["total_time"] * 1e9 / PARTS
    active.columns = ["engine", "start", "end"]
    moving = pandas.DataFrame({"engine": "dma", "start": transfers["timestamp"],
                               "end": transfers["timestamp"] + transfers["duration"]})
    lines = longest("opcode", instructions, "opcode")
    lines += longest("source", instructions[instructions["nki_source_location"] != ""],
                     "nki_source_location")
    for name, rows in transfers.groupby("queue_type"):
        lines.append("queue %s %d %d %d" % (name, len(rows), rows["duration"].sum(),
                                            rows["transfer_size"].sum()))
    for name, rows in pandas.concat([active, moving]).groupby("engine"):
        disjoint = union(rows)
        lines.append("engine %s %d" % (name, (disjoint["end"] - disjoint["start"]).sum()))
        lines.append("timeline %s %s" % (name, " ".join(map(str, timeline(disjoint, width)))))
    print("\n".join(sorted(lines)))


if __name__ == "__main__":
    main()
