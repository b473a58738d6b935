"""What the Python peers share: the answer as bench/peers/json/answer.jq prints rooflog's, from collected records.

Active time and timeline of each engine, count and time of each opcode and of each source line (those
with the most time by name, all others together), count, time and bytes of each DMA queue; in ns.
"""
PARTS, KEPT = 256, 50


def union(intervals):
    """The disjoint intervals, in order, that cover what any of these covers."""
    result = []
    covered = -1
    for start, end in sorted(intervals):
        if start > covered:
            result.append([start, end])
            covered = end
        elif end > covered:
            result[-1][1] = covered = end
    return result


def timeline(intervals, width):
    """How much of each part of the execution disjoint intervals cover, in parts of 10,000."""
    busy = [0.0] * PARTS
    for start, end in intervals:
        part, limit = int(start / width), PARTS * width
        end = min(end, limit)
        while start < end and part < PARTS:
            edge = min(end, (part + 1) * width)
            busy[part] += edge - start
            start, part = edge, part + 1
    return [round(ticks / width * 10000) for ticks in busy]


def longest(kind, totals):
    """Lines of [count, time] by name: the first in order of time, and the rest as one."""
    rows = sorted(((-time, name, count) for name, (count, time) in totals.items()))
    kept = rows if len(rows) <= KEPT + 1 else rows[:KEPT]
    lines = ["%s %s %d %d" % (kind, name, count, -time) for time, name, count in kept]
    rest = rows[len(kept):]
    if rest:
        lines.append("%s (rest) %d %d" % (kind, sum(row[2] for row in rest),
                                          -sum(row[0] for row in rest)))
    return lines


def print_answer(total_time, engines, opcodes, sources, queues):
    """Engines are lists of (start, end) by name, the others are lists of sums by name."""
    lines = longest("opcode", opcodes) + longest("source", sources)
    lines += ["queue %s %d %d %d" % (name, *sums) for name, sums in queues.items()]
    for name, intervals in engines.items():
        disjoint = union(intervals)
        lines.append("engine %s %d" % (name, sum(end - start for start, end in disjoint)))
        parts = timeline(disjoint, total_time * 1e9 / PARTS)
        lines.append("timeline %s %s" % (name, " ".join(map(str, parts))))
    print("\n".join(sorted(lines)))
