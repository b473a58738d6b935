# What peer.py does, in jq. Run with -r.
def union: reduce sort[] as [$from, $to] ({total: 0, covered: 0};
	.total += ([0, $to - ([$from, .covered] | max)] | max)
	| .covered = ([$to, .covered] | max)) | .total;

def add_to($table; $name; $numbers): .[$table][$name] |= ([., $numbers] | transpose | map(add));

[
	((.active_time | map([.engine, .start_ts, .end_ts]))
		+ (.dma | map(["dma", .timestamp, .timestamp + .duration]))
		| group_by(.[0])[] | "engine \(.[0][0]) \(map(.[1:]) | union)"),
	(reduce .instruction[] as $row ({}; add_to("opcode"; $row.opcode; [1, $row.duration]))
		| .opcode | to_entries[] | "opcode \(.key) \(.value | join(" "))"),
	(reduce .dma[] as $row ({};
			add_to("queue"; $row.queue_type; [1, $row.duration, $row.transfer_size]))
		| .queue | to_entries[] | "queue \(.key) \(.value | join(" "))")
] | sort[]
