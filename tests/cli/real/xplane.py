#!/usr/bin/env python3
"""Real XPlane files: xplane.py ROOFLOG FOLDER

Each file is decoded a second time here, and each run's median time, number of events, FLOP and bytes
of device memory are compared; of a GPU's kernels also the FLOP of the matrix products that they ran for.
"""
import json
import math
import os
import statistics
import subprocess
import sys

from messages import check, fields, finish, varint

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


def numbers(values):
    """Whole numbers, packed or not."""
    for value in values:
        if isinstance(value, int):
            yield value
            continue
        at = 0
        while at < len(value):
            number, at = varint(value, at)
            yield number


def lists_of(message):
    parts = {}
    for which, value in fields(message):
        parts.setdefault(which, []).append(value)
    return parts


def sizes_of(shape):
    parts = lists_of(shape)
    return sizes_of(parts[4][0]) if 4 in parts else list(numbers(parts.get(3, [])))


def product_of(one, operands, computations):
    """FLOP of the dots of an instruction; 0 without one."""
    kind = one[2][0].decode()
    if kind == "fusion":
        called = computations[next(numbers(one[38]))]
        return sum(product_of(part, called, computations) for part in called.values())
    if kind == "dot":
        contracted = list(numbers(lists_of(one[30][0]).get(1, [])))
    elif kind == "custom-call" and b"gemm" in one[28][0]:
        config = json.loads(one[43][0])["gemm_backend_config"]["dot_dimension_numbers"]
        contracted = [int(at) for at in config["lhs_contracting_dimensions"]]
    else:
        return 0
    first = sizes_of(operands[next(numbers(one[36]))][3][0])
    return 2 * math.prod(sizes_of(one[3][0])) * math.prod(first[at] for at in contracted)


def products_of(planes):
    """{(program, operation): FLOP}"""
    found = {}
    for plane in planes:
        parts = lists_of(plane)
        if parts[2] != [b"/host:metadata"]:
            continue
        for entry in parts.get(4, []):
            entry = dict(fields(entry))
            for stat in lists_of(entry[2]).get(5, []):
                stat = dict(fields(stat))
                module = lists_of(lists_of(stat[6])[1][0]) if 6 in stat else {}
                computations = {}
                for computation in module.get(3, []):
                    computation = lists_of(computation)
                    ones = [lists_of(one) for one in computation.get(2, [])]
                    computations[computation[5][0]] = {one[35][0]: one for one in ones}
                for ones in computations.values():
                    for one in ones.values():
                        found[entry[1], one[1][0].decode()] = product_of(one, ones, computations)
    return found


def kernel_products(kernels):
    """{kernel: FLOP}: of kernels that ran for products of one size, each of which ran no other kernel."""
    ran = {}
    for kernel, operation, _ in kernels:
        ran.setdefault(operation, set()).add(kernel)
    found = {}
    for kernel, operation, flops in kernels:
        found.setdefault(kernel, set()).add(flops if len(ran[operation]) == 1 and flops else None)
    return {kernel: next(iter(flops)) for kernel, flops in found.items() if len(flops) == 1}


def events_of(path):
    """{(kernel, grid, block): (times in s, FLOP, read, written)}, {kernel: FLOP of its products}"""
    with open(path, "rb") as file:
        planes = [plane for which, plane in fields(file.read()) if which == 1]
    found, kernels = {}, []
    products = products_of(planes)
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
                    stats = stats_of(event, 4, names)
                    details = stats.get("kernel_details")
                    if not details:
                        continue
                    operation = (stats.get("program_id"), stats.get("hlo_op"))
                    kernels.append((label.removesuffix(".kd"), operation, products.get(operation)))
                    grid, block = details.split("grid:")[1].split()[0], \
                        details.split("block:")[1].split()[0]
                key = (label.removesuffix(".kd"), grid, block)
                found.setdefault(key, ([], work))[0].append(event_parts.get(3, 0) * 1e-12)
    return found, kernel_products(kernels)


def compare(path, runs):
    known, products = events_of(path)
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
                  values.get("hbm_write_bytes")) == work and
                 values.get("algorithmic_flops") == products.get(label)]
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
