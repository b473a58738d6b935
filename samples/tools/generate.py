#!/usr/bin/env python3
"""Writes every file of samples/ anew: invented kernels in the formats that profilers write.

    python3 samples/tools/generate.py [DIRECTORY]     (default: samples/)

Nothing here was measured. A small model of a machine runs invented programs (in-order engines,
16 DMA rings, dependencies); its timeline is then fitted to the times wanted. The summary is
computed from the very records that are written, so a file never contradicts itself.
Deterministic: standard library only, own random numbers, no clock.
"""
import gzip
import importlib
import json
import os
import sys

ENGINES = ("tensor", "vector", "scalar", "gpsimd", "sync")
LABELS = {"tensor": "Tensor", "vector": "Vector", "scalar": "Scalar", "gpsimd": "GpSimd",
          "sync": "Sync"}
ROWS, COLUMNS, CLOCK, BASE_CLOCK = 128, 128, 2.4, 1.2
BANDWIDTH = 716000000000
CORE_FLOPS = 2 * ROWS * COLUMNS * CLOCK * 1e9
WAIT = 40        # ns from the end of an instruction to the start of one that waits for it
MERGE = 24       # ns of idleness that the profiler's active intervals bridge
TILE = 128 * 128 * 128


class Random:
    """splitmix64: the same numbers on every machine and in every Python."""

    def __init__(self, seed):
        self.state = int.from_bytes(seed.encode()[:8].ljust(8, b"."), "little")
        for byte in seed.encode():
            self.state = (self.state * 1099511628211 + byte) & (2**64 - 1)

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & (2**64 - 1)
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & (2**64 - 1)
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & (2**64 - 1)
        return z ^ (z >> 31)

    def below(self, limit):
        return self.bits() % limit

    def around(self, width):
        """A factor in 1 +- width."""
        return 1 + width * (2 * (self.bits() / 2**64) - 1)

    def shuffled(self, items):
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    def hex(self, digits):
        return "".join("%016x" % self.bits() for _ in range(3))[:digits]


# The machine: programs are lists of operations; run() gives each a start.

class Op:
    def __init__(self, core, engine, opcode, cost, after=(), **more):
        self.core, self.engine, self.opcode = core, engine, opcode
        self.cost, self.after, self.more = cost, after, more
        self.start = self.end = 0

    def is_wait(self):
        return self.opcode == "EVENT_SEMAPHORE"


class Program:
    """What one kernel does, in issue order. Costs are relative; fit() turns them into ns."""

    def __init__(self, seed, cores):
        self.random = Random(seed)
        self.cores = cores
        self.ops = []
        self.transfers = 0

    def op(self, core, engine, opcode, cost, after=(), **more):
        op = Op(core, engine, opcode, cost * self.random.around(0.06), after, **more)
        self.ops.append(op)
        return op

    def dma(self, core, size, packet, kind, queue_type, variable, after=()):
        """One transfer as packets over 16 rings; gives its packets."""
        self.transfers += 1
        packets = [self.op(core, "dma", "DMA", 60 + packet / 40, after, size=packet, kind=kind,
                           queue_type=queue_type, variable=variable, index=i,
                           ring=(i + 4 * self.transfers) % 16, transfer=self.transfers)
                   for i in range(size // packet)]
        assert size % packet == 0
        return packets

    def matmul(self, core, moving, after, transpose=False, line=None):
        """A weight load and a matmul of 128 x 128 x `moving`."""
        kind = "TRANSPOSE" if transpose else "REGULAR"
        self.op(core, "tensor", "LDWEIGHTS", 55, after, kind=kind, line=line)
        return self.op(core, "tensor", "MATMUL", 20 + moving / 2.4, after, kind=kind, line=line,
                       elements=ROWS * COLUMNS * moving)

    def prologue(self):
        for core in range(self.cores):
            for engine in ENGINES:
                self.op(core, engine, "SET_ORDERING_MODE", 30)
                self.op(core, engine, "TENSOR_LOAD", 60)
            self.op(core, "gpsimd", "IOTA", 600)
            self.op(core, "gpsimd", "MEMSET", 500)
            self.op(core, "sync", "WRITE", 300)
            self.op(core, "scalar", "ACT_TABLE_LOAD", 700)

    def epilogue(self, after_of):
        for core in range(self.cores):
            for engine in ENGINES:
                self.op(core, engine, "DRAIN", 40, after_of[core])
                self.op(core, engine, "NOTIFY", 50)

    def run(self, scale):
        free = {}
        for op in self.ops:
            lane = (op.core, op.engine, op.more.get("ring"))
            ready = max([dep.end + WAIT for dep in op.after], default=60.0)
            op.start = max(free.get(lane, 60.0), ready)
            op.end = op.start + op.cost * scale[op.engine]
            free[lane] = op.end

    def stretch(self, ends):
        """Moves each core's timeline linearly so that it ends where it should."""
        for core in range(self.cores):
            ops = [op for op in self.ops if op.core == core]
            last = max(op.end for op in ops)
            factor = (ends[core] - 60.0) / (last - 60.0)
            for op in ops:
                op.start = 60 + (op.start - 60) * factor
                op.end = 60 + (op.end - 60) * factor


def union(intervals, bridge=0):
    """Disjoint sorted intervals; gaps up to `bridge` are filled."""
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1] + bridge:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def length(intervals):
    return sum(end - start for start, end in union(intervals))


def active_rows(program, engine):
    """(core, start, end) as the profiler lists active intervals: per core, without waits."""
    rows = []
    for core in range(program.cores):
        intervals = [(op.start, op.end) for op in program.ops
                     if op.core == core and op.engine == engine and not op.is_wait()]
        rows += [(core, start, end)
                 for start, end in union(intervals, 0 if engine == "dma" else MERGE)]
    return rows


def active_time(program, engine):
    return length([(start, end) for _, start, end in active_rows(program, engine)])


def shave(program, engine, target):
    """Takes single nanoseconds away until the active time is exactly the target."""
    ops = [op for op in program.ops if op.engine == engine and not op.is_wait()]
    surplus = active_time(program, engine) - target
    while surplus:
        before = surplus
        for op in reversed(ops):
            cut = min(surplus, op.end - op.start - 1)
            while cut > 0:
                op.end -= cut
                left = active_time(program, engine) - target
                if 0 <= left < surplus:
                    surplus = left
                    break
                op.end += cut
                cut //= 2
            if not surplus:
                break
        assert surplus < before, "cannot reach %d ns of %s" % (target, engine)


def fit(program, ends, targets):
    """Times in whole ns: core c ends at ends[c], the engines are active as long as targets say."""
    scale = {engine: 1.0 for engine in ENGINES + ("dma",)}
    for _ in range(60):
        program.run(scale)
        program.stretch(ends)
        for engine, target in targets.items():
            scale[engine] *= (1.02 * target / active_time(program, engine)) ** 0.6
    program.run(scale)
    program.stretch(ends)
    exact = [(op, op.start, op.end - op.start) for op in program.ops]
    for engine, target in targets.items():
        low, high = 0.3, 1.0
        for _ in range(30):
            factor = (low + high) / 2
            for op, start, duration in exact:
                if op.engine == engine:
                    op.start = int(start)
                    op.end = op.start + max(1, int(duration * factor))
            if active_time(program, engine) < target:
                low = factor
            else:
                high = factor
        for op, start, duration in exact:
            if op.engine == engine:
                op.end = op.start + max(1, int(duration * high))
        assert active_time(program, engine) >= target, "%s: %d of %d ns" % (
            engine, active_time(program, engine), target)
        shave(program, engine, target)


def add_waits(program, wanted):
    """Fills idle times of the engines with semaphore waits, the longest idle times first."""
    gaps = []
    for core in range(program.cores):
        for engine in ENGINES:
            row = sorted((op.start, op.end) for op in program.ops
                         if op.core == core and op.engine == engine)
            for (_, end), (start, _) in zip(row, row[1:]):
                if start - end > 30:
                    gaps.append((start - end, end, core, engine))
    for index in range(wanted):
        size, start, core, engine = max(gaps)
        gaps.remove((size, start, core, engine))
        half = size // 2 if wanted - index > len(gaps) else size
        if half < size:
            gaps.append((size - half, start + half, core, engine))
        wait = Op(core, engine, "EVENT_SEMAPHORE", 0)
        wait.start, wait.end = start, start + half - 1
        program.ops.append(wait)


# The files: records, the summary computed from them, and the sections around.

def seconds(ns):
    return float("%de-9" % ns)


class Profile:
    def __init__(self, program, total_ps, spec):
        self.program, self.spec, self.random = program, spec, program.random
        self.total = float("%de-12" % total_ps)
        self.total_ns = total_ps // 1000
        self.cores = program.cores
        self.instructions = sorted((op for op in program.ops if op.engine != "dma"),
                                   key=lambda op: (op.core, ENGINES.index(op.engine), op.start))
        self.packets = sorted((op for op in program.ops if op.engine == "dma"),
                              key=lambda op: (op.core, op.more["ring"], op.start))
        self.events = spec.get("events") or [len([op for op in self.instructions
                                                  if op.core == core]) * 2 // 3
                                             for core in range(self.cores)]
        self.ham = spec.get("ham", [])

    def record(self, pairs):
        """An object with its keys in random order, as the profiler writes them."""
        return {key: pairs[key] for key in self.random.shuffled(pairs)}

    def rows(self, rows):
        return [self.record(row) for row in rows]

    def instruction(self, op, pc):
        kind = op.more.get("kind", "")
        compute = op.opcode not in ("DRAIN", "NOTIFY", "WRITE", "SET_ORDERING_MODE", "TENSOR_LOAD",
                                    "EVENT_SEMAPHORE")
        row = {"id": self.random.bits() >> 1, "timestamp": op.start, "duration": op.end - op.start,
               "evt_wait_time": op.end - op.start if op.is_wait() else self.random.below(40),
               "label": "TensorMatrix" if op.opcode == "MATMUL" else LABELS[op.engine],
               "opcode": op.opcode, "pc": 50 + pc,
               "instruction_type": kind or ("REGULAR" if compute else ""),
               "subgraph": "sg%02d" % op.core}
        if "elements" in op.more:
            row["elements"] = op.more["elements"]
        if op.more.get("line") and self.spec.get("file"):
            row["nki_source_location"] = "%s:%d" % (self.spec["file"], op.more["line"])
        return row

    def packet(self, op):
        size, duration = op.more["size"], op.end - op.start
        return {"id": self.random.bits() >> 1, "timestamp": op.start, "duration": duration,
                "dma_engine": str(64 + op.more["ring"]), "dma_queue": "0",
                "queue_type": op.more["queue_type"], "transfer_size": size, "read_size": size,
                "write_size": size, "variable": op.more["variable"], "is_cc_dma": "no",
                "subgraph": "sg%02d" % op.core}

    def flops(self, transpose_only=False, core=None):
        return 2 * sum(op.more["elements"] for op in self.instructions if "elements" in op.more
                       and (core is None or op.core == core)
                       and (not transpose_only or op.more["kind"] == "TRANSPOSE"))

    def bytes(self, kind):
        return sum(op.more["size"] for op in self.packets if op.more["kind"] == kind)

    def engine_summary(self):
        out = {}
        for engine in ENGINES:
            ops = [op for op in self.instructions if op.engine == engine]
            active = active_time(self.program, engine)
            out[engine + "_engine_active_time"] = seconds(active)
            out[engine + "_engine_active_time_percent"] = seconds(active) / self.total
            out[engine + "_engine_instruction_count"] = len(ops)
            out[engine + "_engine_instruction_time"] = seconds(
                sum(op.end - op.start for op in ops if not op.is_wait()))
        activates = [op for op in self.instructions if op.opcode == "ACTIVATE"]
        out["activate_instruction_count"] = len(activates)
        out["activate_instruction_time"] = seconds(sum(op.end - op.start for op in activates))
        out["matmul_instruction_count"] = len([op for op in self.instructions
                                               if op.opcode == "MATMUL"])
        return out

    def dma_summary(self):
        active = active_time(self.program, "dma")
        transfers = {}
        for op in self.packets:
            transfers.setdefault(op.more["transfer"], []).append(op)
        total = sum(op.more["size"] for op in self.packets)
        out = {"dma_active_time": seconds(active),
               "dma_active_time_percent": seconds(active) / self.total,
               "dma_active_cycles": int(active * BASE_CLOCK),
               "dma_packet_time": seconds(sum(op.end - op.start for op in self.packets)),
               "dma_queue_count": 16 * self.cores, "dma_transfer_count": len(transfers),
               "dma_transfer_total_bytes": total,
               "dma_transfer_average_bytes": total / len(transfers),
               "dma_transfer_time": seconds(sum(max(op.end for op in ops) -
                                                min(op.start for op in ops)
                                                for ops in transfers.values()))}
        for prefix, kinds in (("static_dma", ("data", "input", "output")),
                              ("software_dynamic_dma", ("software_dynamic",)),
                              ("hardware_dynamic_dma", ("hardware_dynamic",))):
            ops = [op for op in self.packets if op.more["queue_type"] in kinds]
            time = length([(op.start, op.end) for op in ops])
            size = sum(op.more["size"] for op in ops)
            out.update({prefix + "_active_time": seconds(time),
                        prefix + "_active_time_percent": seconds(time) / self.total,
                        prefix + "_packet_count": len(ops),
                        prefix + "_packet_percent": len(ops) / len(self.packets),
                        prefix + "_size": size, prefix + "_size_percent": size / total})
        return out

    def ratios(self):
        hardware, transpose = self.flops(), self.flops(True)
        useful, traffic = hardware - transpose, self.bytes("read") + self.bytes("write")
        peak = self.cores * CORE_FLOPS
        mfu, ceiling = useful / (self.total * peak), min(1, useful / traffic * BANDWIDTH / peak)
        return {"hardware_flops": hardware, "transpose_flops": transpose, "model_flops": 0,
                "hfu_estimated_percent": hardware / (self.total * peak),
                "mfu_inst_estimated_percent": mfu, "mfu_estimated_percent": mfu,
                "mfu_hlo_estimated_percent": 0,
                "mfu_inst_max_achievable_estimated_percent": ceiling,
                "mfu_max_achievable_estimated_percent": ceiling,
                "mfu_hlo_max_achievable_estimated_percent": 0,
                "mm_arithmetic_intensity": useful / traffic,
                "peak_flops_bandwidth_ratio": CORE_FLOPS / BANDWIDTH,
                "mbu_estimated_percent": traffic / self.total / BANDWIDTH,
                "mbu_min_read_util_percent": self.spec["inputs"] / self.total / BANDWIDTH}

    def throttle_summary(self):
        out = {}
        for core in sorted({row["core"] for row in self.ham}):
            windows = [row for row in self.ham if row["core"] == core]
            overall = 0
            for kind in (0, 1):
                rows = [row for row in windows if row["type"] == kind]
                time = sum(row["duration"] for row in rows)
                share = seconds(time) / self.total
                limit = (sum(row["duration"] * row["k"] / row["n"] for row in rows) / time
                         if rows else 0)
                overall += share * limit
                out["throttle_activity_%d_active_time_nc%d_percent" % (kind, core)] = share
                out["throttle_activity_%d_avg_util_limit_nc%d_percent" % (kind, core)] = limit
            out["throttle_avg_util_limit_nc%d_percent" % core] = overall
            out["throttle_active_nc%d_time_ns" % core] = sum(
                row["duration"] for row in windows if row["k"] < row["n"])
        return out

    def summary(self):
        spec, everything = self.spec, []
        for engine in ENGINES + ("dma",):
            everything += [(start, end) for _, start, end in active_rows(self.program, engine)]
        active = length(everything)
        out = {"total_time": self.total, "total_active_time": seconds(active),
               "total_active_time_percent": seconds(active) / self.total,
               "neuroncore_cycle_count": int(self.total * BASE_CLOCK * 1e9),
               "hbm_read_bytes": self.bytes("read"), "hbm_write_bytes": self.bytes("write"),
               "sbuf_read_bytes": spec.get("sbuf_read", self.bytes("read") // 20),
               "sbuf_write_bytes": spec.get("sbuf_write", self.bytes("read") + 11264),
               "psum_read_bytes": spec.get("psum_read", 89088),
               "psum_write_bytes": spec.get("psum_write", 118784),
               "inputs_and_weights_size_bytes": spec["inputs"],
               "inputs_outputs_weights_size_bytes": spec["inputs"] + spec["outputs"],
               "weight_size_bytes": spec.get("weights", 0),
               "event_count": sum(self.events),
               "trace_count": len(self.instructions) + len(self.packets) + sum(self.events),
               "cc_op_count": 0, "cc_op_time": 0, "cc_op_active_time": 0,
               "cc_op_active_time_percent": 0,
               "instance_type": "trn2.3xlarge", "nd_idx": 0, "nc_idx": 4,
               "profiler_version": spec.get("profiler", "2.28.0.0%samples"),
               "compiler_version": spec.get("compiler", "2.23.0.0+samples"),
               "runtime_version": "2.30.0 (samples)", "driver_version": "2.26.0 ()",
               "collectives_version": "2.30.0 ()"}
        for key in ("spill_save", "spill_reload"):
            size = sum(op.more["size"] for op in self.packets if op.more["variable"] == key)
            if size:
                out[key + "_bytes"] = size
        for part in (self.ratios(), self.engine_summary(), self.dma_summary(),
                     self.throttle_summary()):
            out.update(part)
        return self.record(out)

    def layer(self, core):
        """One row of layer_summary: everything one physical core did."""
        ops = [op for op in self.instructions if op.core == core]
        start, end = min(op.start for op in ops), max(op.end for op in ops)
        row = {"name": "/sg%02d" % core, "fully_qualified_subgraph": "/sg%02d" % core,
               "start": start, "end": end, "duration": end - start,
               "tensor_engine_flop_count": self.flops(core=core),
               "tensor_engine_model_flop_count": self.flops(core=core) - self.flops(True, core)}
        for engine in ENGINES:
            time = sum(e - s for c, s, e in active_rows(self.program, engine) if c == core)
            row[engine + "_engine_active_time"] = time
            row[engine + "_engine_active_percent"] = round(time / (end - start), 8)
            row[engine + "_engine_instruction_count"] = len([op for op in ops
                                                             if op.engine == engine])
        return row

    def model(self, core):
        """One row of model_info: the counts of one physical core."""
        ops = [op for op in self.instructions if op.core == core]
        packets = [op for op in self.packets if op.core == core]
        row = {"sg_name": "sg%02d" % core, "nd_idx": 0, "nc_idx": 4 + core,
               "neuroncore_cycle_count": int(self.spec["ends_ps"][core] * BASE_CLOCK / 1000),
               "event_count": self.events[core], "dma_queue_count": 16,
               "trace_count": len(ops) + len(packets) + self.events[core]}
        for engine in ENGINES:
            row[engine + "_engine_instruction_count"] = len([op for op in ops
                                                             if op.engine == engine])
        return row

    def sections(self):
        spec, cores = self.spec, range(self.cores)
        active = [{"engine": engine, "start_ts": start, "end_ts": end, "duration_ns": end - start,
                   "pcore_idx": core, "subgraph": "sg%02d" % core}
                  for engine in ENGINES for core, start, end in active_rows(self.program, engine)]
        usage = (("Tensor Instructions", 34816), ("Weights", spec.get("weights", 0)),
                 ("IO", 8), ("DRAM Spill", 0), ("Profiler Buffers", 2147483648))
        return {
            "summary": [self.summary()],
            "metadata": self.rows([{
                "data_version": 8, "ntff_version": 6, "is_simulation": False, "pe_num_rows": ROWS,
                "pe_num_cols": COLUMNS, "pe_clock_freq": CLOCK, "pe_clock_others": BASE_CLOCK,
                "hbm_ddr_bandwidth": BANDWIDTH, "dma_ddr_bandwidth": 435000000000,
                "num_physical_cores": self.cores, "num_subgraphs": self.cores,
                "vnc_enabled": self.cores > 1, "ticks_per_nanosec": 1000,
                "first_ts": "1970-01-01T00:00:00Z", "first_hw_timestamp": 0,
                "last_ts": "1970-01-01T00:00:00.%09dZ" % self.total_ns,
                "last_hw_timestamp": self.total_ns,
                "total_point_count": len(self.instructions) + len(self.packets) + len(active)}]),
            "instruction": self.rows(self.instruction(op, pc)
                                     for pc, op in enumerate(self.instructions)),
            "dma": self.rows(self.packet(op) for op in self.packets),
            "active_time": self.rows(active),
            "ham": self.rows({"timestamp": row["start"], "duration": row["duration"],
                              "k": row["k"], "n": row["n"], "type": row["type"],
                              "subgraph": "sg%02d" % row["core"]} for row in self.ham),
            "layer_summary": self.rows(self.layer(core) for core in cores),
            "model_info": self.rows(self.model(core) for core in cores),
            "nc_mem_usage": self.rows({"nd": 0, "nc": 4 + core, "usage_type": name,
                                       "amount_bytes": size}
                                      for core in cores for name, size in usage),
            "semaphore_update": self.rows({"id": str(i % 7), "value": 1 + i // 7,
                                           "timestamp": op.end,
                                           "subgraph": "sg%02d" % op.core}
                                          for i, op in enumerate(self.instructions[::9])),
            "neff_header": self.rows([{"network_name": spec["name"] + ".neff",
                                       "uuid": self.random.hex(32), "hash": self.random.hex(32),
                                       "package_version": "2", "header_size": "1024",
                                       "number_of_neuroncores_per_lnc": str(self.cores)}]),
            "neff_node": self.rows({"type": role, "format": "NC", "variable_name": name,
                                    "shape": shape, "size": str(size), "sg_name": ""}
                                   for name, role, shape, size in spec["tensors"]),
            "warnings": self.rows({"category": "Missing Data", "message": text}
                                  for text in spec.get("warnings", [])),
            "profile_info": self.rows([{"profile_name": spec["name"], "profile_type": "normal",
                                        "cc_only": False, "neff_name": spec["name"] + ".neff",
                                        "ntff_filename": spec["name"] + ".ntff",
                                        "profiler_version": spec.get("profiler",
                                                                     "2.28.0.0%samples")}]),
            "terminology": [{"total_time": "Time of the execution on the device.",
                             "hardware_flops": "All that the PE array multiplied and added."}],
        }

    def text(self):
        sections = self.sections()
        return json.dumps({key: sections[key] for key in self.random.shuffled(sections)},
                          separators=(",", ":"))


# The invented kernels.

NO_HLO = ("The NEFF has no HLO statistics: model_flops is absent, use hardware_flops less "
          "transpose_flops.")


def mlp_program(seed, shape):
    """hidden [128 1024] through gate, up and down projections, split over two cores."""
    program = Program(seed, 2)
    program.prologue()
    done = {}
    for core in range(2):
        hidden = program.dma(core, 131072, shape["packet"], "read", "data", "hidden")
        weights = []
        for part in range(shape["parts"]):
            weights.append(program.dma(core, shape["weights"] // shape["parts"], shape["packet"],
                                       "read", "software_dynamic" if part % 3 else "data",
                                       "weights"))
        for _ in range(shape["transposes"]):
            program.matmul(core, shape["transpose_moving"], hidden[-1:], transpose=True, line=31)
        last = []
        for part in range(shape["parts"]):
            for index in range(shape["matmuls"] // shape["parts"]):
                result = program.matmul(core, shape["moving"], weights[part][-1:], line=48 + part)
                if index % 2:
                    copied = program.op(core, "vector", "TENSOR_TENSOR", 330, [result], line=61)
                    gated = program.op(core, "scalar", "ACTIVATE", 280, [result], line=60)
                    last = [program.op(core, "vector", "COPY", 170, [copied, gated], line=64)]
            program.op(core, "gpsimd", "DMA_DIRECT2D", 400, weights[part][:1])
            program.op(core, "sync", "DMA_DIRECT2D", 330, weights[part][-1:])
        done[core] = program.dma(core, 131072, shape["packet"], "write", "output", "output", last)
    program.epilogue(done)
    return program


def mlp(name, shape, total_ps, ends_ps, targets, instructions=None, **more):
    program = mlp_program(name, shape)
    fit(program, [ps // 1000 for ps in ends_ps], targets)
    present = len([op for op in program.ops if op.engine != "dma"])
    add_waits(program, (instructions or present + 60) - present)
    spec = {"name": name, "file": "mlp.py", "ends_ps": ends_ps, "inputs": 3407872,
            "outputs": 262144, "weights": 3145728, "warnings": [NO_HLO],
            "tensors": [("hidden", "IN", "[128 1024]", 262144),
                        ("gate_weights", "WEIGHT", "[1024 512]", 1048576),
                        ("up_weights", "WEIGHT", "[1024 512]", 1048576),
                        ("down_weights", "WEIGHT", "[512 1024]", 1048576),
                        ("output", "OUT", "[128 1024]", 262144)]}
    spec.update(more)
    return Profile(program, total_ps, spec)


def mlp_nkilib():
    """hardware_flops 427,819,008 = 2 (48 x 128x128x256 + 24 x 128x128x32)."""
    shape = {"packet": 4096, "weights": 3145728, "parts": 6, "transposes": 12,
             "transpose_moving": 32, "matmuls": 24, "moving": 256}
    targets = {"tensor": 20700, "vector": 9377, "scalar": 6530, "gpsimd": 4740, "sync": 3920,
               "dma": 20457}
    return mlp("mlp-nkilib", shape, 45256596, (42002434, 45256596), targets, instructions=769,
               events=[513, 512], sbuf_read=326656, sbuf_write=6564864)


def mlp_neuronxcc():
    shape = {"packet": 16384, "weights": 2621440, "parts": 4, "transposes": 2,
             "transpose_moving": 128, "matmuls": 16, "moving": 384}
    targets = {"tensor": 14660, "vector": 7214, "scalar": 5103, "gpsimd": 3366, "sync": 2790,
               "dma": 19800}
    return mlp("mlp-neuronxcc", shape, 39360118, (38011205, 39360118), targets,
               file=None, compiler="2.23.1.0+samples")


def softmax_block(program, core, columns, scores, line):
    """One 128-row block of softmax(scores) V over `columns` keys; gives its last operations."""
    peak = program.op(core, "vector", "TENSOR_REDUCE", 60 + columns / 1.2, [scores], line=line)
    exp = program.op(core, "scalar", "ACTIVATE", 90 + columns / 1.3, [peak], line=line + 2)
    total = program.op(core, "vector", "TENSOR_REDUCE", 40 + columns / 2, [exp], line=line + 3)
    program.op(core, "vector", "RECIPROCAL", 70, [total], line=line + 4)
    return exp, total


def attention_fused(seed, cores, s, reload_tiles=False, prefetch=True):
    """softmax(Q K^T) V a row block at a time: the scores never leave the chip."""
    program = Program(seed, cores)
    program.prologue()
    done = {}
    size = s * 128 * 2
    for core in range(cores):
        keys = program.dma(core, size, 8192, "read", "data", "k")
        values = program.dma(core, size, 8192, "read", "data", "v") if prefetch else keys
        written, last = [], []
        ahead = None
        for tile in range(s // 128):
            query = program.dma(core, size // (s // 128), 8192, "read", "hardware_dynamic", "q",
                                () if prefetch else last)
            if not prefetch and tile == 0:
                values = program.dma(core, size, 8192, "read", "data", "v", query)
            if reload_tiles and tile:
                program.dma(core, size // 2, 16384, "write", "software_dynamic", "spill_save",
                            last)
                keys = program.dma(core, size // 2, 16384, "read", "software_dynamic",
                                   "spill_reload", last)
                values = program.dma(core, size, 16384, "read", "software_dynamic", "v", keys)
            scores = ahead or program.matmul(core, s, query[-1:] + keys[-1:], line=88)
            exp, total = softmax_block(program, core, s, scores, 92)
            if prefetch and tile + 1 < s // 128:
                ahead = program.matmul(core, s, query[-1:] + keys[-1:], line=88)
            for block in range(s // 128):
                turned = program.matmul(core, 128, [exp], transpose=True, line=101)
                moved = program.op(core, "vector" if block % 2 else "scalar", "COPY", 120,
                                   [turned], line=102)
                out = program.matmul(core, 128, [moved] + values[-1:], line=104)
            scaled = program.op(core, "vector", "TENSOR_SCALAR", 190, [out, total], line=108)
            program.op(core, "gpsimd", "DMA_DIRECT2D", 260, [scaled])
            program.op(core, "sync", "DMA_DIRECT2D", 200, [scaled])
            last = [scaled]
            written = program.dma(core, size // (s // 128), 8192, "write", "hardware_dynamic",
                                  "out", last)
        done[core] = written
    program.epilogue(done)
    return program


def attention_baseline(seed, cores, s):
    """The same in three passes over HBM: scores, softmax, product with V."""
    program = Program(seed, cores)
    program.prologue()
    done = {}
    size, row = s * 128 * 2, 128 * s * 2
    for core in range(cores):
        keys = program.dma(core, size, 8192, "read", "data", "k")
        query = program.dma(core, size, 8192, "read", "data", "q")
        stored, softened, written = [], [], []
        for _ in range(s // 128):
            scores = program.matmul(core, s, keys[-1:] + query[-1:], line=41)
            copied = program.op(core, "vector", "COPY", 60 + s / 1.5, [scores], line=43)
            stored.append(program.dma(core, row, 16384, "write", "software_dynamic", "scores",
                                      [copied]))
        barrier = stored[-1][-1:]
        for _ in range(s // 128):
            loaded = program.dma(core, row, 16384, "read", "software_dynamic", "scores", barrier)
            exp, total = softmax_block(program, core, s, loaded[-1], 55)
            scaled = program.op(core, "vector", "TENSOR_SCALAR", 60 + s / 1.5, [exp, total], line=60)
            softened.append(program.dma(core, row, 16384, "write", "software_dynamic", "softmax",
                                        [scaled]))
        barrier = softened[-1][-1:]
        values = program.dma(core, size, 8192, "read", "data", "v", barrier)
        for _ in range(s // 128):
            loaded = program.dma(core, row, 16384, "read", "software_dynamic", "softmax", barrier)
            for _ in range(s // 128):
                turned = program.matmul(core, 128, loaded[-1:], transpose=True, line=74)
                moved = program.op(core, "scalar", "COPY", 120, [turned], line=75)
                out = program.matmul(core, 128, [moved] + values[-1:], line=77)
            copied = program.op(core, "vector", "COPY", 150, [out], line=80)
            program.op(core, "gpsimd", "DMA_DIRECT2D", 260, [copied])
            program.op(core, "sync", "DMA_DIRECT2D", 200, [copied])
            written = program.dma(core, size // (s // 128), 8192, "write", "hardware_dynamic",
                                  "out", [copied])
        done[core] = written
    program.epilogue(done)
    return program


def attention(name, program, s, total_ps, times, waits=24, **more):
    """`times` in ns: tensor, vector, scalar, gpsimd, sync, dma."""
    cores = program.cores
    ends = [total_ps - core * 913000 for core in range(cores)]
    fit(program, [ps // 1000 for ps in ends], dict(zip(ENGINES + ("dma",), times)))
    add_waits(program, waits)
    size = cores * s * 128 * 2
    tensors = [(tensor, role, "[%d %d 128]" % (cores, s), size)
               for tensor, role in (("q", "IN"), ("k", "IN"), ("v", "IN"), ("out", "OUT"))]
    spec = {"name": name, "file": "attention.py", "ends_ps": ends, "inputs": 3 * size,
            "outputs": size, "tensors": tensors, "warnings": [NO_HLO]}
    spec.update(more)
    return Profile(program, total_ps, spec)


def attention_params(variant, h, s):
    return {"kernel": "attention", "variant": variant, "dtype": "bf16", "b": 1, "h": h, "s": s,
            "d": 128}


def throttling(total_ns):
    """Full rate, then half rate while the array is too busy, then full rate again."""
    first = total_ns // 3
    return [{"core": 0, "start": first, "duration": 3413, "k": 8, "n": 8, "type": 0},
            {"core": 0, "start": first + 3414, "duration": 4096, "k": 4, "n": 8, "type": 1},
            {"core": 0, "start": first + 7511, "duration": 3413, "k": 8, "n": 8, "type": 0}]


# What the six commits of samples/history did: total ps and active ns at s=256 and s=512.
HISTORY = (
    ("01", {}, {256: (21480311, (4620, 3310, 2930, 1690, 1420, 3950)),
                512: (41202507, (12460, 8780, 7940, 2510, 2130, 7720))}),
    ("02", {}, {256: (21456894, (4620, 3306, 2932, 1690, 1421, 3938)),
                512: (41168220, (12460, 8770, 7944, 2510, 2131, 7698))}),
    ("03", {"prefetch": True}, {256: (17322671, (4620, 3290, 2910, 1650, 1404, 3890)),
                                512: (33101406, (12460, 8740, 7930, 2480, 2110, 7630))}),
    ("04", {"prefetch": True}, {256: (17311938, (4620, 3288, 2912, 1648, 1402, 3884)),
                                512: (33074119, (12460, 8736, 7936, 2482, 2112, 7622))}),
    ("05", {"prefetch": True, "reload": True},
     {256: (17330544, (4620, 3294, 2908, 1652, 1406, 3896)),
      512: (39027460, (12460, 8762, 7942, 2604, 2208, 17480))}),
    ("06", {"prefetch": True}, {256: (17308217, (4620, 3286, 2910, 1650, 1402, 3880)),
                                512: (33058871, (12460, 8738, 7930, 2480, 2110, 7616))}),
)


class Writer:
    def __init__(self, root):
        self.root = root

    def write(self, path, data):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())

    def json(self, path, value):
        self.write(path, json.dumps(value) + "\n")

    def gzip(self, path, text):
        self.write(path, gzip.compress(text.encode(), 9, mtime=0))


def write_history(writer):
    """Each step measured three times, 0.2 % apart: the first plain, the repeats gzipped. What gets
    slower was measured three times more on another day."""
    for step, change, shapes in HISTORY:
        for s, (total, times) in shapes.items():
            repeats = (1, 2, 3, 4, 5, 6) if change.get("reload") and s == 512 else (1, 2, 3)
            for repeat in repeats:
                folder = "history/%s%s/attention-s%d/" % (step, "-again" * (repeat > 3), s)
                writer.json(folder + "params.json", attention_params("fused", 1, s))
                seed = "history-%s-%d-%d" % (step, s, repeat)
                noise = Random(seed)
                program = attention_fused("history-%d" % s, 1, s,
                                          reload_tiles=change.get("reload", False) and s == 512,
                                          prefetch=change.get("prefetch", False))
                program.random = Random(seed)
                profile = attention(
                    "attention-s%d" % s, program, s, int(total * noise.around(0.002)),
                    [int(time * noise.around(0.001)) for time in times], waits=10)
                if repeat in (1, 4):
                    writer.write(folder + "profile.json", profile.text())
                else:
                    writer.gzip(folder + "repeat-%d.json.gz" % repeat, profile.text())


def write_session(writer):
    rows = (("0", "0", "ND 0 NC 4", "sg00", "873", "42002434", "513", "0"),
            ("", "", "ND 0 NC 5", "sg01", "873", "45256596", "512", "0"))
    names = ("NODE ID", "EXEC TIME (NS)", "EXECUTOR", "NAME", "TRACE", "CYCLES", "EVENTS",
             "ERRORS")
    widths = [max(len(name), *(len(row[i]) for row in rows)) for i, name in enumerate(names)]
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    lines = [rule, "|" + "|".join((" " * ((width - len(name)) // 2 + 1) + name).ljust(width + 2)
                                  for name, width in zip(names, widths)) + "|", rule]
    for row in rows:
        lines.append("|" + "|".join(" %s " % (cell.ljust(width) if 2 <= i <= 3 else
                                              cell.rjust(width))
                                    for i, (cell, width) in enumerate(zip(row, widths))) + "|")
    writer.write("session.txt", "\n".join(lines + [rule]) + "\n")


def write_summaries(writer, nodes):
    random = Random("nodes")
    names = ["n_" + random.hex(40) for _ in nodes]
    text = json.dumps(dict(zip(names, nodes)), separators=(",", ":"))
    writer.write("summary.json", "WARN[0000] buffer usage is not simulated for this output format\n"
                 + text + "\n")
    lines = ["(venv) user@trn2:~/kernels$ neuron-profile view --output-format summary-text "
             "-n attention.neff -s attention.ntff",
             "WARN[0000] buffer usage is not simulated for this output format", names[1]]
    for key, value in nodes[1].items():
        lines.append("    %-43s %s" % (key, json.dumps(value).strip('"')))
    lines.append("(venv) user@trn2:~/kernels$ ")
    writer.write("summary.txt", "\n".join(lines) + "\n")


def write_malformed(writer, summary):
    def one(**change):
        return json.dumps({"summary": [dict(summary, **change)]}, separators=(",", ":"))

    good = one()
    time = json.dumps(summary["total_time"])
    writer.write("malformed/empty.json", "")
    writer.write("malformed/truncated.json", good[:len(good) * 2 // 3])
    writer.write("malformed/overflow.json", good.replace(time, "1e999"))
    writer.write("malformed/number-as-string.json", one(total_time=time))
    writer.write("malformed/bad-utf8.json", good.encode().replace(b"trn2.3", b"trn2\xff\xc3("))
    writer.write("malformed/deep-nesting.json", '{"summary":' + "[" * 2000 + "]" * 2000 + "}")
    writer.write("malformed/unknown-device.json", one(instance_type="zeta9.large"))
    writer.write("malformed/nan.json", one(mfu_estimated_percent=float("nan"),
                                           hfu_estimated_percent=float("inf")))
    writer.write("malformed/duplicate-keys.json",
                 good.replace('"total_time":', '"total_time":1.5,"total_time":'))


DEVICES = {"devices": [
    {"name": "example-gpu", "peak_tflops": {"bf16": 120.0, "fp32": 60.0}, "peak_gbps": 900.0,
     "source": "an invented device, to show the format"},
    {"name": "example-npu", "peak_tflops": {"bf16": 64.0}, "peak_gbps": 410.0,
     "source": "an invented device, to show the format"}]}


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    writer = Writer(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(here))
    for variant, profile in (("nkilib", mlp_nkilib()), ("neuronxcc", mlp_neuronxcc())):
        folder = "mlp/" if variant == "nkilib" else "mlp-neuronxcc/"
        writer.write(folder + "profile.json", profile.text())
        writer.json(folder + "params.json", {"kernel": "mlp", "variant": variant, "dtype": "bf16",
                                             "b": 1, "s": 128, "h": 1024, "i": 512})
    kernels = {}
    for variant, s, total, times in (
            ("baseline", 256, 32418220, (6940, 7120, 4480, 1720, 1500, 13260)),
            ("fused", 256, 21877403, (6260, 5390, 4410, 1700, 1430, 7180)),
            ("baseline", 512, 54871069, (17210, 17340, 11020, 2660, 2240, 27930)),
            ("fused", 512, 36914772, (15820, 13420, 11060, 2530, 2140, 12410))):
        name = "%s-s%d" % (variant, s)
        make = attention_fused if variant == "fused" else attention_baseline
        profile = attention("attention-" + name, make(name, 2, s), s, total, times,
                            ham=throttling(total // 1000) if s == 512 else [])
        kernels[name] = profile
        writer.write("attention/%s/profile.json" % name, profile.text())
        writer.json("attention/%s/params.json" % name, attention_params(variant, 2, s))
    writer.gzip("attention-fused-s512.json.gz", kernels["fused-s512"].text())
    write_summaries(writer, [kernels["baseline-s512"].summary(), kernels["fused-s256"].summary()])
    write_session(writer)
    writer.json("devices.json", DEVICES)
    write_malformed(writer, kernels["fused-s256"].summary())
    write_history(writer)
    # The other formats: make_<family>.py beside this file, each with write(writer).
    for name in sorted(os.listdir(here)):
        if name.startswith("make_") and name.endswith(".py"):
            importlib.import_module(name[:-3]).write(writer)


if __name__ == "__main__":
    main()
