#!/usr/bin/env python3
"""Real XPlane files: xplane.py ROOFLOG FOLDER

Each file is decoded a second time here, and each run's median time, number of events, FLOP and bytes
of device memory are compared.
"""
import json
import os
import statistics
import subprocess
import sys

from messages import check, fields, finish

DAMAGED = "openxla+xprof/xprof/convert/test_xplanes/tpu_inference_2.xplane.pb"


def stats_of(data, number, names):
    stats = {}
    for which, content in fields(data):
        if which != number:
            continue
        parts = dict(fields(content))
        value = names.get(parts[7]) if 7 in parts else next(
            (parts[kind] for kind in (3, 4, 5, 6) if kind in parts), None)
        stats[names.get(parts.get(1))] = value.decode(errors="replace") if isinstance(
            value, bytes) and 5 in parts else value
    return stats


def bytes_of(breakdown):
    sums = {1: 0, 2: 0}
    for _, access in fields(breakdown):
        parts = dict(fields(access))
        if parts.get(2) == 1:
            sums[parts[1]] += parts[3]
    return sums


def events_of(path):
    """{(kernel, grid, block): (times in s, FLOP, read, written)}"""
    with open(path, "rb") as file:
        planes = [plane for which, plane in fields(file.read()) if which == 1]
    found = {}
    for plane in planes:
        parts = list(fields(plane))
        name = next(value for which, value in parts if which == 2).decode()
        if not name.startswith(("/device:TPU:", "/device:GPU:")):
            continue
        maps = {4: {}, 5: {}}
        for which, value in parts:
            if which in maps:
                entry = dict(fields(value))
                maps[which][entry.get(1, 0)] = entry[2]
        names = {at: dict(fields(one)).get(2, b"").decode() for at, one in maps[5].items()}
        modules = {}
        for one in maps[4].values():
            text = dict(fields(one)).get(2, b"").decode()
            if text.endswith(")") and not text.startswith("%") and text[:-1].split("(")[-1].isdigit():
                modules[int(text[:-1].split("(")[-1])] = text.rsplit("(", 1)[0]
        for which, line in parts:
            title = next((v.decode() for w, v in fields(line) if w == 2), "") if which == 3 else ""
            if title != "XLA Ops" and not title.startswith("Stream #"):
                continue
            for kind, event in fields(line):
                if kind != 4:
                    continue
                event_parts = dict(fields(event))
                about = maps[4][event_parts[1]]
                own = dict(fields(about))
                label, grid, block, work = own[2].decode(), "", "", (None, None, None)
                if title == "XLA Ops":
                    stats = stats_of(about, 5, names)
                    label = "%s/%s" % (modules.get(stats["program_id"], "?"), own[4].decode())
                    if not stats["hlo_category"].endswith(("-start", "-done")):
                        moved = bytes_of(stats["memory_access_breakdown"])
                        work = (stats["flops"], moved[1], moved[2])
                else:
                    details = stats_of(event, 4, names).get("kernel_details")
                    if not details:
                        continue
                    grid, block = details.split("grid:")[1].split()[0], \
                        details.split("block:")[1].split()[0]
                key = (label.removesuffix(".kd"), grid, block)
                found.setdefault(key, ([], work))[0].append(event_parts.get(3, 0) * 1e-12)
    return found


def compare(path, runs):
    known = events_of(path)
    mine = {}
    for run in runs:
        if run["tool"] == "xla-module":
            continue
        symbol = next((one["text"] for one in run["versions"] if one["key"] == "kernel_symbol"),
                      run["kernel"])
        values = {row["key"]: row["value"] for row in run["metric_rows"]}
        mine.setdefault(symbol, []).append(values)
    check("%s: %d runs, not %d" % (path, len(known), sum(map(len, mine.values()))),
          len(known) == sum(map(len, mine.values())))
    for (label, _, _), (times, work) in known.items():
        median = statistics.median(times)
        right = [values for values in mine.get(label, [])
                 if abs(values["total_time"] - median) <= 1e-9 * median and
                 values["launch_count"] == len(times) and
                 (values.get("hardware_flops"), values.get("hbm_read_bytes"),
                  values.get("hbm_write_bytes")) == work]
        check("%s, %s: %d events, median %g s, %s: %s" % (path, label, len(times), median, work,
                                                          mine.get(label)), right)


def main(rooflog, folder):
    seen = 0
    for where, _, names in sorted(os.walk(folder)):
        for name in names:
            path = os.path.join(where, name)
            if not name.endswith(".xplane.pb"):
                continue
            done = subprocess.run([rooflog, "show", "--json", "--set", "dtype=bf16,device=mi300x",
                                   path], capture_output=True, text=True, check=False)
            if path.endswith(DAMAGED):
                check("the damaged file is refused: " + done.stderr,
                      done.returncode == 2 and "damaged" in done.stderr)
                continue
            check("%s is read: %s" % (path, done.stderr), done.returncode == 0)
            compare(path, json.loads(done.stdout)["runs"])
            seen += 1
    check("%d files" % seen, seen >= 5)
    return finish()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
