# From `rooflog ingest --dry-run --json`: the lines that every program of bench/peers/json prints. Run with -r.
def ns: . * 1e9 | round;

.runs[0] | [
	(.engines[] | "engine \(.name) \(.active_time.value | ns)",
		"timeline \(.name) \(.timeline | map(. * 10000 | round) | join(" "))"),
	(.opcodes[] | "opcode \(.name) \(.count.value) \(.time.value | ns)"),
	(.sources[] | "source \(.name) \(.count.value) \(.time.value | ns)"),
	(.dma[] | "queue \(.name) \(.count.value) \(.time.value | ns) \(.bytes.value)")
] | sort[]
