"""usage: peer_store.py STORE
Reads the times of all runs of a store and compares those of the newest commit with the median of the
others of their series, as a script of few lines would: no noise, no verdict. Prints how many series
are slower by 5 % or more."""
import sqlite3
import statistics
import sys

store = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
series = {}
newest = store.execute("SELECT max(position) FROM revision").fetchone()[0]
for name, position, time in store.execute(
    """SELECT run.series_id, revision.position, value.value
    FROM run JOIN revision ON revision.id = run.revision_id
        JOIN value ON value.run_id = run.id
        JOIN metric ON metric.id = value.metric_id AND metric.key = 'total_time'"""
):
    series.setdefault(name, ([], []))[position == newest].append(time)
print(
    sum(
        statistics.median(now) > 1.05 * statistics.median(before)
        for before, now in series.values()
        if before and now
    )
)
