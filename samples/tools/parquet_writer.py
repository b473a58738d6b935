"""Parquet files for samples: flat columns that may be null, in every encoding that rooflog reads."""
import struct
import zlib

BOOLEAN, INT32, INT64, FLOAT, DOUBLE, BYTES = 0, 1, 2, 4, 5, 6
TYPES = {"bool": BOOLEAN, "int32": INT32, "int64": INT64, "uint64": INT64, "float": FLOAT,
         "double": DOUBLE, "text": BYTES}
PLAIN, RLE, DELTA, DELTA_LENGTH, DELTA_BYTES, DICTIONARY, SPLIT = 0, 3, 5, 6, 7, 8, 9
ENCODINGS = {"plain": PLAIN, "rle": RLE, "delta": DELTA, "delta-length": DELTA_LENGTH,
             "delta-bytes": DELTA_BYTES, "dictionary": DICTIONARY, "split": SPLIT}
UNCOMPRESSED, GZIP = 0, 2
FORMATS = {INT32: "<i", INT64: "<q", FLOAT: "<f", DOUBLE: "<d"}


# Thrift's compact protocol: a structure is a list of (field, value), where value is a number, bytes,
# a structure, or a list of one of them. Bool is a class of numbers and comes first. Numbers have 32
# bits, or 64 as Long.

def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7f | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def zigzag(number):
    return varint((number << 1 ^ number >> 63) & (2**64 - 1))


class Struct(list):
    pass


class Long(int):
    pass


def kind_of(value):
    if isinstance(value, bool):
        return 1 if value else 2
    if isinstance(value, Struct):
        return 12
    return {int: 5, Long: 6, bytes: 8, list: 9}[type(value)]


def thrift(value):
    if isinstance(value, Struct):
        out, last = b"", 0
        for field, part in value:
            out += bytes([(field - last) << 4 | kind_of(part)])
            out += b"" if isinstance(part, bool) else thrift(part)
            last = field
        return out + b"\0"
    if isinstance(value, int):
        return zigzag(value)
    if isinstance(value, bytes):
        return varint(len(value)) + value
    kind = kind_of(value[0]) if value else 12
    head = bytes([len(value) << 4 | kind]) if len(value) < 15 else (
        bytes([0xf0 | kind]) + varint(len(value)))
    return head + b"".join(map(thrift, value))


# Values.

def pack(numbers, width):
    bits = sum(number << width * i for i, number in enumerate(numbers))
    return bits.to_bytes((len(numbers) * width + 7) // 8, "little")


def runs(numbers, width):
    """Runs of equal numbers, and packed groups of eight for the rest."""
    out, at = b"", 0
    while at < len(numbers):
        end = at
        while end < len(numbers) and numbers[end] == numbers[at]:
            end += 1
        if end - at >= 8 or end == len(numbers):
            out += varint((end - at) << 1) + pack(numbers[at:at + 1], (width + 7) // 8 * 8)
            at = end
        else:
            group = numbers[at:at + 8]
            out += varint(1 << 1 | 1) + pack(group + [0] * (8 - len(group)), width)
            at += 8
    return out


def differences(numbers, bits=64, block=128, minis=4):
    first = numbers[0] if numbers else 0
    out = varint(block) + varint(minis) + varint(len(numbers)) + zigzag(first)
    half = 1 << bits - 1
    steps = [(b - a + half) % (2 * half) - half for a, b in zip(numbers, numbers[1:])]
    size = block // minis
    for at in range(0, len(steps), block):
        part = steps[at:at + block]
        least = min(part)
        part = [step - least for step in part]
        groups = [part[i:i + size] for i in range(0, len(part), size)]
        widths = [max(group).bit_length() for group in groups]
        out += zigzag(least) + bytes(widths + [0] * (minis - len(widths)))
        for group, width in zip(groups, widths):
            out += pack(group + [0] * (size - len(group)), width)
    return out


def shared_prefix(a, b):
    count = 0
    while count < min(len(a), len(b)) and a[count] == b[count]:
        count += 1
    return count


def plain(values, type_):
    if type_ == BOOLEAN:
        return pack([int(value) for value in values], 1)
    if type_ == BYTES:
        return b"".join(struct.pack("<I", len(value)) + value for value in values)
    return b"".join(struct.pack(FORMATS[type_], value) for value in values)


def encode(values, type_, encoding):
    if encoding == PLAIN:
        return plain(values, type_)
    if encoding == RLE:
        data = runs([int(value) for value in values], 1)
        return struct.pack("<I", len(data)) + data
    if encoding == DELTA:
        return differences(values, 32 if type_ == INT32 else 64)
    if encoding == DELTA_LENGTH:
        return differences([len(value) for value in values]) + b"".join(values)
    if encoding == DELTA_BYTES:
        shared = [shared_prefix(a, b) for a, b in zip([b""] + values, values)]
        rest = [value[count:] for value, count in zip(values, shared)]
        return differences(shared) + encode(rest, type_, DELTA_LENGTH)
    width = struct.calcsize(FORMATS[type_])
    data = plain(values, type_)
    return b"".join(data[i::width] for i in range(width))


class Column:
    """kind is one of TYPES; values are numbers, texts and None."""

    def __init__(self, name, kind, values, encoding="plain", required=False):
        self.name, self.kind, self.type = name, kind, TYPES[kind]
        self.encoding, self.required = ENCODINGS[encoding], required
        signed = kind != "uint64"
        self.values = [value if value is None else
                       value.encode() if kind == "text" else
                       value if signed or value < 2**63 else value - 2**64 for value in values]

    def schema(self):
        out = Struct([(1, self.type), (3, 0 if self.required else 1), (4, self.name.encode())])
        if self.kind == "text":
            out.append((6, 0))
        if self.kind == "uint64":
            out.append((6, 14))
        return out


def page(kind, data, codec, head, levels=b""):
    packed = data
    if codec == GZIP:
        squeeze = zlib.compressobj(9, wbits=31)
        packed = squeeze.compress(data) + squeeze.flush()
    head = Struct([(1, kind), (2, len(levels) + len(data)), (3, len(levels) + len(packed)), head])
    return thrift(head) + levels + packed


def data_page(values, column, encoding, codec, version, dictionary):
    levels = b"" if column.required else runs([int(value is not None) for value in values], 1)
    given = [value for value in values if value is not None]
    if encoding == DICTIONARY:
        width = max(1, (len(dictionary) - 1).bit_length())
        data = bytes([width]) + runs([dictionary.index(value) for value in given], width)
    else:
        data = encode(given, column.type, encoding)
    if version == 2:
        return page(3, data, codec, (8, Struct([
            (1, len(values)), (2, len(values) - len(given)), (3, len(values)), (4, encoding),
            (5, len(levels)), (6, 0), (7, codec != UNCOMPRESSED)])), levels)
    if not column.required:
        data = struct.pack("<I", len(levels)) + levels + data
    return page(0, data, codec, (5, Struct([(1, len(values)), (2, encoding), (3, RLE), (4, RLE)])))


def chunk(out, column, values, codec, version, page_rows):
    begin, encoding, dictionary, at = len(out), column.encoding, [], None
    if encoding == DICTIONARY:
        dictionary = sorted({value for value in values if value is not None})
        at = begin
        out += page(2, plain(dictionary, column.type), codec,
                    (7, Struct([(1, len(dictionary)), (2, PLAIN)])))
    data = len(out)
    for first in range(0, len(values), page_rows):
        out += data_page(values[first:first + page_rows], column, encoding, codec, version,
                         dictionary)
    meta = Struct([(1, column.type), (2, [encoding]), (3, [column.name.encode()]), (4, codec),
                   (5, Long(len(values))), (6, Long(len(out) - begin)),
                   (7, Long(len(out) - begin)), (9, Long(data))])
    if at is not None:
        meta.append((11, Long(at)))
    return Struct([(2, Long(begin)), (3, meta)])


def table(columns, codec=UNCOMPRESSED, version=1, group_rows=1000, page_rows=100):
    out, groups = bytearray(b"PAR1"), []
    rows = len(columns[0].values)
    for first in range(0, rows, group_rows):
        begin = len(out)
        chunks = [chunk(out, column, column.values[first:first + group_rows], codec, version,
                        page_rows) for column in columns]
        groups.append(Struct([(1, chunks), (2, Long(len(out) - begin)),
                              (3, Long(min(group_rows, rows - first)))]))
    schema = [Struct([(4, b"schema"), (5, len(columns))])] + [column.schema() for column in columns]
    footer = thrift(Struct([(1, version), (2, schema), (3, Long(rows)), (4, groups),
                            (6, b"rooflog samples")]))
    return bytes(out) + footer + struct.pack("<I", len(footer)) + b"PAR1"


def of_rows(rows, kinds, **options):
    """A table of dictionaries; kinds maps names to (kind, encoding)."""
    return table([Column(name, kind, [row.get(name) for row in rows], encoding)
                  for name, (kind, encoding) in kinds.items()], **options)
