"""What `rooflog ingest --json` should say of a trace that tests/oracle/ntff.py has decoded."""
import math
import struct
from collections import defaultdict

from ntff import ENGINES, FETCH_RING, INPUT_OUTPUT, OPCODES, WAITING, WEIGHTS, dma_class, flops_of, \
    inferred_transposes, union

PS = 1e12
BASE_CLOCKS = {"trn1": 1400, "inf2": 1400, "trn2": 1200}        # MHz: half of the tensor engine's
BINS = 256
# Of one, of several.
NOTES = {"orphan_ends": ("instruction end without a begin", "instruction ends without a begin"),
         "orphan_transfers": ("DMA transfer end without a begin",
                              "DMA transfer ends without a begin"),
         "open_transfers": ("DMA transfer begin without an end",
                            "DMA transfer begins without an end"),
         "wrong_times": ("record with an impossible time, skipped",
                         "records with impossible times, skipped"),
         "unknown_records": ("record is of an undocumented type",
                             "records are of an undocumented type"),
         "errors": ("error record of unknown meaning",
                    "error records of unknown meaning")}


def times(metrics, answer):
    busy = [one for one in answer.instructions if one[5] and not (one[4] and
            one[4][0] == WAITING)]
    moved = [(begin, end) for _, _, begin, end, *_ in answer.transfers]
    for number, engine in enumerate(ENGINES):
        own = [(begin, end) for _, at, begin, end, *_ in busy if at == number]
        metrics[engine + "_engine_active_time"] = union(own) / PS
        metrics[engine + "_engine_instruction_time"] = sum(b - a for a, b in own) / PS
        metrics[engine + "_engine_instruction_count"] = sum(one[1] == number for one in
                                                            answer.instructions)
    metrics["dma_active_time"] = union(moved) / PS
    metrics["dma_packet_time"] = sum(end - begin for begin, end in moved) / PS
    metrics["total_active_time"] = union([one[2:4] for one in busy] + moved) / PS
    for kind in ("static", "software", "hardware"):
        own = [row for row in answer.transfers if dma_class(row[5]) == kind]
        metrics[kind + "_dma_active_time"] = union([row[2:4] for row in own]) / PS
        metrics[kind + "_dma_packet_count"] = len(own)
        metrics[kind + "_dma_bytes"] = sum(row[4] for row in own)


ESTIMATED, AT_LEAST = "estimated", "at least"


def work(metrics, unsound, answer, device):
    sums = answer.sums
    unsure = any(one[4] is None for one in answer.instructions)
    metrics["hardware_flops"] = sums["flops"]
    flagged = device not in ("trn1", "inf2")
    metrics["transpose_flops"] = sums["flagged"] if flagged else inferred_transposes(answer)
    unsound["hardware_flops"] = AT_LEAST if unsure else None
    unsound["transpose_flops"] = ESTIMATED if not flagged else unsound["hardware_flops"]
    unknown = answer.dynamic > 0 and sums["described"] == 0
    if sums["aimless"] and not unknown:
        metrics["device_memory_traffic"] = sums["hbm_read"] + sums["hbm_write"] + sums["aimless"]
        unsound["device_memory_traffic"] = ESTIMATED
    for verb in ("read", "write"):
        if not sums["aimless"] and not unknown:
            metrics["hbm_%s_bytes" % verb] = sums["hbm_" + verb]
            doubtful = unsure or sums["described"] != answer.dynamic or sums["weights"] > 0 or \
                sums["static_io"] > 0
            unsound["hbm_%s_bytes" % verb] = ESTIMATED if doubtful else None
    words_lack = unsure or bool(answer.unknown) or sums["unsized"] > 0
    moved_unseen = sums["described"] != answer.dynamic or sums["aimless"] > 0
    for what in ("sbuf_read", "sbuf_write", "psum_read", "psum_write", "psum_read_sbuf_write"):
        metrics[what + "_bytes"] = sums[what]
        by_dma = what.startswith("sbuf")
        unsound[what + "_bytes"] = AT_LEAST if words_lack or by_dma and moved_unseen else \
            ESTIMATED if by_dma and sums["static_io"] > 0 else None


def totals(metrics, answer, device):
    file = answer.file
    words = [one for one in answer.instructions if one[4]]
    activations = [one for one in words if one[4][0] == 0x21]
    metrics["matmul_instruction_count"] = sum(one[4][0] == 2 for one in words)
    metrics["activate_instruction_count"] = len(activations)
    metrics["activate_instruction_time"] = sum(one[3] - one[2] for one in activations) / PS
    metrics["dma_queue_count"] = sum(core.queue_count for core in file.cores)
    metrics["event_count"] = answer.events
    metrics["trace_count"] = len(answer.instructions) + answer.events + len(answer.transfers)
    metrics["throttle_time"] = sum(end - begin for _, begin, end, k, n, _ in answer.throttles
                                   if k < n) / PS
    total = max(core.duration for core in file.cores)
    if total:
        metrics["total_time"] = total / PS
    if total and device in BASE_CLOCKS:
        metrics["neuroncore_cycle_count"] = cycles_of(device, total)
    memory = [row for core in file.cores for row in core.memory]
    if memory:
        metrics["device_memory_bytes"] = sum(size for name, size in memory
                                             if name != "Profiler Buffers")


def queue_type(row):
    _, ring, *_, name, kind = row
    if dma_class(name) != "static":
        return dma_class(name) + "_dynamic"
    if ring == FETCH_RING:
        return "instruction"
    return {WEIGHTS: "data", INPUT_OUTPUT: "io"}.get(kind, "unknown")


def tallies(answer):
    """name: [count, seconds, bytes or FLOP]"""
    opcodes, queues = defaultdict(lambda: [0, 0, 0]), defaultdict(lambda: [0, 0, 0])
    for _, _, begin, end, word, _ in answer.instructions:
        name = "(outside the program)" if not word else \
            OPCODES.get(word[0], ("opcode 0x%02x" % word[0],))[0]
        for i, number in enumerate((1, end - begin, flops_of(word))):
            opcodes[name][i] += number
    for row in answer.transfers:
        for i, number in enumerate((1, row[3] - row[2], row[4])):
            queues[queue_type(row)][i] += number
    memory = defaultdict(int)
    for core in answer.file.cores:
        for name, size in core.memory:
            memory[name] += size
    return opcodes, queues, memory


def single(number):
    """The nearest number of single precision."""
    return struct.unpack("<f", struct.pack("<f", number))[0]


def cycles_of(device, picoseconds):
    """As the vendor's tool rounds: every step in single precision."""
    thousands = single(single(picoseconds) * single(BASE_CLOCKS[device] / 1000))
    return math.floor(single(thousands / 1000))


def core_rows(answer, device):
    rows, seen = [], set()
    for number, core in enumerate(answer.file.cores):
        name = core.name if core.name not in seen else "%s (%d)" % (core.name, number)
        seen.add(name)
        own = [one for one in answer.instructions if one[0] == number]
        last = max([one[3] for one in own], default=None)
        cycles = cycles_of(device, last) if last is not None and device in BASE_CLOCKS else None
        rows.append((name, cycles, len(own) or None,
                     sum(flops_of(one[4]) for one in own) if own else None))
    return sorted(rows)


def timeline(intervals, total):
    """How busy each of the bins is, of merged intervals."""
    bins, width, merged = [0.0] * BINS, total / BINS, []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    for start, end in merged:
        at = int(start // width)
        while at < BINS and at * width < end:
            bins[at] += max(min(end, (at + 1) * width) - max(start, at * width), 0) / width
            at += 1
    return bins


def timelines(answer):
    total = max(core.duration for core in answer.file.cores)
    if not total:
        return {}
    rows = {engine: timeline([one[2:4] for one in answer.instructions if one[1] == number and
                              one[5] and not (one[4] and one[4][0] == WAITING)], total)
            for number, engine in enumerate(ENGINES)}
    rows["dma"] = timeline([row[2:4] for row in answer.transfers], total)
    return rows


def throttle_rows(answer):
    kinds = {0: "activity_0", 1: "activity_1"}
    return [(core, "unknown" if n == 0 else kinds.get(kind, "type_%d" % kind), begin / PS,
             (end - begin) / PS, k / n if k < n else 1)
            for core, begin, end, k, n, kind in answer.throttles]


def versions(answer):
    rows = {"ntff_version": str(answer.file.version)}
    for name, release in answer.file.release.items():
        rows[name] = "%d.%d.%d (%s)" % (release.number(1), release.number(2), release.number(3),
                                        release.text(5)[:5])
    if answer.file.uuid:
        rows["uuid" if len(answer.file.uuid) == 32 else "uuid_start"] = answer.file.uuid
    return rows


def notes(answer):
    """The warnings that count something."""
    sums, cores = answer.sums, len(answer.file.cores)
    rows = ["%d %s" % (sums[key], texts[sums[key] != 1]) for key, texts in NOTES.items()
            if sums[key]]
    if sums["open_begins"] > cores:
        rows.append("%d instruction begins without an end" % sums["open_begins"])
    if sums["unknown_bytes"]:
        rows.append("%d bytes of undocumented trace types skipped" %
                    sums["unknown_bytes"])
    if sums["left_out"]:
        rows.append("%d DMA transfer%s (%d bytes" % (sums["left_out"], "s"[sums["left_out"] < 2:],
                                                     sums["left_out_bytes"]))
    if answer.guessed:
        rows.append("no start marker: the execution is measured")
    return rows


def forget_untraced(metrics, answer):
    """What the header lists no trace of is unknown."""
    traced = {row[:2] for core in answer.file.cores for row in core.segments}
    kinds = {(0, 0): ("_engine_", "flops", "matmul", "activate", "sbuf", "psum", "hbm", "total_active",
                      "trace_count", "device_memory_traffic"),
             (4, 1): ("dma_active", "dma_packet", "dma_bytes", "hbm", "total_active", "trace_count",
                      "device_memory_traffic"),
             (1, 0): ("event_count", "trace_count"), (5, 0): ("throttle_time",)}
    for kind, parts in kinds.items():
        for key in list(metrics) if kind not in traced else ():
            if any(part in key for part in parts):
                del metrics[key]
    return traced


def answer_of(answer):
    device = answer.file.instance.split(".")[0]
    metrics, unsound = {}, {}
    times(metrics, answer)
    work(metrics, unsound, answer, device)
    totals(metrics, answer, device)
    traced = forget_untraced(metrics, answer)
    for verb in ("read", "write") if (4, 1) not in traced else ():
        unsound["sbuf_%s_bytes" % verb] = AT_LEAST
    opcodes, queues, memory = tallies(answer)
    return {"metrics": metrics, "unsound": {key: unsound[key] for key in metrics if unsound.get(key)},
            "opcodes": dict(opcodes), "dma": dict(queues), "memory": dict(memory),
            "cores": core_rows(answer, device), "throttles": throttle_rows(answer),
            "timelines": timelines(answer), "versions": versions(answer), "notes": notes(answer)}
