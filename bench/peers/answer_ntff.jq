# From `rooflog ingest --dry-run --json` of an NTFF: the lines that generate_ntff and peer_ntff.py
# print, times in ps. Run with -r and --arg version 5.
def ps: . * 1e12 | round;

.runs[0] | .metrics as $m | ["tensor", "scalar", "gpsimd", "vector", "sync"] as $engines | [
	(.opcodes[] | "opcode \(.name) \(.count.value) \(.time.value | ps)"),
	($engines[] | "engine \(.) \($m[. + "_engine_instruction_count"].value)"
		+ " \($m[. + "_engine_instruction_time"].value | ps)"
		+ " \($m[. + "_engine_active_time"].value | ps)"),
	(.dma[] | "queue \(.name) \(.count.value) \(.time.value | ps) \(.bytes.value)"),
	(("static", "software", "hardware")
		| "class \(.) \($m[. + "_dma_packet_count"].value) \($m[. + "_dma_bytes"].value)"
		+ " \($m[. + "_dma_active_time"].value | ps)"),
	(("dma_packet_time", "throttle_time", "total_time", "dma_active_time", "total_active_time")
		| "metric \(.) \($m[.].value | ps)"),
	(("hardware_flops", "hbm_read_bytes", "hbm_write_bytes", "sbuf_read_bytes",
		"sbuf_write_bytes", "psum_read_bytes", "psum_write_bytes", "event_count")
		| "metric \(.) \($m[.].value)"),
	(select($version | tonumber >= 6) # before, words do not tell transposes
		| "metric transpose_flops \($m.transpose_flops.value)")
] | sort[]
