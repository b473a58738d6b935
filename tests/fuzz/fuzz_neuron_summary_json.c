/* Any bytes as a summary-json of neuron-profile. */
#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "ingest/neuron_summary_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_run(const struct run *run)
{
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const struct value *value = &run->given[i];
		assert(isnan(value->number) == (value->provenance == PROVENANCE_UNKNOWN));
		assert(isnan(value->number) || value->number >= 0);
	}
	for (size_t i = 0; i < run->engine_count; i++)
		for (size_t bin = 0; bin < TIMELINE_BINS; bin++)
			assert(run->engines[i].timeline[bin] >= 0 &&
			       run->engines[i].timeline[bin] <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct arena arena = {0};
	struct ingest_result result = {0};
	struct error err = {0};
	struct span head;
	char hex[65];
	struct input *input = input_of_bytes((struct span){(const char *)bytes, size});
	if (input_head(input, &head, &err) == 0)
		neuron_summary_json_reader.detect(head);
	int rc = neuron_summary_json_reader.read(&arena, input, &result, &err);
	assert(rc == 0 ? result.runs.count > 0 : result.runs.count == 0 && err.text[0]);
	for (size_t i = 0; i < result.runs.count; i++) {
		check_run(result.runs.items[i]);
		run_hash(result.runs.items[i], true, hex);
	}
	input_close(input);
	arena_free(&arena);
	return 0;
}
