"""samples/formats/neuron/ntff: native Neuron traces of an invented kernel, one tile of an MLP."""
from ntff_writer import (FP16, FP32, GPSIMD, INPUT_OUTPUT, PSUM, SBUF_OF_DMA, SCALAR, SYNC,
                         TENSOR, VECTOR, WEIGHTS, Clock, Core, Trace, dma_direct, four, ldweights,
                         matmul, notify, tensor, three, wait_for, word)

# out = act(x @ w) of 128 x 128 bf16, with x turned by the tensor engine first.

NS = 1000
X, W, TURNED, RESULT, IDENTITY = 0, 0x1000, 0x2000, 0x3000, 0x4000       # in SBUF
ROWS, ROW_BYTES = 128, 256
TENSOR_X, TENSOR_W, TENSOR_OUT = range(3)


def prologue(core, notes=-600 * NS):
    """What the runtime does before the kernel: settings, then a note that it begins."""
    for engine in range(5):
        start = notes - 900 * NS + 40 * NS * engine
        core.run(engine, word(0xa5, (12, "BB", 4, 8)), start, start + 45 * NS)
        core.run(engine, notify(2), notes + 3 * NS * engine, 0 if engine == TENSOR else -20 * NS)
        core.run(engine, word(0xb1), 30 * NS + engine * NS, 41 * NS + engine * NS)
        core.patches.append((engine, 0, 2, 0))


def epilogue(core, at):
    for engine in range(5):
        core.patches.append((engine, 2, len(core.programs[engine]) - 2, 2))
        core.run(engine, word(0xa2), at + engine * 7 * NS, at + (60 + engine) * NS)
        core.run(engine, notify(3), at + (70 + engine) * NS, at + 130 * NS)
    core.duration = at + 74 * NS + 600 * NS


def move(core, engine, ring, source, target, at, first=0, result_bytes=None):
    """A transfer that an instruction starts: its 128 rows on 16 DMA engines, 16 semaphore writes
    behind them."""
    core.run(engine, dma_direct(source, target, ROWS, ROW_BYTES, 20 + ring, result_bytes),
             at, at + 85 * NS + 400, wait=31)
    part = ROWS * (result_bytes or ROW_BYTES) // 16
    for k in range(16):
        begin = at + 700 * NS + 13 * NS * k
        core.transfer(first + k, ring, begin, begin + 410 * NS + 700 * (k % 5), part + 4,
                      0x1d0f ^ 257 * k)
        core.event(20 + ring, 0xf3, k + 1, begin + 430 * NS, source=6)


def tile(core, device, at, load, store, first=0):
    """One tile. load and store are (engine, ring) of dynamic DMA queues."""
    sbuf = SBUF_OF_DMA[device]
    flag = 1 if device == "trn2" else 0
    move(core, *load, tensor(TENSOR_X), sbuf + X, at, first)
    move(core, *load, tensor(TENSOR_W, 4096), sbuf + W, at + 300 * NS, first)
    core.run(TENSOR, wait_for(20 + load[1], 32), at + 10 * NS, at + 2000 * NS, wait=2388)
    core.run(TENSOR, ldweights(X, transpose=flag), at + 2010 * NS, at + 2064 * NS + 311)
    core.run(TENSOR, matmul(X if flag else IDENTITY, PSUM, 128, transpose=flag),
             at + 2064 * NS + 500, at + 2131 * NS)
    core.event(30, 0xf3, 1, at + 2133 * NS, source=1)
    core.run(VECTOR, four(0x46, PSUM, TURNED, [128]), at + 2150 * NS, at + 2290 * NS + 77, wait=9)
    core.run(TENSOR, ldweights(W), at + 2200 * NS, at + 2254 * NS)
    core.run(TENSOR, matmul(TURNED, PSUM + 0x800, 128), at + 2300 * NS, at + 2380 * NS, wait=40)
    core.run(SCALAR, three(0x21, PSUM + 0x800, RESULT, [128]), at + 2400 * NS, at + 2610 * NS,
             wait=20)
    core.run(VECTOR, four(0x42, RESULT, RESULT + 0x400, [128], [1], into=FP32), at + 2650 * NS,
             at + 2790 * NS)
    core.event(31, 0xf4, 0, at + 2795 * NS, source=4)
    move(core, *store, sbuf + RESULT, tensor(TENSOR_OUT), at + 2700 * NS, first)
    return at + 4300 * NS


def fractional_clocks():
    """inf2: engines tick almost in ps, DMA engines at 850 MHz, throttling at 1.4 GHz; each unit
    counts from another point."""
    clocks = {engine: Clock(455000000000000 + 3709 * engine, 731428, 731408) for engine in range(5)}
    clocks[VECTOR] = Clock(455000328000000, 914286, 914260)
    clocks["event"] = Clock(455000000131072, 731428, 731408)
    clocks["throttle"] = Clock(155609195637213, 1024, 731408)
    clocks["dma"] = [Clock(155443835122660 + k, 1024, 1204672) for k in range(16)]
    return clocks


def inf2_core(origin):
    core = Core(origin=origin, clocks=fractional_clocks())
    core.memory = {"generic": 4096, "pe": 2304, "io": 163840, "weight": 32768}
    core.add_queue("qPoolDynamic", WEIGHTS, 0)
    core.add_queue("qSPSpillReload0", WEIGHTS, 2)
    core.add_queue("qActTable", 0, 14, [1])
    return core


def inf2_story(core):
    """The identity that turns x comes by the weight queue, before anything else."""
    core.begin(SYNC, 70000, -40000 * NS)           # the runtime's own program, elsewhere
    core.end(SYNC, 70000, -39990 * NS)
    prologue(core)
    for k in range(16):
        core.transfer(k, 2, 100 * NS + k * 11 * NS, 560 * NS + k * 12 * NS, 2048, 0xbeef - k)
        core.transfer(k, 2, 101 * NS + k * 11 * NS, 580 * NS + k * 12 * NS, 4)
    core.transfer(1, 14, 20 * NS, 220 * NS, 1024, 0x5a5a)
    core.event(3, 0xf9, 0, -35000 * NS)
    end = tile(core, "inf2", 800 * NS, (GPSIMD, 0), (GPSIMD, 0))
    core.throttle(8, 8, 0, -10 * NS)
    core.throttle(4, 8, 0, 1000 * NS)
    core.throttle(0x80, 0, 0, 2000 * NS)
    core.throttle(8, 8, 1, 2400 * NS)
    epilogue(core, end)
    core.begin(SYNC, 6, end + 200 * NS)            # still running when tracing stopped


def version_4():
    core = inf2_core(7000 * NS)
    inf2_story(core)
    core.event(9, 0x00, 1, 100 * NS)
    return Trace(4, "trn1.2xlarge", [core])


def version_5_inf2():
    """The uuid has a zero byte, so the file holds only what is before it."""
    core = inf2_core(-2000 * NS)                   # it began before the clocks' base
    inf2_story(core)
    return Trace(5, "inf2.xlarge", [core], bytes.fromhex("3fa1c4d2005b4e8f9a6b7c8d9eafb0c1"))


def pair_of_cores(origin):
    cores = [Core("sg00", 4, origin), Core("sg01", 5, origin)]
    for core in cores:
        core.addresses = {engine: 0x8005c0400000 + 0x10000 * engine + 0x8000 * (core.nc & 1)
                          for engine in range(5)}
        core.memory = {"generic": 8192, "io": 131072, "tensor": 1024}
    return cores


def version_5_trn2():
    """Static queues for input and output, and a second core that begins later."""
    first, second = pair_of_cores(9988000000 * NS)
    first.add_queue("qPoolIO0", INPUT_OUTPUT, 0)
    first.add_queue("qSPIO0", INPUT_OUTPUT, 1)
    second.add_queue("qDveTable", 0, 14, [26])
    for core, late in ((first, 0), (second, 450 * NS)):
        prologue(core)
        core.run(TENSOR, notify(6), 480 * NS, 495 * NS)
        core.run(TENSOR, ldweights(W, dtype=FP16, transpose=1), 2000 * NS + late, 2054 * NS + late)
        core.run(TENSOR, matmul(X, PSUM, 128, FP16, transpose=1), 2054 * NS + late,
                 2121 * NS + late)
        core.run(TENSOR, matmul(X, PSUM + 0x400, 64, FP16), 2130 * NS + late, 2170 * NS + late)
        core.run(VECTOR, four(0x46, X, RESULT, [128]), 2400 * NS + late, 2555 * NS + late)
        epilogue(core, 4000 * NS)
    for k in range(16):
        first.transfer(k, 1, 600 * NS + k * 7 * NS, 1900 * NS + k * 9 * NS, 2052, 0x1234 + k)
        first.transfer(k, 0, 2700 * NS + k * 7 * NS, 3600 * NS + k * 9 * NS, 2052, 0x4321 + k)
    second.transfer(26, 14, 900 * NS, 1400 * NS, 4096, 0x77)
    first.event(21, 0xf3, 1, 1950 * NS, source=6)
    return Trace(5, "trn2.3xlarge", [first, second])


def version_6():
    """Everything that version 6 can have, and what no version has: an opcode and a header field
    that nobody knows."""
    first, second = pair_of_cores(2918926032000 * NS)
    for queue in (("qActDynamicHW", WEIGHTS, 0), ("qPoolDynamic", WEIGHTS, 1),
                  ("qSPDynamicHW", WEIGHTS, 2)):
        first.add_queue(*queue)
    first.add_queue("qActTable", 0, 14, [3])
    second.add_queue("qDveTable", 0, 14, [26])
    for core in (first, second):
        prologue(core)
    end = tile(first, "trn2", 800 * NS, (SCALAR, 0), (SYNC, 2))
    first.transfer(3, 1, -700 * NS, -500 * NS, 2052)      # straddles the start: its ring is lost
    move(first, GPSIMD, 1, tensor(TENSOR_W), SBUF_OF_DMA["trn2"] + W, 1500 * NS,
         result_bytes=2 * ROW_BYTES)
    note = first.add(GPSIMD, word(0x92, (16, "I", 0x1234), (40, "HH", 3, 128)))
    first.begin(GPSIMD, note, 3100 * NS, kind=2, hint=1)
    first.begin(GPSIMD, note, 3110 * NS)
    first.end(GPSIMD, note, 3190 * NS)
    for number in (1, 2, 3):                              # one product of fp32 in three passes
        at = 3500 * NS + 200 * NS * number
        first.run(TENSOR, ldweights(W, dtype=FP32, fp32_pass=number, columns=64), at, at + 60 * NS)
        first.run(TENSOR, matmul(RESULT, PSUM, 256, FP32, number, outputs=64), at + 60 * NS,
                  at + 190 * NS)
    second.run(SCALAR, three(0x21, PSUM, RESULT, [8, 16], FP32), 900 * NS, 1200 * NS)
    second.transfer(26, 14, 300 * NS, 800 * NS, 4096, 0x99)
    first.event(3, 0xf9, 0, -900 * NS)
    first.event(12, 0xf1, 1, 700 * NS, semaphore=0)
    for k, n, kind, ps in ((8, 8, 0, 100 * NS), (4, 8, 0, 1200 * NS), (8, 8, 0, 2100 * NS)):
        first.throttle(k, n, kind, ps)
    for core in (first, second):
        epilogue(core, end)
        core.begin(SYNC, 5, end + 500 * NS)
    first.extra_segments = [(kind, 2, index, b"") for index in (8, 9) for kind in (0, 2, 1)]
    start = first.origin - 590 * NS
    trace = Trace(6, "trn2.3xlarge", [first, second], window=(start, start + first.duration))
    trace.extra = [(23, [(1, 7), (2, "what a later runtime adds")])]
    return trace


def smallest(version=6, window=True):
    """A kernel of nothing but its notes."""
    core = Core(origin=5000 * NS)
    prologue(core)
    epilogue(core, 200 * NS)
    return Trace(version, "trn2.3xlarge", [core], window=(4410 * NS, 5400 * NS) if window else None)


def changed(change, version=6):
    """The smallest trace with change(row) done to the row of its instructions."""
    trace = smallest(version)
    trace.edit = lambda table: change(table[0][0])
    return trace.bytes()


def overlapping():
    trace = smallest()
    trace.edit = lambda table: table[0].append(dict(table[0][0]))
    return trace.bytes()


def without_cores():
    trace = smallest()
    trace.cores = []
    return trace.bytes()


def without_clock():
    trace = smallest(5)
    trace.cores[0].clocks[VECTOR] = None
    return trace.bytes()


def without_records():
    trace = smallest()
    trace.cores[0].instructions = []
    return trace.bytes()


def beyond_message():
    """The last field says that it is longer than the header."""
    trace = smallest()
    trace.extra = [(23, b"later")]
    return trace.bytes().replace(b"\5later", b"\6later")


SAMPLES = {"v4-unnamed-memory": version_4, "v5-inf2-fractional-clocks": version_5_inf2,
           "v5-trn2-two-cores": version_5_trn2, "v6-trn2-window": version_6}
MALFORMED = {
    "cut-in-header": lambda: smallest().bytes()[:300],
    "cut-in-trace": lambda: smallest().bytes()[:-100],
    "trace-beyond-end": lambda: changed(lambda row: row.update({5: 1 << 40})),
    "half-record": lambda: changed(lambda row: row.update({6: row[6] - 8})),
    "overlapping-traces": overlapping, "field-beyond-header": beyond_message,
    "no-core": without_cores, "no-clock": without_clock, "no-records": without_records,
    "no-window": lambda: smallest(window=False).bytes(),
}


def write(writer):
    folder = "formats/neuron/ntff/"
    for name, make in SAMPLES.items():
        writer.write(folder + "sample-%s.ntff" % name, make().bytes())
    for name, make in MALFORMED.items():
        writer.write(folder + "malformed-%s.ntff" % name, make())
    writer.write(folder + "args", "--set kernel=mlp\n")
