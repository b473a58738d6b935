"""samples/formats of benchmark results, traces and histories in JSON; all figures are invented."""
import json


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def mean(values):
    total = 0.0
    for value in values:  # sum() rounds otherwise from Python 3.12 on
        total += value
    return total / len(values)


def cut(text):
    return text[:len(text) * 2 // 3]


# --- nvbench ---

def summary(tag, value, kind="float64"):
    return {"tag": tag, "data": [{"name": "value", "type": kind, "value": str(value)}]}


def nvbench():
    device = {"id": 0, "name": "NVIDIA A100-SXM4-80GB", "sm_version": 800, "number_of_sms": 108,
              "sm_default_clock_rate": 1410000000, "global_memory_bus_bandwidth": 2039000000000}
    axes = [{"name": "Elements", "type": "int64", "value": "1048576"},
            {"name": "T", "type": "string", "value": "F32"}]
    measured = {"name": "Device=0 Elements=2^20 T=F32", "device": 0, "axis_values": axes,
                "is_skipped": False, "summaries": [
                    summary("nv/cold/sample_size", 640, "int64"),
                    summary("nv/cold/time/gpu/mean", 8.0e-06),
                    summary("nv/cold/time/gpu/min", 7.5e-06),
                    summary("nv/cold/time/gpu/median", 7.9e-06),
                    summary("nv/cold/time/gpu/max", 9.5e-06),
                    summary("nv/cold/time/gpu/stdev/relative", 0.0125),
                    summary("nv/cold/time/cpu/mean", 1.4e-05),
                    summary("nv/cold/time/cpu/stdev/relative", "inf"),
                    summary("nv/cold/sm_clock_rate/mean", 1395000000.0),
                    summary("nv/gmem/reads/In", 4194304, "int64"),
                    summary("nv/gmem/writes/Out", 4194304, "int64"),
                    summary("nv/cold/bw/item_rate", 131072000000.0),
                    summary("nv/cold/bw/global/bytes_per_second", 1048576000000.0)]}
    skipped = {"name": "Device=0 Elements=2^20 T=F64", "device": 0, "axis_values": axes[:1],
               "is_skipped": True, "skip_reason": "Not enough memory.", "summaries": None}
    host = {"name": "host", "device": None, "axis_values": None, "is_skipped": False,
            "summaries": [summary("nv/cpu_only/sample_size", 50, "int64"),
                          summary("nv/cpu_only/time/cpu/mean", 0.002),
                          summary("nv/cpu_only/time/cpu/stdev/relative", 0.05)]}
    return {"meta": {"argv": ["bench", "--json"],
                     "version": {"json": {"string": "1.0.0"}, "nvbench": {"string": "0.2.0"}}},
            "devices": [device],
            "benchmarks": [{"name": "copy", "states": [measured, skipped]},
                           {"name": "plan", "states": [host]}]}


def write_nvbench(writer):
    folder = "formats/benchmarks/nvbench/"
    text = compact(nvbench())
    writer.write(folder + "sample.json", text)
    writer.write(folder + "malformed-cut.json", cut(text))
    writer.write(folder + "malformed-states.json", text.replace('"states":[', '"rows":['))
    all_skipped = nvbench()
    for benchmark in all_skipped["benchmarks"]:
        for state in benchmark["states"]:
            state.update(is_skipped=True, skip_reason="Not enough memory.")
    writer.write(folder + "malformed-skipped.json", compact(all_skipped))


NVBENCH_CSV = """\
Benchmark,Device,Device Name,T,Elements (pow2),Elements,Skipped,Count,Reads (bytes),Samples,\
CPU Time (sec),Noise,GPU Time (sec),Noise,Elem/s (elem/sec),GlobalMem BW (bytes/sec),BWUtil,\
Samples,Batch GPU (sec),Block
copy,0,NVIDIA A100-SXM4-80GB,F32,2^20,1048576,No,1048576,4194304,1000,1.25e-05,0.0125,8e-06,0.00625,\
1.31072e+11,1.048576e+12,0.5425,2000,7.5e-06,
copy,0,NVIDIA A100-SXM4-80GB,F64,2^20,1048576,Yes,,,,,,,,,,,,,
scale,0,NVIDIA A100-SXM4-80GB,,,,No,512,,500,0.00125,inf,0.0009765625,0.0025,524288,,,,,64
plan,,,,,,No,,,50,0.002,0.05,,,,,,,,
"""
NVBENCH_MARKDOWN = """\
# Devices

## [0] `NVIDIA A100-SXM4-80GB`
* SM Version: 800 (PTX Version: 800)

# Log

```
Run:  [1/2] copy [Device=0 T=F32 Elements=2^20]
Pass: Cold: 0.008000ms GPU, 0.012500ms CPU, 0.01s total GPU, 1000x
Run:  [2/2] plan []
```

# Benchmark Results

## copy

### [0] NVIDIA A100-SXM4-80GB

|  T  |    Elements    |  Count  |   Reads   | Samples |  CPU Time | Noise | GPU Time | Noise |  Elem/s  | GlobalMem BW |
|-----|----------------|---------|-----------|---------|-----------|-------|----------|-------|----------|--------------|
| F32 | 2^20 = 1048576 | 1048576 | 4.000 MiB |   1000x | 12.500 us | 1.25% | 8.000 us | 0.63% | 131.072G |   1.049 TB/s |

## plan

| Samples | CPU Time | Noise |
|---------|----------|-------|
|     50x | 2.000 ms |  inf% |
"""


def write_nvbench_table(writer):
    folder = "formats/benchmarks/nvbench-table/"
    writer.write(folder + "sample.csv", NVBENCH_CSV)
    writer.write(folder + "sample.md", NVBENCH_MARKDOWN)
    writer.write(folder + "malformed-cut.csv", NVBENCH_CSV[:NVBENCH_CSV.index("0.0009765625")])
    writer.write(folder + "malformed-skipped.csv", "".join(NVBENCH_CSV.splitlines(True)[::2]).replace(
        ",No,", ",Yes,"))
    writer.write(folder + "malformed-cut.md", NVBENCH_MARKDOWN.split("# Benchmark")[0])
    writer.write(folder + "malformed-unit.md", NVBENCH_MARKDOWN.replace("8.000 us", "8.000 kg"))


# --- Google Benchmark ---

def google_row(name, time, **more):
    row = {"name": name, "run_name": name, "run_type": "iteration", "threads": 1,
           "iterations": 1000, "real_time": time, "cpu_time": time, "time_unit": "us"}
    row.update(more)
    return row


def google():
    rows = [google_row("saxpy<float>/4096", time, repetition_index=i, items_per_second=rate,
                       bytes_per_second=rate * 12)
            for i, (time, rate) in enumerate(((4.0, 1.024e9), (5.0, 8.192e8), (4.5, 4096 / 4.5e-6)))]
    rows += [{"name": "saxpy<float>/4096_mean", "run_name": "saxpy<float>/4096",
              "run_type": "aggregate", "aggregate_name": "mean", "repetitions": 3,
              "iterations": 3, "real_time": 4.5, "cpu_time": 4.5, "time_unit": "us"}]
    rows += [{"name": "gemm/m:64/k:32/real_time_" + kind, "run_name": "gemm/m:64/k:32/real_time",
              "run_type": "aggregate", "aggregate_name": kind, "repetitions": 5, "iterations": 5,
              "real_time": time, "cpu_time": time, "time_unit": "ms"}
             for kind, time in (("mean", 1.5), ("median", 1.25), ("stddev", 0.25))]
    rows += [{"name": "gemm_BigO", "run_name": "gemm", "run_type": "aggregate",
              "aggregate_name": "BigO", "cpu_coefficient": 2.0, "big_o": "N", "time_unit": "ns"},
             google_row("launch/manual_time", 12.5),
             google_row("broken/8", 0, error_occurred=True, error_message="no device")]
    return {"context": {"date": "2026-03-01T09:00:00+00:00", "host_name": "bench-1", "num_cpus": 8,
                        "mhz_per_cpu": 3000, "cpu_scaling_enabled": True, "caches": [],
                        "library_version": "v1.9.0", "library_build_type": "release"},
            "benchmarks": rows}


def write_google(writer):
    folder = "formats/benchmarks/google-benchmark/"
    text = json.dumps(google(), indent=1)
    writer.write(folder + "sample.json", text.replace('"cpu_time": 12.5', '"cpu_time": NaN'))
    writer.write(folder + "malformed-cut.json", cut(text))
    writer.write(folder + "malformed-unit.json",
                 text.replace('"time_unit": "us"', '"time_unit": "fortnights"'))
    writer.write(folder + "malformed-text.json", text.replace('"real_time": 4.0',
                                                              '"real_time": "fast"'))
    writer.write(folder + "malformed-errors.json", json.dumps(
        {"context": {"num_cpus": 8, "library_build_type": "debug"},
         "benchmarks": [google_row("broken", 0, error_occurred=True, error_message="no device")]}))


# --- KernelBench ---

def write_kernelbench(writer):
    folder = "formats/benchmarks/kernelbench/"
    hardware = {"hardware": "NVIDIA H100 PCIe", "device": "cuda:0"}
    good = {"level1": {"1_Square_matmul.py": dict(mean=3.5, std=0.0125, min=3.25, max=3.75,
                                                  num_trials=100, **hardware),
                       "2_Too_large.py": None},
            "level2": {"7_Conv_relu.py": dict(mean=0.125, std=0.001, min=0.12, max=0.13,
                                              num_trials=100, **hardware)}}
    text = json.dumps(good, indent=4)
    writer.write(folder + "sample.json", text)
    writer.write(folder + "malformed-cut.json", cut(text))
    stats = dict(mean=1.25, std=0.0125, min=1.125, max=1.5, num_trials=100, **hardware)
    sample = {"sample_id": 0, "compiled": True, "correctness": True, "metadata": dict(hardware),
              "runtime": 1.25, "runtime_stats": stats}
    fast = dict(sample, metadata=dict(hardware, excessive_speedup=True), sample_id=1, runtime=0.125,
                runtime_stats={}, ref_runtime=1.75, ref_runtime_stats=dict(stats, mean=1.75, max=2.0))
    failed = dict(sample, correctness=False, runtime=-1.0, runtime_stats={})
    results = {"1": [sample, fast], "2": [failed], "13": [dict(sample, correctness=False)]}
    evaluations = "formats/benchmarks/kernelbench-evaluation/"
    writer.write(evaluations + "sample.json", json.dumps(results, indent=4))
    writer.write(evaluations + "malformed-untimed.json", json.dumps({"2": [failed]}))
    writer.write(evaluations + "malformed-sample.json", json.dumps({"1": [sample], "2": [[1.5]]}))
    writer.write(evaluations + "malformed-cut.json", json.dumps(results, indent=4)[:-40])
    writer.write(folder + "malformed-text.json", text.replace('"mean": 3.5', '"mean": "3.5 ms"'))
    writer.write(folder + "malformed-negative.json", text.replace('"mean": 0.125',
                                                                  '"mean": -0.125'))


# --- flashinfer-bench ---

def trace(solution, batch, uuid, latency=None, reference=None, status="PASSED"):
    row = {"definition": "rmsnorm_h4096",
           "workload": {"axes": {"batch_size": batch}, "inputs": {"x": {"type": "random"}}, "uuid": uuid},
           "solution": solution, "evaluation": None}
    if solution:
        row["evaluation"] = {
            "status": status, "log": "", "timestamp": "2026-03-01T09:00:00Z",
            "environment": {"hardware": "NVIDIA B200", "libs": {"torch": "2.9.0", "triton": "3.5.0"}}}
    if latency:
        row["evaluation"]["correctness"] = {"max_relative_error": 1.5e-5, "max_absolute_error": 0.0}
        row["evaluation"]["performance"] = {"latency_ms": latency, "reference_latency_ms": reference,
                                            "speedup_factor": reference / latency}
    return row


def write_flashinfer_bench(writer):
    folder = "formats/benchmarks/flashinfer-bench/"
    good = [trace(None, 32, "6120f144-b973"), trace("triton_v1", 32, "6120f144-b973", 0.0078125, 0.01875),
            trace("triton_v1", 64, "0a1b2c3d-4e5f", 0.015625, 0.03125),
            trace("cuda_v2", 32, "6120f144-b973", 0.00625, 0.0190625),
            trace("cuda_v2", 64, "0a1b2c3d-4e5f", status="INCORRECT_NUMERICAL")]
    text = "".join(compact(one) + "\n" for one in good)
    writer.write(folder + "sample.jsonl", text)
    writer.write(folder + "sample-one.json", json.dumps(good[1], indent=2))
    writer.write(folder + "malformed-cut.jsonl", cut(text))
    writer.write(folder + "malformed-workloads.jsonl", compact(good[0]) + "\n")
    writer.write(folder + "malformed-time.jsonl", text.replace('"latency_ms":0.00625', '"latency_ms":"6.25 us"'))
    writer.write(folder + "malformed-axes.jsonl", text.replace('{"batch_size":64}', '{"batch_size":[64]}'))


# --- Kernel Tuner ---

def tuned(block, tile, times, **more):
    row = {"block_size_x": block, "tile": tile}
    if times:
        row.update(time=mean(times), times=times, compile_time=420.0,
                   verification_time=0)
    row.update(more)
    return row


def kernel_tuner():
    cache = {"64,1": tuned(64, 1, [0.5, 0.45, 0.46]),
             "64,2": tuned(64, 2, [0.375, 0.25, 0.26], core_freq=1500.0,
                           timestamp="2026-03-01 09:00:00+00:00"),
             "128,1": tuned(128, 1, [0.4, 0.35, 0.36]),
             "128,2": tuned(128, 2, None, time="CompilationFailedConfig"),
             "256,2": tuned(256, 2, None, time=1e20)}
    return {"device_name": "NVIDIA A100-SXM4-80GB", "kernel_name": "stencil",
            "problem_size": [4096, 2048], "tune_params_keys": ["block_size_x", "tile"],
            "tune_params": {"block_size_x": [64, 128, 256], "tile": [1, 2]}, "cache": cache}


def t4(block, runtimes, invalidity="correct"):
    result = {"timestamp": "2026-03-01 09:00:00+00:00", "configuration": {"block_size_x": block, "tile": 2},
              "times": {"compilation": 420.0, "benchmark": 1.5, "framework": 0.5, "search_algorithm": 0,
                        "validation": 0, "runtimes": runtimes},
              "invalidity": invalidity, "correctness": 1, "measurements": [], "objectives": ["time"]}
    if runtimes:
        result["measurements"] = [{"name": "time", "value": mean(runtimes), "unit": "ms"},
                                  {"name": "GFLOP/s", "value": 512.0, "unit": ""}]
    return result


def write_t4(writer, folder):
    """A folder with what is tuned (T1) and its results (T4)."""
    results = {"results": [t4(64, [0.5, 0.25, 0.375]), t4(128, [0.25, 0.25, 0.125]), t4(256, [], "compile")],
               "schema_version": "1.0.0", "metadata": {"timeunit": "milliseconds"}}
    about = {"General": {"BenchmarkName": "stencil", "OutputFormat": "JSON"},
             "ConfigurationSpace": {"TuningParameters": [
                 {"Name": "block_size_x", "Type": "int", "Values": "[64, 128, 256]", "Default": 64}],
                 "Conditions": []},
             "KernelSpecification": {"Language": "CUDA", "KernelName": "stencil_t4",
                                     "KernelFile": "stencil.cu", "ProblemSize": [4096, 2048]}}
    writer.write(folder + "sample-t4/results.json", compact(results))
    writer.write(folder + "sample-t4/stencil-T1.json", json.dumps(about, indent=4))
    writer.write(folder + "malformed-unit.json", compact(dict(results, metadata={"timeunit": "hours"})))
    writer.write(folder + "malformed-times.json", compact(results).replace('"times":{"c', '"took":{"c', 1))
    writer.write(folder + "malformed-t1.json", compact(about).replace("KernelName", "Name"))


def write_kernel_tuner(writer):
    folder = "formats/benchmarks/kernel-tuner/"
    text = json.dumps(kernel_tuner(), indent="")
    writer.write(folder + "sample.json", text)
    lines = compact(kernel_tuner())
    writer.write(folder + "sample-open.json", lines[:lines.index(',"128,2"')] + ",\n")
    writer.write(folder + "malformed-cut.json", cut(text))
    failed = kernel_tuner()
    for row in failed["cache"].values():
        row["time"] = "InvalidConfig"
    writer.write(folder + "malformed-failed.json", compact(failed))
    write_t4(writer, folder)
    writer.write(folder + "malformed-time.json", text.replace('"time": 0.47', '"duration": 0.47'))


# --- hyperfine ---

def write_hyperfine(writer):
    folder = "formats/benchmarks/hyperfine/"

    def result(size, times, codes):
        return {"command": "./gemm %d" % size, "mean": sum(times) / len(times), "stddev": 0.0078125,
                "median": sorted(times)[len(times) // 2], "user": 0.25, "system": 0.03125,
                "min": min(times), "max": max(times), "times": times, "exit_codes": codes,
                "parameters": {"s": str(size)}}

    results = [result(512, [0.25, 0.28125, 0.265625], [0, 0, 0]),
               result(1024, [2.0, 2.25, 0.015625, 2.125], [0, 0, 1, 0])]
    text = json.dumps({"results": results}, indent=2)
    writer.write(folder + "sample.json", text)
    writer.write(folder + "sample-process.json", json.dumps({"tool": "process", "results": [
        {"command": "gemm", "times": [0.25, 0.28125], "exit_codes": [0, 0]}]}))
    writer.write(folder + "malformed-cut.json", cut(text))
    writer.write(folder + "malformed-times.json", text.replace('"times": [', '"times": 1, "more": [', 1))
    writer.write(folder + "malformed-command.json", text.replace('"./gemm 1024"', '""'))
    writer.write(folder + "malformed-failed.json", json.dumps({"results": [result(8, [0.5], [2])]}))


# --- tritonbench, PyTorch HUD ---

def write_tritonbench(writer):
    folder = "formats/benchmarks/tritonbench/"

    def of(x, backend, metric):
        return "tritonbench_gemm_fwd[x_(%s)-%s]_%s" % (x, backend, metric)

    metrics = {of("256, 256, 256", "aten_matmul", "latency"): "0.015625",
               of("256, 256, 256", "triton_matmul", "latency"): "0.0125",
               of("256, 256, 256", "triton_matmul", "tflops"): 2.68435456,
               of("256, 256, 256", "triton_matmul", "speedup"): 1.25,
               of("64, 1024, 512", "triton_matmul", "latency"): "0.03125",
               of("64, 1024, 512", "triton_matmul", "gbps"): 120.5,
               of("64, 1024, 512", "triton_matmul", "walltime"): 0.0625,
               of("64, 1024, 512", "aten_matmul", "latency"): "CUDA OOM",
               of("64, 1024, 512", "aten_matmul", "tflops"): None,
               "tritonbench_gemm_fwd[triton_matmul]-tflops-avg": 2.68435456,
               "tritonbench_gemm_fwd-pass": 1}
    text = json.dumps(metrics, indent=4)
    writer.write(folder + "sample.json", text)
    writer.write(folder + "sample-nightly.json", json.dumps(
        {"name": "nightly", "env": {"device": "NVIDIA H100 80GB HBM3", "cuda_version": "12.8"},
         "metrics": metrics}, indent=4))
    writer.write(folder + "malformed-cut.json", cut(text))
    writer.write(folder + "malformed-failed.json", json.dumps(
        {of("8, 8, 8", "aten_matmul", "latency"): "CUDA OOM"}))
    writer.write(folder + "malformed-average.json", json.dumps(
        {"tritonbench_gemm_fwd[triton_matmul]-tflops-avg": 2.5}))


def hud(metric, values, backend="triton", size=None, **more):
    record = {"benchmark": {"name": "nightly", "mode": "fwd", "dtype": "bf16", "extra_info": {}},
              "model": {"name": "gemm", "type": "kernels", "backend": backend},
              "metric": {"name": metric, "benchmark_values": values},
              "runners": [{"name": "h100", "gpu_info": "NVIDIA H100 80GB HBM3"}],
              "dependencies": {"triton": {"repo": "triton-lang/triton", "sha": "1" * 40}}}
    if size:
        record["inputs"] = {"M": {"dtype": "", "extra_info": {"value": str(size)}}}
    record.update(more)
    return record


def write_hud(writer):
    folder = "formats/benchmarks/pytorch-hud/"
    own = hud("total_time", [0.0000125], "cuda")
    own["metric"]["extra_info"] = {"unit": "s"}
    bench = hud("latency", [0.0625], model={"name": "softmax", "type": "tritonbench-oss", "backend": "x"})
    records = [hud("latency(ms)", [1.5, 1.25, 1.75], size=512), hud("tflops", [312.5], size=512),
               hud("latency(ms)", [3.0], size=1024), hud("speedup", [1.5], size=512),
               hud("latency(ms)", [0.0], "cuda"), own, bench]
    lines = "".join(compact(one) + "\n" for one in records)
    writer.write(folder + "sample.jsonl", lines)
    writer.write(folder + "sample.json", json.dumps(records[:4], indent=2))
    writer.write(folder + "malformed-cut.jsonl", cut(lines))
    writer.write(folder + "malformed-inputs.jsonl", compact(records[0]) + "\n" + compact(
        hud("latency(ms)", [2.5], size=512)) + "\n")
    writer.write(folder + "malformed-unit.jsonl", compact(records[3]) + "\n")
    writer.write(folder + "malformed-model.jsonl", lines.replace('"name":"softmax",', ""))


# --- Proton ---

def node(name, metrics, *children):
    return {"children": list(children), "frame": {"name": name, "type": "function"},
            "metrics": metrics}


def launches(count, nanoseconds, **more):
    return dict({"count": count, "device_id": "0", "device_type": "CUDA",
                 "time (ns)": nanoseconds}, **more)


def proton():
    tree = node("ROOT", {"count": 0, "time (ns)": 0},
                node("/src/train.py:12@step", {},
                     node("matmul_kernel", launches(4, 80000, flops16=8.0e9, bytes=4194304)),
                     node("softmax", {"bytes": 2097152, "flops": 1048576},
                          node("softmax_kernel", launches(2, 9000)))),
                node("/src/train.py:30@evaluate", {},
                     node("matmul_kernel", launches(1, 21000, flops16=2.0e9, bytes=1048576))),
                node("mixed", {"flops": 100},
                     node("fill", launches(1, 1000)), node("copy", launches(1, 2000))))
    device = {"arch": "80", "bus_width": 5120, "clock_rate": 1410000,
              "memory_clock_rate": 1593000, "num_sms": 108}
    return [tree, {"CUDA": {"0": device}}]


def write_proton(writer):
    folder = "formats/frameworks/proton/"
    text = compact(proton())
    writer.write(folder + "sample.hatchet", text)
    writer.write(folder + "malformed-cut.hatchet", cut(text))
    writer.write(folder + "malformed-text.hatchet",
                 text.replace('"time (ns)":80000', '"time (ns)":"80 us"'))
    writer.write(folder + "malformed-idle.hatchet", text.replace('"count":', '"calls":'))


# --- Kineto ---

def kernel(name, duration, grid, block=(128, 1, 1), **more):
    args = {"device": 0, "context": 1, "stream": 7, "correlation": 9, "registers per thread": 40,
            "shared memory": 16384, "grid": list(grid), "block": list(block),
            "est. achieved occupancy %": 50}
    args.update(more)
    return {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": 100.5,
            "dur": duration, "args": args}


def kineto():
    events = [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 1, "dur": 50,
               "args": {"Input Dims": [[64, 64]]}},
              {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "ts": 60, "dur": 3,
               "args": {"bytes": 4096}}]
    events += [kernel("void gemm_tiled<(int)64>(float const*, float*, int)", duration, (16, 4, 1))
               for duration in (10.5, 9.5, 12.0)]
    events += [kernel("triton_poi_fused_add_0", 2.25, (8, 1, 1)),
               kernel("triton_poi_fused_add_0", 4.75, (32, 1, 1)),
               kernel("void reduce(float*)", 3.0, (1, 1, 1), **{"est. achieved occupancy %": 0}),
               kernel("void reduce(double*)", 6.0, (1, 1, 1)),
               {"ph": "X", "cat": "kernel", "name": "undated", "args": {}}]
    return {"schemaVersion": 1, "deviceProperties": [
        {"id": 0, "name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 85899345920,
         "computeMajor": 8, "computeMinor": 0, "numSms": 108}], "traceEvents": events,
            "traceName": "trace.json"}


def write_kineto(writer):
    folder = "formats/frameworks/kineto/"
    text = json.dumps(kineto(), indent=1)
    writer.write(folder + "sample.json", text)
    writer.write(folder + "malformed-cut.json", cut(text))
    writer.write(folder + "malformed-number.json", text.replace('"dur": 12.0', '"dur": 1e999'))
    writer.write(folder + "malformed-host.json", text.replace('"cat": "kernel"',
                                                              '"cat": "cuda_runtime"'))


# --- histories ---

def bench(name, value, unit, **more):
    return dict({"name": name, "value": value, "unit": unit}, **more)


def benchmark_action():
    def entry(commit, tool, *benches):
        return {"commit": {"id": commit, "message": "faster", "timestamp": "2026-03-01T09:00:00Z",
                           "author": {"name": "a"}}, "date": 1772355600000, "tool": tool,
                "benches": list(benches)}
    return {"lastUpdate": 1772355600000, "repoUrl": "https://example.org/kernels", "entries": {
        "Rust": [entry("1" * 40, "cargo", bench("gemm/64", 1250, "ns/iter", range="\u00b1 25"),
                       bench("binary size", 4096, "furlongs")),
                 entry("2" * 40, "catch2", bench("gemm/64", 1000, "ns", range="\u00b1 20"),
                       bench("gemm/128", 0, "ns/iter"))],
        "Python": [entry("2" * 40, "pytest", bench(
            "test_softmax", 50000.0, "iter/sec", range="stddev: 0.0000005",
            extra="mean: 20.5 usec\nrounds: 4000")),
                   entry("2" * 40, "customBiggerIsBetter",
                         bench("gemm peak", 125.5, "TFLOP/s"), bench("copy", 800, "GB/s"),
                         bench("serve", 640, "tokens/s"))]}}


def write_benchmark_action(writer):
    folder = "formats/benchmarks/github-action-benchmark/"
    data = benchmark_action()
    text = "window.BENCHMARK_DATA = " + json.dumps(data, indent=2)
    writer.write(folder + "sample.js", text)
    writer.write(folder + "sample-plain.json", compact(data))
    writer.write(folder + "malformed-cut.js", cut(text))
    writer.write(folder + "malformed-commit.js", text.replace("1" * 40, "last tuesday"))
    writer.write(folder + "malformed-text.js", text.replace('"value": 1250', '"value": "1250 ns"'))
    writer.write(folder + "malformed-unit.json",
                 compact({"lastUpdate": 1, "repoUrl": "", "entries": {"x": [
                     {"commit": {"id": "3" * 40}, "date": 1, "tool": "t",
                      "benches": [bench("a", 1, "parsecs")]}]}}))


COLUMNS = ["result", "params", "version", "started_at", "duration", "stats_ci_99_a",
           "stats_ci_99_b", "stats_q_25", "stats_q_75", "stats_number", "stats_repeat", "samples",
           "profile"]


def asv():
    def row(result, params, repeat, samples):
        return [result, params, "ab" * 32, 1772355600000, 3.5, None, None, None, None,
                [1] * len(result), repeat, samples]
    return {"commit_hash": "4" * 40, "env_name": "virtualenv-py3.12", "date": 1772352000000,
            "params": {"arch": "x86_64", "cpu": "An Example CPU", "machine": "bench-1",
                       "python": "3.12", "ram": "64GB"},
            "python": "3.12", "requirements": {}, "env_vars": {}, "result_columns": COLUMNS,
            "results": {
                "linalg.Matmul.time_gemm": row([0.5, 0.75, float("nan"), 2.5],
                                               [["64", "128"], ["'float'", "'half'"]],
                                               [10, 10, None, 5],
                                               [None, [0.75, 0.7, 0.8], None, None]),
                "linalg.time_plain": row([0.125], [], [8], None),
                "linalg.time_broken": [[None], [["1", "2"]], "cd" * 32, 1772355600000, 0.5],
                "linalg.peakmem_gemm": row([1048576], [], None, None)},
            "durations": {}, "version": 2}


def asv_old():
    return {"results": {"bench.time_sum": 0.25,
                        "bench.TimeAxes.time_axis": {
                            "params": [["0", "1"]], "result": [0.5, 1.5],
                            "stats": [{"repeat": 10, "number": 1}, {"repeat": 12, "number": 1}]},
                        "bench.track_size": 12},
            "commit_hash": "5" * 40, "date": 1500000000000, "env_name": "conda-py2.7",
            "params": {"machine": "old"}, "python": "2.7", "requirements": {}, "version": 1}


def write_asv(writer):
    folder = "formats/benchmarks/asv/"
    text = json.dumps(asv(), indent=1)
    writer.write(folder + "sample.json", text)
    writer.write(folder + "sample-layout-1.json", compact(asv_old()))
    machine = {"arch": "x86_64", "cpu": "An Example CPU", "gpu": "NVIDIA NVIDIA H100 80GB HBM3",
               "machine": "bench-1", "num_cpu": "64", "os": "Linux", "ram": "64GB", "version": 1}
    writer.write(folder + "sample-machine/machine.json", json.dumps(machine, indent=4))
    writer.write(folder + "sample-machine/result.json", compact(asv_old()))
    writer.write(folder + "malformed-machine.json", json.dumps(dict(machine, machine=7)).replace(": 7", ": []"))
    writer.write(folder + "malformed-cut.json", cut(text))
    writer.write(folder + "malformed-product.json",
                 compact(asv()).replace('["64","128"]', '["64","128","256"]'))
    writer.write(folder + "malformed-commit.json", text.replace("4" * 40, "HEAD"))


def write(writer):
    write_nvbench(writer)
    write_nvbench_table(writer)
    write_google(writer)
    write_kernelbench(writer)
    write_flashinfer_bench(writer)
    write_kernel_tuner(writer)
    write_hyperfine(writer)
    write_tritonbench(writer)
    write_hud(writer)
    write_proton(writer)
    write_kineto(writer)
    write_benchmark_action(writer)
    write_asv(writer)
