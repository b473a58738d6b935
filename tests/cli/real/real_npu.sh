#!/bin/bash
# The tables of a matmul profiler for Neuron devices: each is read, its figures equal those of its
# own cells, and the best buckets are those of all subsets.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

data=$root/../shared/data/neuron/AnchovyPark+npu_profiling_code
if [ ! -d "$data" ]; then
	echo "skipped: no ../shared/data"
	exit 0
fi

# "kernel variant params host_time deviation flops bytes tiles padding" a run, from the cells alone.
cat >"$scratch/expected.py" <<'END'
import csv, sys

TIMES = (("latency_ms", "latency_std", "", None, None), ("npu_only_ms", "npu_only_std", "", None, "npu_only"),
         ("e2e_ms", "e2e_std", "", None, "e2e"), ("e2e_total_ms", "e2e_total_std", "", None, "e2e"),
         ("fused_ms", "fused_std", "fused", "bytes_fused", None),
         ("separate_ms", "separate_std", "separate", "bytes_separate", None))
NAMES = {"bucket_N": "N", "seq_len_bucket": "K", "seq_len_actual": "actual_K"}
for row in csv.DictReader(open(sys.argv[1], encoding="utf-8")):
    size = {NAMES.get(name, name): int(row[name])
            for name in ("M", "K", "N", "K1", "K2", "bucket_N", "actual_N", "seq_len_bucket", "seq_len_actual")
            if name in row}
    for time, deviation, variant, moved, scope in TIMES:
        if time not in row:
            continue
        params = dict({k: str(v) for k, v in size.items()}, **({"scope": scope} if scope else {}))
        text = ",".join("%s=%s" % (name, params[name]) for name in sorted(params))
        flops = tiles = padding = None
        if all(d in size for d in "MKN"):
            m, k, n = (size[d] for d in "MKN")
            tiles = -(-m // 128) * -(-k // 128) * -(-n // 512)
            padding = 1 - m * k * n / (tiles * 128 * 128 * 512)
            flops = 2 * m * k * n
        flops = int(row["flops"]) if "flops" in row else flops
        number = lambda value: "-" if value is None else "%.12g" % value
        print("matmul_chain" if "K2" in size else "matmul", variant or "-", text,
              number(float(row[time]) / 1e3),
              number(float(row[deviation]) / 1e3 if deviation in row else None), number(flops),
              number(float(row[moved]) if moved else None), number(tiles), number(padding))
END

# The same from rooflog.
actual() { # FILE
	"$rooflog" ingest --dry-run --json --set dtype=fp16,device=inf2 "$1" 2>"$scratch/messages" | jq -r '
		.runs[] | . as $run |
		def value($key): [$run.metric_rows[] | select(.key == $key) | .value][0] // "-";
		[.kernel, (.variant // "" | if . == "" then "-" else . end),
			([.params[] | "\(.name)=\(.value)"] | join(",")), value("host_time"),
			([.spreads[] | .deviation.value][0] // "-"), value("algorithmic_flops"),
			value("algorithmic_bytes"), value("tile_count"), value("padding_fraction")] | @tsv' |
		awk '{ for (i = 4; i <= NF; i++) if ($i != "-") $i = sprintf("%.12g", $i) } 1'
}

tables=0
while IFS= read -r file; do
	tables=$((tables + 1))
	python3 "$scratch/expected.py" "$file" | sort >"$scratch/expected"
	actual "$file" | sort >"$scratch/actual"
	check "${file##*/}" diff "$scratch/expected" "$scratch/actual"
	check "${file##*/} has runs" test -s "$scratch/actual"
done < <(find "$data" -name '*.csv' | sort)
equal tables "$tables" 10

says() { # FILE TEXT
	"$rooflog" ingest --dry-run --set dtype=fp16,device=inf2 "$data/$1" >"$scratch/messages" 2>&1
	equal "$1: said once: $2" "$(grep -cF -- "$2" "$scratch/messages")" "$([ "$2" = warning ] && echo 0 || echo 1)"
}
says results/FIX_PE_1_tile.csv 'in 125 of 125 rows, first at line 2: 4, not 1; the file'\''s num_tiles fit N tiles of 128;'
says results/m128k128n32_1024.csv 'in 28 of 29 rows, first at line 3: 2, not 1; the file'\''s num_tiles fit N tiles of 128;'
says results/matmul/simple_test.csv 'cycles equals M + K + N - 2 in every row'
says matmul/results/bucket_equivalence_test.csv 'not device time'
says results/kn고정.csv warning
says results/K_variation_test.csv warning

# The best buckets over all subsets of a real sweep, every 4th size of it so that there are not too
# many of them; then the same with a distribution of sizes.
repository npu
awk 'NR == 1 || NR % 4 == 2' "$data/results/kn고정.csv" >sweep.csv
run ingest --set dtype=fp16,device=inf2 sweep.csv
equal "ingest: $err" "$status" 0
cat >"$scratch/best.py" <<'END'
import csv, itertools, sys

points = sorted((int(row["M"]), float(row["latency_ms"]) / 1e3) for row in csv.DictReader(open("sweep.csv")))
if len(sys.argv) > 2:
    requests = [tuple(map(float, line.split())) for line in open(sys.argv[2])]
else:
    requests = [(size, 1) for size in range(1, points[-1][0] + 1)]
requests = [(size, weight) for size, weight in requests if size <= points[-1][0]]
total = sum(weight for _, weight in requests)
mean = lambda chosen: sum(weight * next(time for size, time in chosen if size >= wanted)
                          for wanted, weight in requests) / total
best = min((float("%.12g" % mean(chosen)), len(chosen), chosen) for count in range(1, int(sys.argv[1]) + 1)
           for chosen in itertools.combinations(points, count) if chosen[-1][0] >= max(requests)[0])
tokens = sum(weight * next(size for size, _ in best[2] if size >= wanted) for wanted, weight in requests)
print(" ".join(str(size) for size, _ in best[2]), "%.9g %.6g %.9g" % (
    best[0], best[0] / mean(points) - 1, 1 - sum(size * weight for size, weight in requests) / tokens))
END
printf '100 5\n700 1\n701 1\n1500 0.25\n9999 2\n' >sizes
for k in 1 2 3 4; do
	for sizes in '' sizes; do
		run analyze buckets --count $k ${sizes:+--sizes sizes} --json
		equal "best $k of $sizes" "$(jq -r '.shapes[0].plans[0] |
			"\([.buckets[].size] | join(" ")) \(.seconds) \(.waste) \(.padding)"' <<<"$out" |
			awk '{ $(NF - 2) = sprintf("%.9g", $(NF - 2)); $(NF - 1) = sprintf("%.6g", $(NF - 1));
				$NF = sprintf("%.9g", $NF) } 1')" \
			"$(python3 "$scratch/best.py" $k ${sizes:+sizes})"
	done
done
run analyze buckets --sizes sizes
check "uncovered share" grep -q '^21.62 % of requests exceed 2048, the largest measured size$' <<<"$out"
run chart latency --output latency.svg
equal "chart: $err" "$status" 0
check "tile boundaries" grep -q 'multiples of 128' latency.svg
commit chain
run ingest --set dtype=fp16,device=inf2 "$data/results/K_variation_test.csv"
refused "three sizes vary" 'K, M and N differ between these runs: choose one of them with --over' chart latency --output x.svg
run analyze buckets --over M --json
equal "shapes" "$(jq '.shapes | length' <<<"$out")" 28
# Two sizes at once: the best lists among all, from the cells.
commit pairs
cat >"$scratch/pairs.py" <<'END'
import csv, itertools, sys

times = {(int(row["M"]), int(row["N"])): float(row["latency_ms"]) / 1e3 for row in csv.DictReader(open(sys.argv[1]))}
rows, columns = (sorted({pair[side] for pair in times}) for side in (0, 1))
widths = lambda sizes: list(zip(sizes, (high - low for low, high in zip((0,) + sizes, sizes))))
cost = lambda x, y: sum(times[a, b] * i * k for a, i in widths(x) for b, k in widths(y))
lists = lambda sizes: [chosen + (sizes[-1],) for count in range(int(sys.argv[2]))
                       for chosen in itertools.combinations(sizes[:-1], count)]
best = min((cost(x, y), len(x) * len(y), x, y) for x in lists(rows) for y in lists(columns))
print(*best[2], "x", *best[3], "%.9g %.6g" % (
    best[0] / rows[-1] / columns[-1], best[0] / cost(tuple(rows), tuple(columns)) - 1))
END
run ingest --set dtype=fp16,device=inf2 "$data/results/boundary_test.csv"
for k in 2 3; do
	run analyze buckets --over M,N --count $k --json
	equal "best $k of both" "$(jq -r '.grids[0].plans[0] | "\(.sizes[0] | join(" ")) x \(.sizes[1] | join(" ")) \(.seconds) \(.waste)"' <<<"$out" |
		awk '{ $(NF - 1) = sprintf("%.9g", $(NF - 1)); $NF = sprintf("%.6g", $NF) } 1')" \
		"$(python3 "$scratch/pairs.py" "$data/results/boundary_test.csv" $k)"
done
commit chain
run ingest --set dtype=fp16,device=inf2 "$data/results/K_variation_test.csv"
refused "no such size" 'no run has both a time and a positive value for parameter S' analyze buckets --over S
refused "no count" '--count 65: expected a whole number from 1 to 64' analyze buckets --count 65
refused "no file" 'nowhere' analyze buckets --over M --sizes nowhere
printf '12 a\n' >bad
refused "no weight" 'bad: line 1: expected a size, or a size and its weight, not "12 a"' analyze buckets --over M --sizes bad
finish
