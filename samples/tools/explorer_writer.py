"""Neuron Explorer's tables, made of a full profile as JSON (schema 7.4.0)."""
import parquet_writer

INT, TEXT, REAL, TRUE = ("int64", "delta"), ("text", "dictionary"), ("double", "plain"), ("bool", "plain")
ID = ("int64", "dictionary")
KINDS = {
    "Metadata": {
        "profile_schema_version": TEXT, "ntff_version": ID, "num_physical_cores": ID,
        "tensor_engine_num_rows": ID, "tensor_engine_num_cols": ID,
        "tensor_engine_clock_freq": REAL, "hbm_ddr_bandwidth": REAL, "is_simulation": TRUE,
        "explorer_version": TEXT, "explorer_build_time": TEXT, "profile_name": TEXT,
        "instance_type": TEXT, "runtime_version": TEXT, "compiler_version": TEXT},
    "NeffHeader": {"hash": TEXT, "uuid": TEXT, "network_name": TEXT, "enabled_features": TEXT},
    "ActiveTime": {"engine": TEXT, "start_ts": INT, "end_ts": INT, "duration_ns": INT,
                   "pcore_idx": ID},
    "DmaPacket": {"start_ts": INT, "duration_ns": INT, "queue_type": TEXT, "transfer_bytes": ID,
                  "queue_name": TEXT, "pcore_idx": ID, "packet_idx": INT,
                  "packet_aggregation_id": ID, "crc": ID},
    "Instruction": {"start_ts": INT, "duration_ns": INT, "opcode": TEXT,
                    "operands": ("text", "delta-bytes"), "engine": TEXT, "pcore_idx": ID,
                    "pc": INT, "raw_flops": INT, "tensor_instruction_type": TEXT,
                    "nki_source_location": TEXT},
    "Throttle": {"timestamp": INT, "duration": INT, "k": ID, "n": ID, "type": TEXT,
                 "pcore_idx": ID},
    "HbmUsageSummaryByType": {"neuroncore_idx": ID, "usage_type": TEXT, "usage_bytes": INT},
    "TensorInfo": {"variable_name": TEXT, "type": TEXT, "shape": TEXT, "size": INT, "node": INT},
    "Warning": {"category": TEXT, "message": ("text", "plain")},
    "SemaphoreUpdate": {"timestamp": INT, "id": TEXT, "value": INT, "update_source": TEXT,
                        "pcore_idx": ID},
}
UNITS = [{"table_name": "Instruction", "field_name": "duration_ns", "field_unit": "nanoseconds"},
         {"table_name": "Summary", "field_name": "total_time", "field_unit": "seconds"},
         {"table_name": "Instruction", "field_name": "pc"}]
UNIT_KINDS = {"table_name": TEXT, "field_name": TEXT, "field_unit": TEXT}


def core(record):
    digits = "".join(filter(str.isdigit, record.get("subgraph", "")))
    return int(digits) if digits else record.get("pcore_idx")


def pick(record, **names):
    return {column: record[name] for column, name in names.items() if record.get(name) is not None}


def records_of(profile, name):
    value = profile.get(name, [])
    return value if isinstance(value, list) else [value]


def rows_of(profile):
    first = {name: (records_of(profile, name) or [{}])[0]
             for name in ("summary", "metadata", "profile_info")}
    yield "Metadata", [dict(
        pick(first["metadata"], ntff_version="ntff_version", num_physical_cores="num_physical_cores",
             tensor_engine_num_rows="pe_num_rows", tensor_engine_num_cols="pe_num_cols",
             tensor_engine_clock_freq="pe_clock_freq", hbm_ddr_bandwidth="hbm_ddr_bandwidth",
             is_simulation="is_simulation"),
        **pick(first["profile_info"], explorer_version="profiler_version",
               explorer_build_time="profiler_build_time", profile_name="profile_name"),
        **pick(first["summary"], instance_type="instance_type", runtime_version="runtime_version",
               compiler_version="compiler_version"),
        profile_schema_version="7.4.0")]
    yield "NeffHeader", records_of(profile, "neff_header")
    yield "ActiveTime", [dict(record, pcore_idx=core(record))
                         for record in records_of(profile, "active_time")]
    yield "DmaPacket", [dict(
        pick(record, start_ts="timestamp", duration_ns="duration", queue_type="queue_type",
             transfer_bytes="transfer_size", queue_name="subgroup"),
        pcore_idx=core(record), packet_idx=i, packet_aggregation_id=0, crc=7)
        for i, record in enumerate(records_of(profile, "dma")) if record.get("aggregated") != "yes"]
    yield "Instruction", [dict(
        pick(record, start_ts="timestamp", duration_ns="duration", opcode="opcode",
             operands="operands", engine="subgroup", tensor_instruction_type="instruction_type",
             nki_source_location="nki_source_location"),
        pcore_idx=core(record), pc=i,
        **({"raw_flops": 2 * int(record["elements"])} if "elements" in record else {}))
        for i, record in enumerate(records_of(profile, "instruction"))]
    yield "Throttle", [dict(
        pick(record, timestamp="timestamp", duration="duration", k="k", n="n"),
        pcore_idx=core(record), type={0: "activity_0", 1: "activity_1"}.get(record.get("type"), "unknown"))
        for record in records_of(profile, "ham")]
    yield "HbmUsageSummaryByType", [dict(
        pick(record, usage_type="usage_type", usage_bytes="amount_bytes"), neuroncore_idx=0)
        for record in records_of(profile, "nc_mem_usage")]
    yield "TensorInfo", [dict(pick(record, variable_name="variable_name", type="type", shape="shape"),
                              size=int(record.get("size", 0)), node=i)
                         for i, record in enumerate(records_of(profile, "neff_node"))]
    yield "Warning", records_of(profile, "warnings")
    yield "SemaphoreUpdate", [dict(
        pick(record, timestamp="timestamp", id="id", value="value"), pcore_idx=core(record))
        for record in records_of(profile, "semaphore_update")]


def summary(members, percent=1):
    """One row; percent is what a percentage counts in."""
    columns = []
    for name, value in members.items():
        kind = "text" if isinstance(value, str) else "int64" if isinstance(value, int) else "double"
        if name.endswith("_percent"):
            kind, value = "double", value * percent
        columns.append(parquet_writer.Column(name, kind, [value]))
    for name in ("trace_count", "event_count"):
        if name not in members:
            columns.append(parquet_writer.Column(name, "int64", [None]))
    return parquet_writer.table(columns)


def tables_of(profile, percent=1, parts=1, **options):
    """{file name: bytes}; a long Instruction table is in `parts` files."""
    files = {"Summary.parquet": summary((records_of(profile, "summary") or [{}])[0], percent),
             "SchemaFields.parquet": parquet_writer.of_rows(UNITS, UNIT_KINDS)}
    for name, rows in rows_of(profile):
        if not rows:
            continue
        if name != "Instruction" or parts == 1:
            files[name + ".parquet"] = parquet_writer.of_rows(rows, KINDS[name], **options)
            continue
        size = -(-len(rows) // parts)
        for part in range(parts):
            files["%s_%d.parquet" % (name, part)] = parquet_writer.of_rows(
                rows[part * size:(part + 1) * size], KINDS[name], **options)
    return files
