#!/usr/bin/env python3
"""A real analysis database of rocprof-compute: rocprof_compute_db.py ROOFLOG FILE

The same database by Python: launches and times of each kernel from compute_dispatch, percentages from
the tool's own view, and FLOP per byte as the tool states it for its roofline.
"""
import json
import sqlite3
import statistics
import subprocess
import sys

from messages import check, finish

PERCENTAGES = {"tensor_pipe_utilization": ("MFMA Utilization", "Avg"),
               "vector_pipe_utilization": ("VALU Utilization", "Avg"),
               "achieved_occupancy": ("Wavefront Occupancy", "Pct of Peak"),
               "l2_hit_rate": ("L2 Cache Hit Rate", "Avg"), "l1_hit_rate": ("vL1D Cache Hit Rate", "Avg")}


def near(one, two, limit):
    return abs(one - two) <= limit * abs(two)


def main(rooflog, path):
    base = sqlite3.connect("file:%s?mode=ro&immutable=1" % path, uri=True)
    done = subprocess.run([rooflog, "show", "--json", path], capture_output=True, text=True, check=False)
    check("%s is read: %s" % (path, done.stderr), done.returncode == 0)
    runs = {}
    for run in json.loads(done.stdout)["runs"]:
        symbol = next((one["text"] for one in run["versions"] if one["key"] == "kernel_symbol"),
                      run["kernel"])
        runs[symbol] = {row["key"]: row["value"] for row in run["metric_rows"]}
        check("device " + run["device"], run["device"] == "mi350x")
    kernels = base.execute("select kernel_uuid, kernel_name from compute_kernel").fetchall()
    check("%d kernels, %d runs" % (len(kernels), len(runs)), len(kernels) == len(runs) == 7)
    for number, name in kernels:
        mine = runs[name]
        times = [row[0] for row in base.execute(
            "select end_timestamp - start_timestamp from compute_dispatch where kernel_uuid = ?", (number,))]
        check("%s: %s" % (name, mine), mine["launch_count"] == len(times) and near(
            mine["total_time"] * 1e9, statistics.median(times), 1e-12))
        for key, (metric, value) in PERCENTAGES.items():
            stated, = base.execute(
                "select value from compute_kernel_metric_view where kernel_uuid = ? and metric_name = ? "
                "and value_name = ? and table_name = 'System Speed-of-Light'",
                (number, metric, value)).fetchone()
            check("%s: %s %s, not %s" % (name, key, mine.get(key), stated),
                  near(mine[key] * 100, stated, 1e-12))
        # The tool divides by requests to HBM alone, which another pass counted.
        intensity, = base.execute("select hbm_cache_data from compute_kernel_roofline_data where "
                                  "kernel_uuid = ?", (number,)).fetchone()
        check("%s: %s FLOP/B, not %s" % (name, mine["arithmetic_intensity"], intensity),
              near(mine["arithmetic_intensity"], intensity, 1e-3))
        check("%s: peak" % name, mine["peak_bandwidth"] == 7782.4e9)
    return finish()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
