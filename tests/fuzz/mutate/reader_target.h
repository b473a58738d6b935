/* What every reader must do with any bytes: read them whole or refuse them with a message and
 * leave the result alone; and what it reads must make sense. */
#ifndef TESTS_FUZZ_READER_TARGET_H
#define TESTS_FUZZ_READER_TARGET_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "ingest/reader.h"
#include "ingest/registry/registry.h"
#include "model/timeline/trace/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define REQUIRE(condition)                                                                         \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);    \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

static inline void require_text(const char *text)
{
	REQUIRE(text && utf8_valid_prefix(span_of(text)) == strlen(text));
}

static inline void require_run(const struct run *run)
{
	char hex[65];
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const struct value *value = &run->given[i];
		REQUIRE(isnan(value->number) == (value->provenance == PROVENANCE_UNKNOWN));
		REQUIRE(isnan(value->number) || (isfinite(value->number) && value->number >= 0));
	}
	REQUIRE(run->tool && run->node);
	for (size_t i = 0; i < run->engine_count; i++)
		for (size_t bin = 0; bin < TIMELINE_BINS; bin++)
			REQUIRE(run->engines[i].timeline[bin] >= 0 &&
				run->engines[i].timeline[bin] <= 1);
	for (size_t i = 0; i < run->attribute_count; i++)
		require_text(run->attributes[i].text);
	for (size_t i = 0; i < run->note_count; i++)
		require_text(run->notes[i].message);
	for (size_t i = 0; i < run->core_count; i++)
		require_text(run->core_work[i].name);
	for (size_t i = 0; i < run->spread_count; i++) {
		const struct run_spread *spread = &run->spreads[i];
		REQUIRE(!(spread->minimum > spread->maximum) && !(spread->deviation < 0));
		REQUIRE(spread->number_count <= SPREAD_NUMBERS);
	}
	for (size_t i = 0; i < run->param_count; i++) {
		require_text(run->params[i].name);
		require_text(run->params[i].value);
	}
	const char *names[] = {run->kernel, run->variant, run->dtype, run->device, run->commit};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i])
			require_text(names[i]);
	run_hash(run, true, hex);
}

static inline void require_device(const struct hardware *device)
{
	REQUIRE(device->name[0] && device->source[0]);
	require_text(device->title);
	require_text(device->aliases);
	REQUIRE(isnan(device->bandwidth) || device->bandwidth > 0);
	REQUIRE(isnan(device->clock) || device->clock > 0);
	for (int i = 0; i < DTYPE_LIMIT; i++)
		REQUIRE(isnan(device->peak_flops[i]) ||
			(device->peak_flops[i] >= 1e6 && device->peak_flops[i] <= 1e21));
}

static inline void require_result(const struct ingest_result *result)
{
	for (size_t i = 0; i < result->runs.count; i++)
		require_run(result->runs.items[i]);
	for (size_t i = 0; i < result->companions.count; i++) {
		const struct companion *companion = &result->companions.items[i];
		for (size_t k = 0; k < companion->attribute_count; k++)
			require_text(companion->attributes[k].text);
		if (companion->figures)
			require_run(companion->figures);
	}
	for (size_t i = 0; i < result->devices.count; i++)
		require_device(&result->devices.items[i]);
	for (size_t i = 0; i < result->param_count; i++) {
		REQUIRE(result->params[i].name[0]);
		require_text(result->params[i].name);
		require_text(result->params[i].value);
		REQUIRE(i == 0 || strcmp(result->params[i - 1].name, result->params[i].name) < 0);
	}
}

/* The same bytes with their events, which must fit into the compact form whatever they are. */
static inline void fuzz_events(const struct reader *reader, const uint8_t *bytes, size_t size)
{
	struct arena arena = {0};
	struct ingest_result result = {.trace = trace_new(&arena)};
	struct error err = {0};
	struct trace_packed packed;
	struct input *input = input_of_bytes((struct span){(const char *)bytes, size});
	int rc = reader_read_as(reader, &arena, input, &result, &err);
	if (rc == 0 && result.trace->tick > 0) {
		trace_pack(result.trace, &(struct trace_request){1e-6, NAN, 50, 500, 500}, &packed);
		REQUIRE(packed.count <= 50 && packed.from <= packed.to);
		for (size_t i = 0; i < packed.track_count; i++)
			require_text(packed.tracks[i].name);
		for (size_t i = 0; i < packed.names.count; i++)
			require_text(packed.names.items[i]);
		trace_pack_free(&packed);
	}
	input_close(input);
	arena_free(&arena);
}

/* With one reader, or with the one that detects when it is NULL. */
static inline int fuzz_reader(const struct reader *reader, const uint8_t *bytes, size_t size)
{
	struct arena arena = {0};
	struct ingest_result result = {0};
	struct error err = {0};
	struct span head;
	struct input *input = input_of_bytes((struct span){(const char *)bytes, size});
	const struct reader *used = reader;
	if (input_head(input, &head, &err) == 0 && reader)
		reader->detect(head);
	int rc = reader ? reader_read_as(reader, &arena, input, &result, &err)
			: reader_read(&arena, input, &result, &used, &err);
	size_t count = result.runs.count + result.param_count + result.devices.count +
		       result.companions.count;
	/* A params.json may be one that no caller completed. */
	bool has_result = used && (count > 0 || strcmp(used->name, "params") == 0);
	REQUIRE(rc == 0 ? has_result : count == 0 && err.kind && err.text[0]);
	require_result(&result);
	if (used == &ntff_reader || used == &neuron_profile_json_reader)
		fuzz_events(used, bytes, size);
	input_close(input);
	arena_free(&arena);
	return 0;
}

#endif
