#!/usr/bin/env python3
"""Real reports of Nsight Compute (.ncu-rep): ncu_report.py ROOFLOG FOLDER

Each report is decoded a second time here, from the layout alone, and its launches and their times
are compared. Where the folder has an export of the same report, each metric that rooflog reads from
the export must be read from the report, too, equal to the digits that ncu printed.
"""
import csv
import json
import os
import struct
import subprocess
import sys

from messages import check, fields, finish


def launches(path):
    """(name, nanoseconds) of each result; the first value of a metric counts."""
    with open(path, "rb") as file:
        data = file.read()
    at, strings = 8 + struct.unpack_from("<I", data, 4)[0], []

    def sized(at):
        size = struct.unpack_from("<I", data, at)[0]
        return data[at + 4:at + 4 + size], at + 4 + size

    while at < len(data):
        header, at = sized(at)
        counts = {}
        for number, value in fields(header):
            if number == 4:
                strings += [text.decode() for _, text in fields(value)]
            counts[number] = value
        for _ in range(counts.get(1, 0)):
            _, at = sized(at)
        for _ in range(counts.get(2, 0)):
            result, at = sized(at)
            name, time = "", None
            for number, value in fields(result):
                if number == 7 or (number == 6 and not name):
                    name = value.decode()
                if number != 13:
                    continue
                metric = dict(reversed(list(fields(value))))
                if strings[metric[1]] == "gpu__time_duration.sum" and time is None:
                    time = [struct.unpack("<d", one)[0] if kind == 3 else one
                            for kind, one in fields(metric[2])][0]
            yield name, time


def runs_of(rooflog, path, device="a100-sxm-80gb"):
    """The device counts where the file does not state one."""
    done = subprocess.run([rooflog, "show", "--json", "--set", "dtype=fp32,device=" + device,
                           path], capture_output=True, text=True, check=False)
    check("%s is read: %s" % (path, done.stderr), done.returncode == 0)
    return json.loads(done.stdout)["runs"] if done.returncode == 0 else []


def same_launches(path, runs):
    known = list(launches(path))
    values = [{row["key"]: row["value"] for row in run["metric_rows"]} for run in runs]
    count = sum(row.get("launch_count", 0) for row in values)
    check("%s: %d launches, not %d" % (path, len(known), count), count == len(known))
    times = [time * 1e-9 for _, time in known if time is not None]
    total = sum(row.get("total_time", 0) * row["launch_count"] for run, row in zip(runs, values)
                if not any(one["metric"] == "total_time" for one in run["spreads"]))
    total += sum(one["mean"]["value"] * one["count"] for run in runs for one in run["spreads"]
                 if one["metric"] == "total_time")
    check("%s: %g s, not %g" % (path, sum(times), total),
          not times or abs(total - sum(times)) <= 1e-9 * sum(times))


# Depend on the device, which only the report and the raw page state, or stand for traffic that
# they separate.
OTHERWISE = ("ridge_point", "core_ridge_point", "peak_flops_at_clock", "device_memory_traffic")


def same_digits(key, unit, printed, exact, page):
    """ncu prints shares with two decimals of a percent, waves with two, pages with three digits."""
    near = abs(printed - exact)
    if unit == "1" and near <= (5.01e-3 if key == "waves_per_sm" else 5.01e-5):
        return True
    return near <= (6e-3 if page else 1e-5) * abs(exact)


def same_export(path, export, runs, other):
    key = lambda run: (run["kernel"], json.dumps(run["params"], sort_keys=True))
    mine, compared = {key(run): run for run in runs}, 0
    for run in other:
        if key(run) not in mine:
            continue
        rows = {row["key"]: row for row in mine[key(run)]["metric_rows"]}
        # Without the device's own bandwidth a ridge is that of the table of devices.
        by_table = all(row["key"] != "peak_bandwidth" for row in run["metric_rows"])
        for row in run["metric_rows"]:
            if row["key"] in OTHERWISE and row["key"] not in rows:
                continue
            if by_table and row["key"] in ("ridge_point", "core_ridge_point"):
                continue
            what = "%s, %s, %s: %s" % (export, run["kernel"], row["key"], row["value"])
            check(what + " is missing", row["key"] in rows)
            if row["key"] in rows:
                compared += 1
                check(what + ", not %s" % rows[row["key"]]["value"], same_digits(
                    row["key"], row["unit"], row["value"], rows[row["key"]]["value"],
                    export.endswith(".txt")))
    print("%s: %d values of %d runs" % (export, compared, len(other)))
    check("%s: some are compared" % export, compared > 15)


def main(rooflog, folder):
    seen = 0
    with open(os.path.join(folder, "INDEX.tsv"), encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            path = os.path.join(folder, row["path"])
            runs = runs_of(rooflog, path)
            seen += 1
            same_launches(path, runs)
            for export in row["paired_export"].split(";"):
                if "raw.csv" in export or "details." in export:
                    same_export(path, export, runs, runs_of(
                        rooflog, os.path.join(folder, export), runs[0]["device"]))
    check("%d reports" % seen, seen >= 36)
    return finish()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
