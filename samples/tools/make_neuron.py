"""samples/formats of the Neuron tools, params.json and devices.json."""
import json

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


def write(writer):
    args = "--set kernel=mlp,dtype=bf16\n"
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
