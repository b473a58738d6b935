"""Random native traces, most of them odd: what the program must take without losing count."""
import os
import random
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../samples/tools"))
from ntff_writer import (BF16, DMA, ERRORS, EVENTS, FP16, FP32, INSTRUCTIONS, PSUM, SBUF_OF_DMA,
                         TENSOR, THROTTLES, WEIGHTS, Clock, Core, Trace, dma_record, notify,
                         pattern, tensor, wait_for, word)

NS = 1000
LENGTH = 60000 * NS                          # ps of the story
INSTANCES = {4: ("trn1.2xlarge", "inf2.xlarge"), 5: ("inf2.xlarge", "trn2.3xlarge"),
             6: ("trn2.3xlarge", "trn2.3xlarge", "inf2.xlarge")}
QUEUES = ("qPoolDynamic", "qSPDynamicHW", "qSPSpillReload0", "qSPIO0", "qPoolIO0", "qActIO0",
          "qActTable", "qDynamicNot")


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.damage = self.pick((0, 0, 4))            # percent of the records
        self.identity = self.chance(40)               # the weights are just one identity
        self.untraced = self.pick(((),) * 12 + ((DMA,), (EVENTS,), (THROTTLES, EVENTS)))
        self.ordered = not self.damage and self.chance(50)     # and a core has several traces

    def below(self, limit):
        return self.random.randrange(limit)

    def chance(self, percent):
        return self.below(100) < percent

    def pick(self, items):
        return items[self.below(len(items))]

    # Words.

    def chip(self, at, dimensions):
        """Often the same few places, so that what is read has sometimes been written."""
        address = self.pick((0, 0x4000, self.below(0x40000), 0x40000 * self.below(128), PSUM,
                             PSUM + self.below(0x4000)))
        counts = [self.pick((1, 1, 2, 8, 128, self.below(300))) for _ in range(dimensions)]
        steps = [self.pick((1, -1, 0, 128, self.below(65536) - 32768)) for _ in range(dimensions)]
        return pattern(at, dimensions, address, counts, steps)

    def array(self):
        opcode, size = self.pick((1, 2, 2)), self.pick((128, 128, 1, 64, self.below(256)))
        source = pattern(16, 3, self.pick((0, 0x4000, 0x9000)), [128], [1]) if self.chance(50) \
            else self.chip(16, 3)
        return word(opcode, source, (32, "BBB", self.pick((BF16, FP16, FP32, self.below(256))),
                    self.below(5), self.pick((0, 0, 1))), (38, "BB", size, self.pick((size, 128))),
                    self.chip(48, 3))

    def turn(self):
        """By what may be the identity."""
        place, step = self.pick(((0x4000, 1), (0x8000, 1), (0xc0fe, -1), (0x10000, 1)))
        return word(2, pattern(16, 3, place, [128], [step]), (32, "B", FP16), (38, "BB", 128, 128),
                    self.chip(48, 3))

    def elementwise(self):
        dimensions = self.pick((3, 4))
        opcode = self.pick((0x21, 0x43) if dimensions == 3 else (0x42, 0x46, 0x47, 0x48))
        kinds = self.pick((BF16, FP32, self.below(256))), self.pick((BF16, FP32, self.below(256)))
        return word(opcode, self.chip(16 if dimensions == 3 else 12, dimensions),
                    (32, "BBB", *kinds, 128), self.chip(48 if dimensions == 3 else 44, dimensions))

    def direct(self):
        ends = [self.pick((tensor(self.below(4)), self.pick(list(SBUF_OF_DMA.values())) +
                           self.pick((0, 0x4000, self.below(PSUM + 0x1000))),
                           self.below(1 << 62))) for _ in range(2)]
        steps = [self.pick((0x40000, 0, 256, self.below(1 << 32))) for _ in range(4)]
        return word(0xb8, (16, "QII", ends[0], *steps[:2]), (32, "HHI", self.below(200),
                    self.below(9), self.pick((1, 2, 256, self.below(1 << 20)))),
                    (40, "QII", ends[1], *steps[2:]), (56, "HHH", self.below(200), self.below(9),
                    self.pick((1, 2, 256, self.below(1 << 16)))))

    def instruction(self):
        kind = self.below(10)
        if kind < 2 and self.identity:
            return self.turn()
        if kind < 3:
            return self.array()
        if kind < 6:
            return self.elementwise()
        if kind < 7:
            return self.direct()
        if kind < 9:
            return self.pick((wait_for(self.below(256), 3), notify(self.below(8)), word(0xa2),
                              word(0xa9, (48, "i", -3)), word(0xb1)))
        known = (1, 2, 0x21, 0x42, 0x43, 0x46, 0x47, 0x48, 0xb8)
        opcode = self.pick([code for code in range(256) if code not in known])
        return bytes([opcode]) + self.random.getrandbits(504).to_bytes(63, "little")

    # Records.

    def when(self):
        return self.below(LENGTH + 20000 * NS) - 10000 * NS

    def spoil(self, record):
        """One record in many is of another kind, or of an impossible time."""
        if not self.chance(self.damage):
            return record
        if self.chance(50):
            return record[:8] + struct.pack("<Q", 2**64 - 1 - self.below(1000))
        return record[:3] + bytes([self.below(256), record[4] ^ self.below(4)]) + record[5:]

    def disorder(self, rows):
        """In the order of time, but for some neighbours."""
        records = [record for _, record in sorted(rows, key=lambda row: row[0])]
        for _ in range(0 if self.ordered else self.pick((0, 0, len(records) // 20))):
            at = self.below(max(len(records) - 1, 1))
            records[at:at + 2] = records[at:at + 2][::-1]
        return b"".join(map(self.spoil, records))

    def split(self, segments, kind, subtype, groups):
        """The records of a kind in two traces, a begin often not in that of its end."""
        parts = [b"", b""]
        for rows in groups:
            for _, record in sorted(rows, key=lambda row: row[0]):
                parts[self.below(2)] += record
        segments[:] = [one for one in segments if one[:2] != (kind, subtype)]
        for number, data in enumerate(parts):
            segments.insert(self.below(len(segments) + 1), (kind, subtype, number, data))

    def run_engine(self, core, engine):
        size = len(core.programs[engine])
        if engine == TENSOR and self.chance(80):
            core.programs[engine].append(notify(2))
            core.begin(engine, size, -400 * NS)
            core.end(engine, size, self.below(900 * NS))
        now = -8000 * NS
        for _ in range(self.below(60)):
            now += self.below(2000 * NS)
            pc = self.below(size + 2) if self.chance(96) else self.below(1 << 20)
            end = now + (self.below(3000 * NS) if self.chance(97) else -self.below(NS))
            hint = self.pick((0, 0, 0, 1, 2))
            kind = self.below(40)
            if kind != 0:
                core.begin(engine, pc, now, self.below(65536), hint)
            if kind != 1:
                core.end(engine, pc, end, hint)
            if kind == 2:
                core.begin(engine, pc, now, kind=2)

    def move(self, core):
        for engine in self.random.sample(range(32), self.pick((0, 3, 16))):
            now = -9000 * NS
            for _ in range(self.below(30)):
                now += self.below(4000 * NS)
                size = self.pick((4, 8, 2048, 2052, 2048, self.below(1 << 24)))
                core.transfer(engine, self.pick((0, 1, 3, 14) if self.identity else
                                                (0, 1, 2, 3, 14)), now,
                              now + self.below(5000 * NS) - 50 * NS, size, self.below(65536))
        for _ in range(self.pick((0, 2))):
            engine, now = self.below(32), self.when()
            raw = core.clocks["dma"][engine & 15].raw(core.origin + now)
            core.transfers.setdefault(engine, []).append(
                (now, dma_record(self.pick((1, 5, 6, 9)), engine, self.below(16), raw, 77)))

    def clock(self, raw):
        """A clock that shows about `raw` when the story begins."""
        den = self.pick((1, 1024, 731428, 1 + self.below(1 << 20)))
        num = self.pick((1, den, 731408, 1204672, 1 + self.below(1 << 21)))
        return Clock(raw, den, num)

    def core(self, number, version, unit):
        origin = self.pick((0, 11 * NS, 2918926032000 * NS)) if unit else -self.below(20000 * NS)
        core = Core("sg%02d" % (number if self.chance(90) else 0), (4 if version > 4 else 0) +
                    number, origin + 20000 * NS)
        if not unit:
            for name in core.clocks:
                core.clocks[name] = self.clock(10**14 + self.below(10**15))
            core.clocks["dma"] = [self.clock(10**14 + self.below(10**15)) for _ in range(16)]
        for engine in range(5):
            core.addresses[engine] = self.below(1 << 40) << 6
            for _ in range(self.below(5 if self.identity else 40)):
                core.add(engine, self.instruction())
            self.run_engine(core, engine)
        for ring in range(4):
            if ring == 2 and self.identity:
                core.add_queue("qSPSpillReload0", WEIGHTS, ring)
            elif self.chance(80):
                core.add_queue(self.pick(QUEUES), self.pick((0, 3, 3, 5, 5 if self.identity else
                                                             WEIGHTS)), ring,
                               self.random.sample(range(32), self.pick((0, 16, 32))))
        if self.identity and core.nc in (0, 4):
            for k in range(16):
                core.transfer(k, 2, 12000 * NS + k * 3 * NS, 13000 * NS + k * 5 * NS, 2048)
        self.move(core)
        return core

    def finish(self, core):
        core.duration = self.pick((0, LENGTH, LENGTH, self.below(1 << 50)))
        core.memory = {name: self.below(1 << 30) for name in ("generic", "io", "profiler buffers")}
        for _ in range(self.below(40)):
            core.event(self.below(256), self.pick((0xf3, 0xf4, 0xf9, 0)), self.below(1 << 32),
                       self.when(), source=self.below(8), semaphore=self.below(2))
        for _ in range(self.below(12)):
            core.throttle(self.pick((8, 4, 7, 0x80)), self.pick((8, 8, 0)), self.below(4),
                          self.when())
        mixed = self.chance(20)
        if DMA in self.untraced:
            core.transfers = {}
        if mixed:
            core.transfers = {0: [row for rows in core.transfers.values() for row in rows]}
        segments = core.segments()
        rows = [core.instructions, core.events, [], [], core.throttles]
        for at, own in enumerate(rows):
            if own:
                segments[at] = segments[at][:3] + (self.disorder(own),)
        moved = [self.disorder(own) for _, own in sorted(core.transfers.items())]
        segments[3] = (DMA, 1, 0, b"".join(moved))
        if self.ordered:
            self.split(segments, INSTRUCTIONS, 0, [core.instructions])
            if not mixed:
                self.split(segments, DMA, 1, [own for _, own in sorted(core.transfers.items())])
        if self.chance(10):
            segments.append((self.pick((1, 3, 9)), 2, 8, bytes(16 * self.below(5))))
        if self.chance(10):
            segments.append((ERRORS, 0, 0, bytes(32)))
        segments[:] = [one for one in segments if one[0] not in self.untraced]
        core.segments = lambda: segments

    def trace(self):
        version = self.pick((4, 5, 5, 6, 6))
        unit = version == 6 or self.chance(40)
        cores = [self.core(number, version, unit) for number in range(self.pick((1, 1, 2, 3)))]
        for core in cores:
            core.origin = cores[0].origin
            core.run(2, word(0xa4), 3 * NS, 4 * NS)      # so that there is something to read
            self.finish(core)
        start = cores[0].origin + self.below(9000 * NS)
        window = (start, start + self.below(LENGTH)) if version == 6 else None
        uuid = self.random.getrandbits(128).to_bytes(16, "big")
        trace = Trace(version, self.pick(INSTANCES[version]), cores, uuid, window)
        if version == 6 and self.chance(10):
            trace.edit = lambda table: table[0].append(
                {1: INSTRUCTIONS, 3: 0, 4: 0, 5: trace.place(bytes(48)), 6: 48, 7: 99})
        return trace


def random_trace(seed):
    return Maker(seed).trace().bytes()
