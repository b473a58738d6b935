#!/usr/bin/env python3
"""usage: ntff_reader.py FILE    prints core, engine, pc, opcode, begin and duration (ps) of each instruction of an NTFF

docs/formats/ntff.md describes the format. Begins are on the trace's clock, not relative to the window. Nothing is
checked: do not read files from untrusted sources with it.
"""
import struct, sys

def varint(b, i):
    n = shift = 0
    while True:
        n, shift, i = n | (b[i] & 127) << shift, shift + 7, i + 1
        if b[i - 1] < 128:
            return n, i

def fields(b):  # {number: [values]} of one message
    i, out = 0, {}
    while i < len(b):
        key, i = varint(b, i)
        size, j = varint(b, i) if key & 7 in (0, 2) else ({1: 8, 5: 4}[key & 7], i)
        out.setdefault(key >> 3, []).append(size if key & 7 == 0 else b[j:j + size])
        i = j if key & 7 == 0 else j + size
    return out

def one(message, field, default=0):
    return message.get(field, [default])[-1]

data = open(sys.argv[1], "rb").read()
size, = struct.unpack_from("<Q", data, 1)
header, body = fields(data[128:128 + size]), data[128 + size:]
for core in map(fields, fields(one(fields(one(header, 4)), 4))[1]):
    programs = {one(p, 1): p for p in map(fields, core.get(4, []))}
    clocks = fields(one(core, 10, b""))
    for segment in map(fields, core.get(6) or header.get(16, [])):
        if one(segment, 1) or one(segment, 3) or 6 not in core and one(segment, 7) != one(core, 3):
            continue  # not instructions, or of another core
        begun = {}
        for low, waited, raw in struct.iter_unpack("<IIQ", body[one(segment, 5):][:one(segment, 6)]):
            engine, kind, address = (low >> 26 & 7) - 1, low >> 24 & 3, low & 0xfffff
            clock = fields(one(clocks, (1, 2, 4, 3, 5)[engine], b""))
            ps = (raw - one(clock, 1)) * one(clock, 3, 1) // one(clock, 2, 1)  # rounds down
            if kind == 0:
                begun.setdefault((engine, address), []).append(ps)
            elif kind == 1:
                begin, program = begun[engine, address].pop(0), programs[engine]
                pc = address - (one(program, 2) >> 6) & 0xfffff
                words = one(program, 3, None) or body[one(program, 7):][:one(program, 8)]
                opcode = words[64 * pc:64 * pc + 1].hex() or "?"
                print(one(core, 1, b"").decode(), engine, pc, opcode, begin, ps - begin)
