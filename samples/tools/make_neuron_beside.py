"""samples/formats of what lies beside Neuron profiles: NEFF, benchmarks, timings, pastes."""
import gzip
import io
import json
import struct
import tarfile

MICROSECONDS = [(37298, 37308, 37318), (376, 378, 381)]


SCALE = "value_sg0000_scale_7_CRSM.npy"
VARIABLES = {
    "SB": {"type": "state-buffer", "var_id": 0},
    "x": {"ops": [], "size": 32768, "type": "input", "var_id": 1},
    "w": {"ops": [], "size": 32768, "type": "input", "var_id": 2},
    "out": {"ops": [], "size": 65536, "type": "output", "var_id": 3},
    "scale_7": {"file_name": SCALE, "ops": [], "size": 512, "type": "file", "var_id": 4},
    "spilled": {"backing_variable_off": 0, "size": 1048576, "type": "virtual", "var_id": 5}}
TENSORS = {"x": [128, 128], "w": [128, 128], "out": [128, 128], "sg0000_scale_7_CRSM": [1, 128, 1]}


def graph(variables=None):
    """What the archive has of one physical core."""
    files = {name: f"value_{name}.npy" for name in TENSORS}
    return {"def.json": json.dumps({"name": "definition", "var": variables or VARIABLES}).encode(),
            "value_sg0000_scale_7_CRSM.npy": b"\x93NUMPY" + b"\0" * 634,
            "tensor_map.json": json.dumps({
                name: {"tf_file": files[name], "tf_shape": shape, "sim_shape": shape}
                for name, shape in TENSORS.items()}).encode()}


def neff_files(name, *graphs):
    """The cores of a logical core have the same variables; each has a graph of its own."""
    files = {"debug_info/a.dbg": b"x" * 700, "info.json": json.dumps(
        {"tool_version": "2.23.6484.0+samples", "name": name}).encode()}
    for number, parts in enumerate(graphs):
        files.update({f"sg{number:02}/{part}": data for part, data in parts.items()})
    return files


def neff(name="mlp.neff", files=None, digest=None):
    """A header of 1024 bytes and a gzipped tar."""
    files = neff_files(name, graph(), graph()) if files is None else files
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, data in files.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    body = gzip.compress(packed.getvalue(), 9, mtime=0)
    header = bytearray(1024)
    struct.pack_into("<QQQ", header, 0, 2, 1024, len(body))
    header[0xac:0xbc] = bytes.fromhex("5a" * 16) if digest is None else digest
    header[0xcc:0xdc] = bytes(range(1, 17))
    header[0xdc:0xdc + len(name)] = name.encode()
    return bytes(header), body


def write_neff(writer):
    folder = "formats/neuron/neff/"
    header, body = neff()
    writer.write(folder + "sample.neff", header + body)
    writer.write(folder + "sample-without-info.neff", b"".join(neff(files={"a.bin": b"abc"})))
    unknown = {name: {key: value for key, value in variable.items()
                      if (name, key) != ("w", "size")} for name, variable in VARIABLES.items()}
    writer.write(folder + "sample-without-a-size.neff",
                 b"".join(neff(files=neff_files("mlp.neff", graph(unknown)))))
    writer.write(folder + "malformed-header.neff", header[:600])
    writer.write(folder + "malformed-cut.neff", header + body[:60])
    writer.write(folder + "malformed-archive.neff", header + b"\0" * 64)
    writer.write(folder + "malformed-hash.neff", b"".join(neff(digest=b"\0" * 16)))
    writer.write(folder + "malformed-info.neff", b"".join(neff(files={"info.json": b"{\"a\":"})))
    writer.write(folder + "malformed-graph.neff",
                 b"".join(neff(files=neff_files("mlp.neff", {"def.json": b"{\"var\": [}"}))))


def bench_table(rows):
    rule = "+---+----+---------+---------+---------+-------+--------+-------+-------+-------+"
    titles = ("B", "NC", "NC USED", "WEIGHTS", "MODE", "INF/S", "IRES/S", "L(1)", "L(50)", "L(99)",
              "NCL(1)", "NCL(50)", "NCL(99)", "%USER")
    lines = ["  ".join(title.ljust(8) for title in titles)]
    for row in rows:
        lines.append("  ".join(str(cell).ljust(8) for cell in row))
    return "Benchmarking performance...\n\nfile\n" + rule + "\n  " + "\n  ".join(lines) + \
        "\n" + rule + "\n"


def write_bench(writer):
    folder = "formats/neuron/neuron-bench/"
    low, middle, high = MICROSECONDS[0]
    row = (1, 1, 1, "dynamic", "LIBMODE", 26.71, 26.71, low + 44, middle + 80, high + 76, low,
           middle, high, "N/A")
    table = bench_table([row])
    writer.write(folder + "args", "--set kernel=vector_add,dtype=fp32,device=trn2\n")
    writer.write(folder + "sample-table.txt", table)
    writer.write(folder + "sample-sweep.txt", bench_table(
        [row, (2, 1, 1, "dynamic", "LIBMODE", 52.9, 52.9, 375, 377, 383, 376, 378, 381, "N/A")]))
    writer.write(folder + "sample-list.txt", "Latency results are:\nNCLatency:\n" + "".join(
        "    p%d = %dus\n" % pair for pair in ((0, 6929), (1, 6929), (10, 6930), (25, 6930),
                                               (50, 6931), (90, 6932), (99, 6934), (100, 6935))))
    writer.write(folder + "malformed-number.txt", table.replace("37308", "fast "))
    writer.write(folder + "malformed-empty.txt", bench_table([]))
    writer.write(folder + "malformed-two.txt", table + "\nNCLatency:\n    p50 = 6931us\n")
    writer.write(folder + "malformed-same.txt", bench_table([row, row]))
    writer.write(folder + "malformed-unit.txt", "NCLatency:\n    p50 = 6931\n")

    folder = "formats/neuron/neuron-bench-json/"
    writer.write(folder + "args", "--set kernel=vector_add,dtype=fp32,device=trn2\n")
    data = {"latency_data": {"0": [519, 519, 520, 519], "1": [521, 522, 521, 524]}}
    writer.json(folder + "sample-nc_latency_data.json", data)
    writer.json(folder + "malformed-text.json", {"latency_data": {"0": ["519"]}})
    writer.json(folder + "malformed-empty.json", {"latency_data": {}})
    writer.json(folder + "malformed-core.json", {"latency_data": {"zero": [519]}})
    writer.write(folder + "malformed-cut.json", json.dumps(data)[:40])


def write_nxdi(writer):
    folder = "formats/npu/nxdi-benchmark/"
    report = {}
    for name, median, rate in (("e2e_model", 2210.5, 115.8), ("context_encoding_model", 41.25, 6206.1),
                               ("token_generation_model", 8.5, 117.6)):
        report[name] = {"latency_ms_p50": median, "latency_ms_p90": median + 0.5,
                        "latency_ms_p95": median + 0.75, "latency_ms_p99": median + 1,
                        "latency_ms_p100": median + 1.25, "latency_ms_avg": median + 0.125,
                        "throughput": rate}
    writer.write(folder + "args", "--set dtype=bf16,device=trn2\n")
    writer.json(folder + "sample.json", report)
    text = json.dumps(report)
    writer.write(folder + "malformed-text.json", text.replace("2210.5", '"slow"', 1))
    writer.write(folder + "malformed-zero.json", text.replace("41.25", "0", 1))
    writer.write(folder + "malformed-cut.json", text[:len(text) // 2])


def write_timings(writer):
    folder = "formats/companions/timings/"
    timings = {"kernel": "mlp", "variant": "nkilib", "dtype": "bf16", "device": "trn2",
               "host_time": "4039.86 ms", "compile_time": "4312 ms", "params": {"b": 1, "s": 128}}
    writer.json(folder + "sample.json", timings)
    writer.json(folder + "sample-repeats.json", {
        "kernel": "mlp", "variant": "neuronxcc", "host_time": ["1.40 ms", "1.41 ms", "1.43 ms"],
        "total_time": "39.36 us", "compile_time": None})
    writer.json(folder + "malformed-bare.json", dict(timings, host_time=4039.86))
    writer.json(folder + "malformed-bare-text.json", dict(timings, host_time="4039.86"))
    writer.json(folder + "malformed-unit.json", dict(timings, algorithmic_bytes="3.5 MiB"))
    writer.json(folder + "malformed-name.json", dict(timings, hots_time="1 ms"))
    writer.json(folder + "malformed-zero.json", dict(timings, host_time="0 ms"))
    writer.json(folder + "malformed-empty.json", {"kernel": "mlp", "host_time": None})


PASTE = (("event_count", "1200"), ("hardware_flops", "33.55 **MFLOPS**"),
         ("transpose_flops", "4.19 **MFLOPS**"), ("total_time", "45.0 **us**"),
         ("mm_arithmetic_intensity", "18.67 **flops/byte**"), ("hbm_read_bytes", "1 **MiB**"),
         ("hbm_write_bytes", "512 **KiB**"), ("mfu_estimated_percent", "0.41 **%**"),
         ("tensor_engine_active_time", "21.0 **us**"), ("instance_type", "trn2.3xlarge"),
         ("compiler_version", "2.23.0+samples"))


def write_paste(writer):
    folder = "formats/neuron/neuron-ui-paste/"
    rows = ["| Group | Name | Value |", "| --- | --- | --- |"]
    rows += ["| overall | **%s** | %s |" % PASTE[0]] + ["| **%s** | %s | |" % row for row in PASTE[1:]]
    text = "\n".join(rows) + "\n"
    writer.write(folder + "args", "--set kernel=mlp,dtype=bf16,cores=2\n")
    writer.write(folder + "sample.md", text)
    writer.write(folder + "malformed-percent.md", text.replace("0.41 **%**", "0.0041"))
    writer.write(folder + "malformed-unit.md", text.replace("45.0 **us**", "45.0"))
    writer.write(folder + "malformed-megabytes.md", text.replace("1 **MiB**", "1 **MB**"))
    writer.write(folder + "malformed-figure.md", text.replace("33.55 **MFLOPS**", "many"))


def write(writer):
    write_neff(writer)
    write_bench(writer)
    write_nxdi(writer)
    write_timings(writer)
    write_paste(writer)
