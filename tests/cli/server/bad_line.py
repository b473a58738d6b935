#!/usr/bin/env python3
"""A bad line to a PostgreSQL server: some requests are answered with a serialization failure instead, some connections
are cut before a request arrives, and some after it arrived, before the answer.

usage: bad_line.py SERVER_PORT OWN_PORT [FAILURES [CUTS_BEFORE [CUTS_AFTER]]]    (in percent of the requests)
"""
import asyncio
import random
import struct
import sys

server_port, own_port = int(sys.argv[1]), int(sys.argv[2])
failures, before, after = (float(word) / 100 for word in (sys.argv[3:] + ["10", "5", "5"])[:3])
rng = random.Random(7)


def message(kind, body):
    return kind + struct.pack("!i", len(body) + 4) + body


REFUSAL = message(b"E", b"SERROR\0VERROR\0C40001\0Mcould not serialize access\0\0") + message(b"Z", b"I")


async def copy(reader, writer, cut):
    try:
        while data := await reader.read(65536):
            if cut.is_set():
                break
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()


async def requests(client, server, back, cut):
    """What the client sends; a request ends with Sync. Only the first of a transaction is refused: the server knows
    nothing of it."""
    size = struct.unpack("!i", await client.readexactly(4))[0]
    server.write(struct.pack("!i", size) + await client.readexactly(size - 4))
    request, open_transaction = b"", False
    while True:
        kind = await client.readexactly(1)
        size = struct.unpack("!i", await client.readexactly(4))[0]
        request += kind + struct.pack("!i", size) + await client.readexactly(size - 4)
        if kind != b"S":
            if kind in (b"p", b"X"):
                server.write(request)
                await server.drain()
                request = b""
            continue
        drawn = rng.random()
        if drawn < before:
            return
        if drawn < before + failures and not open_transaction and b"COMMIT" not in request:
            back.write(REFUSAL)
            await back.drain()
            request = b""
            continue
        open_transaction = (open_transaction or b"BEGIN" in request) and b"COMMIT" not in request and b"ROLLBACK" not in request
        if before + failures <= drawn < before + failures + after:
            cut.set()
        server.write(request)
        await server.drain()
        request = b""
        if cut.is_set():
            await asyncio.sleep(0.02)
            return


async def serve(client, back):
    cut = asyncio.Event()
    reader, server = await asyncio.open_connection("127.0.0.1", server_port)
    answers = asyncio.create_task(copy(reader, back, cut))
    try:
        await requests(client, server, back, cut)
    except (OSError, asyncio.IncompleteReadError):
        pass
    server.close()
    back.close()
    answers.cancel()


async def main():
    async with await asyncio.start_server(serve, "127.0.0.1", own_port) as listener:
        print("ready", flush=True)
        await listener.serve_forever()


asyncio.run(main())
