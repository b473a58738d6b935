#!/usr/bin/env python3
"""A slow decoder of native Neuron traces: a second opinion on ingest/ntff*.c.

    python3 tests/oracle/ntff.py FILE...        prints what it finds

Everything is in memory and every number is a whole one; nothing is shared with the program but
docs/formats/ntff.md. Damaged files are not its business. decode() gives an Answer in picoseconds, bytes
and counts; answer_of() makes of it what `rooflog ingest --json` should say.
"""
import struct
import sys
from collections import defaultdict, deque
from heapq import merge
from itertools import chain

ENGINES = ("tensor", "scalar", "gpsimd", "vector", "sync")
CLOCK_OF = (1, 2, 4, 3, 5)                  # header field of each engine's clock
EVENT_CLOCK, THROTTLE_CLOCK, DMA_CLOCKS = 6, 7, 8
PSUM, PARTITION = 0x2000000, 0x40000
SBUF_OF_DMA = (0xfffc0000000, 0x802000000000)
NEVER = 1 << 61                             # ps from the start that no clock can have meant
WEIGHTS, INPUT_OUTPUT, FETCH_RING = 2, 3, 14
# Codes of data types: bytes of an element.
SIZES = {1: 8, 2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 2, 8: 4, 9: 4, 10: 4, 11: 4, 12: 8, 13: 1, 14: 1,
         15: 1}
# Opcodes: name, and how the operands lie.
OPCODES = {0x01: ("LDWEIGHTS", "array"), 0x02: ("MATMUL", "array"), 0x21: ("ACTIVATE", 3),
           0x23: ("ACT_TABLE_LOAD", None), 0x42: ("TENSOR_REDUCE", 4), 0x43: ("TENSOR_SCALAR", 3),
           0x46: ("COPY", 4), 0x47: ("CAST", 4), 0x48: ("RECIPROCAL", 4),
           0xa0: ("EVENT_SEMAPHORE", None), 0xa2: ("DRAIN", None), 0xa4: ("NOP", None),
           0xa5: ("WRITE", None), 0xa6: ("NOTIFY", None), 0xa9: ("COMPARE_BRANCH", None),
           0xaa: ("TENSOR_LOAD", None), 0xab: ("TENSOR_STORE", None),
           0xb0: ("EVENT_SEMAPHORE_RANGE_CLEAR", None), 0xb1: ("SET_ORDERING_MODE", None),
           0xb8: ("DMA_DIRECT2D", "dma")}
WAITING, NOTE, NOTE_START = 0xa0, 0xa6, 2
MEMORY = {"generic": "Generic", "pe": "Tensor Instructions", "act": "Scalar Instructions",
          "pool": "GpSimd Instructions", "io": "IO", "spill": "DRAM Spill", "weight": "Weights",
          "profiler buffers": "Profiler Buffers", "act table": "Scalar Table",
          "dve": "Vector Instructions", "sp": "Sync Instructions",
          "shared scratchpad": "Shared Scratchpad", "tensor": "Tensors", "ucode": "Ucode lib",
          "pool stdio": "GpSimd STDIO", "collectives": "Collectives", "scratchpad": "Scratchpad",
          "xt cc": "XT CC (unused)", "dma rings runtime": "DMA Rings Runtime",
          "dma rings spill": "DMA Rings Spill", "dma rings io": "DMA Rings IO",
          "dma rings collectives": "DMA Rings Collectives"}


# The header.

def varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number, at


class Message(defaultdict):
    """Field number: its values, in order."""

    def __init__(self, data=b""):
        super().__init__(list)
        at = 0
        while at < len(data):
            key, at = varint(data, at)
            if key & 7 == 0:
                value, at = varint(data, at)
            else:
                size = {1: 8, 5: 4}.get(key & 7)
                if size is None:
                    size, at = varint(data, at)
                value, at = data[at:at + size], at + size
            self[key >> 3].append(value)

    def number(self, field, default=0):
        return self[field][-1] if self[field] else default

    def text(self, field):
        return self.number(field, b"").decode()

    def below(self, field):
        return [Message(data) for data in self[field]]


class Core:
    def __init__(self, message, data, segments):
        self.name, self.nc = message.text(1), message.number(3)
        self.duration = message.number(14)
        self.streams = {}
        for stream in message.below(4):
            at = stream.number(7)
            code = stream.number(3, None)
            self.streams[stream.number(1)] = (stream.number(2) >> 6, data[at:at + stream.number(8)]
                                              if code is None else code)
        own = [segment_of(row) for row in message.below(6)]
        self.segments = own + [row for row in segments if row[3] == self.nc]
        self.data = data
        self.queues = {}
        self.queue_count = len(message[7])
        for queue in message.below(7):
            place = queue.number(1), queue.number(2)
            self.queues.setdefault(place, (queue.text(4), queue.number(3)))
        clocks = (message.below(10) or [Message()])[-1]
        self.clocks = {field: [(clock.number(1), clock.number(2), clock.number(3))
                               for clock in clocks.below(field)] for field in range(1, 9)}
        self.memory = [(MEMORY[row.text(3)] if row.text(3) else list(MEMORY.values())[place],
                        row.number(2)) for place, row in enumerate(message.below(11))]

    def records(self, kind, subtype=0, time_of=None, wanted=lambda record: True):
        """Those of several traces in the order of time, if that is told."""
        traces = [filter(wanted, (self.data[at:at + 16] for at in
                                  range(place[0], place[0] + place[1], 16)))
                  for segment_kind, segment_subtype, place, _ in self.segments
                  if (segment_kind, segment_subtype) == (kind, subtype)]
        return list(merge(*traces, key=time_of) if time_of else chain(*traces))

    def time(self, field, index, record):
        """Picoseconds of the common clock, rounded down."""
        raw = struct.unpack_from("<Q", record, 8)[0]
        clocks = self.clocks[field]
        base, den, num = clocks[index] if index < len(clocks) else (0, 0, 0)
        return (raw - base) * num // den if den else raw

    def word(self, engine, key):
        first, code = self.streams.get(engine, (0, b""))
        pc = (key - first) & 0xfffff
        return code[64 * pc:64 * pc + 64] if 64 * pc + 64 <= len(code) else None


def segment_of(row):
    return row.number(1), row.number(3), (row.number(5), row.number(6)), row.number(7)


class File:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.version = data[0]
        size = struct.unpack_from("<Q", data, 1)[0]
        header, data = Message(data[128:128 + size]), data[128 + size:]
        self.instance = header.text(9)
        self.physical_cores = header.number(5)
        self.release = {name: Message(header.number(field)) for name, field in
                        (("runtime_version", 8), ("driver_version", 11),
                         ("collectives_version", 12)) if header[field]}
        node, window = Message(header.number(4, b"")), header[15]
        found = header[2] + node[5] + [Message(row).number(1, b"") for row in window]
        self.uuid = max((uuid[:16] for uuid in found), key=len, default=b"").hex()
        self.window = (Message(window[-1]).number(2), Message(window[-1]).number(3)) \
            if window else None
        shared = [segment_of(row) for row in header.below(16)]
        self.cores = [Core(core, data, shared) for graph in node.below(4) for core in
                      graph.below(1)]
        numbers = {core.nc for core in self.cores}
        self.strays = [row for row in shared if row[3] not in numbers]


# Instruction words.

def u16(word, at, count=1):
    product = 1
    for number in struct.unpack_from("<%dH" % count, word, at):
        product *= number
    return product


def u32(word, at):
    return struct.unpack_from("<I", word, at)[0]


def on_chip(word, at, dimensions, code):
    """(memory, bytes, [start, end) in a partition, bytes of an element) of an access pattern."""
    address = u32(word, at)
    steps = struct.unpack_from("<%dh" % dimensions, word, at + 4)
    counts = struct.unpack_from("<%dH" % dimensions, word, at + 4 + 2 * dimensions)
    size = SIZES.get(code & 15, 0)
    elements = u16(word, at + 4 + 2 * dimensions, dimensions)
    reaches = [step * max(count - 1, 0) for step, count in zip(steps, counts)]
    low = max(address + size * sum(min(reach, 0) for reach in reaches), 0)
    extent = size * (sum(map(abs, reaches)) + 1) if elements else 0
    start = low % PARTITION
    return "sbuf" if address < PSUM else "psum", elements * size, (start, start + extent), size


def by_dma(word, at, size, steps, counts, element):
    address = struct.unpack_from("<Q", word, at)[0]
    extent = element + sum(step * (count - 1) for step, count in zip(steps, counts)
                           if step % PARTITION and count)
    for base in SBUF_OF_DMA:
        if base <= address < base + PSUM:
            start = (address - base) % PARTITION
            return "sbuf", size, (start, start + min(extent, PARTITION)), 1
    return "hbm", size, None, 1


def accesses(word):
    """(read, written) of a word, either may be None."""
    how = OPCODES[word[0]][1]
    if how == "array":
        target = on_chip(word, 48, 3, word[32]) if word[0] == 2 else None
        return on_chip(word, 16, 3, word[32]), target
    if how == "dma":
        from_counts, to_counts = struct.unpack_from("<2H", word, 32), struct.unpack_from(
            "<2H", word, 56)
        source = by_dma(word, 16, u16(word, 32, 2) * u32(word, 36), struct.unpack_from(
            "<2I", word, 24), from_counts, u32(word, 36))
        target = by_dma(word, 40, u16(word, 56, 3), struct.unpack_from("<2I", word, 48),
                        to_counts, u16(word, 60))
        return source, target
    if how:
        at = (16, 48) if how == 3 else (12, 44)
        return on_chip(word, at[0], how, word[32]), on_chip(word, at[1], how, word[33])
    return None, None


# All of it.

def union(intervals):
    total, reached = 0, None
    for start, end in sorted(intervals):
        if reached is None or start > reached:
            total, reached = total + end - start, end
        elif end > reached:
            total, reached = total + end - reached, end
    return total


class Answer:
    def __init__(self, file):
        self.file = file
        self.sums = defaultdict(int)            # what is odd, traffic and FLOP
        self.instructions = []                  # kept: (core, engine, begin, end, word, timed)
        self.transfers = []                     # (core, ring, begin, end, bytes, name, type)
        self.dynamic = 0                        # bytes of dynamic queues, left out or not
        self.throttles = []                     # (core, begin, end, k, n, type)
        self.events = 0
        self.guessed = False
        self.candidates, self.written, self.unknown = [], [], defaultdict(int)


def sane(*times):
    return all(-NEVER < time < NEVER for time in times)


def is_instruction(record):
    return record[3] & 0x80 and 1 <= record[3] >> 2 & 7 <= 5 and record[3] & 3 != 3


def instructions(core):
    """In the order of time, if they lie in several traces; without a time they are earliest."""
    return core.records(0, 0, lambda record: core.time(CLOCK_OF[(record[3] >> 2 & 7) - 1], 0, record)
                        if is_instruction(record) else -NEVER)


def find_start(core):
    """(end of the tensor engine's first note of a start or None, first begin or None)"""
    rows = [(core.time(CLOCK_OF[(record[3] >> 2 & 7) - 1], 0, record), record)
            for record in instructions(core) if is_instruction(record) and record[3] & 3 != 2]
    usual, first = sorted(time for time, _ in rows)[len(rows) // 2] if rows else 0, None
    for time, record in rows:
        if not sane(time - usual):
            continue
        if record[3] & 3 == 0:
            first = time if first is None else min(first, time)
        elif record[3] >> 2 & 7 == 1:
            word = core.word(0, struct.unpack_from("<I", record)[0] & 0xfffff)
            if word and word[0] == NOTE and word[36] == NOTE_START:
                return time, first
    return None, first


def find_window(answer):
    """start, end or None, and from when on each core's instructions are timed."""
    file = answer.file
    if file.version >= 6:
        return file.window[0], file.window[1], [file.window[0]] * len(file.cores)
    starts = [find_start(core) for core in file.cores]
    start = starts[0][0] if starts[0][0] is not None else starts[0][1]
    answer.guessed = starts[0][0] is None
    return start, None, [start if own is None else own for own, _ in starts]


def read_instructions(answer, number, window, timed_from):
    core, (start, end) = answer.file.cores[number], window
    begun = defaultdict(deque)
    for record in instructions(core):
        if not is_instruction(record):
            answer.sums["unknown_records"] += 1
            continue
        engine, key = (record[3] >> 2 & 7) - 1, struct.unpack_from("<I", record)[0] & 0xffffff
        time = core.time(CLOCK_OF[engine], 0, record)
        if record[3] & 3 == 0:
            begun[engine, key].append(time)
        elif record[3] & 3 == 1 and not begun[engine, key]:
            answer.sums["orphan_ends"] += 1
        elif record[3] & 3 == 1:
            begin = begun[engine, key].popleft()
            if time < begin or not sane(begin - start, time - start):
                answer.sums["wrong_times"] += 1
            elif begin >= start and (end is None or time <= end):
                answer.instructions.append((number, engine, begin - start, time - start,
                                            core.word(engine, key & 0xfffff),
                                            begin >= timed_from))
            answer.sums["pairs"] += 1
    answer.sums["open_begins"] += sum(map(len, begun.values()))


def transfers(core):
    """Engine by engine, those of one engine in the order of time if they lie in several traces."""
    every = core.records(4, 1)
    for engine in sorted({record[3] & 31 for record in every}):
        yield from core.records(
            4, 1, lambda record: core.time(DMA_CLOCKS, record[3] & 15, record),
            lambda record, engine=engine: record[3] & 31 == engine)


def read_transfers(answer, number, window):
    core, (start, end) = answer.file.cores[number], window
    begun, lost = defaultdict(deque), set()
    for record in transfers(core):
        kind = record[4] & 15 if record[3] & 0x80 else 0
        engine, ring = record[3] & 31, record[4] >> 4
        time = core.time(DMA_CLOCKS, engine & 15, record) - start
        if kind == 1:
            begun[engine, ring].append(time)
        elif kind == 5 and not begun[engine, ring]:
            answer.sums["orphan_transfers"] += 1
        elif kind == 5:
            begin = begun[engine, ring].popleft()
            answer.sums["pairs"] += 1
            if time < begin or not sane(begin, time):
                answer.sums["wrong_times"] += 1
            else:
                place_transfer(answer, core, (engine, ring), (begin, time, end and end - start),
                               struct.unpack_from("<I", record)[0] & 0xffffff, lost)
        elif kind != 6:
            answer.sums["unknown_records"] += 1
    answer.sums["open_transfers"] += sum(map(len, begun.values()))


def place_transfer(answer, core, place, times, size, lost):
    """The vendor's tool loses what follows on a ring when a transfer is over the start."""
    begin, end, last = times
    if begin < 0 <= end:
        lost.add(place)
    if begin < 0 or last is not None and end > last:
        return
    name, kind = core.queues.get((place[0] + 16 * (core.nc & ~1), place[1]), (None, None))
    if name and name.endswith(("Dynamic", "DynamicHW")):
        answer.dynamic += size
    if place in lost:
        answer.sums["left_out"] += 1
        answer.sums["left_out_bytes"] += size
        return
    answer.transfers.append((core, place[1], begin, end, size, name, kind))


def read_others(answer, number, window):
    core, (start, end) = answer.file.cores[number], window
    for record in core.records(1):
        time = core.time(EVENT_CLOCK, 0, record) - start
        answer.sums["wrong_times"] += not sane(time)
        answer.events += answer.file.version < 6 or 0 <= time <= end - start
    rows = []
    for record in core.records(5):
        time = core.time(THROTTLE_CLOCK, 0, record) - start
        answer.sums["wrong_times"] += not sane(time)
        if sane(time):
            rows.append((time, record[4], record[2], record[5]))
    last = max([one[3] for one in answer.instructions if one[0] == number], default=-1)
    for (begin, k, n, kind), after in zip(rows, [row[0] for row in rows[1:]] + [last]):
        if begin >= 0 and (end is None or begin <= end - start):
            answer.throttles.append((number, begin, max(after, begin), k, n, kind))
    for kind, subtype, (_, size), _ in core.segments:
        if (kind, subtype) == (2, 0):
            answer.sums["errors"] += size // 16
        elif (kind, subtype) not in ((0, 0), (1, 0), (4, 1), (5, 0)):
            answer.sums["unknown_bytes"] += size


def add_work(answer, word):
    sums, opcode = answer.sums, word[0]
    if opcode not in OPCODES:
        answer.unknown[opcode] += 1
        return
    read, written = accesses(word)
    for access, verb in ((read, "read"), (written, "write")):
        if access:
            sums["%s_%s" % (access[0], verb)] += access[1]
            sums["unsized"] += not access[3]
    if read and written and (read[0], written[0]) == ("psum", "sbuf"):
        sums["psum_read_sbuf_write"] += written[1]
    if written and written[0] == "sbuf" and written[2][1] > written[2][0]:
        answer.written.append(written[2])
    if opcode == 0xb8:
        sums["described"] += written[1] + 64
    if opcode != 2:
        return
    columns, flops = u16(word, 26, 3), flops_of(word)
    sums["flops"] += flops
    sums["flagged"] += flops if word[34] else 0
    if flops and columns == word[38] == word[39] and read[0] == "sbuf" and read[1]:
        answer.candidates.append((read[2], read[1] * word[38], flops))


def flops_of(word):
    return 2 * u16(word, 26, 3) * word[38] * word[39] if word and word[0] == 2 else 0


def add_static(answer, ring, size, name, kind):
    """Static DMA: weights are read; the name of an I/O queue tells its direction."""
    sums = answer.sums
    if ring == FETCH_RING or size == 4:
        return
    payload = size - 4 if size % 8 == 4 else size
    if kind == WEIGHTS:
        sums["weights"] += size
        sums["hbm_read"] += size
        sums["sbuf_write"] += size
    elif kind == INPUT_OUTPUT and name.startswith(("qSPIO", "qPoolIO")):
        load = name.startswith("qSPIO")
        sums["hbm_read" if load else "hbm_write"] += payload
        sums["sbuf_write" if load else "sbuf_read"] += payload
        sums["static_io"] += payload
    else:
        sums["aimless"] += payload if kind == INPUT_OUTPUT else size


def decode(path):
    answer = Answer(File(path))
    file = answer.file
    start, end, timed_from = find_window(answer)
    for number in range(len(file.cores)):
        read_instructions(answer, number, (start, end), timed_from[number])
        read_transfers(answer, number, (start, end))
        read_others(answer, number, (start, end))
    answer.sums["unknown_bytes"] += sum(row[2][1] for row in file.strays)
    for *_, word, _ in answer.instructions:
        if word:
            add_work(answer, word)
    for _, ring, _, _, size, name, kind in answer.transfers:
        if dma_class(name) == "static":
            add_static(answer, ring, size, name, kind)
    return answer


def dma_class(name):
    name = name or ""
    return "hardware" if name.endswith("DynamicHW") else \
        "software" if name.endswith("Dynamic") else "static"


def inferred_transposes(answer):
    """Square matmuls whose moving operand is all of the static weights, and never written."""
    return sum(flops for (start, end), payload, flops in answer.candidates
               if payload == answer.sums["weights"] and
               not any(low < end and start < high for low, high in answer.written))


if __name__ == "__main__":
    from ntff_answer import answer_of
    for argument in sys.argv[1:]:
        print(argument)
        for part, found in answer_of(decode(argument)).items():
            print("  %s: %s" % (part, found))
