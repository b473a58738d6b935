# From `rooflog ingest --dry-run --json`: the lines that peer.py and peer.jq print. Run with -r.
def ns: . * 1e9 | round;

.runs[0] | [
	(.engines[] | "engine \(.name) \(.active_time.value | ns)"),
	(.opcodes[] | "opcode \(.name) \(.count.value) \(.time.value | ns)"),
	(.dma[] | "queue \(.name) \(.count.value) \(.time.value | ns) \(.bytes.value)")
] | sort[]
