"""A small writer of native Neuron traces (NTFF, versions 4 to 6) for samples and tests.

Instruction words and records are bytes; a Core has programs and traces, and a Trace puts cores
together. docs/formats/ntff.md describes what they write. Times are picoseconds from a core's origin; its
clocks turn them into the ticks of the file.
"""
import struct

TENSOR, SCALAR, GPSIMD, VECTOR, SYNC = range(5)
BF16, FP16, FP32 = 6, 7, 10
PSUM = 0x2000000                                   # behind SBUF as the engines address them
PARTITION = 0x40000                                # from one partition of SBUF to the next
SBUF_OF_DMA = {"inf2": 0xfffc0000000, "trn2": 0x802000000000}
WEIGHTS, INPUT_OUTPUT = 2, 3                       # types of DMA queues
INSTRUCTIONS, EVENTS, ERRORS, DMA, THROTTLES = 0, 1, 2, 4, 5
CLOCK_FIELDS = {TENSOR: 1, SCALAR: 2, VECTOR: 3, GPSIMD: 4, SYNC: 5, "event": 6, "throttle": 7}
MEMORY = ("generic", "pe", "act", "pool", "io", "spill", "weight", "profiler buffers")
STALE = b"what the memory held before"             # where the file holds uninitialised bytes


# Protocol buffers: a message is a list of (field, value).

def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def message(fields):
    """Whole numbers, texts or bytes, and lists as messages; zero is left out as proto3 does."""
    out = b""
    for field, value in fields:
        if isinstance(value, int):
            out += varint(field << 3) + varint(value) if value else b""
            continue
        data = message(value) if isinstance(value, list) else \
            value.encode() if isinstance(value, str) else bytes(value)
        out += varint(field << 3 | 2) + varint(len(data)) + data
    return out


# Instruction words of 64 bytes.

def word(opcode, *places):
    """Places are (offset, format of struct, numbers...)."""
    out = bytearray(64)
    out[0], out[1] = opcode, 16
    for at, form, *numbers in places:
        struct.pack_into("<" + form, out, at, *numbers)
    return bytes(out)


def pattern(at, dimensions, address, counts, steps=None):
    """An access on the chip, dense unless steps say otherwise."""
    counts = tuple(counts) + (1,) * (dimensions - len(counts))
    if steps is None:
        steps = [1]
        for count in counts[:-1]:
            steps.append(min(steps[-1] * count, 0x7fff))
    steps = tuple(steps) + (1,) * (dimensions - len(steps))
    return at, "I%dh%dH" % (dimensions, dimensions), address, *steps, *counts


def ldweights(source, columns=128, dtype=BF16, fp32_pass=0, transpose=0, rows=128):
    return word(0x01, pattern(16, 3, source, [columns], [-1]), (32, "BBB", dtype, fp32_pass,
                transpose), (38, "BB", rows, columns), (44, "BB", 15, 15))


def matmul(source, target, columns, dtype=BF16, fp32_pass=0, transpose=0, rows=128, outputs=128):
    return word(0x02, pattern(16, 3, source, [columns]), (32, "BBB", dtype, fp32_pass, transpose),
                (38, "BB", rows, outputs), (43, "BBB", 3, 15, 15),
                pattern(48, 3, target, [columns]))


def three(opcode, source, target, counts, dtype=BF16, into=BF16):
    """ACTIVATE (0x21), TENSOR_SCALAR (0x43)."""
    return word(opcode, pattern(16, 3, source, counts), (32, "BBB", dtype << 4 | dtype, into, 128),
                pattern(48, 3, target, counts))


def four(opcode, source, target, counts, results=None, dtype=BF16, into=BF16):
    """TENSOR_REDUCE (0x42), COPY (0x46), CAST (0x47), RECIPROCAL (0x48)."""
    return word(opcode, pattern(12, 4, source, counts), (32, "BBB", dtype, into, 128),
                pattern(44, 4, target, results or counts))


def dma_direct(source, target, rows, row_bytes, semaphore=20, result_bytes=None):
    """DMA_DIRECT2D: rows of `row_bytes`, one element each and one for each partition of SBUF;
    with a cast they arrive larger."""
    result_bytes = result_bytes or row_bytes
    steps = [PARTITION if any(0 <= address - sbuf < PSUM for sbuf in SBUF_OF_DMA.values()) else
             size for address, size in ((source, row_bytes), (target, result_bytes))]
    return word(0xb8, (13, "BB", semaphore, 16), (16, "QII", source, steps[0], 0),
                (32, "HHI", rows, 1, row_bytes), (40, "QII", target, steps[1], 0),
                (56, "HHH", rows, 1, result_bytes), (62, "BB", BF16,
                BF16 if result_bytes == row_bytes else FP32))


def tensor(index, offset=0):
    """The address of an input or output tensor by its place in the kernel's table."""
    return 0x20 << 56 | index << 32 | offset


def notify(hint):
    return word(0xa6, (36, "B", hint))


def wait_for(semaphore, value):
    return word(0xa0, (4, "BB", 5, semaphore), (8, "I", value))


# Records of 16 bytes.

def instruction_record(kind, engine, address, raw, wait=0, hint=0):
    """kind 0 begin, 1 end, 2 note of a software queue; address of the word / 64."""
    key = address & 0xfffff | hint << 20
    rest = (0xffff, 0xffff) if kind == 1 else (0, wait)
    return struct.pack("<IHHQ", key | (0x80 | engine + 1 << 2 | kind) << 24, *rest, raw)


def event_record(number, op, value, raw, source=1, semaphore=1):
    return struct.pack("<BBBBIQ", number, semaphore, op, 0x83 | source << 2, value, raw)


def dma_record(kind, engine, ring, raw, size=0, crc=0):
    """kind 1 begin, 5 the data has arrived, 6 all done."""
    return struct.pack("<IBBHQ", size | (0x80 | engine) << 24, ring << 4 | kind, 0, crc, raw)


def throttle_record(k, n, kind, raw):
    return struct.pack("<BBBBBBHQ", 14, 7, n, 0x9e, k, kind, 0, raw)


# The file.

class Clock:
    def __init__(self, base=0, den=1, num=1):
        self.base, self.den, self.num = base, den, num

    def raw(self, ps):
        """The first tick that is not before."""
        return self.base - (-ps * self.den) // self.num

    def fields(self):
        return [(1, self.base), (2, self.den), (3, self.num)]


class Core:
    """One physical core. clocks: by engine, "event", "throttle" and "dma" (a list of 16)."""

    def __init__(self, name="sg00", nc=0, origin=0, clocks=None, addresses=None):
        self.name, self.nc, self.origin, self.duration = name, nc, origin, 0
        self.clocks = {unit: Clock() for unit in CLOCK_FIELDS}
        self.clocks["dma"] = [Clock() for _ in range(16)]
        self.clocks.update(clocks or {})
        self.addresses = addresses or {e: 0x3c0228000 + 0x8000 * e for e in range(5)}
        self.programs = {engine: [] for engine in range(5)}
        self.queues, self.memory, self.extra = [], {}, []
        self.patches, self.extra_segments = [], []
        self.instructions, self.events, self.throttles = [], [], []    # (ps, record)
        self.transfers = {}                                            # by DMA engine

    def add(self, engine, instruction):
        """Appends a word to a program; its pc."""
        self.programs[engine].append(instruction)
        return len(self.programs[engine]) - 1

    def begin(self, engine, pc, ps, wait=0, hint=0, kind=0):
        raw = self.clocks[engine].raw(self.origin + ps)
        address = (self.addresses[engine] >> 6) + pc
        self.instructions.append((ps, instruction_record(kind, engine, address, raw, wait, hint)))

    def end(self, engine, pc, ps, hint=0):
        self.begin(engine, pc, ps, hint=hint, kind=1)

    def run(self, engine, instruction, begin, end, wait=0, hint=0):
        pc = self.add(engine, instruction)
        self.begin(engine, pc, begin, wait, hint)
        self.end(engine, pc, end, hint)
        return pc

    def transfer(self, engine, ring, begin, end, size, crc=0):
        clock = self.clocks["dma"][engine & 15]
        for kind, ps in ((1, begin), (5, end), (6, end + 9000)):
            record = dma_record(kind, engine, ring, clock.raw(self.origin + ps),
                                size if kind == 5 else 0, crc if kind == 5 else 0)
            self.transfers.setdefault(engine, []).append((ps, record))

    def event(self, number, op, value, ps, **more):
        raw = self.clocks["event"].raw(self.origin + ps)
        self.events.append((ps, event_record(number, op, value, raw, **more)))

    def throttle(self, k, n, kind, ps):
        raw = self.clocks["throttle"].raw(self.origin + ps)
        self.throttles.append((ps, throttle_record(k, n, kind, raw)))

    def add_queue(self, name, kind, ring, engines=range(16)):
        """One entry for each DMA engine, as they are counted over the chip."""
        first = 16 * (self.nc & ~1)
        self.queues += [[(1, first + e), (2, ring), (3, kind), (4, name), (5, 2**64 - 1), (6, e),
                         (7, e % 4), (8, [(1, 2), (2, 1), (3, 64), (4, 64)])] for e in engines]

    def segments(self):
        """(type, subtype, index, bytes). DMA is grouped by engine, the rest in order of time."""
        def ordered(rows):
            return b"".join(record for _, record in sorted(rows, key=lambda row: row[0]))
        moved = b"".join(ordered(rows) for _, rows in sorted(self.transfers.items()))
        return [(INSTRUCTIONS, 0, 0, ordered(self.instructions)), (EVENTS, 0, 0,
                ordered(self.events)), (ERRORS, 0, 0, b""), (DMA, 1, 0, moved),
                (THROTTLES, 0, 0, ordered(self.throttles))] + self.extra_segments


class Trace:
    def __init__(self, version, instance, cores, uuid=bytes(range(1, 17)), window=None):
        self.version, self.instance, self.cores = version, instance, cores
        self.uuid, self.window, self.extra = uuid, window, []
        self.edit = lambda segments: None         # changes the rows of the segment table
        self.data = bytearray()

    def place(self, data):
        self.data += data
        return len(self.data) - len(data)

    def programs(self, core):
        out = []
        for engine in range(5):
            code = b"".join(core.programs[engine])
            where = [(7, self.place(code)), (8, len(code))] if self.version > 5 else [(3, code)]
            out.append((4, [(1, engine), (2, core.addresses[engine])] + where))
        return out

    def segment_table(self):
        """Rows of field numbers and values, by core."""
        table = [[{1: kind, 3: subtype, 4: index, 5: self.place(data), 6: len(data),
                   7: core.nc if self.version > 5 else 0}
                  for kind, subtype, index, data in core.segments()] for core in self.cores]
        self.edit(table)
        return [[sorted(row.items()) for row in rows] for rows in table]

    def core_fields(self, core, programs, segments):
        fields = [(1, core.name), (3, core.nc)] + programs
        fields += [(5, [(1, engine), (2, [(1, 64 * at), (2, count), (3, kind)])])
                   for engine, at, count, kind in core.patches]
        fields += [(6, row) for row in segments if self.version < 6]
        fields += [(7, queue) for queue in core.queues]
        clocks = [(number, core.clocks[unit].fields()) for unit, number in CLOCK_FIELDS.items()
                  if core.clocks[unit]] + [(8, clock.fields()) for clock in core.clocks["dma"]]
        fields.append((10, clocks))
        fields += [(11, [(2, core.memory.get(name, 0))] +
                    ([(3, name)] if self.version > 4 else [])) for name in MEMORY]
        return fields + [(14, core.duration)] + core.extra

    def bytes(self):
        self.data = bytearray()
        programs = [self.programs(core) for core in self.cores]
        table = self.segment_table()
        cut = self.uuid.split(b"\0")[0]           # copied as a C string, and what lay behind it
        copied = cut if len(cut) < 16 else cut + b"\x7f\x01"
        cores = [(1, self.core_fields(*parts)) for parts in zip(self.cores, programs, table)]
        header = [(1, "/home/kim/mlp.neff"), (2, copied), (3, 10001),
                  (4, [(4, cores)] + ([(5, self.uuid)] if self.version > 5 else [])),
                  (5, 1 if len(self.cores) < 2 else 2)]
        header += [(7, 1750000000)] if self.version == 4 else []
        header += [(8, [(1, 2), (2, 29), (3, 40), (5, "f954c" + "0" * 35)]), (9, self.instance),
                   (10, 2), (11, [(1, 2), (2, 25), (3, 4)]), (12, [(1, 2), (2, 29), (3, 41)])]
        header += [(13, [(1, group), (2, kind), (3, 1 << 20)]) for group in (0, 1)
                   for kind in (0, 1, 2, 4)]
        header += [(14, [(4, 0xffffffff)])] if self.version > 4 else []
        if self.window:
            header.append((15, [(1, copied), (2, self.window[0]), (3, self.window[1])]))
        header += [(16, row) for rows in table for row in rows if self.version > 5]
        header += [(17, "i-0123456789abcdef0"), (18, 4711)] if self.version > 5 else []
        head = message(header + self.extra)
        start = bytes([self.version]) + struct.pack("<Q", len(head))
        return start + (STALE * 5)[:128 - len(start)] + head + bytes(self.data)

