#!/usr/bin/env python3
"""Compares every figure of `rooflog inspect --json` with that of `rooflog ingest --dry-run --json`.

usage: ntff_figures.py ROOFLOG NTFF...

Prints how many figures were compared; exits with 1 when one differs.
"""
import json
import subprocess
import sys


def output(*command):
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout)


def figures(dump):
    """Metric and value in SI units from the dump."""
    def seconds(ps):
        return None if ps is None else ps / 1e12
    out = {"total_time": seconds(dump["total_time_ps"]), "total_active_time": seconds(dump["total_active_time_ps"]),
           "event_count": dump["counts"]["events_counted_by_vendor"],
           "dma_queue_count": sum(len(core["dma_queues"]) for core in dump["cores"])}
    for row in dump["engines"]:
        name = row["engine"] + "_engine"
        out[name + "_instruction_count"] = row["count"]
        out[name + "_instruction_time"] = seconds(row["time_ps"])
        out[name + "_active_time"] = seconds(row["active_time_ps"])
    dma = {row["queues"]: row for row in dump["dma"]["as_vendor"]}
    out["dma_active_time"], out["dma_packet_time"] = (seconds(dma["all"][key]) for key in ("active_time_ps", "time_ps"))
    for queues, name in (("static", "static"), ("software_dynamic", "software"), ("hardware_dynamic", "hardware")):
        out[name + "_dma_bytes"] = dma[queues]["bytes"]
        out[name + "_dma_packet_count"] = dma[queues]["count"]
        out[name + "_dma_active_time"] = seconds(dma[queues]["active_time_ps"])
    out["trace_count"] = dump["counts"]["instructions_in_window"] + out["event_count"] + dma["all"]["count"]
    for row in dump["work"]:
        out[row["metric"]] = row["value"]
    return out


def tallies(dump):
    """Opcodes, DMA queues and memory by name: count, seconds, bytes."""
    out = {("opcodes", row["opcode"]): (row["count"], row["time_ps"] / 1e12, None) for row in dump["opcodes"]}
    for row in dump["dma"]["as_vendor"]:
        name = row["queues"].replace("static: ", "")
        if row["count"] and name not in ("static", "all"):
            out["dma", name] = (row["count"], row["time_ps"] / 1e12, row["bytes"])
    for core in dump["cores"]:
        for row in core["memory"]:
            before = out.get(("memory", row["use"]), (None, None, 0))[2]
            out["memory", row["use"]] = (None, None, before + row["bytes"])
    return out


def same(ours, stored):
    """Times of tallies are sums of picoseconds times 1e-12, which rounds once more."""
    if ours is None or stored is None:
        return ours == stored
    return all(a == b or (a and b and abs(a / b - 1) < 1e-15) for a, b in zip(ours, stored))


def value(entry, key):
    return entry[key]["value"] if entry.get(key) else None


def main():
    rooflog, compared, bad = sys.argv[1], 0, 0
    for path in sys.argv[2:]:
        dump = output(rooflog, "inspect", "--json", path)
        run = output(rooflog, "ingest", "--dry-run", "--json", "--set", "kernel=k,dtype=bf16",
                     "--commit", "0" * 40, path)["runs"][0]
        given = {key: metric["value"] for key, metric in run["metrics"].items()}
        ours = figures(dump)
        for key, metric in run["metrics"].items():
            work = key.startswith(("hbm_", "sbuf_", "psum_")) and metric["provenance"] != "derived"
            if work and key not in ours:
                bad += 1
                print("%s: %s is stored and not shown" % (path, key))
        for key in sorted(ours):
            compared += 1
            if ours[key] != given.get(key):
                bad += 1
                print("%s: %s is %s, ingest has %s" % (path, key, ours[key], given.get(key)))
        listed = tallies(dump)
        stored = {(kind, row["name"]): (value(row, "count"), value(row, "time"), value(row, "bytes") if kind != "opcodes" else None)
                  for kind in ("opcodes", "dma", "memory") for row in run.get(kind) or []}
        for key in sorted(set(listed) | set(stored)):
            compared += 1
            if not same(listed.get(key), stored.get(key)):
                bad += 1
                print("%s: %s is %s, ingest has %s" % (path, key, listed.get(key), stored.get(key)))
    print("%d figures of %d files, %d differ" % (compared, len(sys.argv) - 2, bad))
    return 1 if bad or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
