"""Whether the tables in Parquet have what the export as JSON has, cell by cell.

usage: tables.py EXPORT.jsonl RUNS.csv NUMBERS.csv [hex]    (the tables as rows of text, with a header)

hex: texts are x and the digits of their bytes.
"""
import csv
import json
import sys

csv.field_size_limit(1 << 30)
failures = 0


def check(holds, what):
    global failures
    if not holds:
        failures += 1
        if failures < 10:
            print("FAILED:", what)


def rows_of(path, digits):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows if digits else []:
        for name, cell in row.items():
            if cell.startswith("x"):
                row[name] = bytes.fromhex(cell[1:]).decode()
    return rows


def same(cell, value):
    if value is None:
        return cell == ""
    if isinstance(value, bool):
        return cell == str(value).lower()
    if isinstance(value, (int, float)):
        return cell != "" and float(cell) == float(value)
    return cell == value


def main(export, runs, numbers, digits=""):
    with open(export, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    commits = {one["commit"]: one for one in lines if "tree" in one}
    stored = [one for one in lines if "run" in one and not one["removed"]]
    wide, long = rows_of(runs, digits), rows_of(numbers, digits)
    check(len(wide) == len(stored), f"{len(wide)} rows for {len(stored)} runs")
    check(len(long) == sum(len(one["numbers"]) for one in stored), f"{len(long)} rows of numbers")
    every = {key for one in stored for key in one["numbers"]}
    at = iter(long)
    for one, row in zip(stored, wide):
        commit, series = commits[one["commit"]], one["series"]
        expected = {
            "run": one["run"], "commit": one["commit"], "position": commit["position"], "subject": commit["subject"],
            "kernel": series["kernel"], "variant": series["variant"], "dtype": series["dtype"], "device": series["device"],
            "instance_type": series["instance_type"], "cores": series["cores"] or None, "tool": series["tool"],
            "dirty": one["dirty"], "ingest": one["ingest"], "source": one["source"], "kernel_hash": one["kernel_hash"],
        }
        for key in every:
            expected[key] = one["numbers"].get(key, [None])[0]
        for name, value in expected.items():
            check(same(row[name], value), f"{one['run'][:8]} {name}: {row[name]!r} is not {value!r}")
        check(json.loads(row["params"]) == series["params"], f"{one['run'][:8]}: other parameters")
        for _ in one["numbers"]:
            number = next(at)
            key = number["metric"]
            check(number["run"] == one["run"] and key in one["numbers"], f"{one['run'][:8]}: {key} is another run's")
            value, origin = one["numbers"].get(key, [None, None])
            check(same(number["value"], value) and number["provenance"] == origin, f"{one['run'][:8]} {key}: {number}")
            check(number["unit"] != "", f"{key} has no unit")
    print(f"{len(wide)} runs, {len(long)} numbers, {len(every)} metrics, {failures} failures")
    return 1 if failures or not wide else 0


sys.exit(main(*sys.argv[1:]))
