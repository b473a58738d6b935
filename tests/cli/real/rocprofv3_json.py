#!/usr/bin/env python3
"""Real results.json of rocprofv3: rocprofv3_json.py ROOFLOG FILE

Python's JSON module reads the file a second time; launches, median time, registers and LDS of each
kernel and work, and the sums over all, are compared.
"""
import collections
import gzip
import json
import statistics
import subprocess
import sys

from messages import check, finish


def works_of(path):
    """{(name, device, blocks, threads, registers, LDS): times in ns}"""
    with gzip.open(path) as file:
        processes = json.load(file)["rocprofiler-sdk-tool"]
    works = collections.defaultdict(list)
    for process in processes:
        agents = {one["id"]["handle"]: one["product_name"] for one in process["agents"]}
        symbols = {one["kernel_id"]: one for one in process["kernel_symbols"]}
        for record in process["buffer_records"]["kernel_dispatch"]:
            info = record["dispatch_info"]
            symbol = symbols[info["kernel_id"]]
            block = tuple(info["workgroup_size"][axis] for axis in "xyz")
            grid = tuple(-(-info["grid_size"][axis] // size) for axis, size in zip("xyz", block))
            works[symbol["formatted_kernel_name"].strip(), agents[info["agent_id"]["handle"]], grid,
                  block].append((record["end_timestamp"] - record["start_timestamp"],
                                 symbol["arch_vgpr_count"] + symbol["accum_vgpr_count"],
                                 info["group_segment_size"]))
    return works


def product(sizes):
    return sizes[0] * sizes[1] * sizes[2]


def main(rooflog, path):
    works = works_of(path)
    done = subprocess.run([rooflog, "show", "--json", path], capture_output=True, text=True, check=False)
    check("%s is read: %s" % (path, done.stderr), done.returncode == 0)
    mine = collections.Counter()
    launches = seconds = 0
    for run in json.loads(done.stdout)["runs"]:
        symbol = next((one["text"] for one in run["versions"] if one["key"] == "kernel_symbol"),
                      run["kernel"])
        values = {row["key"]: row["value"] for row in run["metric_rows"]}
        mine[symbol, run["device"], values["grid_size"], values["block_size"], values["launch_count"],
             "%.10g" % (values["total_time"] * 1e9), values["registers_per_thread"],
             values["shared_memory_bytes"]] += 1
        mean = run["spreads"][0]["mean"]["value"] if run["spreads"] else values["total_time"]
        launches += values["launch_count"]
        seconds += mean * values["launch_count"]
    known = collections.Counter()
    for (name, device, grid, block), rows in works.items():
        times, registers, shared = zip(*rows)
        known[name, device.removeprefix("AMD Instinct ").lower(), product(grid), product(block),
              len(rows), "%.10g" % statistics.median(times), statistics.median(registers),
              statistics.median(shared)] += 1
    check("%d works" % len(works), len(works) == sum(mine.values()) > 100)
    for row in known:
        check("%s: %d times, not %d" % (row, mine[row], known[row]), mine[row] == known[row])
    total = sum(time for rows in works.values() for time, _, _ in rows)
    check("%d launches" % launches, launches == sum(map(len, works.values())))
    check("%.12g s in all, not %.12g" % (seconds, total / 1e9), abs(seconds * 1e9 - total) < 1)
    return finish()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
