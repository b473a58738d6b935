"""usage: peer_store.py STORE
Reads the times of all runs of a store and compares those of the newest commit with the median of the
others of their series, as a script of few lines would: no noise, no verdict. Prints how many series
are slower by 5 % or more."""
import sqlite3
import statistics
import struct
import sys

store = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
series = {}
newest = store.execute("SELECT max(position) FROM revision").fetchone()[0]
key = store.execute("SELECT id FROM metric WHERE key = 'total_time'").fetchone()[0]
wanted = struct.pack("<H", key)
for name, position, packed in store.execute(
    """SELECT run.series_id, revision.position, numbers.packed
    FROM run JOIN revision ON revision.id = run.revision_id
        JOIN numbers ON numbers.run_id = run.id"""
):
    # Most often it is the first.
    for at in range(0, len(packed), 11):
        if packed[at : at + 2] == wanted:
            time = struct.unpack_from("<d", packed, at + 3)[0]
            series.setdefault(name, ([], []))[position == newest].append(time)
            break
print(
    sum(
        statistics.median(now) > 1.05 * statistics.median(before)
        for before, now in series.values()
        if before and now
    )
)
