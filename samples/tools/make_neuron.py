"""samples/formats of the Neuron tools, params.json and devices.json."""
import json

import explorer_writer
import parquet_writer

NODE = "n_" + "5a" * 20
SUMMARY = {"total_time": 4.5e-05, "total_active_time": 4.1e-05, "hardware_flops": 33554432,
           "hbm_read_bytes": 1048576, "hbm_write_bytes": 524288, "instance_type": "trn2.3xlarge",
           "tensor_engine_active_time": 2.1e-05, "dma_active_time": 1.9e-05,
           "mfu_estimated_percent": 0.004740740740740741}
METADATA = {"pe_num_rows": 128, "pe_num_cols": 128, "pe_clock_freq": 2.4,
            "hbm_ddr_bandwidth": 716000000000, "num_physical_cores": 2}


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def bad_json(writer, folder, good):
    writer.write(folder + "malformed-cut.json", good[:len(good) * 2 // 3])
    writer.write(folder + "malformed-text.json",
                 good.replace(repr(SUMMARY["total_time"]), '"soon"'))
    writer.write(folder + "malformed-utf8.json", good.encode().replace(b"trn2.3", b"trn2\xff\xc3("))


def explorer_profile():
    """Two cores that load, multiply and store; each a multiplication of 128 x 128 by 128 x 512."""
    profile = {
        "summary": [dict(
            SUMMARY, total_active_time_percent=4.1 / 4.5, tensor_engine_active_time=2.08e-05,
            tensor_engine_active_time_percent=2.08 / 4.5, dma_active_time=2.078e-05,
            dma_active_time_percent=2.078 / 4.5,
            mfu_inst_estimated_percent=SUMMARY["mfu_estimated_percent"])],
        "metadata": [dict(METADATA, ntff_version=6, is_simulation=False)],
        "profile_info": [{"profiler_version": "2.31.0", "profile_name": "mlp"}],
        "neff_header": [{"hash": "5a" * 16, "uuid": "c3" * 16, "network_name": "mlp.neff"}],
        "nc_mem_usage": [{"usage_type": "Weights", "amount_bytes": 65536}],
        "neff_node": [{"variable_name": "x", "type": "IN", "shape": "128 128", "size": 32768}],
        "warnings": [{"category": "Missing Data", "message": "no compiler metrics"}],
        "ham": [{"timestamp": 2000, "duration": 4000, "k": 7, "n": 8, "type": 0,
                 "subgraph": "pcore0"}],
        "active_time": [], "dma": [], "instruction": [], "semaphore_update": []}
    for core in ("pcore0", "pcore1"):
        for i in range(40):
            start = 1000 + 1000 * i + (core == "pcore1") * 40
            profile["dma"].append({
                "timestamp": start - 1000, "duration": 460 + i, "queue_type": "input",
                "transfer_size": 16384, "subgroup": "qSyncLoad%d" % (i % 3), "subgraph": core})
            profile["instruction"].append({
                "timestamp": start - 100, "duration": 90, "opcode": "EVENT_SEMAPHORE",
                "operands": "S[%d]" % i, "subgroup": "Tensor", "subgraph": core})
            profile["instruction"].append({
                "timestamp": start, "duration": 480, "opcode": "MATMUL", "elements": 128 * 128 * 512,
                "operands": "src=bfloat16@0x%x[1,512] dst=fp32@0x%x[1,512]" % (64 * i, 2048 * i),
                "instruction_type": "REGULAR", "subgroup": "Tensor", "subgraph": core,
                "nki_source_location": "mlp.py:%d" % (12 + i % 2)})
            profile["active_time"].append({"engine": "tensor", "start_ts": start,
                                           "end_ts": start + 480, "subgraph": core})
            profile["active_time"].append({"engine": "dma", "start_ts": start - 1000,
                                           "end_ts": start - 540 + i, "subgraph": core})
            profile["semaphore_update"].append({"timestamp": start + 480, "id": str(i), "value": i,
                                                "subgraph": core})
    return profile


def write_explorer(writer, args):
    folder = "formats/neuron/neuron-explorer/"
    profile = explorer_profile()
    files = explorer_writer.tables_of(profile)
    writer.write(folder + "args", args)
    for name, data in files.items():
        writer.write(folder + "sample/" + name, data)
    for name, data in explorer_writer.tables_of(
            profile, percent=100, parts=3, codec=parquet_writer.GZIP, version=2, group_rows=32,
            page_rows=10).items():
        writer.write(folder + "sample-split/" + name, data)
    summary = files["Summary.parquet"]
    writer.write(folder + "malformed-cut.parquet", summary[:len(summary) * 2 // 3])
    writer.write(folder + "malformed-column.parquet", summary.replace(b"trn2.3xlarge", b"trn2.3xl" b"\xff" * 4)
                 .replace(b"total_time", b"total_ti\nm"))
    writer.write(folder + "malformed-table.parquet", files["Instruction.parquet"])
    writer.write(folder + "malformed-other.parquet", parquet_writer.table(
        [parquet_writer.Column("op", "text", ["mlp"]), parquet_writer.Column("ms", "double", [1.5])]))
    changed = {
        "unit": ("SchemaFields", parquet_writer.of_rows(
            [{"table_name": "Instruction", "field_name": "duration_ns", "field_unit": "picoseconds"}],
            explorer_writer.UNIT_KINDS)),
        "executions": ("ExecutionInfo", parquet_writer.of_rows(
            [{"execution_index": 0}, {"execution_index": 1}],
            {"execution_index": explorer_writer.ID})),
        "text": ("ActiveTime", parquet_writer.of_rows(
            [{"engine": "tensor", "start_ts": "soon", "duration_ns": 1}],
            {"engine": explorer_writer.TEXT, "start_ts": explorer_writer.TEXT,
             "duration_ns": explorer_writer.INT}))}
    for name, (table, data) in changed.items():
        writer.write(folder + "malformed-%s/Summary.parquet" % name, summary)
        writer.write(folder + "malformed-%s/%s.parquet" % (name, table), data)


def write(writer):
    args = "--set kernel=mlp,dtype=bf16\n"
    write_explorer(writer, args)
    folder = "formats/neuron/neuron-profile-json/"
    profile = compact({"summary": [SUMMARY], "metadata": [METADATA], "active_time": [
        {"engine": "tensor", "start_ts": 1000, "end_ts": 22000, "duration_ns": 21000,
         "pcore_idx": 0},
        {"engine": "dma", "start_ts": 0, "end_ts": 19000, "duration_ns": 19000, "pcore_idx": 0}]})
    writer.write(folder + "sample.json", profile)
    writer.write(folder + "args", args)
    bad_json(writer, folder, profile)

    folder = "formats/neuron/neuron-summary-json/"
    writer.write(folder + "sample.json", "WARN[0000] a line of the log\n" + compact({NODE: SUMMARY}))
    writer.write(folder + "args", args)
    bad_json(writer, folder, compact({NODE: SUMMARY}))

    folder = "formats/neuron/neuron-summary-text/"
    lines = [NODE] + ["    %-40s%s" % item for item in SUMMARY.items()]
    text = "\n".join(lines) + "\n"
    writer.write(folder + "sample.txt", text)
    writer.write(folder + "args", args)
    writer.write(folder + "malformed-text.txt", text.replace("4.5e-05", "soon"))
    writer.write(folder + "malformed-infinite.txt", text.replace("33554432", "1e999"))
    writer.write(folder + "malformed-alone.txt", NODE + "\n    instance_type    trn2.3xlarge\n")

    folder = "formats/neuron/neuron-summary-values/"
    numbers = ["%s = %s" % item for item in SUMMARY.items() if item[0] != "instance_type"]
    one = "counters of one capture\n\n=== TIMES (2) ===\n%s   %s\n\n=== OTHERS ===\n%s\n" % (
        numbers[0], numbers[1], "\n".join(numbers[2:]) + "\n  derived: 4.1 / 4.5 = 0.91")
    several = "== prefill  size=123904\n   %s\n== decode  size=4096\n   %s\n" % (
        "\n   ".join(numbers), "\n   ".join(numbers).replace("4.5e-05", "3e-05"))
    writer.write(folder + "sample.txt", one)
    writer.write(folder + "sample-several.txt", several)
    writer.write(folder + "args", "--set dtype=bf16,device=trn2,cores=2,kernel=mlp\n")
    writer.write(folder + "malformed-unit.txt", one.replace("4.5e-05", "45 us"))
    writer.write(folder + "malformed-again.txt", several.replace("== decode", "then decode"))
    writer.write(folder + "malformed-none.txt", one.replace("= ", "= -"))
    writer.write(folder + "malformed-text.txt", several.replace("33554432", "many"))

    folder = "formats/neuron/neuron-session/"
    rule = "+---------+----------------+-----------+------+-------+----------+--------+--------+"
    table = "\n".join([
        rule,
        "| NODE ID | EXEC TIME (NS) | EXECUTOR  | NAME | TRACE |  CYCLES  | EVENTS | ERRORS |",
        rule,
        "|       0 |              0 | ND 0 NC 4 | sg00 |   800 | 41000000 |    500 |      0 |",
        "|         |                | ND 0 NC 5 | sg01 |   800 | 45000000 |    500 |      0 |",
        rule, ""])
    writer.write(folder + "sample.txt", table)
    writer.write(folder + "args", "--set kernel=mlp,dtype=bf16,device=trn2\n")
    writer.write(folder + "malformed-cut.txt", table[:len(table) * 3 // 4])
    writer.write(folder + "malformed-cycles.txt", table.replace("41000000", "fast    "))
    writer.write(folder + "malformed-idle.txt",
                 table.replace("41000000", "       0").replace("45000000", "       0"))

    folder = "formats/companions/params/"
    params = '{"kernel": "mlp", "dtype": "bf16", "config": {"b": 1, "s": 128}}\n'
    writer.write(folder + "sample.json", params)
    writer.write(folder + "malformed-cut.json", params[:40])
    writer.write(folder + "malformed-nameless.json",
                 '{"kernel": "mlp", "dtype": "bf16", "": 1}\n')
    writer.write(folder + "malformed-control.json", '{"kernel": "m\\u0007p", "dtype": "bf16"}\n')

    folder = "formats/companions/devices/"
    device = {"name": "example-npu", "peak_tflops": {"bf16": 64.0}, "peak_gbps": 410.0,
              "source": "an invented device"}
    writer.json(folder + "sample.json", {"devices": [device]})
    writer.json(folder + "malformed-unit.json", {"devices": [dict(device, peak_gbps="410 apples")]})
    writer.json(folder + "malformed-negative.json", {"devices": [dict(device, peak_gbps=-1)]})
    writer.json(folder + "malformed-dtype.json",
                {"devices": [dict(device, peak_tflops={"bf17": 64.0})]})
