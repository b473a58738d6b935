"""samples/formats of Nsight Compute: invented kernels on invented devices."""

ID = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream",
      "Block Size", "Grid Size", "Device", "CC"]
LONG = ID + ["Section Name", "Metric Name", "Metric Unit", "Metric Value"]
DETAILS = LONG + ["Rule Name", "Rule Type", "Rule Description", "Estimated Speedup Type",
                  "Estimated Speedup"]
CONNECTED = "==PROF== Connected to process 4711 (/home/user/app)\n"
SPEED = "GPU Speed Of Light Throughput"
MEMORY = "Memory Workload Analysis"


def row(cells):
    return ",".join('"%s"' % cell.replace('"', '""') for cell in cells) + "\n"


def identity(number, kernel, grid="(64, 2, 1)", block="(256, 1, 1)", cc="9.0"):
    return [str(number), "4711", "app", "127.0.0.1", kernel, "1", "7", block, grid, "0", cc]


def details():
    """Two kernels, one launched twice, rules with line ends, output of the application."""
    text = CONNECTED + "epoch 1, loss 0.25\n" + "==PROF== Disconnected from process 4711\n"
    text += row(DETAILS)
    gemm = "void <unnamed>::tile_gemm<(int)64>(const float *, float *, int)"
    for number, kernel, time, share in ((0, gemm, "1.20", "40.00"), (1, gemm, "1.40", "35.00"),
                                        (2, "scale_rows(float *, int)", "80.00", "62.50")):
        unit = "ms" if number < 2 else "us"
        rate = "800.00" if number < 2 else "1,250.00"
        head = identity(number, kernel)
        for section, name, kind, value in (
                (SPEED, "DRAM Frequency", "Ghz", "2.60"), (SPEED, "SM Frequency", "Ghz", "1.50"),
                (SPEED, "Elapsed Cycles", "cycle", "1,800,000"),
                (SPEED, "Memory Throughput", "%", share), (SPEED, "DRAM Throughput", "%", share),
                (SPEED, "Duration", unit, time), (SPEED, "Compute (SM) Throughput", "%", "70.25"),
                ("Compute Workload Analysis", "Issue Slots Busy", "%", "41.50"),
                (MEMORY, "Local Memory Spilling Requests", "", "0"),
                (MEMORY, "Memory Throughput", "Gbyte/s", rate),
                (MEMORY, "L2 Hit Rate", "%", "101.50"), (MEMORY, "L1/TEX Hit Rate", "%", "n/a"),
                ("Launch Statistics", "Block Size", "", "256"),
                ("Launch Statistics", "Function Cache Configuration", "", "CachePreferNone"),
                ("Launch Statistics", "Grid Size", "", "128"),
                ("Launch Statistics", "Registers Per Thread", "register/thread", "96"),
                ("Launch Statistics", "Dynamic Shared Memory Per Block", "Kbyte/block", "32.77"),
                ("Launch Statistics", "Waves Per SM", "", "0.48"),
                ("Occupancy", "Theoretical Occupancy", "%", "50"),
                ("Occupancy", "Achieved Occupancy", "%", "46.25")):
            # Rows of metrics end early.
            text += row(head + [section, name, kind, value, ""])[:-3] + "\n"
        text += row(head + ["SpeedOfLight", "", "", "", "SOLBottleneck", "OPT",
                            "Compute is more heavily utilized than Memory: see where.", "", ""])
        text += row(head + ["Occupancy", "", "", "", "AchievedOccupancy", "OPT",
                            "Blocks differ\nin their work.", "global", "7.5"])
        text += row(head + ["SourceCounters", "", "", "", "UncoalescedGlobalAccess", "OPT",
                            "This kernel has uncoalesced global accesses: half of all sectors.",
                            "global", "31.25"])
        text += row(head + ["SchedulerStats", "", "", "", "IssueSlotUtilization", "OPT",
                            "For this kernel each scheduler only issues one in 2.4 cycles.",
                            "local", "58.5"])
        text += row(head + ["WarpStateStats", "", "", "", "CPIStall", "OPT",
                            "Warps wait for memory.", "local", "61.5"])
        text += row(head + ["WarpStateStats", "", "", "", "CPIStall", "INF", "See the table.", "",
                            ""])
    return text + "==PROF== Connected to process 4712 (/home/user/app)\n"


def long_csv(decimal):
    """--metrics: counted instructions and traffic, Windows line ends, either decimal sign."""
    metrics = [("gpu__time_duration.sum", "ns", "250,000" if decimal == "." else "250.000"),
               ("dram__bytes_op_read.sum", "byte", "1,048,576" if decimal == "." else "1.048.576"),
               ("dram__bytes_op_write.sum", "byte", "524,288" if decimal == "." else "524.288"),
               ("lts__t_sector_hit_rate.pct", "%", "87%s50" % decimal),
               ("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "%", "0"),
               ("lts__t_bytes.sum", "byte", "2097152"), ("l1tex__t_bytes.sum", "byte", "4194304"),
               ("sm__cycles_elapsed.avg.per_second", "cycle/nsecond", "1%s25" % decimal),
               ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", "32768"),
               ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "request", "8192"),
               ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sector", "131072"),
               ("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "request", "4096"),
               ("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", "%",
                "62%s50" % decimal),
               ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "", "3072"),
               ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "", "1024"),
               ("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "", "16384")]
    for op in ("hadd", "hmul", "hfma", "fadd", "fmul", "ffma", "dadd", "dmul", "dfma"):
        metrics.append(("smsp__sass_thread_inst_executed_op_%s_pred_on.sum" % op, "inst",
                        "1000" if op[0] == "f" else "0"))
    head = identity(0, "unnamed>::axpy(float, const float *, float *, int)", cc="12.0")
    text = "\ufeff" + CONNECTED + "device: an invented one\n" + row(LONG)
    text += "".join(row(head + ["Command line profiler metrics", *metric]) for metric in metrics)
    return text.replace("\n", "\r\n")


def summary():
    header = [name for name in ID if name not in ("ID", "Context", "Stream", "Host Name")]
    text = row(header + ["Invocations", "Section Name", "Metric Name", "Metric Unit", "Minimum",
                         "Maximum", "Average"])
    head = ["4711", "app", "scale_rows(float *, int)", "(256, 1, 1)", "(64, 2, 1)", "0", "9.0", "5"]
    for metric in ([SPEED, "Duration", "us", "10.00", "14.00", "11.50"],
                   [SPEED, "DRAM Throughput", "%", "60.00", "66.00", "64.00"],
                   ["Launch Statistics", "Registers Per Thread", "register/thread", "40", "40",
                    "40"]):
        text += row(head + metric)
    return text


def raw():
    """Units in the second row; a tensor kernel whose operations are counted by type."""
    metrics = [("device__attribute_display_name", "", "NVIDIA H100 80GB HBM3"),
               ("device__attribute_memory_clock_rate", "", "2619000"),
               ("device__attribute_global_memory_bus_width", "", "5120"),
               ("dram__bytes_read.sum", "Mbyte", "25.165824"),
               ("dram__bytes_write.sum", "Mbyte", "8.388608"),
               ("gpu__time_duration.sum", "us", "40.96"),
               ("launch__func_cache_config", "", "CachePreferNone"),
               ("launch__grid_size", "", "128"),
               ("launch__registers_per_thread", "register/thread", "168"),
               ("launch__waves_per_multiprocessor", "", "0.97"),
               ("sm__ops_path_tensor_src_bf16_dst_fp32.sum", "", "2147483648"),
               ("sm__ops_path_tensor_src_fp16.sum", "", "0"),
               ("sm__ops_path_tensor_src_fp8_sparsity_off.sum", "", "0"),
               ("sm__ops_path_tensor_op_hmma_src_bf16_dst_fp32_sparsity_off.sum", "",
                "2147483648"),
               ("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "%", "48.5"),
               ("sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", "45")]
    for op in ("hadd", "hmul", "hfma", "fadd", "fmul", "ffma", "dadd", "dmul", "dfma"):
        metrics.append(("smsp__sass_thread_inst_executed_op_%s_pred_on.sum" % op, "inst",
                        "4096" if op == "ffma" else "0"))
    text = CONNECTED + "==PROF== Disconnected from process 4711\n"
    text += row(ID + [name for name, _, _ in metrics])
    text += row([""] * len(ID) + [unit for _, unit, _ in metrics])
    for number, (grid, time) in enumerate((("(128, 1, 1)", "40.96"), ("(128, 1, 1)", "42.96"),
                                           ("(256, 1, 1)", "80.00"))):
        head = identity(number, "void wgmma_gemm<128, 128>(Params)", grid)
        own = {"gpu__time_duration.sum": time, "launch__grid_size": grid[1:4]}
        text += row(head + [own.get(name, value) for name, _, value in metrics])
    return text


def table(title, rows):
    widths = [max(len(cell) for cell in column) for column in zip(*rows)]
    rule = "    " + " ".join("-" * width for width in widths)
    lines = ["    Section: " + title, rule]
    for index, (name, *cells) in enumerate(rows):
        lines.append(" ".join(["    " + name.ljust(widths[0])] +
                              [cell.rjust(width) for cell, width in zip(cells, widths[1:])]))
        if index == 0:
            lines.append(rule)
    return "\n".join(lines + [rule, ""]) + "\n"


def page():
    head = ("Metric Name", "Metric Unit", "Metric Value")
    text = "reading the input\n" + CONNECTED
    text += '==PROF== Profiling "stencil_step" - 0: 0%....50%....100% - 19 passes\n'
    text += "done in 3.2 s\n==PROF== Disconnected from process 4711\n[4711] app@127.0.0.1\n"
    for time, unit in (("2.50", "ms"), ("2,600.00", "us")):
        text += ("  stencil_step(const float *, float *, int) (512, 2, 1)x(128, 1, 1), Context 1, "
                 "Stream 7, Device 0, CC 8.6\n")
        text += table(SPEED, [head, ("DRAM Frequency", "Ghz", "7.60"),
                              ("SM Frequency", "Ghz", "1.40"),
                              ("Elapsed Cycles", "cycle", "3,500,000"),
                              ("Memory Throughput", "%", "88.00"),
                              ("DRAM Throughput", "%", "88.00"), ("Duration", unit, time),
                              ("Compute (SM) Throughput", "%", "21.00")])
        text += ("    INF   This workload is utilizing greater than 80.0% of the available compute "
                 "or memory performance of the device.  \n          Move work.  \n\n")
        text += table(MEMORY, [head, ("Memory Throughput", "Gbyte/s", "528.00"),
                               ("L2 Hit Rate", "%", "33.10")])
        text += "    OPT   Est. Speedup: 12.5%   \n          Accesses are not\n          coalesced.\n\n"
        text += table("Launch Statistics", [head, ("Grid Size", "", "1,024"),
                                            ("Function Cache Configuration", "",
                                             "CachePreferNone"),
                                            ("Static Shared Memory Per Block", "Kbyte/block",
                                             "4.10")])
    return text


def summary_page():
    """--print-summary per-kernel"""
    head = ("Metric Name", "Metric Unit", "Minimum", "Maximum", "Average")
    text = CONNECTED + "[4711] app@127.0.0.1\n"
    for kernel, sizes, count, times in (
            ("scale_rows(float *, int)", "(64, 2, 1)x(256, 1, 1)", 5, ("10.00", "14.00", "11.50")),
            ("stencil_step(float *)", "(512, 2, 1)x(128, 1, 1)", 1200, ("2.50", "1,062.50", "31.25"))):
        text += "  %s %s, Device 0, CC 8.6, Invocations %d\n" % (kernel, sizes, count)
        text += table(SPEED, [head, ("Duration", "us", *times),
                              ("DRAM Throughput", "%", "60.00", "66.00", "64.00")])
        text += table("Launch Statistics", [head, ("Registers Per Thread", "register/thread", "40.00",
                                                   "40.00", "40.00")])
    return text


STALLS = ["stall_barrier", "stall_long_sb", "stall_wait"]
FIGURES = ["Warp Stall Sampling (All Samples)", "Warp Stall Sampling (Not-issued Samples)",
           "# Samples", "Instructions Executed", "Thread Instructions Executed",
           "Avg. Threads Executed", "Address Space", "L2 Theoretical Sectors Global Excessive",
           "L2 Theoretical Sectors Global"] + STALLS + [one + " (Not Issued)" for one in STALLS]

# address, opcode and operands, lines that it comes from, executed, samples by stall, sectors and excess
PROGRAM = [
    (0x10, "      S2R R0, SR_TID.X", [12], 4096, (0, 10, 30), 0, 0),
    (0x20, "@!P0  LDG.E.64 R2, [R4.64]", [7, 14], 4096, (0, 700, 20), 65536, 49152),
    (0x30, "      FFMA R6, R2, R3, R6", [7, 14], 8192, (0, 60, 40), 0, 0),
    (0x40, "      BAR.SYNC.DEFER_BLOCKING 0x0", [15], 4096, (90, 0, 10), 0, 0),
    (0x50, "      STG.E [R8.64], R6", [16], 4096, (0, 20, 20), 4096, 0),
    (0x60, "      EXIT", [17], 4096, (0, 0, 0), 0, 0),
]
LINES = {7: 'return fmaf(load(p), scale(",", "b"), sum); // "b" is the name', 12: "int i = threadIdx.x;",
         14: "sum = step(in + i, sum);", 15: "__syncthreads();", 16: "out[i] = sum;", 17: "}"}


def quoted(cells):
    """As ncu does: quotes inside a cell are not doubled."""
    return ",".join('"%s"' % cell for cell in cells)


def figures(rows):
    total = [sum(row[4][i] for row in rows) for i in range(3)]
    samples, executed = sum(total), sum(row[3] for row in rows)
    sectors, excess = sum(row[5] for row in rows), sum(row[6] for row in rows)
    return ["{:,}".format(number) if isinstance(number, int) else number for number in
            [samples, samples // 2, samples, executed, 32 * executed, 32,
             "Global" if sectors else "-", excess, sectors] + total + [one // 2 for one in total]]


def source_sass(scale=1):
    """Two launches of one kernel."""
    text = CONNECTED
    for launch in range(2):
        text += '"Kernel Name","void sums<(int)64>(const double *, double *)",\n'
        text += quoted(["Address", "Source"] + FIGURES) + "\n"
        for row_ in PROGRAM:
            text += quoted(["0x7f8a%04x" % row_[0], row_[1]] + figures([row_])) + "\n"
    return text


def source_lines():
    """One launch, whose instructions come from two files: a helper is inlined."""
    text = ""
    for path, lines in (("/home/user/sums/step.cuh", (7,)),
                        ("/home/user/sums/sums.cu", (12, 14, 15, 16, 17))):
        text += '"File Path","%s"\n"Function Name","sums"\n' % path
        text += quoted(["Line No", "Source", "Address", "Source"] + FIGURES) + "\n"
        for line in lines:
            rows = [one for one in PROGRAM if line in one[2]]
            text += quoted([str(line), LINES[line], "-", "-"] + figures(rows)) + "\n"
            for at, one in enumerate(rows):
                if at:
                    text += quoted(["", "", "...", "..."] + ["-"] * len(FIGURES)) + "\n"
                text += quoted(["", "", "0x7f8a%04x" % one[0], one[1]] + figures([one])) + "\n"
    return text


def write(writer):
    device = "--set device=h100-sxm\n"
    folder = "formats/nvidia/ncu-csv/"
    good = details()
    writer.write(folder + "args", device)
    writer.write(folder + "sample-details.csv", good)
    writer.write(folder + "sample-metrics.csv", long_csv("."))
    writer.write(folder + "sample-metrics-comma.csv", long_csv(","))
    writer.write(folder + "sample-summary.csv", summary())
    writer.write(folder + "malformed-cut.csv", good[:good.index("Registers Per Thread") - 30])
    writer.write(folder + "malformed-text.csv", good.replace('"80.00"', '"soon"'))
    writer.write(folder + "malformed-unit.csv", good.replace('"ms"', '"fortnight"'))
    writer.write(folder + "malformed-empty.csv", CONNECTED + row(LONG))
    writer.write(folder + "malformed-signs.csv",
                 good.replace('"1.20"', '"1,20"'))
    writer.write(folder + "malformed-foreign.csv",
                 row(LONG) + row(identity(0, "k(int)") + ["", "my__own_metric.sum", "", "1"]))

    folder = "formats/nvidia/ncu-raw/"
    good = raw()
    writer.write(folder + "sample.csv", good)
    writer.write(folder + "malformed-cut.csv", good[:good.rindex('"4096"')] + "\n")
    writer.write(folder + "malformed-text.csv", good.replace('"42.96"', '"soon"'))
    writer.write(folder + "malformed-negative.csv", good.replace('"42.96"', '"-42.96"'))

    folder = "formats/nvidia/ncu-text/"
    good = page()
    writer.write(folder + "args", "--set device=a10\n")
    writer.write(folder + "sample.txt", good)
    writer.write(folder + "malformed-permission.txt", CONNECTED + (
        "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU "
        "Performance Counters on the target device 0.\n"))
    writer.write(folder + "malformed-none.txt", CONNECTED +
                 "==PROF== Disconnected from process 4711\n==WARNING== No kernels were profiled.\n")
    writer.write(folder + "malformed-cut.txt", good[:good.index("Duration") + 12])
    short = summary_page()
    writer.write(folder + "sample-summary.txt", short)
    writer.write(folder + "malformed-invocations.txt", short.replace("Invocations 5", "Invocations 0"))
    writer.write(folder + "malformed-summary.txt", short[:short.index(" 14.00")])
    writer.write(folder + "malformed-text.txt", good.replace(" 2.50\n", " soon\n"))

    folder = "formats/nvidia/ncu-source/"
    good = source_sass()
    writer.write(folder + "args", "--set dtype=fp64,device=a100-sxm-80gb\n")
    writer.write(folder + "sample-sass.csv", good)
    writer.write(folder + "sample-cuda-sass.csv", source_lines())
    writer.write(folder + "malformed-cut.csv", good[:good.rindex("STG") + 40])
    writer.write(folder + "malformed-text.csv", good.replace('"4,096"', '"many"', 1))
    writer.write(folder + "malformed-negative.csv", good.replace('"4,096"', '"-4"', 1))
    writer.write(folder + "malformed-line.csv", source_lines().replace('"12",', '"twelve",'))
    writer.write(folder + "malformed-empty.csv", good[:good.index('"0x7f8a0010"')])
