#!/bin/bash
# Judges $PROFILES, and $AGAIN if they leave it open. Leaves status and comment as outputs; the job's summary has the
# verdict. An error (status 2) ends the step; a failed gate is left to the step that ends the job.
set -eu
place=${RUNNER_TEMP:-$(mktemp -d)}
comment=$place/rooflog-comment.md again=$place/rooflog-again.jsonl annotations=$place/rooflog-annotations.txt
[ -z "$STORE" ] || export ROOFLOG_STORE=$STORE
configured=()
[ -z "$CONFIG" ] || configured=(--config "$CONFIG")
judge() { # PROFILES: sets status
	status=0
	rooflog "${configured[@]}" ingest --quiet --commit "$COMMIT" --against "$AGAINST" --max-series "$MAX_SERIES" "$1" || exit 2
	rooflog "${configured[@]}" gate "$COMMIT" --against "$AGAINST" ${RERUN:+"--rerun=$RERUN"} -o rerun="$again" -o comment="$comment" \
		-o github="$annotations" -o summary="$GITHUB_STEP_SUMMARY" || status=$?
	[ "$status" -le 1 ] || exit 2
}
judge "$PROFILES"
if [ "$status" = 1 ] && [ -n "$AGAIN" ] && [ -s "$again" ]; then
	judge "$AGAIN"
fi
cat "$annotations"
printf 'status=%s\ncomment=%s\n' "$status" "$comment" >>"$GITHUB_OUTPUT"
