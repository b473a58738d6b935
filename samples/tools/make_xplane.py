"""samples/formats/frameworks/xplane: XPlane files of JAX with invented programs."""
import json

from wire_writer import field, message, varint


class Plane:
    def __init__(self, name):
        self.name, self.lines, self.events, self.stats, self.own = name, [], [], [], []

    def stat(self, name, value, number):
        """A stat as the field `number`; ("ref", text) refers to a text among the stats' names."""
        kind, value = (7, self.stat_id(value[1])) if isinstance(value, tuple) else (
            {float: 2, int: 3, str: 5, bytes: 6}[type(value)], value)
        return field(number, message((1, self.stat_id(name)), (kind, value)))

    def stat_id(self, name):
        if name not in self.stats:
            self.stats.append(name)
        return self.stats.index(name) + 1

    def event(self, name, shown="", **stats):
        """Metadata of an event; its id."""
        content = message((1, len(self.events) + 1), (2, name))
        if shown:
            content += field(4, shown)
        content += b"".join(self.stat(key, value, 5) for key, value in stats.items())
        self.events.append(content)
        return len(self.events)

    def line(self, name, events):
        """(id of the metadata, start, duration, stats), times in ps"""
        content = message((1, len(self.lines) + 1), (2, name), (3, 1000))
        for which, start, duration, stats in events:
            content += field(4, message((1, which), (2, start), (3, duration)) + b"".join(
                self.stat(key, value, 4) for key, value in stats.items()))
        self.lines.append(content)

    def data(self, number=0):
        own = b"".join(self.stat(key, value, 6) for key, value in self.own)
        maps = b"".join(field(which, message((1, at + 1), (2, one)))
                        for which, ones in ((4, self.events), (5, [
                            message((1, at + 1), (2, name)) for at, name in enumerate(self.stats)]))
                        for at, one in enumerate(ones))
        return field(1, message((1, number + 1), (2, self.name)) + b"".join(
            field(3, line) for line in self.lines) + maps + own)


def accesses(read, written, on_chip=0):
    parts = [(kind, space, size) for kind, space, size in
             ((1, 1, read), (2, 1, written), (1, 3, on_chip)) if size]
    return b"".join(field(1, message((1, kind), (2, space), (3, size)))
                    for kind, space, size in parts)


def tpu(chip):
    """A step with a matmul, a copy that is waited for, and a second program of the same name."""
    plane = Plane("/device:TPU:%d" % chip)
    plane.own = [("device_type_string", "TPU v5 Lite"), ("peak_teraflops_per_second", 197.0),
                 ("peak_hbm_bw_gigabytes_per_second", 819.0)]
    step, other, small = 1111222233334444, 5555666677778888, 42
    matmul = plane.event("%fusion.1 = bf16[4096,4096] fusion(...)", "fusion.1", program_id=step,
                         hlo_category="convolution fusion", flops=137438953472,
                         model_flops=137438953472, bytes_accessed=120000000,
                         memory_access_breakdown=accesses(67108864, 33554432, 16777216))
    start = plane.event("%copy-start = ...", "copy-start", program_id=step, flops=0,
                        hlo_category=("ref", "copy-start"), bytes_accessed=33554432,
                        memory_access_breakdown=accesses(33554432, 0))
    done = plane.event("%copy-done = ...", "copy-done", program_id=step, flops=0,
                       hlo_category="copy-done", bytes_accessed=33554432)
    same = plane.event("%fusion.1 = f32[8] fusion(...)", "fusion.1", program_id=other, flops=8,
                       hlo_category="loop fusion", memory_access_breakdown=accesses(32, 32))
    lost = plane.event("%add = f32[8] add(...)", "add", program_id=99, flops=8)
    modules = [plane.event("jit_step(%d)" % step), plane.event("jit_step(%d)" % other),
               plane.event("jit_init(%d)" % small)]
    later = 1000000 * chip
    plane.line("XLA Modules", [(modules[0], 0, 900000000 + later, {"run_id": 1}),
                               (modules[0], 2000000000, 910000000 + later, {"run_id": 2}),
                               (modules[1], 4000000000, 5000000, {"run_id": 3})])
    plane.line("XLA Ops", [(start, 0, 1200, {}), (matmul, 2000, 800000000 + later, {}),
                           (done, 810000000, 90000000, {}), (matmul, 2000002000, 804000000, {}),
                           (same, 4000000000, 4000000, {}), (lost, 4100000000, 1000000, {})])
    plane.line("Async XLA Ops", [(start, 0, 880000000, {})])
    plane.line("Steps", [(modules[0], 0, 1, {})])
    return plane


def shape(*sizes):
    return message((2, 16), (3, b"".join(map(varint, sizes))))


def instruction(number, name, opcode, *sizes, operands=(), more=b""):
    return field(2, message((1, name), (2, opcode), (3, shape(*sizes))) + more + message(
        (35, number), (36, b"".join(map(varint, operands)))))


def computation(number, *instructions):
    return field(3, message((1, "c%d" % number)) + b"".join(instructions) + field(5, number))


def programs():
    """The HLO of a program: a fusion with a dot, a call of a library, a convolution."""
    dot = field(30, message((1, varint(1)), (2, varint(0))))
    config = json.dumps({"gemm_backend_config": {"dot_dimension_numbers": {
        "lhs_contracting_dimensions": ["1"], "rhs_contracting_dimensions": ["0"]}}})
    call = message((28, "__cublas$gemm"), (43, config))
    fused = computation(1, instruction(1, "a", "parameter", 128, 256),
                        instruction(2, "b", "parameter", 256, 64),
                        instruction(3, "dot.1", "dot", 128, 64, operands=(1, 2), more=dot))
    entry = computation(
        2, instruction(11, "x", "parameter", 128, 256), instruction(12, "y", "parameter", 256, 64),
        instruction(13, "gemm_fusion_dot", "fusion", 128, 64, operands=(11, 12), more=field(38, varint(1))),
        instruction(14, "custom-call.2", "custom-call", 128, 64, operands=(11, 12), more=call),
        instruction(15, "convolution.3", "convolution", 128, 64, operands=(11, 12)),
        instruction(16, "loop_convert", "fusion", 128, 64, operands=(13,)))
    plane = Plane("/host:metadata")
    hlo = field(1, message((1, "jit_gemm")) + fused + entry)
    for name, data in (("jit_gemm(1)", hlo), ("jit_damaged(2)", hlo[:60])):
        plane.event(name, **{"Hlo Proto": data})
    return plane


def gpu():
    plane = Plane("/device:GPU:0")
    plane.own = [("device_vendor", "AMD"), ("clock_rate", 2100000), ("core_count", 304)]
    convert, gemm = plane.event("loop_convert_fusion.kd"), plane.event("gemm_fusion_dot")
    library, split = plane.event("Cijk_MT128x64"), plane.event("Cijk_MT64x64_splitK")
    convolution, memory = plane.event("igemm_fwd"), plane.event("MemcpyD2H")
    ran = {"program_id": 1, "hlo_op": ("ref", "gemm_fusion_dot")}
    sizes = " grid:%d,1,1 block:%d,1,1 private_mem:0 group_mem:0 occ_pct:0"
    events = [(convert, 1000, 4000000, {"kernel_details": sizes % (128, 256)}),
              (convert, 5001000, 9000000, {"kernel_details": ("ref", sizes % (256, 256))}),
              (gemm, 20000000, 30000000, dict(ran, kernel_details=sizes % (64, 512))),
              (gemm, 60000000, 34000000, dict(ran, kernel_details=sizes % (64, 512))),
              (library, 94000000, 1000000, {"kernel_details": sizes % (2, 256), "program_id": 1,
                                            "hlo_op": "custom-call.2"}),
              (split, 95000000, 1000000, {"kernel_details": sizes % (4, 256), "program_id": 1,
                                          "hlo_op": "custom-call.2"}),
              (convolution, 97000000, 1000000, {"kernel_details": sizes % (8, 256), "program_id": 1,
                                                "hlo_op": "convolution.3"}),
              (memory, 99000000, 5000000, {"memcpy_details": "kind_src:device"})]
    plane.line("Stream #16(Kernel)", events)
    plane.line("Launch Stats", [(gemm, 0, 1, {})])
    return plane


def write(writer):
    folder = "formats/frameworks/xplane/"
    host = Plane("/host:CPU")
    host.line("python", [(host.event("step"), 0, 5, {})])
    chips = tpu(0).data() + tpu(1).data(1) + host.data(2) + field(4, "worker-0")
    writer.write(folder + "args", "--set device=mi300x --set dtype=bf16\n")
    writer.write(folder + "sample-tpu.xplane.pb", chips)
    writer.write(folder + "sample-gpu.xplane.pb", host.data() + gpu().data(1) + programs().data(3))
    writer.write(folder + "malformed-cut.xplane.pb", chips[:len(chips) // 2])
    writer.write(folder + "malformed-host.xplane.pb", host.data())
    idle = Plane("/device:GPU:0")
    idle.line("Stream #1", [])
    writer.write(folder + "malformed-idle.xplane.pb", host.data() + idle.data(1))
    nameless = Plane("/device:TPU:0")
    nameless.line("XLA Ops", [(7, 0, 1000, {})])
    writer.write(folder + "malformed-nameless.xplane.pb", nameless.data())
    # Texts that were taken for UTF-8 lose their bytes.
    writer.write(folder + "malformed-replaced.xplane.pb",
                 chips.decode("utf-8", errors="replace").encode())
