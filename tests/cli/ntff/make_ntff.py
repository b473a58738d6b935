#!/usr/bin/env python3
"""Writes small native Neuron traces (NTFF) with something of everything, also of what nobody explains.

usage: make_ntff.py DIRECTORY

Writes v4.ntff, v5.ntff, v6.ntff, of which the times are those of docs/formats/ntff.md, odd.ntff (orphans,
unknown fields, records, traces, cores), and v7.ntff (a version that does not exist yet).
"""
import os
import struct
import sys

TENSOR, SCALAR, GPSIMD, VECTOR, SYNC = range(5)
START = 5_000_000  # ps, of the window


def varint(number):
    out = bytearray()
    while True:
        out.append(number & 127 | (128 if number > 127 else 0))
        number >>= 7
        if not number:
            return bytes(out)


def field(number, value):
    """Numbers and bytes; 0 is left out, as proto3 does."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value) if value else b""
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(*pairs):
    return b"".join(field(number, value) for number, value in pairs)


# --- instruction words ---

def word(opcode, *parts):
    """(offset, format, values...) into 64 bytes."""
    out = bytearray(64)
    out[0], out[1] = opcode, 0x10
    for offset, kind, *values in parts:
        struct.pack_into("<" + kind, out, offset, *values)
    return bytes(out)


def chip(offset, address, count, dimensions=3):
    return (offset, "I%dh%dH" % (dimensions, dimensions), address, *([1] * dimensions), count, *([1] * (dimensions - 1)))


PROGRAMS = {
    TENSOR: [word(0xa6, (36, "B", 2), (39, "B", 1)),
             word(0x01, (4, "BBBB", 5, 24, 0, 0), (8, "I", 16), chip(16, 0x40fe, 128), (32, "BBBB", 6, 0, 0, 0), (38, "BB", 128, 128)),
             word(0x02, (6, "BB", 0x13, 5), chip(16, 0x2f710, 512), (32, "BBBB", 6, 0, 0, 0), (38, "BB", 128, 128), (43, "B", 3), chip(48, 0x2000000, 512)),
             word(0xa0, (32, "BBBBII", 1, 2, 0x19, 2, 8, 0)),
             word(0xa6, (36, "B", 3), (39, "B", 1)),
             word(0xa9, (3, "B", 2), (14, "B", 3), (48, "i", -320))],
    SCALAR: [word(0x21, (4, "BBBB", 5, 5, 0x13, 4), (8, "I", 1), chip(16, 0x2000000, 512), (32, "BBBBfI", 0xaa, 6, 128, 7, 1.0, 0x6018), chip(48, 0x4000, 512))],
    GPSIMD: [word(0xb8, (13, "BB", 24, 16), (16, "QIIHHI", 0x2000000100000000, 256, 1, 128, 1, 256),
                  (40, "QIIHHH", 0x802000004000, 0x40000, 1, 128, 1, 256), (62, "BB", 6, 6))],
    VECTOR: [word(0x41, (4, "BBBB", 5, 9, 0x13, 6), (8, "I", 16), (12, "BBBB", 0xaa, 10, 4, 128))],
    SYNC: [word(0xa5, (12, "B", 4), (16, "Q", 0x803802701804), (32, "Q", 1))],
}
# engine, word, begin and end in ps from the window's start
RUNS = [(TENSOR, 0, -8000, 0), (SYNC, 0, -500, 300), (TENSOR, 1, 1000, 61000), (TENSOR, 2, 61500, 274500),
        (SCALAR, 0, 280000, 400123), (GPSIMD, 0, 2000, 102000), (VECTOR, 0, 410000, 500000),
        (TENSOR, 3, 280000, 900000), (TENSOR, 4, 900500, 908500), (TENSOR, 5, 909000, 950000)]


class Writer:
    """Records of one core, in raw times of its version."""

    def __init__(self, version, core):
        self.version, self.core = version, core
        self.base = 0x10000 + core * 0x10000
        self.shift = 77 * core if version < 6 else 0

    def raw(self, ps, numerator=1):
        ps += START + (self.shift if self.version >= 6 else 0)
        if self.version >= 6:
            return ps
        return 1000 + ps // numerator

    def instruction(self, engine, index, kind, ps, wait=0):
        address = (self.base >> 6) + 256 * engine + index
        return struct.pack("<HBBHHQ", address & 0xffff, address >> 16 & 0xff, 0x80 | (engine + 1) << 2 | kind, 0xffff * kind,
                           wait if kind == 0 else 0, self.raw(ps))

    def instructions(self):
        rows = [(begin, self.instruction(e, i, 0, begin, 12)) for e, i, begin, end in RUNS]
        rows += [(end, self.instruction(e, i, 1, end)) for e, i, begin, end in RUNS]
        rows.append((950100, self.instruction(TENSOR, 0, 0, 950100)))  # when tracing stopped
        return b"".join(row for _, row in sorted(rows))

    def dma(self, engine, ring, kind, ps, size=0, crc=0):
        return struct.pack("<HBBBBHQ", size & 0xffff, size >> 16, 0x80 | engine, ring << 4 | kind, 0, crc, self.raw(ps, 1000))

    def transfers(self):
        out = b""
        for engine, ring, begin, end, size in ((0, 0, 3000, 90000, 16384), (0, 0, 50000, 101000, 16448), (1, 14, -9000, 4000, 4096),
                                               (1, 14, 20000, 44000, 8192), (2, 1, 6000, 6900, 2048), (2, 1, 7000, 8000, 4)):
            out += self.dma(engine, ring, 1, begin) + self.dma(engine, ring, 5, end, size, size % 65521)
            out += self.dma(engine, ring, 6, end + 100)
        return out

    def events(self):
        rows = ((24, 1, 0xf3, 6, 16, 100000), (5, 1, 0xf3, 1, 1, 270000), (2, 1, 0xf9, 1, 0, 905000), (7, 0, 0xf1, 5, 1, -100))
        return b"".join(struct.pack("<BBBBIQ", number, semaphore, op, 0x83 | source << 2, value, self.raw(ps))
                        for number, semaphore, op, source, value, ps in rows)

    def throttles(self):
        return b"".join(struct.pack("<BBBBBBHQ", 0x0e, 0, n, 0x9e, k, kind, 0, self.raw(ps, 1000))
                        for n, k, kind, ps in ((8, 8, 0, -4000), (8, 4, 1, 100000), (0, 0x80, 0, 300000), (8, 8, 0, 400000)))

    def programs(self):
        return {engine: b"".join(PROGRAMS[engine]) for engine in range(5)}


def clocks(version):
    """As v6 writes them: one clock of picoseconds; before, DMA and throttling in ticks of 1000 ps."""
    if version >= 6:
        return message(*[(number, message((2, 1), (3, 1))) for number in range(1, 8)], *[(8, message((2, 1), (3, 1)))] * 16)
    fine, coarse = message((1, 1000), (2, 1), (3, 1)), message((1, 1000), (2, 1), (3, 1000))
    return message(*[(number, fine) for number in range(1, 7)], (7, coarse), *[(8, coarse)] * 16)


def queues(core):
    rows = [(engine, 0, 2, "qPoolDynamic") for engine in range(4)] + [(2, 1, 2, "qSPSpillReload0"), (1, 14, 0, "qActTable")]
    offset = 16 * (core & ~1)
    return [(7, message((1, engine + offset), (2, ring), (3, kind), (4, name))) for engine, ring, kind, name in rows]


def build(version, odd=False, cores=1):
    data, segments, subgraphs = b"", [], []

    def place(kind, subtype, core, part, listed):
        nonlocal data
        pairs = [(1, kind), (3, subtype), (5, len(data)), (6, len(part))]
        listed.append(message(*pairs, *([(7, core)] if version >= 6 else [])))
        data += part

    for core in range(4, 4 + cores):
        w = Writer(version, core)
        own, streams = [], []
        instructions = w.instructions()
        if odd:
            instructions += w.instruction(VECTOR, 99, 1, 940000) + b"\0\0\0\x9f" + b"\0" * 12
        for engine, program in w.programs().items():
            address = w.base + 64 * 256 * engine
            if version >= 6:
                streams.append((4, message((1, engine), (2, address), (7, len(data)), (8, len(program)))))
                data += program
            else:
                streams.append((4, message((1, engine), (2, address), (3, program))))
        for kind, subtype, part in ((0, 0, instructions), (1, 0, w.events()), (2, 0, b""), (4, 1, w.transfers()), (5, 0, w.throttles())):
            place(kind, subtype, core, part, own)
        if odd:
            place(7, 3, core, bytes(range(32)), own)
        segments += own
        patches = message((1, TENSOR), (2, message((2, 1))), (2, message((1, 64), (2, 1), (3, 2))))
        subgraphs.append(message(
            (1, "sg%02d" % (core - 4)), (3, core), *streams, (5, patches), *[(6, own_one) for own_one in own if version < 6],
            *queues(core), (10, clocks(version)), (11, message((2, 4096), (3, "generic" if version > 4 else b""))), (11, message((2, 64), (3, "pe" if version > 4 else b""))),
            (14, 916500), *([(15, b"")] if odd else [])))
    if odd:
        place(0, 0, 9, bytes(16), segments)
    uuid = bytes.fromhex("2128843d31cc45b8a55f3353a039f443")
    node = message((4, b"".join(field(1, subgraph) for subgraph in subgraphs)), *([(5, uuid)] if version >= 6 else []))
    versions = [(8, message((1, 2), (2, 29), (3, 40), (5, "f954c0ffee"))), (11, message((1, 2), (2, 25))), (12, message((1, 2), (2, 29), (3, 41)))]
    header = [(1, "/home/PRIVATE/graph.neff"), (2, uuid[:5] if version == 5 else uuid), (4, node), (5, cores)]
    header += [(7, 1750262617)] if version == 4 else []
    header += [versions[0], (9, "trn2.3xlarge" if version >= 6 else "inf2.xlarge"), *versions[1:], (13, message((1, 1), (2, 4), (3, 1 << 20)))]
    if version >= 6:
        header += [(15, message((1, uuid), (2, START), (3, START + 916500)))] + [(16, segment) for segment in segments]
        header += [(17, "i-PRIVATE"), (18, 4711231)]
    if odd:
        header += [(98, 123456), (98, 7), (99, b"\x01\x02PUBLIC bytes that nobody knows")]
    header = b"".join(field(number, value) for number, value in header)
    return struct.pack("<BQ", version, len(header)) + (b"PRIVATE memory" * 9)[:119] + header + data


def main():
    for name, content in (("v4", build(4)), ("v5", build(5)), ("v6", build(6, cores=2)), ("odd", build(6, odd=True)),
                          ("v7", build(7))):
        with open(os.path.join(sys.argv[1], name + ".ntff"), "wb") as file:
            file.write(content)


if __name__ == "__main__":
    main()
