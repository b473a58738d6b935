"""Fields of messages of Protocol Buffers, and counted checks: what the decoders of real files share."""

checks = {"passed": 0, "failed": 0}


def check(what, good):
    checks["passed" if good else "failed"] += 1
    if not good:
        print("FAILED: " + what)


def varint(data, at):
    number = shift = 0
    while True:
        number |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return number, at


def fields(data):
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
        yield key >> 3, value


def finish():
    print("%d passed, %d failed" % (checks["passed"], checks["failed"]))
    return checks["failed"] > 0
