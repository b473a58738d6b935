"""samples/formats/nvidia/ncu-report: native reports of Nsight Compute with invented kernels."""
import struct

from wire_writer import field, message


def sized(data):
    return struct.pack("<I", len(data)) + data


class Report:
    """Blocks that share one table of strings; each adds the names that it needs."""

    def __init__(self, version=7):
        self.names = []
        self.new = []
        self.data = b"NVR\0" + sized(message((1, version)))

    def name(self, text):
        if text not in self.names:
            self.names.append(text)
            self.new.append(text)
        return self.names.index(text)

    def metric(self, name, value, instances=()):
        kind = {str: 1, float: 3, int: 5}.get(type(value))
        content = b"" if kind is None else field(kind, value)
        return field(13, message((1, self.name(name)), (2, content)) + b"".join(
            field(3, message((1, field(5, address)), (2, field(5, count))))
            for address, count in instances))

    def block(self, results, process=4711, sources=(), ranges=(), excess=0):
        payload = b"".join(sized(one) for one in (*sources, *results, *ranges))
        header = message((1, len(sources)), (2, len(results)), (5, len(payload) + excess))
        if process:
            header += field(6, message((1, process), (2, "host.invalid"), (3, "app")))
        if ranges:
            header += field(7, len(ranges))
        if self.new:
            header += field(4, b"".join(field(1, name) for name in self.new))
            self.new = []
        self.data += sized(header) + payload


DEVICE = [("device__attribute_display_name", "NVIDIA H100 80GB HBM3"),
          ("device__attribute_compute_capability_major", 9),
          ("device__attribute_compute_capability_minor", 0),
          ("device__attribute_memory_clock_rate", 2619000),
          ("device__attribute_global_memory_bus_width", 5120)]


def rule(name, text, kind=4, speedup=None):
    items = field(1, field(1, message((1, text), (2, kind), (3, 1))))
    if speedup:
        items += field(1, field(10, message((1, speedup[0]), (2, speedup[1]))))
    return field(19, message((1, name), (2, name), (3, items), (4, "SpeedOfLight")))


def result(report, kernel, time, grid, rules=b"", extra=()):
    sizes = [field(number, message((1, x), (2, y), (3, z)))
             for number, (x, y, z) in ((9, (0, 0, 0)), (10, grid), (11, (256, 1, 1)))]
    metrics = DEVICE + [
        ("gpu__time_duration.sum", time),
        ("dram__bytes_read.sum", 25165824.0), ("dram__bytes_write.sum", 8388608.0),
        ("sm__throughput.avg.pct_of_peak_sustained_elapsed", 45.125),
        ("sm__cycles_elapsed.avg.per_second", 1.5e9),
        ("launch__registers_per_thread", 168), ("launch__func_cache_config", "CachePreferNone"),
        ("smsp__sass_branch_targets.sum", None), ("lts__t_sector_hit_rate.pct", float("nan")),
        ("sm__ops_path_tensor_src_bf16_dst_fp32.sum", 2147483648.0)]
    for op in ("hadd", "hmul", "hfma", "fadd", "fmul", "ffma", "dadd", "dmul", "dfma"):
        metrics.append(("smsp__sass_thread_inst_executed_op_%s_pred_on.sum" % op,
                        4096 if op == "ffma" else 0))
    body = b"".join(report.metric(name, value) for name, value in metrics + list(extra))
    body += report.metric("inst_executed", 24, [(0x7F8A0010, 16), (0x7F8A0020, 8)])
    return message((1, 4711), (5, "_Z4gemm"), (6, kernel.split("(")[0].split()[-1]),
                   (7, kernel), (8, 3)) + b"".join(sizes) + body + rules + field(22, 1)


GEMM = "void wgmma_gemm<128, 128>(Params)"
BOTTLENECK = ("SOLBottleneck", "Compute is more heavily utilized than Memory: look at the "
              "@section:ComputeWorkloadAnalysis:Compute Workload Analysis@ section.")
ADVICE = ("CPIStall", "On average each warp waits; see the @url:Profiling Guide:https://a.invalid/b#c@ "
          "and @ alone.")


def sample():
    """Two launches of one kernel, one of them with a metric collected twice, and one of another
    process; a source with code, which nobody keeps."""
    report = Report()
    source = message((1, 1), (2, "secret source"), (4, b"\x7fELF" + bytes(64)), (6, 0x90000))
    report.block([], sources=[source])
    rules = rule(*BOTTLENECK) + rule(*ADVICE, speedup=(1, 61.5)) + rule("Compute", "", 0) + \
        rule("SOLFPRoofline", "Only information.", 1)
    report.block([result(report, GEMM, 40960.0, (128, 1, 1), rules),
                  result(report, GEMM, 42960.0, (128, 1, 1), rules,
                         [("gpu__time_duration.sum", 45056.0)])])
    report.block([result(report, "scale_rows(float *, int)", 80000.0, (256, 2, 1))], process=4712)
    return report.data


def write(writer):
    folder = "formats/nvidia/ncu-report/"
    good = sample()
    writer.write(folder + "sample.ncu-rep", good)
    writer.write(folder + "malformed-cut.ncu-rep", good[:-100])
    empty = Report()
    empty.block([])
    writer.write(folder + "malformed-empty.ncu-rep", empty.data)
    ranges = Report()
    ranges.block([], ranges=[message((1, 1))])
    writer.write(folder + "malformed-range.ncu-rep", ranges.data)
    nameless = Report()
    body = result(nameless, GEMM, 1.0, (1, 1, 1))
    nameless.new = []
    nameless.block([body])
    writer.write(folder + "malformed-names.ncu-rep", nameless.data)
    report = Report()
    report.block([message((1, 4711))])
    writer.write(folder + "malformed-kernel.ncu-rep", report.data)
    negative = Report()
    negative.block([result(negative, GEMM, -1.0, (1, 1, 1))])
    writer.write(folder + "malformed-negative.ncu-rep", negative.data)
    longer = Report()
    longer.block([result(longer, GEMM, 1.0, (1, 1, 1))], excess=8)
    writer.write(folder + "malformed-length.ncu-rep", longer.data + bytes(8))
