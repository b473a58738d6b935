#!/bin/bash
# A kernel that is slower, though its file is the same byte for byte: the environment's matter, where ingest has read the file
# itself. What a profile says of its hash makes no verdict milder.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
sample=$root/samples/mlp/profile.json
neff=$root/samples/formats/neuron/neff/sample.neff
hash=$(od -An -tx1 -j172 -N16 "$neff" | tr -d ' \n')
printf '[gate]\nnoise = 1.4 %%\nconfirm = false\n' >"$scratch/config"

# A repository with a measured commit and one on top, whose profile is to be ingested.
begin() { # NAME
	repository "$1"
	configured=(--config "$scratch/config")
	profile 1
	stored
	commit second
	rm -r p
}

profile() { # FACTOR
	mkdir -p p
	jq --arg hash "$hash" --argjson factor "$1" \
		'.neff_header[0].hash = $hash | .summary[0].total_time *= $factor' "$sample" >p/profile.json
	cp "$neff" p/kernel.neff
}

stored() {
	run ingest --set kernel=mlp,dtype=bf16 p
	equal "ingest: $err" "$status" 0
}

begin same
profile 1.25
stored
verdict "the same file" 3 'worse, but the compiled kernel is identical to the baseline'"'"'s (SHA-256 ' HEAD
equal "its verdict" "$("$rooflog" gate "${configured[@]}" --json | jq -r .gate.verdict)" environment
equal "and no other word: $out" "$(grep -c 'got worse' <<<"$out")" 0
run gate
equal "fails the change" "$status" 1
check "but not in silence: $out" grep -qF 'the compiled kernel is identical' <<<"$out"
equal "nothing is said to be fine: $out" "$(grep -cE 'none of|Nothing to do' <<<"$out")" 0
run gate --fail-on environment
equal "fails on request" "$status" 1

begin faster
profile 0.8
stored
equal "what is faster is no matter of it" "$("$rooflog" gate "${configured[@]}" --json | jq -r .gate.verdict)" pass

begin claimed
profile 1.25
rm p/kernel.neff
stored
verdict "the profile says so" 1 'the profile states that the compiled kernel is identical' HEAD

begin other
profile 1.25
printf x >>p/kernel.neff
stored
verdict "a file of other bytes with the same hash in its header" 1 'fail: 1 of 1 series slower' HEAD

begin brought
profile 1.25
git add p/kernel.neff
git commit -q -m kernel
stored
verdict "a file that the commit brought" 1 'fail: 1 of 1 series slower' HEAD

begin stated
profile 1.25
rm p/kernel.neff
digest=$(sha256sum <"$neff" | cut -d ' ' -f 1)
jq --arg digest "$digest" '.summary[0].kernel_sha256 = $digest' p/profile.json >p/x.json
mv p/x.json p/profile.json
stored
verdict "a profile that states the digest" 1 'fail: 1 of 1 series slower' HEAD
printf '{"kernel":"mlp","host_time":"1 ms","kernel_sha256":"%s"}' "$digest" >p/timings.json
run ingest --replace --set kernel=mlp,dtype=bf16 p
run gate --exit-code
equal "nor what lies beside it: $out" "$status" 1
finish
