#!/usr/bin/env python3
"""usage: peer_ntff.py FILE: what answer_ntff.jq takes from rooflog, computed in plain Python.

Reads an NTFF of version 4 to 6 whole, keeps every interval, and sorts: counts, times and active
times of engines, opcodes, DMA queues and classes, FLOP and bytes. Times in ps.
"""
import struct
import sys
from collections import defaultdict, deque

ENGINES = ["tensor", "scalar", "gpsimd", "vector", "sync"]
ENGINE_CLOCKS = [1, 2, 4, 3, 5]  # fields of the header
OPCODES = {
    0x01: "LDWEIGHTS", 0x02: "MATMUL", 0x21: "ACTIVATE", 0x42: "TENSOR_REDUCE",
    0x43: "TENSOR_SCALAR", 0x46: "COPY", 0x47: "CAST", 0x48: "RECIPROCAL",
    0xA0: "EVENT_SEMAPHORE", 0xA5: "WRITE", 0xA6: "NOTIFY", 0xA9: "COMPARE_BRANCH",
    0xB8: "DMA_DIRECT2D",
}
SIZES = {1: 8, 2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 2, 8: 4, 9: 4, 10: 4, 11: 4, 12: 8}
PSUM = 0x2000000
RECORD = struct.Struct("<8BQ")


def varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, at
        shift += 7


def message(data):
    """Fields of a protocol buffer: numbers and bytes, in lists by field number."""
    fields, at = defaultdict(list), 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value = data[at:at + size]
            at += size
        else:
            raise ValueError("wire type %d" % (key & 7))
        fields[key >> 3].append(value)
    return fields


def first(fields, number, default=0):
    return fields[number][0] if fields.get(number) else default


def union(intervals):
    """Length of what at least one interval covers."""
    total = covered = 0
    for start, end in sorted(intervals):
        total += max(0, end - max(start, covered))
        covered = max(covered, end)
    return total


class Core:
    def __init__(self, version, fields, stray, data):
        self.version, self.data = version, data
        self.nc, self.duration = first(fields, 3), first(fields, 14)
        self.streams = {}
        for stream in map(message, fields[4]):
            at = first(stream, 7)
            words = first(stream, 3, None)
            words = data[at:at + first(stream, 8)] if words is None else words
            self.streams[first(stream, 1)] = (first(stream, 2) >> 6, bytes(words))
        self.segments = [message(one) for one in fields[6]]
        self.segments += [one for one in stray if first(one, 7) == self.nc]
        self.queues = {}
        for queue in map(message, fields[7]):
            engine = first(queue, 1) - 16 * (self.nc & ~1)
            name = bytes(first(queue, 4, b"")).decode()
            self.queues[engine, first(queue, 2)] = (name, first(queue, 3))
        clocks = message(first(fields, 10, b""))
        self.clocks = {number: [(first(one, 1), first(one, 2), first(one, 3))
                                for one in map(message, all_of)]
                       for number, all_of in clocks.items()}

    def records(self, kind, subtype=0):
        for segment in self.segments:
            if first(segment, 1) == kind and first(segment, 3) == subtype:
                at = first(segment, 5)
                yield from RECORD.iter_unpack(self.data[at:at + first(segment, 6)])

    def ps(self, clock, index, raw):
        if self.version >= 6:
            return raw
        base, den, num = self.clocks[clock][index]
        return (raw - base) * num // den

    def instructions(self):
        """(engine, word or b"", begin, end) of each."""
        begun = defaultdict(deque)
        for a, b, c, flags, _, _, _, _, raw in self.records(0):
            key, engine = (a | b << 8 | c << 16, flags), (flags >> 2 & 7) - 1
            if flags & 3 == 0:
                begun[engine, key[0]].append(raw)
            elif flags & 3 == 1:
                base, words = self.streams[engine]
                at = ((key[0] - base) & 0xFFFFF) * 64
                clock = ENGINE_CLOCKS[engine]
                yield (engine, words[at:at + 64], self.ps(clock, 0, begun[engine, key[0]].popleft()),
                       self.ps(clock, 0, raw))

    def transfers(self):
        """(ring, name, type, bytes, begin, end) of each."""
        begun = defaultdict(deque)
        for a, b, c, engine, kind, _, _, _, raw in self.records(4, 1):
            engine, ring, kind = engine & 31, kind >> 4, kind & 15
            if kind == 1:
                begun[engine, ring].append(raw)
            elif kind == 5:
                name, use = self.queues.get((engine, ring), ("", 0))
                yield (ring, name, use, a | b << 8 | c << 16,
                       self.ps(8, engine & 15, begun[engine, ring].popleft()),
                       self.ps(8, engine & 15, raw))


def load(path):
    with open(path, "rb") as file:
        data = memoryview(file.read())
    version, size = data[0], struct.unpack_from("<Q", data, 1)[0]
    header, area = message(data[128:128 + size]), data[128 + size:]
    stray = [message(one) for one in header[16]]
    cores = [Core(version, message(one), stray, area)
             for group in message(header[4][0])[4] for one in message(group)[1]]
    window = message(first(header, 15, b""))
    return version, cores, first(window, 2), first(window, 3)


def shape(word, at, dimensions):
    """Bytes of an element come later: how many elements an access touches."""
    count = 1
    for number in struct.unpack_from("<%dH" % dimensions, word, at + 4 + 2 * dimensions):
        count *= number
    return count


def add_work(word, sums):
    opcode = word[0]
    if opcode in (1, 2):
        columns = shape(word, 16, 3)
        sums["sbuf_read_bytes"] += columns * SIZES[word[32]]
        if opcode == 2:
            flops = 2 * columns * word[38] * word[39]
            sums["hardware_flops"] += flops
            sums["transpose_flops"] += flops if word[34] else 0
            sums["psum_write_bytes"] += shape(word, 48, 3) * SIZES[word[32]]
    elif opcode in (0x21, 0x43, 0x42, 0x46, 0x47, 0x48):
        dimensions, source, target = (3, 16, 48) if opcode in (0x21, 0x43) else (4, 12, 44)
        for at, dtype, what in (source, word[32] & 15, "read"), (target, word[33] & 15, "write"):
            memory = "psum" if struct.unpack_from("<I", word, at)[0] >= PSUM else "sbuf"
            sums["%s_%s_bytes" % (memory, what)] += shape(word, at, dimensions) * SIZES[dtype]
    elif opcode == 0xB8:
        source, target = struct.unpack_from("<Q", word, 16)[0], struct.unpack_from("<Q", word, 40)[0]
        n0, n1, size = struct.unpack_from("<HHI", word, 32)
        m0, m1, to = struct.unpack_from("<HHH", word, 56)
        for address, moved, what in (source, n0 * n1 * size, "read"), (target, m0 * m1 * to, "write"):
            on_chip = any(start <= address < start + PSUM for start in (0x802000000000, 0xFFFC0000000))
            sums["%s_%s_bytes" % ("sbuf" if on_chip else "hbm", what)] += moved


def add_static(ring, name, use, size, sums):
    if ring == 14 or size == 4:
        return
    if use == 3 and size % 8 == 4:
        size -= 4
    if use == 2 or name.startswith("qSPIO"):
        sums["hbm_read_bytes"] += size
        sums["sbuf_write_bytes"] += size
    elif name.startswith("qPoolIO"):
        sums["hbm_write_bytes"] += size
        sums["sbuf_read_bytes"] += size


class Answer:
    def __init__(self, path):
        self.version, self.cores, self.start, self.end = load(path)
        self.opcodes, self.queues = defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0, 0])
        self.engines = [[0, 0, []] for _ in ENGINES]
        self.classes = {name: [0, 0, []] for name in ("static", "software", "hardware")}
        self.sums = defaultdict(int)
        if self.version < 6:
            self.end = None
        for core in self.cores:
            self.add_instructions(core)
            self.add_transfers(core)
            self.add_rest(core)

    def kept(self, begin, end):
        return begin >= self.start and (self.end is None or end <= self.end)

    def add_instructions(self, core):
        rows = list(core.instructions())
        timed_from = self.start
        if self.version < 6:
            timed_from = next(end for engine, word, _, end in rows
                              if engine == 0 and word[:1] == b"\xa6" and word[36] == 2)
            if core is self.cores[0]:
                self.start = timed_from
        self.last = -1
        for engine, word, begin, end in rows:
            if not self.kept(begin, end):
                continue
            self.last = max(self.last, end)
            self.engines[engine][0] += 1
            opcode = self.opcodes[OPCODES[word[0]]]
            opcode[0] += 1
            opcode[1] += end - begin
            add_work(word, self.sums)
            if word[0] != 0xA0 and begin >= timed_from:
                self.engines[engine][1] += end - begin
                self.engines[engine][2].append((begin, end))

    def add_transfers(self, core):
        for ring, name, use, size, begin, end in core.transfers():
            if not self.kept(begin, end):
                continue
            what, queue = "static", "instruction" if ring == 14 else {2: "data", 3: "io"}.get(use)
            if name.endswith("DynamicHW"):
                what, queue = "hardware", "hardware_dynamic"
            elif name.endswith("Dynamic"):
                what, queue = "software", "software_dynamic"
            else:
                add_static(ring, name, use, size, self.sums)
            row, group = self.queues[queue], self.classes[what]
            row[0] += 1
            row[1] += end - begin
            row[2] += size
            group[0] += 1
            group[1] += size
            group[2].append((begin, end))

    def add_rest(self, core):
        for record in core.records(1):
            time = core.ps(6, 0, record[8])
            self.sums["event_count"] += self.version < 6 or self.kept(time, time)
        limits = [(core.ps(7, 0, record[8]), record[4], record[2]) for record in core.records(5)]
        for (time, k, n), after in zip(limits, limits[1:] + [(self.last,)]):
            if self.kept(time, time) and k < n:
                self.sums["throttle_time"] += max(0, after[0] - time)

    def lines(self):
        for name, row in self.opcodes.items():
            yield "opcode %s %d %d" % (name, *row)
        for name, (count, time, all_of) in zip(ENGINES, self.engines):
            yield "engine %s %d %d %d" % (name, count, time, union(all_of))
        for name, row in self.queues.items():
            yield "queue %s %d %d %d" % (name, *row)
        for name, (count, size, all_of) in self.classes.items():
            yield "class %s %d %d %d" % (name, count, size, union(all_of))
        dma = [one for row in self.classes.values() for one in row[2]]
        self.sums["dma_packet_time"] = sum(row[1] for row in self.queues.values())
        self.sums["dma_active_time"] = union(dma)
        self.sums["total_active_time"] = union(dma + [one for row in self.engines for one in row[2]])
        self.sums["total_time"] = max(core.duration for core in self.cores)
        for name, number in self.sums.items():
            if name != "transpose_flops" or self.version >= 6:
                yield "metric %s %d" % (name, number)


if __name__ == "__main__":
    print("\n".join(sorted(Answer(sys.argv[1]).lines())))
