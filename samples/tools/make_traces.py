"""samples/formats of Nsight Systems, rocprof and rocprof-compute: two invented kernels."""
import json
import os
import sqlite3
import tempfile

ADD = "void (anonymous namespace)::scale_add<(int)4, float>(const float *, float *, int)"
SUM = "row_sum(float const*, float*, int)"
# Launches: name, start, duration in ns, grid, block, registers, static and dynamic shared memory.
LAUNCHES = ((ADD, 1000, 4096, (64, 1, 1), (256, 1, 1), 24, 0, 1024),
            (ADD, 6000, 4160, (64, 1, 1), (256, 1, 1), 24, 0, 1024),
            (ADD, 11000, 4032, (64, 1, 1), (256, 1, 1), 24, 0, 1024),
            (ADD, 16000, 9000, (128, 2, 1), (256, 1, 1), 24, 0, 1024),
            (SUM, 26000, 30000, (8, 1, 1), (128, 1, 1), 40, 2048, 0),
            (SUM, 60000, 34000, (8, 1, 1), (128, 1, 1), 40, 2048, 0))


def database(statements):
    """The bytes of a database that these statements make, the same with every library."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sample.sqlite")
        connection = sqlite3.connect(path)
        connection.executescript("PRAGMA page_size = 512; PRAGMA auto_vacuum = NONE;")
        for statement in statements:
            if isinstance(statement, str):
                connection.execute(statement)
            else:
                connection.execute(*statement)
        connection.commit()
        connection.close()
        with open(path, "rb") as file:
            data = bytearray(file.read())
    data[24:28] = data[92:96] = (1).to_bytes(4, "big")     # change counter, version-valid-for
    data[96:100] = (3040001).to_bytes(4, "big")            # the library that wrote it
    return bytes(data)


def columns(names, kind="INTEGER"):
    return ", ".join('"%s" %s' % (name, kind) for name in names)


def rows(table, values):
    return [("INSERT INTO %s VALUES (%s)" % (table, ", ".join("?" * len(row))), row)
            for row in values]


KERNEL_COLUMNS = ("start", "end", "deviceId", "demangledName", "shortName", "registersPerThread",
                  "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "staticSharedMemory",
                  "dynamicSharedMemory")


def nsys_database(launches, table="CUPTI_ACTIVITY_KIND_KERNEL", strings=True):
    made = ["CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
            "CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT)",
            "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, memoryBandwidth INTEGER, "
            "clockRate INTEGER, smCount INTEGER, computeMajor INTEGER, computeMinor INTEGER)",
            "CREATE TABLE %s (%s)" % (table, columns(KERNEL_COLUMNS))]
    names = {ADD: (1, 2, "scale_add"), SUM: (3, 4, "row_sum")}
    if strings:
        for name, (full, short, text) in names.items():
            made += rows("StringIds", [(full, name), (short, text)])
    made += rows("META_DATA_EXPORT", [("EXPORT_PRODUCT_VERSION", "2025.1.1.0"),
                                      ("EXPORT_SCHEMA_VERSION", "3.19.0")])
    made += rows("TARGET_INFO_GPU", [(0, "NVIDIA L4", 300096000000, 2040000000, 58, 8, 9)])
    made += rows(table, [(start, start + time, 0, names[name][0], names[name][1], registers,
                          *grid, *block, static, dynamic)
                         for name, start, time, grid, block, registers, static, dynamic in launches])
    return database(made)


def nsys_streams():
    """Kernels of two streams, a copy beside them, and the calls on the host that launched them."""
    process = 77 << 24
    made = ["CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
            "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT)",
            "CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT)",
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (%s)" % columns(
                KERNEL_COLUMNS + ("globalPid", "streamId", "correlationId")),
            "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (%s)" % columns(
                ("start", "end", "deviceId", "globalPid", "streamId", "correlationId", "bytes",
                 "copyKind")),
            "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (%s)" % columns(
                ("start", "end", "deviceId", "globalPid", "streamId", "correlationId", "bytes")),
            "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (%s)" % columns(
                ("start", "end", "globalTid", "correlationId"))]
    made += rows("StringIds", [(1, ADD), (2, "scale_add"), (3, SUM), (4, "row_sum")])
    made += rows("TARGET_INFO_GPU", [(0, "NVIDIA L4")])
    kernels = ((1, 1000, 5000, 7), (3, 3000, 7000, 13), (1, 20000, 24000, 7), (3, 24000, 26000, 7))
    made += rows("CUPTI_ACTIVITY_KIND_KERNEL",
                 [(start, end, 0, name, name + 1, 24, 64, 1, 1, 256, 1, 1, 0, 0, process, stream,
                   number) for number, (name, start, end, stream) in enumerate(kernels)])
    made += rows("CUPTI_ACTIVITY_KIND_MEMCPY", [(4000, 9000, 0, process, 13, 10, 4096, 1),
                                                (22000, 23000, 0, process, 13, 11, 1024, 2)])
    made += rows("CUPTI_ACTIVITY_KIND_MEMSET", [(500, 600, 0, process, 7, 12, 256)])
    # The call of another process has the same number; one call has two rows.
    made += rows("CUPTI_ACTIVITY_KIND_RUNTIME",
                 [(100 + 1000 * number, 200 + 1000 * number, process + 5, number)
                  for number in range(4)] +
                 [(50, 60, process + 5, 0), (999, 1000, (78 << 24) + 1, 0)])
    return database(made)


def write_nsys_sqlite(writer):
    folder = "formats/nvidia/nsys-sqlite/"
    good = nsys_database(LAUNCHES)
    writer.write(folder + "sample.sqlite", good)
    writer.write(folder + "sample-streams.sqlite", nsys_streams())
    writer.write(folder + "malformed-no-kernels.sqlite", nsys_database((), "CUPTI_ACTIVITY_KIND_MEMCPY"))
    writer.write(folder + "malformed-empty.sqlite", nsys_database(()))
    writer.write(folder + "malformed-no-names.sqlite", nsys_database(LAUNCHES, strings=False))
    backwards = [(ADD, 5000, -100) + LAUNCHES[0][3:]]
    writer.write(folder + "malformed-backwards.sqlite", nsys_database(backwards))
    writer.write(folder + "malformed-cut.sqlite", good[:len(good) - 700])


# Name, count, total, mean, median, minimum, maximum, deviation in ns.
SUMMARY = ((ADD, 1200, 4915200, 4096.0, 4090.5, 4000, 4800, 55.5),
           (SUM, 8, 256000, 32000.0, 32100.0, 30000, 34000, 1309.3),
           ("void tail_gemm_kernel_with_a_name_that_the_table_cuts_off<float, float, 128, 64, 32, …",
            3, 9000, 3000.0, 3000.0, 2900, 3100, 100.0),
           ("void tail_gemm_kernel_with_a_name_that_the_table_cuts_off<float, float, 128, 64, 32, …",
            1, 5000, 5000.0, 5000.0, 5000, 5000, 0.0))
TITLES = ("Time (%)", "Total Time (ns)", "Instances", "Avg (ns)", "Med (ns)", "Min (ns)",
          "Max (ns)", "StdDev (ns)", "Name")


def summary_cells(row, separator=","):
    name, count, total, mean, median, least, most, deviation = row
    whole = "{:%sd}" % separator
    real = "{:%s.1f}" % separator
    return ("%.1f" % (100 * total / sum(one[2] for one in SUMMARY)), whole.format(total),
            whole.format(count), real.format(mean), real.format(median), whole.format(least),
            whole.format(most), real.format(deviation), name)


def fixed_width(titles, table):
    widths = [max(len(row[i]) for row in [titles] + table) for i in range(len(titles))]
    lines = [" " + "  ".join(title.center(width) for title, width in zip(titles, widths)),
             " " + "  ".join("-" * width for width in widths)]
    for row in table:
        cells = [cell.ljust(width) if i == len(titles) - 1 else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(row, widths))]
        lines.append(" " + "  ".join(cells))
    return "\n".join(lines) + "\n"


def csv_table(titles, table):
    def cell(text):
        return '"%s"' % text.replace('"', '""') if "," in text else text
    return "".join(",".join(map(cell, row)) + "\n" for row in [titles] + table)


def write_nsys_stats(writer):
    folder = "formats/nvidia/nsys-stats/"
    table = [summary_cells(row) for row in SUMMARY]
    text = ("Generating '/tmp/nsys-report-0001.qdstrm'\n[1/2] [100%] report.nsys-rep\n"
            "Processing [report.sqlite] with [/opt/nsys/reports/cuda_gpu_kern_sum.py]... \n\n"
            " ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):\n\n" + fixed_width(TITLES, table) +
            "\nProcessing [report.sqlite] with [/opt/nsys/reports/cuda_gpu_mem_time_sum.py]... \n")
    writer.write(folder + "args", "--set device=l4\n")
    writer.write(folder + "sample.txt", text)
    plain = [summary_cells(row, "") for row in SUMMARY]
    writer.write(folder + "sample.csv", csv_table(TITLES, plain))
    sizes = TITLES[:-1] + ("GridXYZ", "BlockXYZ", "Name")
    grids = [row[:-1] + (grid, " 256    1    1") + row[-1:] for row, grid in
             ((plain[0], "  64    1    1"), (plain[0], " 128    1    1"), (plain[1], "   8    1    1"))]
    writer.write(folder + "sample-grid-2022.csv",
                 "Processing [report.sqlite] with [/opt/nsys/reports/gpukernsum.py]...\n" +
                 csv_table(sizes, grids))
    old = ("Time(%)", "Total Time", "Instances", "Average", "Minimum", "Maximum", "Name")
    writer.write(folder + "sample-2020.txt",
                 "CUDA Kernel Statistics (nanoseconds)\n\n" +
                 fixed_width(old, [row[:4] + row[5:7] + row[8:] for row in table[:2]]))
    microseconds = tuple(title.replace("(ns)", "(us)") for title in TITLES)
    writer.write(folder + "sample-us.csv", csv_table(microseconds, [
        ("100.0", "4915.2", "1200", "4.096", "4.0905", "4.0", "4.8", "0.0555", ADD)]))
    writer.write(folder + "malformed-number.csv",
                 csv_table(TITLES, plain).replace("4090.5", "soon"))
    writer.write(folder + "malformed-cut.txt", text[:text.index("30,000")])
    writer.write(folder + "malformed-no-kernels.txt", text[:text.index(" ** CUDA")])
    writer.write(folder + "malformed-no-rule.txt", text.replace("--", "=="))
    writer.write(folder + "malformed-order.csv", csv_table(TITLES, plain).replace(",4800,", ",480,"))
    writer.write(folder + "malformed-empty.csv", csv_table(TITLES, []))


AMD_ADD = "scale_add(float const*, float*, int) [clone .kd]"


def write_rocprof_csv(writer):
    folder = "formats/rocm/rocprof-csv/"
    writer.write(folder + "args", "--set device=mi210\n")
    stats = ('"Name","Calls","TotalDurationNs","AverageNs","Percentage"\n'
             '"%s",3,12288,4096,7.1\n"row_sum.kd",4,160001,40000,92.9\n' % AMD_ADD)
    writer.write(folder + "sample.stats.csv", stats)
    writer.write(folder + "sample_kernel_stats.csv",
                 '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"\n'
                 '"scale_add(float const*, float*, int)",3,12288,4096.000000,100.00,4032,4160,'
                 '6.40000000e+01\n')
    trace = ('"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id",'
             '"Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size",'
             '"Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X",'
             '"Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"\n')
    base = 7 * 10**17      # more than a double keeps to the nanosecond
    for i, (name, start, time, grid, block, registers, static, dynamic) in enumerate(LAUNCHES):
        short = "scale_add(float const*, float*, int)" if name == ADD else "row_sum"
        trace += '"KERNEL_DISPATCH","Agent 4",1,0,77,%d,%d,"%s",%d,%d,%d,%d,0,%d,4,16,%d,%d,%d,%d,%d,%d\n' % (
            i + 1, 1 + (name == SUM), short, i + 1, base + start, base + start + time,
            static + dynamic, registers, *block, *(g * b for g, b in zip(grid, block)))
    writer.write(folder + "sample_kernel_trace.csv", trace)
    wide = ("Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,arch_vgpr,"
            "accum_vgpr,sgpr,wave_size,sig,obj,FetchSize,WriteSize,L2CacheHit,Wavefronts,"
            "DispatchNs,BeginNs,EndNs,CompleteNs\n")
    for i, (begin, end, fetched) in enumerate(((1000, 5096, "1024.0000000000"),
                                               (6000, 10160, "1026.0000000000"))):
        wide += '%d,"%s",4,0,0,9,9,16384,256,0,0,8,4,16,64,0x0,0x7f00,%s,512.0,25.0,256.0,%d,%d,%d,%d\n' % (
            i, AMD_ADD, fetched, begin - 9, begin, end, end + 9)
    writer.write(folder + "sample-pmc.csv", wide)
    long = ('"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id",'
            '"Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size",'
            '"Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name",'
            '"Counter_Value","Start_Timestamp","End_Timestamp"\n')
    for dispatch, begin in ((1, 1000), (2, 9000)):
        for counter, value in (("TCC_EA_RDREQ_sum", 16384 + dispatch),
                               ("TCC_EA_RDREQ_32B_sum", 2), ("OccupancyPercent", 48.5),
                               ("SQ_WAVES", 128), ("SQ_WAVES", 128)):
            long += '%d,%d,"Agent 4",1,9,9,16384,10,"scale_add(float const*, float*, int)",256,0,0,8,0,16,"%s",%f,%d,%d\n' % (
                dispatch, dispatch, counter, value, begin, begin + 4096)
    writer.write(folder + "sample_counter_collection.csv", long)
    writer.write(folder + "malformed-number.csv", stats.replace("12288", "many"))
    writer.write(folder + "malformed-backwards.csv", wide.replace("5096", "999"))
    writer.write(folder + "malformed-cut.csv", wide[:wide.rindex("1026")])
    writer.write(folder + "malformed-empty.csv", trace[:trace.index("\n") + 1])
    writer.write(folder + "malformed-dispatch.csv", long.replace('\n1,1,', '\n1,,'))
    writer.write(folder + "malformed-quote.csv", stats[:stats.rindex("row") + 2])


def rocpd_3(times="rocpd_timestamp"):
    """Schema version 3: times and agents are rows of their own."""
    session = "_0000a1b2_77"
    dispatch = ("id", "track_id", "kernel_id", "start_id", "end_id", "group_segment_size",
                "workgroup_size_x", "workgroup_size_y", "workgroup_size_z", "grid_size_x",
                "grid_size_y", "grid_size_z")
    made = ["CREATE TABLE `rocpd_kernel_dispatch%s` (\"guid\" TEXT DEFAULT \"none\" NOT NULL, %s)" % (
                session, columns(dispatch)),
            "CREATE TABLE `rocpd_info_agent%s` (id INTEGER PRIMARY KEY, type TEXT, product_name "
            "TEXT)" % session,
            "CREATE TABLE `rocpd_track%s` (id INTEGER PRIMARY KEY, agent_id INTEGER)" % session,
            "CREATE TABLE `%s%s` (id INTEGER PRIMARY KEY, value BIGINT)" % (times, session),
            "CREATE TABLE `rocpd_info_kernel_symbol%s` (id INTEGER PRIMARY KEY, kernel_name TEXT, "
            "display_name TEXT, arch_vgpr_count INTEGER, accum_vgpr_count INTEGER)" % session]
    made += rows("rocpd_info_agent" + session, [(1, "CPU", "a processor"),
                                                (2, "GPU", "AMD Instinct MI210")])
    made += rows("rocpd_track" + session, [(7, 2)])
    made += rows("rocpd_info_kernel_symbol" + session,
                 [(1, "_Z9scale_addPKfPfi.kd", "scale_add(float const*, float*, int)", 24, 4),
                  (2, "row_sum.kd", "row_sum", 40, 0)])
    for i, (name, start, time, grid, block, _, static, dynamic) in enumerate(LAUNCHES):
        made += rows(times + session, [(2 * i + 1, start), (2 * i + 2, start + time)])
        made += rows("rocpd_kernel_dispatch" + session, [
            ("none", i + 1, 7, 1 + (name == SUM), 2 * i + 1, 2 * i + 2, static + dynamic, *block,
             *(g * b for g, b in zip(grid, block)))])
    return database(made)


def write_rocprof_sqlite(writer):
    folder = "formats/rocm/rocprof-sqlite/"
    writer.write(folder + "args", "--set device=mi210\n")
    operation = ("BeginNs", "EndNs", "dev-id", "queue-id")

    def results(operations, table="OPS"):
        return database(
            ["CREATE TABLE %s (%s, \"Name\" TEXT, \"DurationNs\" INTEGER)" % (table, columns(operation)),
             'CREATE TABLE KERN ("Index" INTEGER, "KernelName" TEXT)'] + rows(table, operations))
    good = [(1000, 5096, 4, 0, AMD_ADD, 4096), (6000, 10160, 4, 0, AMD_ADD, 4160),
            (11000, 11001, 4, 0, "<barrier packet>", 1)]
    writer.write(folder + "sample.db", results(good))
    session = "_0000a1b2_77"
    dispatch = ("id", "agent_id", "kernel_id", "start", "end", "group_segment_size",
                "workgroup_size_x", "workgroup_size_y", "workgroup_size_z", "grid_size_x",
                "grid_size_y", "grid_size_z")

    def rocpd(symbols=True):
        made = ["CREATE TABLE rocpd_kernel_dispatch%s (%s)" % (session, columns(dispatch)),
                "CREATE TABLE rocpd_info_agent%s (id INTEGER PRIMARY KEY, type TEXT, product_name "
                "TEXT)" % session,
                "CREATE VIEW rocpd_kernel_dispatch AS SELECT * FROM rocpd_kernel_dispatch" + session]
        made += rows("rocpd_info_agent" + session, [(1, "CPU", "a processor"),
                                                    (2, "GPU", "AMD Instinct MI210")])
        if symbols:
            made.append("CREATE TABLE rocpd_info_kernel_symbol%s (id INTEGER PRIMARY KEY, "
                        "kernel_name TEXT, display_name TEXT, arch_vgpr_count INTEGER, "
                        "accum_vgpr_count INTEGER)" % session)
            made += rows("rocpd_info_kernel_symbol" + session,
                         [(1, "_Z9scale_addPKfPfi.kd", "scale_add(float const*, float*, int)", 24, 4),
                          (2, "_Z7row_sumPKfPfi.kd", None, 40, 0)])
        made += rows("rocpd_kernel_dispatch" + session, [
            (i + 1, 2, 1 + (name == SUM), start, start + time, static + dynamic, *block,
             *(g * b for g, b in zip(grid, block)))
            for i, (name, start, time, grid, block, _, static, dynamic) in enumerate(LAUNCHES)])
        return database(made)
    writer.write(folder + "sample-rocpd.db", rocpd())
    writer.write(folder + "sample-rocpd-3.db", rocpd_3())
    writer.write(folder + "malformed-no-times.db", rocpd_3("rocpd_moment"))
    writer.write(folder + "malformed-empty.db", results([]))
    writer.write(folder + "malformed-backwards.db", results([(10, 5, 4, 0, "k", -5)]))
    writer.write(folder + "malformed-no-kernels.db", results(good, "HIP"))
    writer.write(folder + "malformed-no-symbols.db", rocpd(False))
    writer.write(folder + "malformed-cut.db", rocpd()[:-700])


def write_rocprof_json(writer):
    folder = "formats/rocm/rocprof-json/"

    def event(name, pid, begin, end):
        return {"ph": "X", "name": name, "pid": str(pid), "tid": "0", "ts": str(begin // 1000),
                "dur": str((end - begin) // 1000),
                "args": {"BeginNs": str(begin), "EndNs": str(end), "dev-id": "1", "Name": name,
                         "DurationNs": str(end - begin)}}
    base = 6 * 10**17
    trace = {"traceEvents": [
        {},
        {"args": {"name": "CPU HIP API"}, "ph": "M", "pid": 2, "name": "process_name"},
        {"args": {"name": "COPY"}, "ph": "M", "pid": 1, "name": "process_name"},
        {"args": {"name": "GPU0"}, "ph": "M", "pid": 6, "name": "process_name"},
        event("CopyHostToDevice", 1, base, base + 900000),
        event("hipLaunchKernel", 2, base, base + 2000),
        event("scale_add(float const*, float*, int)", 6, base + 1000, base + 5096),
        event("scale_add(float const*, float*, int)", 6, base + 6000, base + 10160),
        {"ts": 1, "ph": "s", "cat": "DataFlow", "id": 0, "pid": 2, "tid": 9, "name": "dep"}],
        "otherData": {"CMD": "scale", "Agent1.MarketingName": "a processor",
                      "Agent1.DeviceType": "CPU", "Agent2.MarketingName": "AMD Instinct MI210",
                      "Agent2.DeviceType": "GPU"}}
    text = json.dumps(trace)
    writer.write(folder + "sample.json", text)
    writer.write(folder + "malformed-cut.json", text[:len(text) * 3 // 4])
    writer.write(folder + "malformed-time.json", text.replace(str(base + 5096), "later"))
    writer.write(folder + "malformed-no-gpu.json", text.replace("GPU0", "none"))


def write_rocprofv3_json(writer):
    folder = "formats/rocm/rocprofv3-json/"

    def dispatch(number, kernel, begin, time, grid, block, agent=20):
        axes = ("x", "y", "z")
        return {"size": 184, "kind": 11, "operation": 2, "thread_id": 77,
                "correlation_id": {"internal": number, "external": 0},
                "start_timestamp": begin, "end_timestamp": begin + time,
                "dispatch_info": {
                    "size": 72, "agent_id": {"handle": agent}, "queue_id": {"handle": 1},
                    "kernel_id": kernel, "dispatch_id": number, "private_segment_size": 0,
                    "group_segment_size": 512, "workgroup_size": dict(zip(axes, block)),
                    "grid_size": dict(zip(axes, (g * b for g, b in zip(grid, block))))}}

    def symbol(number, name, shown, vector):
        return {"size": 88, "kernel_id": number, "code_object_id": 1, "kernel_name": name,
                "arch_vgpr_count": vector, "accum_vgpr_count": 4, "formatted_kernel_name": shown}
    base = 7 * 10**17      # more than a double keeps to the nanosecond
    process = {
        "metadata": {"pid": 77, "command": ["./scale", "-n", "4096"]},
        "agents": [{"id": {"handle": 10}, "type": 1, "product_name": "a processor"},
                   {"id": {"handle": 20}, "type": 2, "product_name": "AMD Instinct MI350X"}],
        "counters": [], "strings": {"callback_records": [{"kind": "NONE", "operations": []}]},
        "kernel_symbols": [symbol(0, "", "0", 0),
                           symbol(1, "_Z9scale_addPKfPfi.kd", "scale_add(float const*, float*, int)", 24),
                           symbol(2, "row_sum.kd", "", 40)],
        "callback_records": {"counter_collection": []},
        "buffer_records": {"kernel_dispatch": [
            dispatch(i + 1, 1 + (name == SUM), base + start, time, grid, block)
            for i, (name, start, time, grid, block, *_) in enumerate(LAUNCHES)],
            "hip_api": [], "memory_copy": []}}

    def results(**changes):
        return json.dumps({"rocprofiler-sdk-tool": [dict(process, **changes)]}, separators=(",", ":"))
    text = results()
    writer.write(folder + "sample_results.json", text)
    writer.write(folder + "malformed-cut.json", text[:len(text) * 3 // 4])
    writer.write(folder + "malformed-time.json", text.replace(
        '"end_timestamp":%d' % (base + LAUNCHES[0][1] + LAUNCHES[0][2]), '"end_timestamp":1'))
    writer.write(folder + "malformed-no-symbols.json", results(kernel_symbols=[]))
    writer.write(folder + "malformed-no-kernels.json", results(buffer_records={"kernel_dispatch": []}))
    writer.write(folder + "malformed-counters.json", results(
        buffer_records={}, callback_records={"counter_collection": [
            {"dispatch_data": dispatch(1, 1, base, 9, (1, 1, 1), (64, 1, 1)),
             "records": [{"counter_id": {"handle": 5}, "value": 128.0}]}]}))
    writer.write(folder + "malformed-list.json", text.replace('"agents":[', '"agents":7,"others":['))


COUNTERS = (("SQ_INSTS_VALU_ADD_F16", 0), ("SQ_INSTS_VALU_MUL_F16", 0), ("SQ_INSTS_VALU_TRANS_F16", 0),
            ("SQ_INSTS_VALU_FMA_F16", 10), ("SQ_INSTS_VALU_ADD_F32", 100),
            ("SQ_INSTS_VALU_MUL_F32", 50), ("SQ_INSTS_VALU_TRANS_F32", 5),
            ("SQ_INSTS_VALU_FMA_F32", 200), ("SQ_INSTS_VALU_ADD_F64", 1),
            ("SQ_INSTS_VALU_MUL_F64", 2), ("SQ_INSTS_VALU_TRANS_F64", 3),
            ("SQ_INSTS_VALU_FMA_F64", 4), ("SQ_INSTS_VALU_MFMA_MOPS_F16", 7),
            ("SQ_INSTS_VALU_MFMA_MOPS_BF16", 1000), ("SQ_INSTS_VALU_MFMA_MOPS_F32", 0),
            ("SQ_INSTS_VALU_MFMA_MOPS_F64", 0), ("TCC_EA_RDREQ_sum", 4096),
            ("TCC_EA_RDREQ_32B_sum", 96), ("TCC_EA_WRREQ_sum", 2048),
            ("TCC_EA_WRREQ_64B_sum", 2000), ("TCP_TCC_READ_REQ_sum", 5000),
            ("TCP_TCC_WRITE_REQ_sum", 2100), ("TCP_TCC_ATOMIC_WITH_RET_REQ_sum", 1),
            ("TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum", 2), ("TCP_TOTAL_CACHE_ACCESSES_sum", 9000),
            ("GRBM_GUI_ACTIVE", 10000), ("SQ_VALU_MFMA_BUSY_CYCLES", 1248000),
            ("SQ_ACTIVE_INST_VALU", 300000), ("SQ_WAVE_CYCLES", 2600000))


def pmc_perf(counters, times=((0, 1000, 5096), (1, 6000, 10160), (2, 11000, 15032))):
    head = ("Dispatch_ID,Kernel_Name,GPU_ID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,"
            "Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,wave_size,")
    text = head + ",".join(name for name, _ in counters) + ",Start_Timestamp,End_Timestamp\n"
    for dispatch, begin, end in times:
        text += '%d,"%s",2,16384,256,512,0,24,4,16,64,%s,%s,%s\n' % (
            dispatch, AMD_ADD, ",".join("%.1f" % value for _, value in counters), begin, end)
    return text


SYSTEM = ("workload_name,command,ip_blocks,timestamp,version,hostname,rocm_version,compute_partition,"
          "memory_partition,gpu_model,gpu_arch,cu_per_gpu,max_waves_per_cu,max_sclk,max_mclk,hbm_bw,num_xcd\n")
SYSTEM_3 = SYSTEM.replace("hbm_bw,num_xcd", "num_xcd,num_hbm_channels")


def write_rocprof_compute(writer):
    folder = "formats/rocm/rocprof-compute/"
    perf = pmc_perf(COUNTERS)
    writer.write(folder + "sample-mi200/pmc_perf.csv", perf)
    writer.write(folder + "sample-mi200/sysinfo.csv", SYSTEM +
                 'scale,"./scale -n 4096",SQ|TCC,a day,2,host,6.0.0,NA,NA,MI200,gfx90a,104,32,1700,1600,1638.4,1\n')
    writer.write(folder + "sample-mi200/roofline.csv",
                 "device,HBMBw,HBMBwLow,hbmBwHigh,L2Bw,FP32Flops,MFMAI8Ops\n"
                 "0,1300.5,1300,1301,5000.25,20000,160000\n1,1301.5,1301,1302,5001.25,20100,161000\n")
    mi300 = [(name.replace("TCC_EA_", "TCC_EA0_"), value) for name, value in COUNTERS]
    writer.write(folder + "sample-mi300/pmc_perf.csv", pmc_perf(mi300 + [("TCC_BUBBLE_sum", 4000)]))
    writer.write(folder + "sample-mi300/sysinfo.csv", SYSTEM +
                 'scale,"./scale -n 4096",SQ|TCC,a day,2,host,6.2.0,SPX,NPS1,MI300X_A1,gfx942,304,32,2100,1300,5324.8,8\n')
    fractions = ((0, "41551790928449.5", 41551790932545.75), (1, 41551790938449, "41551790942610.0"))
    writer.write(folder + "sample-version3/pmc_perf.csv", pmc_perf(mi300, fractions))
    writer.write(folder + "sample-version3/sysinfo.csv", SYSTEM_3 +
                 'scale,"./scale -n 4096",SQ|TCC,a day,3,host,7.1.0,SPX,NPS1,MI300X_A1,gfx942,304,32,2100,1300,8,128\n')
    writer.write(folder + "sample-version3/roofline.csv",
                 "device,HBMBw,MALLBw,L2Bw,FP16Flops,MFMAF4Flops,MFMAF8Flops,MFMABF16Flops\n"
                 "0,4244.25,6422.5,25345,81683,0,1867987.5,516455\n")
    writer.write(folder + "malformed-time.csv", pmc_perf(mi300, ((0, "1000.5.1", 5096),)))
    writer.write(folder + "malformed-backwards.csv", pmc_perf(mi300, ((0, 5096.5, 5096.25),)))
    writer.write(folder + "malformed-channels.csv", SYSTEM_3 +
                 "scale,x,SQ,a day,3,host,7.1.0,SPX,NPS1,MI300X_A1,gfx942,304,32,2100,1300,8,many\n")
    writer.write(folder + "malformed-empty.csv", "Dispatch_ID,Kernel_Name\n")
    writer.write(folder + "malformed-counter.csv", perf.replace("4096.0", "busy"))
    writer.write(folder + "malformed-cut.csv", perf[:-40])
    writer.write(folder + "malformed-sysinfo.csv", SYSTEM)
    writer.write(folder + "malformed-roofline.csv", "device,HBMBw,HBMBwLow\n0,fast,1\n")


ANALYSIS = {("Wavefront Launch Stats", "Grid Size"): {"Avg": 16384, "Min": 16384, "Max": 16384},
            ("Wavefront Launch Stats", "Workgroup Size"): {"Avg": 256, "Min": 256, "Max": 256},
            ("Wavefront Launch Stats", "VGPRs"): {"Avg": 24}, ("Wavefront Launch Stats", "AGPRs"): {"Avg": 4},
            ("Wavefront Launch Stats", "LDS Allocation"): {"Avg": 512},
            ("Arithmetic Operations", "FLOPs (Total)"): {"Avg": 4096000},
            ("System Speed-of-Light", "MFMA Utilization"): {"Avg": 0.0, "Pct of Peak": 0.0},
            ("System Speed-of-Light", "VALU Utilization"): {"Avg": 25.5, "Pct of Peak": 25.5},
            ("System Speed-of-Light", "Wavefront Occupancy"): {"Avg": 2048.0, "Pct of Peak": 25.0},
            ("System Speed-of-Light", "L2 Cache Hit Rate"): {"Avg": 62.5},
            ("System Speed-of-Light", "vL1D Cache Hit Rate"): {"Avg": None},
            ("L2 - Fabric interface detailed metrics", "Read (32B)"): {"Avg": 1.0},
            ("L2 - Fabric interface detailed metrics", "Read (64B)"): {"Avg": 10.0},
            ("L2 - Fabric interface detailed metrics", "Read (128B)"): {"Avg": 100.0},
            ("L2 - Fabric interface detailed metrics", "Write and Atomic (32B)"): {"Avg": 2.0},
            ("L2 - Fabric interface detailed metrics", "Write and Atomic (64B)"): {"Avg": 200.0}}


def analysis_database(workloads=1, dispatches=((10, 1000, 5096), (10, 6000, 10160), (10, 11000, 15032)),
                      system=None, values="compute_kernel_metric_value"):
    known = {"gpu_model": "MI350", "gpu_arch": "gfx950", "cu_per_gpu": 256, "max_waves_per_cu": 32,
             "max_sclk": 2200, "max_mclk": 1900, "num_xcd": 8, "num_hbm_channels": 128}
    made = ["CREATE TABLE compute_workload (workload_id INTEGER NOT NULL, name VARCHAR, "
            "sys_info_extdata JSON, roofline_bench_extdata JSON, PRIMARY KEY (workload_id))",
            "CREATE TABLE compute_kernel (kernel_uuid INTEGER NOT NULL, workload_id INTEGER NOT NULL, "
            "kernel_name VARCHAR, PRIMARY KEY (kernel_uuid))",
            "CREATE TABLE compute_metric_definition (metric_uuid INTEGER NOT NULL, name VARCHAR, "
            "sub_table_name VARCHAR, unit VARCHAR, PRIMARY KEY (metric_uuid))",
            "CREATE TABLE compute_dispatch (dispatch_uuid INTEGER NOT NULL, kernel_uuid INTEGER NOT NULL, "
            "start_timestamp INTEGER, end_timestamp INTEGER, PRIMARY KEY (dispatch_uuid))",
            "CREATE TABLE %s (value_uuid INTEGER NOT NULL, metric_uuid INTEGER NOT NULL, kernel_uuid "
            "INTEGER NOT NULL, value_name VARCHAR, value FLOAT, PRIMARY KEY (value_uuid))" % values]
    made += rows("compute_workload", [(i + 1, "scale", system or json.dumps(known),
                                       json.dumps({"HBMBw": 4885.5, "MFMABF16Flops": 1127592.4}))
                                      for i in range(workloads)])
    made += rows("compute_kernel", [(10, 1, "scale_add(float const*, float*, int)")])
    made += rows("compute_metric_definition", [(i, name, table, "")
                                               for i, (table, name) in enumerate(ANALYSIS)])
    made += rows(values, [(100 * i + k, i, 10, name, value) for i, of in enumerate(ANALYSIS.values())
                          for k, (name, value) in enumerate(of.items())])
    made += rows("compute_dispatch", [(i, *one) for i, one in enumerate(dispatches)])
    return database(made)


def write_rocprof_compute_db(writer):
    folder = "formats/rocm/rocprof-compute-db/"
    good = analysis_database()
    writer.write(folder + "sample.db", good)
    writer.write(folder + "malformed-cut.db", good[:len(good) // 2 + 100])
    writer.write(folder + "malformed-workloads.db", analysis_database(workloads=2))
    writer.write(folder + "malformed-empty.db", analysis_database(dispatches=()))
    writer.write(folder + "malformed-backwards.db", analysis_database(dispatches=((10, 9, 8),)))
    writer.write(folder + "malformed-kernel.db", analysis_database(dispatches=((11, 8, 9),)))
    writer.write(folder + "malformed-system.db", analysis_database(system='{"num_xcd": "many"}'))
    writer.write(folder + "malformed-json.db", analysis_database(system='{"num_xcd": '))
    writer.write(folder + "malformed-values.db", analysis_database(values="compute_kernel_value"))


def write(writer):
    write_nsys_sqlite(writer)
    write_nsys_stats(writer)
    write_rocprof_csv(writer)
    write_rocprof_sqlite(writer)
    write_rocprof_json(writer)
    write_rocprofv3_json(writer)
    write_rocprof_compute(writer)
    write_rocprof_compute_db(writer)
