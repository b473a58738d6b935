"""Native traces against what the vendor's tool made of the same captures: ntff_pairs.py ROOFLOG DATA

Every quantity that a trace gives, beside the raw number of the vendor's JSON or text; a table of
how many are exact and the worst difference, and status 1 where one is beyond what is allowed.
"""
import glob
import json
import os
import re
import subprocess
import sys
from collections import defaultdict

ENGINES = ("tensor", "vector", "scalar", "gpsimd", "sync")
ODD = re.compile("without a begin|undocumented|impossible time|error record|"
                 "ran outside|out of order|no start marker")
NOT_IN_A_TRACE = ("model_flops", "mfu_hlo", "spill_save_bytes", "spill_reload_bytes")
OF_THE_NEFF = {
    "inputs_and_weights_size_bytes": "inputs_and_weights_bytes",
    "inputs_outputs_weights_size_bytes": "inputs_outputs_weights_bytes",
    "weight_size_bytes": "weight_bytes",
}


class Table:
    """Rows by quantity and format version: pairs, exact ones, worst difference."""

    def __init__(self):
        self.rows = defaultdict(lambda: {"pairs": 0, "exact": 0, "missed": 0, "worst": 0.0,
                                         "at": "", "unit": "", "allowed": 0})

    def add(self, name, pair, difference, unit, allowed):
        row = self.rows[name, pair.version]
        row["pairs"] += 1
        row["exact"] += difference == 0
        row["unit"], row["allowed"] = unit, max(allowed, row["allowed"])
        if abs(difference) > abs(row["worst"]):
            row["worst"], row["at"] = difference, pair.name
        if not abs(difference) <= allowed:
            row["missed"] += 1
            print(f"FAILED: {name}, {pair.name}: off by {difference:.6g} {unit}, "
                  f"allowed {allowed:g}")

    def write(self):
        print(f"{'quantity':<44} {'ver':<5} {'pairs':>5} {'exact':>5} {'worst':>11}  "
              f"{'allowed':<12} worst pair")
        for (name, version), row in self.rows.items():
            worst = f"{row['worst']:.3g}" if row["worst"] else "0"
            unit = row["unit"]
            print(f"{name:<44} {version:<5} {row['pairs']:>5} {row['exact']:>5} "
                  f"{(worst + ' ' + unit).strip():>11}  "
                  f"{(format(row['allowed'], 'g') + ' ' + unit).strip():<12} {row['at']}".rstrip())
        return sum(row["missed"] for row in self.rows.values())


class Pair:
    def __init__(self, ntff, vendor, root):
        self.ntff, self.vendor = ntff, vendor
        self.name = os.path.relpath(ntff, root).split("/", 1)[1]
        self.version = "v%d" % open(ntff, "rb").read(1)[0]
        self.text = vendor.endswith(".txt")
        self.file = {} if self.text else json.load(open(vendor))
        self.summary = read_text(vendor) if self.text else self.file["summary"][0]


def read_text(path):
    out = {}
    for line in open(path, errors="replace"):
        words = line.split(None, 1)
        if len(words) != 2 or not line.startswith("    "):
            continue
        try:
            out[words[0]] = json.loads(words[1])
        except ValueError:
            out[words[0]] = words[1].strip()
    return out


def pairs_of(data):
    out = []
    for ntff in sorted(glob.glob(data + "/*/**/*.ntff", recursive=True)):
        folder, stem = os.path.split(ntff[:-len(".ntff")])
        reports = glob.glob(folder + "/json_reports/*.json")
        if os.path.exists(ntff[:-len("ntff")] + "json"):
            reports = [ntff[:-len("ntff")] + "json"]
        elif stem == "stream_256k_fd1k":
            reports = [folder + "/profile_1k.txt"]
        assert len(reports) == 1, ntff
        out.append(Pair(ntff, reports[0], data))
    return out


def ingest(rooflog, path, *options):
    done = subprocess.run([rooflog, "ingest", "--dry-run", "--json", "--set", "kernel=k", "--commit",
                           "0" * 40, *options, path], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{path}: {done.stderr}")
    return json.loads(done.stdout)["runs"][0]


def number(run, key):
    return run["metrics"].get(key, {}).get("value")


# --- the summary ---

TIMES = {"total_time": "total_time", "total_active_time": "total_active_time",
         "dma_active_time": "dma_active_time", "dma_packet_time": "dma_packet_time",
         "static_dma_active_time": "static_dma_active_time",
         "software_dynamic_dma_active_time": "software_dma_active_time",
         "hardware_dynamic_dma_active_time": "hardware_dma_active_time",
         "activate_instruction_time": "activate_instruction_time"}
COUNTS = {"static_dma_size": "static_dma_bytes",
          "static_dma_packet_count": "static_dma_packet_count",
          "software_dynamic_dma_size": "software_dma_bytes",
          "software_dynamic_dma_packet_count": "software_dma_packet_count",
          "hardware_dynamic_dma_size": "hardware_dma_bytes",
          "hardware_dynamic_dma_packet_count": "hardware_dma_packet_count",
          "event_count": "event_count", "dma_queue_count": "dma_queue_count",
          "neuroncore_cycle_count": "neuroncore_cycle_count",
          "matmul_instruction_count": "matmul_instruction_count",
          "activate_instruction_count": "activate_instruction_count",
          "hardware_flops": "hardware_flops", "transpose_flops": "transpose_flops",
          "hbm_read_bytes": "hbm_read_bytes", "hbm_write_bytes": "hbm_write_bytes",
          "sbuf_read_bytes": "sbuf_read_bytes", "sbuf_write_bytes": "sbuf_write_bytes",
          "psum_read_bytes": "psum_read_bytes", "psum_write_bytes": "psum_write_bytes",
          "psum_read_sbuf_write_bytes": "psum_read_sbuf_write_bytes"}
RATIOS = {"mfu_estimated_percent": "mfu", "mfu_inst_estimated_percent": "mfu",
          "mfu_inst_max_achievable_estimated_percent": "mfu_max_achievable",
          "mbu_estimated_percent": "mbu", "mm_arithmetic_intensity": "arithmetic_intensity",
          "peak_flops_bandwidth_ratio": "core_ridge_point",
          "total_active_time_percent": "active_fraction",
          "dma_active_time_percent": "dma_occupancy"}
for engine in ENGINES:
    TIMES[engine + "_engine_active_time"] = engine + "_engine_active_time"
    TIMES[engine + "_engine_instruction_time"] = engine + "_engine_instruction_time"
    COUNTS[engine + "_engine_instruction_count"] = engine + "_engine_instruction_count"
    RATIOS[engine + "_engine_active_time_percent"] = engine + "_engine_occupancy"


def relative(ours, theirs):
    return 0.0 if ours == theirs else ours / theirs - 1 if theirs else float("inf")


def check_summary(table, pair, run):
    summary = pair.summary
    for key, metric in TIMES.items():
        # Two decimals of the same picosecond are one double: exact means the same picosecond.
        if key in summary:
            table.add(key, pair, round(number(run, metric) * 1e12) / 1e3
                      - round(summary[key] * 1e12) / 1e3, "ns", 0.01)
    for key, metric in COUNTS.items():
        if key in summary:
            table.add(key, pair, number(run, metric) - summary[key], "", 0)
    for key, metric in RATIOS.items():
        # A kernel without matmuls has no intensity; the vendor writes 0.
        if key in summary and not (number(run, metric) is None and summary[key] == 0):
            # Profilers as old as the texts hold the bandwidth in single precision.
            single = pair.text and ("mbu" in key or "bandwidth" in key)
            table.add(key, pair, relative(number(run, metric), summary[key]), "",
                      3e-9 if single else 1e-14)
    table.add("unknown in a trace, and so in the run", pair,
              sum(number(run, key) is not None for key in NOT_IN_A_TRACE), "", 0)
    # Where the NEFF lies beside the trace its sizes are joined; else they are unknown.
    for key, metric in OF_THE_NEFF.items():
        if run.get("kernel_hash") is not None:
            table.add(key + ", of the NEFF", pair, number(run, metric) - summary[key], "", 0)
        else:
            table.add("of a NEFF that is not there", pair, number(run, metric) is not None, "", 0)


def check_relations(table, pair, run):
    """What is not equal, but follows."""
    summary = pair.summary
    aggregated = summary["dma_transfer_count"] if pair.text else \
        sum(row["aggregated"] == "yes" for row in pair.file["dma"])
    table.add("trace_count + aggregated DMA rows", pair,
              number(run, "trace_count") + aggregated - summary["trace_count"], "", 0)
    if not pair.text:
        table.add("aggregated DMA rows = dma_transfer_count", pair,
                  aggregated - summary.get("dma_transfer_count", 0), "", 0)
    hfu, theirs = number(run, "hfu"), summary["hfu_estimated_percent"]
    table.add("hfu_estimated_percent", pair, relative(hfu, theirs), "", 2.5e-8)
    # The vendor counts cycles of whole 2^-14 ps there.
    period = 1e6 / (1200 if run["instance_type"].startswith("trn2") else 1400)
    cycle = int(period * 16384) / 16384
    table.add("hfu_estimated_percent, cycles in 2^-14 ps", pair,
              relative(hfu * cycle / period, theirs), "", 1e-14)
    dynamic = [number(run, kind + "_dma_bytes") for kind in ("software", "hardware")]
    everything = sum(dynamic) + number(run, "static_dma_bytes")
    table.add("dynamic_dma_size_percent", pair,
              relative(sum(dynamic) / everything, summary["dynamic_dma_size_percent"]), "", 1e-14)


def check_identity(table, pair, run):
    versions = {row["key"]: row["text"] for row in run["versions"]}
    words = [("instance_type", run["instance_type"], pair.summary["instance_type"])]
    for key in ("runtime_version", "driver_version", "collectives_version"):
        words.append((key, versions[key], pair.summary[key]))
    if not pair.text:
        header, metadata = pair.file["neff_header"][0], pair.file["metadata"][0]
        words.append(("ntff_version", int(versions["ntff_version"]), metadata["ntff_version"]))
        words.append(("physical cores", run["cores"], metadata["num_physical_cores"]))
        whole = "uuid" in versions
        uuid = versions["uuid" if whole else "uuid_start"]
        words.append(("NEFF uuid" if whole else "NEFF uuid, as far as known", uuid,
                      header["uuid"][:None if whole else len(uuid)]))
    for name, ours, theirs in words:
        table.add(name, pair, int(ours != theirs), "", 0)


# --- the other sections ---

def check_cores(table, pair, run):
    rows = {row["sg_name"]: row for row in pair.file["model_info"]}
    table.add("cores: number", pair, len(run["cores_work"]) - len(rows), "", 0)
    for core in run["cores_work"]:
        row = rows[core["name"]]
        table.add("cores: cycles", pair,
                  core["cycles"]["value"] - row["neuroncore_cycle_count"], "", 0)
        table.add("cores: instructions", pair, core["instructions"]["value"]
                  - sum(row[name + "_engine_instruction_count"] for name in ENGINES), "", 0)


def totals_of(rows, key, size=None):
    out = defaultdict(lambda: [0, 0, 0])
    for row in rows:
        entry = out[row[key]]
        entry[0] += 1
        entry[1] += row["duration"]
        entry[2] += row[size] if size else 0
    return out


def check_totals(table, pair, run, what, theirs, missing=0):
    """The JSON cuts each row's duration to whole nanoseconds. `missing` of its rows are not listed
    though they are counted."""
    ours = {row["name"]: row for row in run[what]}
    found = 0
    table.add(what + ": names", pair, len(set(ours) ^ set(theirs)), "", 0)
    for name in set(ours) & set(theirs):
        count, ns, size = theirs[name]
        more = ours[name]["count"]["value"] - count
        if 0 < more <= missing:
            found += more
            continue
        table.add(what + ": count", pair, more, "", 0)
        table.add(what + ": time a row", pair,
                  (ours[name]["time"]["value"] * 1e9 - ns) / count, "ns", 1)
        if "bytes" in ours[name]:
            table.add(what + ": bytes", pair, ours[name]["bytes"]["value"] - size, "", 0)
    if missing:
        table.add(what + ": counted but not listed", pair, found - missing, "", 0)


def check_memory(table, pair, run):
    theirs = defaultdict(int)
    for row in pair.file["nc_mem_usage"]:
        theirs[row["usage_type"]] += row["amount_bytes"]
    ours = defaultdict(int, {row["name"]: row["bytes"]["value"] for row in run["memory"]})
    total = theirs.pop("Total", None)
    for name in set(ours) | set(theirs):
        table.add("nc_mem_usage", pair, ours[name] - theirs[name], "B", 0)
    if total is not None:
        table.add("nc_mem_usage: total without buffers", pair,
                  number(run, "device_memory_bytes") - total + theirs["Profiler Buffers"], "B", 0)


TYPES = {0: "activity_0", 1: "activity_1", 99: "unknown"}


def check_throttling(table, pair, run):
    rows = sorted(pair.file.get("ham", []),
                  key=lambda row: (row.get("subgraph", ""), row["timestamp"]))
    ours = sorted(run["throttles"], key=lambda window: (window["core"], window["start"]))
    table.add("throttling: windows", pair, len(ours) - len(rows), "", 0)
    throttled = cut = 0
    for window, row in zip(ours, rows):
        table.add("throttling: type and limit", pair, int(
            window["type"] != TYPES[row["type"]] or window["limit"] != row["k"] / row["n"]), "", 0)
        table.add("throttling: start", pair, window["start"] * 1e9 - row["timestamp"], "ns", 1.001)
        table.add("throttling: duration", pair,
                  window["duration"] * 1e9 - row["duration"], "ns", 1.001)
        if row["k"] < row["n"]:
            throttled += row["duration"]
            cut += 1
    table.add("throttle_time a window", pair,
              (number(run, "throttle_time") * 1e9 - throttled) / max(cut, 1), "ns", 1)


def bins_of(intervals, width, bins):
    """Busy nanoseconds of each bin, and the edges that cutting to nanoseconds may have moved."""
    busy, edges = [0.0] * bins, [0] * bins
    for start, end in merged(intervals):
        for i in range(int(start // width), min(int(end // width), bins - 1) + 1):
            busy[i] += max(0.0, min(end, (i + 1) * width) - max(start, i * width))
    for edge in [edge for interval in intervals for edge in interval]:
        for i in {int((edge - 1) // width), int((edge + 1) // width)}:
            if 0 <= i < bins:
                edges[i] += 1
    return busy, edges


def merged(intervals):
    out = []
    for start, end in sorted(intervals):
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([start, end])
    return out


def check_timelines(table, pair, run):
    for engine in run["engines"]:
        rows = [(row["start_ts"], row["end_ts"]) for row in pair.file["active_time"]
                if row["engine"] == engine["name"]]
        if engine["name"] == "dma":
            # Begin and duration are both cut: the middle of what the end may be.
            rows = [(row["timestamp"], row["timestamp"] + row["duration"] + 0.5)
                    for row in pair.file["dma"] if row["aggregated"] == "no"]
        name, most = "timelines: an interval's end", 1.0
        if engine["name"] == "dma":
            name, most = "timelines: a transfer's end", 1.5
        timeline = engine["timeline"]
        width = pair.summary["total_time"] * 1e9 / len(timeline)
        busy, edges = bins_of(rows, width, len(timeline))
        worst = 0.0
        for i, share in enumerate(timeline):
            # Shares have four decimals.
            off = max(0.0, abs(share * width - busy[i]) - 5e-5 * width - 1e-6)
            worst = max(worst, off / edges[i] if edges[i] else off and float("inf"))
        table.add(name, pair, worst, "ns", most)


def check_json_run(table, pair, run, other):
    """The run that the program makes of the vendor's JSON: every metric that both have."""
    for key in sorted(set(run["metrics"]) & set(other["metrics"])):
        ours, theirs = number(run, key), number(other, key)
        if ours is None or theirs is None:
            continue
        # Both are related above: aggregated rows, and windows cut to whole nanoseconds.
        if key != "trace_count" and not key.startswith("throttle_"):
            table.add("run of the JSON: common metrics", pair, relative(ours, theirs), "", 0)


def main():
    rooflog, data = sys.argv[1:]
    table, versions = Table(), defaultdict(int)
    for pair in pairs_of(data):
        # A text is of a kernel without matmuls, whose dtype no instruction tells.
        run = ingest(rooflog, pair.ntff, *(("--set", "dtype=fp32") if pair.text else ()))
        versions[pair.version + (" text" if pair.text else "")] += 1
        table.add("records that fit nothing", pair,
                  sum(bool(ODD.search(row["message"])) for row in run["warnings"]), "", 0)
        check_summary(table, pair, run)
        check_relations(table, pair, run)
        check_identity(table, pair, run)
        if pair.text:
            continue
        check_cores(table, pair, run)
        counted = sum(pair.summary[name + "_engine_instruction_count"] for name in ENGINES)
        check_totals(table, pair, run, "opcodes", totals_of(pair.file["instruction"], "opcode"),
                     counted - len(pair.file["instruction"]))
        check_totals(table, pair, run, "dma", totals_of(
            [row for row in pair.file["dma"] if row["aggregated"] == "no"], "queue_type",
            "transfer_size"))
        check_memory(table, pair, run)
        check_throttling(table, pair, run)
        check_timelines(table, pair, run)
        check_json_run(table, pair, run, ingest(rooflog, pair.vendor, "--set", f"dtype={run['dtype']}"))
    missed = table.write()
    print("pairs: " + ", ".join(f"{count} of {version}" for version, count in versions.items()))
    sys.exit(missed > 0)


main()
