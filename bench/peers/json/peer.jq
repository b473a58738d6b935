# usage: jq -r -f peer.jq FILE: the answer (answer.py), in jq.
def parts: 256;
def kept: 50;

# Disjoint intervals, in order.
def union: sort | reduce .[] as [$from, $to] ({done: [], open: null};
		if .open == null then .open = [$from, $to]
		elif $from <= .open[1] then .open[1] = ([.open[1], $to] | max)
		else .done += [.open] | .open = [$from, $to] end)
	| .done + (if .open then [.open] else [] end);

# [part, ticks] of an interval for each part that it lies in.
def pieces($width): . as [$from, $to] | range($from / $width | floor; $to / $width | ceil)
	| select(. < parts)
	| [., ([$to, (. + 1) * $width] | min) - ([$from, . * $width] | max)];

def timeline($width): reduce (.[] | pieces($width)) as [$part, $ticks] ([range(parts) | 0];
		.[$part] += $ticks)
	| map(. / $width * 10000 | round | tostring) | join(" ");

def longest($kind): map({name: .[0], count: .[1], time: .[2]})
	| sort_by([-.time, .name]) | (if length <= kept + 1 then length else kept end) as $shown
	| .[:$shown] + (.[$shown:] | if length > 0
		then [{name: "(rest)", count: (map(.count) | add), time: (map(.time) | add)}] else [] end)
	| .[] | "\($kind) \(.name) \(.count) \(.time)";

(.summary[0].total_time * 1e9 / parts) as $width | [
	((.active_time | map([.engine, .start_ts, .end_ts]))
		+ (.dma | map(["dma", .timestamp, .timestamp + .duration]))
		| group_by(.[0])[] | .[0][0] as $name | map(.[1:]) | union
		| "engine \($name) \(map(.[1] - .[0]) | add)", "timeline \($name) \(timeline($width))"),
	(.instruction | group_by(.opcode)
		| map([.[0].opcode, length, (map(.duration) | add)]) | longest("opcode")),
	(.instruction | map(select(.nki_source_location | . != null and . != ""))
		| group_by(.nki_source_location)
		| map([.[0].nki_source_location, length, (map(.duration) | add)]) | longest("source")),
	(.dma | group_by(.queue_type)[] | [.[0].queue_type, length, (map(.duration) | add),
		(map(.transfer_size) | add)] | "queue " + join(" "))
] | sort[]
