#!/bin/bash
# Levels of a site beside what the gate and the other commands say of the same series: changes of
# what was 0, which way is better, where a small line ends, and what is told of the newest runs.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository levels
nights 99
series spills '(i < 80 ? 0 : 4096)'
METRIC=spill_save_bytes=value:B measured
series kept '(i < 80 ? 5000 : 9000) * e'
METRIC=sbuf_read_bytes=value:B measured 1
series tonight '(i < 100 ? 10 : 14) * e'
series grown '(i < 80 ? 10 : 30) * e'
measured 2
configured=(--config "$scratch/config")
cat >"$scratch/config" <<'E1'
[rule "spills"]
	kernel = spills
	metric = spill_save_bytes
[rule "kept"]
	kernel = kept
	metric = sbuf_read_bytes
	direction = higher
[rule "time"]
	kernel = tonight
	metric = total_time
[rule "grown"]
	kernel = grown
	metric = total_time
E1

run site pages
equal "status: $err" "$status" 0
page() { cat pages/k/"$1"-*.html; }

# --- a change of what was 0 is a difference ---

share='[+-][0-9.]* %'
check "of the site" grep -qF '▲&#160;+4.096 kB</span><small>+4.096 kB to +4.096 kB</small></td>' \
	<(page spills)
check "no share of nothing on the site" test -z "$(page spills | grep -o "$share to $share")"
run chart trend --output trend.svg
check "of a chart" grep -q '>+4.096 kB' trend.svg
run report --as weekly --since 2026-03-02
check "what tripled stands before what began: $out" grep -q 'grown.*spills' <(tr -d '\n' <<<"$out")
check "of the week: $out" grep -qF '▲ spills | +4.096 kB' <<<"$out"
run log --view series --metric spill_save_bytes
check "of the log: $out" grep -qF '▲ +4.096 kB' <<<"$out"

# --- which way is better is what the configuration says ---

check "of the site" grep -q 'data-verdict="improved">▼&#160;' <(page kept)
check "of its commits" test "$(grep -c '▼&#160;better' "pages/c/$(git rev-parse HEAD~20).html")" = 1
run log --view series --metric sbuf_read_bytes --json
equal "of the log" "$(jq -c '[.series[] | select(.name | test("kept")) | .changes[].worse]' <<<"$out")" '[false]'

# --- the sparkline ends where the newest value is ---

line=$(grep '#[^"]*"[^>]*><b>tonight<' pages/index.html | grep -o '<path d="[^"]*"/>')
check "at the top, where the others are at the bottom: $line" grep -qE '( [56][ -][0-4]){40} [56]-8[0-9]"' <<<"$line"

# --- beyond the series that have a section, too, MFU and bottleneck are known ---

repository many
for i in {1..36}; do
	mkdir -p "profiles/$i"
	cp "$root"/samples/history/06/attention-s256/* "profiles/$i"
	sed -i "s/256/$((i * 8))/" "profiles/$i/params.json"
done
run ingest --commit HEAD profiles
run site pages
equal "status: $err" "$status" 0
equal "bottlenecks" "$(grep -c 'data-bottleneck="Latency-bound"' pages/index.html)" 36
equal "MFU" "$(cat pages/k/*.html | grep -c '<small>MFU 2.462 %</small>')" 36
equal "sections" "$(cat pages/k/*.html | grep -c '<section class="series" id="s')" 12
finish
