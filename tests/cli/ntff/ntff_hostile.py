"""Native traces that somebody made to do harm: ntff_hostile.py FOLDER writes them there, and
"ntff_hostile.py FOLDER damage" the many small ones that are only cut off or have flipped bits."""
import os
import random
import struct
import sys

sys.path.insert(0, "samples/tools")
sys.dont_write_bytecode = True
from make_ntff import SAMPLES, epilogue, prologue, smallest  # noqa: E402
from ntff_writer import (DMA, INSTRUCTIONS, PSUM, SCALAR, TENSOR, VECTOR, Clock, Core, Trace,  # noqa: E402
                         dma_record, instruction_record, matmul, message, word)

NS = 1000
INSTANCE = "trn2.3xlarge"
SPARSE = 200 * 1000 * 1000


def single(core, window=(0, 1 << 60), instance=INSTANCE, version=6):
    core.duration = core.duration or 1000 * NS
    return Trace(version, instance, [core], window=window if version > 5 else None)


def with_records(kind, subtype, data):
    """One core with the given records and nothing else."""
    core = Core()
    core.segments = lambda: [(kind, subtype, 0, data)]
    return single(core).bytes()


def instructions(data):
    return with_records(INSTRUCTIONS, 0, data)


def record(kind, time, engine=TENSOR, address=7):
    return instruction_record(kind, engine, address, time)


def pair(begin, end, engine=TENSOR):
    return record(0, begin, engine) + record(1, end, engine)


def claim(size):
    """A trace of which only the header is there."""
    trace = smallest()
    trace.edit = lambda table: table.__setitem__(0, [{1: INSTRUCTIONS, 5: 0, 6: size}])
    return trace.bytes()


def many_cores(count, name="sg"):
    cores = []
    for number in range(count):
        core = Core(name, 2 * number, 5000 * NS)
        prologue(core)
        epilogue(core, 200 * NS)
        cores.append(core)
    return Trace(6, INSTANCE, cores, window=(4410 * NS, 5400 * NS))


def overlapping():
    """A thousand traces, each one record behind the one before."""
    def edit(table):
        at = table[0][0][5]
        table[0] = [{1: INSTRUCTIONS, 5: at + 16 * (k % 4), 6: 128} for k in range(1000)]
    trace = smallest()
    trace.edit = edit
    return trace.bytes()


def rings(count, each):
    """One ring after the other has many transfers under way, and then one."""
    parts = []
    for number in range(count):
        engine, ring = number % 32, number // 32
        parts.append(dma_record(1, engine, ring, 100) * each)
        parts.append(dma_record(5, engine, ring, 200, 64) * (each - 1))
    return with_records(DMA, 1, b"".join(parts))


def scattered(count):
    """Instructions that no slice of time and no window of the program fits."""
    draw = random.Random(5)
    out = []
    for _ in range(count):
        time, address = draw.getrandbits(59), draw.getrandbits(20)
        out.append(record(0, time, address=address) + record(1, time + 1, address=address))
    core = Core()
    core.programs[TENSOR] = [word(0xa4)] * 0x4000
    core.segments = lambda: [(INSTRUCTIONS, 0, 0, b"".join(out))]
    return single(core).bytes()


def shifted(by):
    """The same execution on a device that was started so many picoseconds earlier."""
    core = Core(origin=5000 * NS + by)
    prologue(core)
    core.run(SCALAR, word(0x21), 60 * NS, 90 * NS)
    epilogue(core, 200 * NS)
    return core


def late(version, by):
    core = shifted(by)
    return single(core, (4410 * NS + by, 5400 * NS + by), version=version).bytes()


def wrapping():
    """100 instructions of 2^60 ps, which are 1.15e8 s together."""
    return instructions(pair(0, 1 << 60) * 100)


def absurd_matmul():
    core = Core(origin=5000 * NS)
    huge = bytearray(matmul(0, 0, 1, rows=255, outputs=255))
    struct.pack_into("<HHH", huge, 26, 65535, 65535, 65535)
    prologue(core)
    core.run(TENSOR, bytes(huge), 60 * NS, 90 * NS)
    epilogue(core, 200 * NS)
    return single(core, (4410 * NS, 5400 * NS)).bytes()


def squares():
    """More different square matmuls than are compared with the static weights."""
    core = Core(origin=5000 * NS)
    prologue(core)
    for number in range(300):
        core.run(TENSOR, matmul(256 * number, PSUM, 128), 60 * NS + number, 61 * NS + number)
    epilogue(core, 200 * NS)
    return single(core, instance="inf2.xlarge", version=5).bytes()


def clocks():
    """den 1 with the largest num, num 0, the largest den, and bases in the far future."""
    core = Core(clocks={TENSOR: Clock(0, 1, 2**64 - 1), SCALAR: Clock(5, 3, 0),
                        VECTOR: Clock(2**64 - 1, 2**64 - 1, 2**64 - 1)})
    core.segments = lambda: [(INSTRUCTIONS, 0, 0, b"".join(
        pair(begin, end, engine) for engine in (TENSOR, SCALAR, VECTOR)
        for begin, end in ((0, 1), (1, 2**63), (2**64 - 1, 2**64 - 2))))]
    return single(core).bytes()


def extremes():
    times = (0, 1, 2**61 - 1, 2**61, 2**62, 2**63 - 1, 2**63, 2**64 - 1)
    return instructions(b"".join(pair(a, b) for a in times for b in times))


def names():
    """Texts that are more than text where they are shown."""
    bad = "\x1b[31m<script>alert(1)</script>|`*\u202e\u00e9"
    trace = many_cores(4, bad)
    trace.cores[2].name = bad + " (1)"
    trace.cores[3].name = "\u65e5\u672c" * 100
    for core in trace.cores:
        core.add_queue(bad + "Dynamic", 3, 0)
        core.memory = {}
        core.extra = [(11, [(2, 5), (3, bad)])]
    trace.extra = [(8, [(1, 2), (2, 29), (3, 40), (5, "\u00e9\u00e9\u00e9\u00e9")])]
    return trace.bytes()


def marks():
    """Names in which nothing is a control character of ASCII, and little shows."""
    bad = "x\u009b\u200b\U000e0041\u202ey"
    trace = many_cores(2, bad)
    for core in trace.cores:
        core.add_queue(bad, 3, 0)
    return trace.bytes()


REFUSED = {
    "all-begins": lambda: instructions(record(0, 5) * 200000),
    "all-ends": lambda: instructions(record(1, 5) * 200000),
    "overlapping": overlapping,
    "wrapping": wrapping,
    "too-many-cores": lambda: many_cores(65).bytes(),
    "instance": lambda: single(shifted(0), (4410 * NS, 5400 * NS), "\x1b]0;x\x07<b>" * 20).bytes(),
    "times-of-nothing": lambda: instructions(pair(2**63, 2**63 + 5)[:16] * 4),
}
READ = {
    "cores": lambda: many_cores(64).bytes(), "names": names, "marks": marks,
    "absurd-matmul": absurd_matmul, "squares": squares, "clocks": clocks, "extremes": extremes,
    "one-time": lambda: instructions(pair(500, 500) * 100000),
    "searches": lambda: instructions(record(0, 5) * 1023 + pair(6, 7, SCALAR) +
                                     record(1, 9, address=8) * 100000),
    "scattered": lambda: scattered(30000), "rings": lambda: rings(64, 16384),
    "fresh": lambda: late(6, 0), "months": lambda: late(6, 2**63),
    "fresh-v5": lambda: late(5, 0), "months-v5": lambda: late(5, 2**63),
}


def write(folder, name, data, size=0):
    """With zeros behind the data up to a size, which take no room."""
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)
        if size:
            file.truncate(size)


def large(folder):
    """Files of which only a little is there, and headers of nothing but fields."""
    trace = claim(SPARSE)
    size = len(trace) + SPARSE
    data_at = 128 + struct.unpack_from("<Q", trace, 1)[0]
    write(folder, "large-trace.ntff", trace[:data_at], data_at + SPARSE)
    write(folder, "large-header.ntff", trace[:1] + struct.pack("<Q", size) + trace[9:200],
          size + 128)
    programs = [(4, [(1, engine), (7, 0), (8, SPARSE)]) for engine in range(5)]
    parts = [(5, [(1, engine), (2, [(1, 64 * part), (2, 1)])]) for part in range(0, 200, 2)
             for engine in range(5)]
    cores = [(1, [(1, "sg"), (3, number)] + programs + parts) for number in range(64)]
    header = message([(1, "k"), (4, [(4, cores)]), (15, [(3, 9)])])
    write(folder, "large-programs.ntff", b"\x06" + struct.pack("<Q", len(header)) + bytes(119) +
          header, 128 + len(header) + SPARSE)
    fields = b"\x0a\x01k" + b"\x98\x06\x01" * 33000000
    write(folder, "many-fields.ntff", b"\x06" + struct.pack("<Q", len(fields)) + bytes(119) +
          fields)
    queues = message([(7, [(1, number), (2, 20), (4, "q%d" % number)]) for number in range(900)])
    core = [(1, "sg"), (14, 5)]
    header = message([(1, "k"), (4, [(4, [(1, message(core) + queues)] * 64)]), (15, [(3, 9)])])
    write(folder, "many-queues.ntff", b"\x06" + struct.pack("<Q", len(header)) + bytes(119) +
          header)


def damage(folder):
    """Every other prefix of the smallest trace, and flipped bits of all."""
    whole = smallest().bytes()
    for size in range(129, len(whole), 2):
        write(folder, "cut-%05d.ntff" % size, whole[:size])
    draw = random.Random(20260301)
    for name, make in SAMPLES.items():
        whole = make().bytes()
        head = 128 + struct.unpack_from("<Q", whole, 1)[0]
        for number in range(500):
            data = bytearray(whole)
            for _ in range(draw.choice((1, 1, 2, 8))):
                at = draw.randrange(130, head if draw.random() < 0.7 else len(data))
                data[at] ^= 1 << draw.randrange(8)
            write(folder, "flip-%s-%d.ntff" % (name, number), data)


if len(sys.argv) > 2:
    damage(sys.argv[1])
else:
    for name, make in REFUSED.items():
        write(sys.argv[1], "refused-%s.ntff" % name, make())
    for name, make in READ.items():
        write(sys.argv[1], "read-%s.ntff" % name, make())
    large(sys.argv[1])
