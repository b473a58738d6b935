"""samples/formats of tables: benchmark programs' CSV, and plain tables with a map."""
import csv
import io
import json

import parquet_writer


def table(header, rows, separator=","):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def cutlass_output(header, rows):
    """What cutlass_profiler prints: each result, then the table."""
    text = ""
    for values in rows:
        row = dict(zip(header, map(str, values)))
        text += ("\n\n\n=============================\n  Problem ID: %s\n\n        Provider: %s\n"
                 "   OperationKind: %s\n       Operation: %s\n\n          Status: %s\n"
                 "    Verification: ON\n     Disposition: %s\n\n           Bytes: %s  bytes\n"
                 "           FLOPs: %s  flops\n           FLOPs/Byte: %s\n\n         Runtime: %s  ms\n"
                 % (row["Problem"], row["Provider"], row["OperationKind"], row["Operation"],
                    row["Status"].title(), row["Disposition"].title(), row["Bytes"], row["Flops"],
                    row["Flops/Byte"], row["Runtime"]))
    return text + "\n\n=============================\n\nCSV Results:\n\n" + table(header, rows)


def cutlass(writer):
    folder = "formats/benchmarks/cutlass-profiler/"
    header = ("Problem Provider OperationKind Operation Disposition Status gemm_kind m n k A B C alpha "
              "beta split_k_slices batch_count op_class accum cta_m cta_n cta_k stages min_cc max_cc "
              "Bytes Flops Flops/Byte Runtime GB/s GFLOPs").split()

    def row(name, disposition, dtype, m, milliseconds, size, status="success", slack=1.0):
        flops, moved = 2 * m * m * m + 2 * m * m, 3 * m * m * size
        seconds = milliseconds / 1e3
        rates = [""] * 2 if not seconds else [
            "%.6g" % (moved / seconds / 2**30 * slack), "%.6g" % (flops / seconds / 1e9)]
        return [1, "CUTLASS", "gemm", name, disposition, status, "universal", m, m, m,
                dtype + ":column", dtype + ":row", dtype + ":column", 1, 0, 1, 1,
                "simt" if dtype == "f32" else "tensorop", dtype, 128, 128, 32, 3, 80, 1024, moved,
                flops, flops // moved, milliseconds] + rates

    name = "cutlass_tensorop_h16816gemm_128x128_32x3_nt_align8"
    rows = [row(name, "passed", "f16", 1024, 0.015625, 2),
            row(name, "passed", "f16", 1024, 0.015875, 2),
            row(name, "passed", "f16", 1024, 0.015750, 2),
            row(name, "incorrect", "f16", 2048, 0.0625, 2),
            row("cutlass_simt_sgemm_128x128_8x2_nt_align1", "not_verified", "f32", 1024, 0.1875, 4),
            row("cutlass_simt_sgemm_64x64_8x2_nt_align1", "failed", "f32", 1024, 0, 4,
                "error_internal")]
    text = table(header, rows)
    writer.write(folder + "sample.csv", text)
    writer.write(folder + "sample-rates.csv",
                 table(header, [row(name, "passed", "f16", 1024, 0.015625, 2, slack=1.5)]))
    conv = [[2, "CUTLASS", "conv2d", "cutlass_tensorop_h16816fprop_optimized", "passed", "success",
             8, 3, 1769472, 603979776, 341, 0.25, 1769472 / 0.25e-3 / 2**30, 603979776 / 0.25e-3 / 1e9]]
    printed = cutlass_output(header, rows) + cutlass_output(
        "Problem Provider OperationKind Operation Disposition Status n r Bytes Flops Flops/Byte Runtime "
        "GB/s GFLOPs".split(), conv)
    writer.write(folder + "sample-printed.txt", printed)
    writer.write(folder + "malformed-printed.txt", printed.split("CSV Results:")[0])
    writer.write(folder + "malformed-time.csv", text.replace(",0.015625,", ",fast,"))
    writer.write(folder + "malformed-cut.csv", text[:len(text) * 2 // 3])
    writer.write(folder + "malformed-empty.csv", table(header, rows[-1:]))
    writer.write(folder + "malformed-negative.csv", text.replace(",0.015875,", ",-0.015875,"))


def liger(writer):
    folder = "formats/benchmarks/liger/"
    header = ("kernel_name kernel_provider kernel_operation_mode metric_name metric_unit x_name x_label "
              "x_value y_value_50 y_value_20 y_value_80 extra_benchmark_config_str gpu_name timestamp "
              "liger_version").split()
    rows = []
    for device, factor in (("NVIDIA H100 80GB HBM3", 1), ("NVIDIA A100-SXM4-80GB", 2)):
        for provider, slow in (("liger", 1), ("huggingface", 3)):
            for x in (1024, 2048):
                config = json.dumps({"hidden_size": 4096, "dtype": "torch.bfloat16", "eps": None})
                for metric, unit, value in (("speed", "ms", x * factor * slow / 8192),
                                            ("memory", "MB", x * slow / 4)):
                    rows.append(["rms_norm", provider, "forward", metric, unit, "T", "tokens", x,
                                 value, value - 1 / 128, value + 1 / 64, config, device,
                                 "2026-02-03 04:05:06", "0.0.1"])
    text = table(header, rows)
    writer.write(folder + "sample.csv", text)
    writer.write(folder + "malformed-unit.csv", text.replace(",ms,", ",furlongs,"))
    writer.write(folder + "malformed-config.csv", text.replace('{""hidden_size""', '[""hidden_size""'))
    writer.write(folder + "malformed-number.csv", text.replace(",0.125,", ",soon,"))
    writer.write(folder + "malformed-cut.csv", text[:len(text) // 2])


def flashinfer(writer):
    folder = "formats/benchmarks/flashinfer/"
    header = ("routine median_time std_time tflops tb_per_sec backend q_dtype num_tokens top_k input_dtype "
              "use_nvfp4 num_tokens top_k m n k refcheck no_cuda_graph use_cupti random_seed case_tag "
              "repro_command").split()

    def row(routine, milliseconds, flops, moved, backend, cupti="True", command="x --a 1, 2", **cells):
        base = {"routine": routine, "median_time": milliseconds, "std_time": milliseconds / 64,
                "tflops": flops / milliseconds / 1e9, "tb_per_sec": moved / milliseconds / 1e9,
                "backend": backend, "refcheck": "False", "no_cuda_graph": "False", "random_seed": 7,
                "use_cupti": cupti, "case_tag": "None", "repro_command": command}
        base.update(cells)
        return [base.get(name, "") for name in header]

    rows = [row("rmsnorm", 0.0025, 655360, 524288, "cuda", input_dtype="torch.float16", m=16),
            row("rmsnorm", 0.0035, 655360, 524288, "cuda", "False", input_dtype="torch.float16", m=16),
            row("mm_fp4", 0.01, 2 * 512 * 1024 * 2048, 3145728, "cudnn", input_dtype="fp8_e4m3",
                use_nvfp4="True", m=512, n=1024, k=2048),
            row("moe", 0.5, 0, 1000000.5, "trtllm", input_dtype="torch.bfloat16", num_tokens=32,
                top_k=8),
            row("decode", 0.25, 1e9, 1e9, "fa2", q_dtype="torch.bfloat16", command='say "hi"')]
    text = table(header, rows)
    writer.write(folder + "sample.csv", text)
    writer.write(folder + "args", "--set device=b200\n")
    writer.write(folder + "malformed-time.csv", text.replace(",0.0025,", ",2.5us,"))
    writer.write(folder + "malformed-quote.csv", text.replace('""hi""', 'hi" '))
    writer.write(folder + "malformed-cells.csv", text.replace(",None,", ","))


def perf_report(writer):
    folder = "formats/benchmarks/perf-report/"
    text = table(["M", "N", "Triton (ms)", "Torch (ms)"],
                 [["512.0", "1024.0", "0.031250", "0.046875"],
                  ["1024.0", "1024.0", "0.062500", ""], ["2048.0", "1024.0", "0.125000", "0.1875"]])
    writer.write(folder + "sample.csv", text)
    writer.write(folder + "sample-rates.csv", table(["size", "cuBLAS (TFLOPS)", "Triton (TFLOPS)",
                                                      "Diff"], [["1024", "400.5", "312.25", ""]]))
    writer.write(folder + "args", "--set kernel=softmax\n")
    writer.write(folder + "malformed-text.csv", text.replace("0.062500", "OOM!"))
    writer.write(folder + "malformed-negative.csv", text.replace("0.062500", "-0.062500"))
    writer.write(folder + "malformed-cut.csv", text[:-8] + "\n1")
    writer.write(folder + "malformed-nothing.csv", text.split("\n")[0] + "\n")


def as_parquet(header, rows):
    """Numbers and booleans as such; words where a number should be are null."""
    kinds = {"M": "int64", "latency_ms": "double", "mfu": "double", "ok": "bool"}
    columns = []
    for at, name in enumerate(header):
        kind, values = kinds.get(name, "text"), [row[at] for row in rows]
        if kind == "bool":
            values = [{"true": True, "false": False}.get(value) for value in values]
        elif kind != "text":
            values = [None if isinstance(value, str) else value for value in values]
        encoding = "dictionary" if kind == "text" else "plain"
        columns.append(parquet_writer.Column(name, kind, values, encoding))
    return parquet_writer.table(columns)


def nsight_python(writer):
    folder = "formats/benchmarks/nsight-python/"
    names = "Annotation Value Metric Kernel GPU Host ComputeClock MemoryClock Unit n dtype".split()
    rows = [[note, value, metric, "sm90_gemm_f16", "NVIDIA H100 80GB HBM3", "bench-1", 1980000, 2619000, unit, n,
             "torch.float16"]
            for n in (1024, 2048) for note, factor in (("matmul", 1), ("einsum", 2))
            for metric, unit, values in (
                ("gpu__time_duration.sum", "ns", (12500.0 * factor * n / 1024, 12000.0 * factor * n / 1024)),
                ("dram__bytes_read.sum", "byte", (4 * n * n,)),
                ("sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", (62.5,)))
            for value in values]
    text = table(names, rows)
    writer.write(folder + "sample.csv", text)
    header = ("Annotation Metric n AvgValue StdDev MinValue MaxValue NumRuns Kernel GPU Host ComputeClock "
              "MemoryClock Unit CI95_Lower CI95_Upper RelativeStdDevPct StableMeasurement Normalized "
              "Geomean").split()

    def mean(note, time, normalized="False", unit="ns"):
        return [note, "gpu__time_duration.sum", 1024, time, time / 64, time, time, 3, "k", "NVIDIA H100 80GB HBM3",
                "bench-1", 1980000, 2619000, unit, time, time, 1.5625, "True", normalized, time]

    writer.write(folder + "sample-processed.csv", table(header, [mean("matmul", 12500.0), mean("einsum", 1.5, "matmul")]))
    writer.write(folder + "malformed-text.csv", text.replace(",12000.0,", ",fast,"))
    writer.write(folder + "malformed-cut.csv", text[:len(text) - 20])
    writer.write(folder + "malformed-normalized.csv", table(header, [mean("einsum", 1.5, "matmul")]))
    writer.write(folder + "malformed-unit.csv", table(header, [mean("matmul", 12.5, unit="parsecs")]))


def plain(writer):
    folder = "formats/tables/table/"
    header = ["sha", "op", "M", "latency_ms", "mfu", "ok", "note"]
    rows = [["1a2b3c4", "gemm", 512, 0.5, 31.25, "true", "first"],
            ["1a2b3c4", "gemm", 512, 0.75, 21.5, "true", "again"],
            ["5d6e7f8", "gemm", 512, 0.25, 62.5, "false", "fast, but wrong"],
            ["5d6e7f8", "gemm", 1024, "FAIL", "", "true", "out of memory"],
            ["9a0b1c2", "gemm", 1024, 1.5, 0.0, "", "no profile"],
            ["", "gemm", 1024, 1.25, 12, "", "nobody knows the commit"]]
    text = table(header, rows)
    columns = ("commit=sha,kernel=op,param:M,time=latency_ms:ms,mfu=mfu:percent,correct=ok,attr:note")
    writer.write(folder + "args", "--columns %s\n" % columns)
    writer.write(folder + "sample.csv", text + "5d6e7f8,gemm,too short\n")
    writer.write(folder + "sample.tsv", "# a ledger\n" + table(header, rows[:2], "\t"))
    writer.write(folder + "sample.parquet", as_parquet(header, rows))
    writer.write(folder + "sample.jsonl", "".join(
        json.dumps(dict(zip(header, row))) + "\n" for row in rows[:3]))
    writer.write(folder + "malformed-number.csv", text.replace(",0.25,", ',"1,250",'))
    writer.write(folder + "malformed-quote.csv", text.replace("first", '"first'))
    writer.write(folder + "malformed-kernel.csv", text.replace("1a2b3c4,gemm", "1a2b3c4,"))
    writer.write(folder + "malformed-truth.csv", text.replace(",true,", ",perhaps,"))
    writer.write(folder + "malformed-empty.csv", table(header, rows[3:4]))
    writer.write(folder + "malformed-cut.jsonl",
                 '{"sha": "1a2b3c4", "op": "gemm", "latency_ms": 0.5}\n{"sha": "1a2b')


def write(writer):
    cutlass(writer)
    liger(writer)
    flashinfer(writer)
    perf_report(writer)
    nsight_python(writer)
    plain(writer)
