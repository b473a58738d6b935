/* Any bytes as a native trace: read as a run twice, from memory and from a file, with the same
 * result; read record by record, and what is counted must add up; and shown by one of the dumps of
 * `rooflog inspect`. Mutations know the format (ntff_mutate.h). It stands for fuzz_format with
 * FORMAT=ntff. */
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/inspect/inspect.h"
#include "ingest/ntff/header/header.h"
#include "ingest/ntff/ntff.h"
#include "ingest/ntff/trace/trace.h"
#include "ingest/ntff/warnings.h"
#include "model/ntff/word.h"
#include "tests/fuzz/mutate/ntff_mutate.h"
#include "tests/fuzz/mutate/reader_target.h"

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t size, const uint8_t *two,
				 size_t other_size, uint8_t *out, size_t room, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
	return ntff_mutate(bytes, size, room, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t size, const uint8_t *two,
				 size_t other_size, uint8_t *out, size_t room, unsigned seed)
{
	return ntff_cross((struct span){(const char *)one, size},
			  (struct span){(const char *)two, other_size}, out, room, seed);
}

/* --- instruction words --- */

static void check_access(const struct ntff_access *access)
{
	REQUIRE(access->kind >= NTFF_NOWHERE && access->kind <= NTFF_HBM);
	REQUIRE(access->sized || access->bytes == 0);
	REQUIRE(access->dtype >= 0 && access->dtype < 16);
	REQUIRE(access->extent <= (uint64_t)1 << 40);
}

static void check_word(const unsigned char word[64])
{
	struct strbuf text = {0};
	struct ntff_effect effect = ntff_word_effect(word);
	ntff_word_text(&text, word);
	REQUIRE(text.len < 1024 && utf8_is_line(strbuf_span(&text)));
	strbuf_free(&text);
	check_access(&effect.source);
	check_access(&effect.target);
	REQUIRE(effect.flops == 0 || word[0] == NTFF_MATMUL);
}

/* --- the header --- */

static void check_place(const struct ntff *ntff, uint64_t at, uint64_t size)
{
	REQUIRE(size == 0 || (at >= ntff_header_at && at <= ntff->size && size <= ntff->size - at));
}

static void check_segments(const struct ntff *ntff, const struct ntff_segment *segments,
			   size_t count)
{
	for (size_t i = 0; i < count; i++) {
		check_place(ntff, segments[i].at, segments[i].size);
		REQUIRE(segments[i].size % ntff_record_size == 0);
	}
}

static void check_line(const char *text)
{
	REQUIRE(text && strlen(text) <= 4096 && utf8_is_line(span_of(text)));
}

static void check_core(const struct ntff *ntff, const struct ntff_core *core)
{
	check_line(core->name);
	for (size_t i = 0; i < core->queue_count; i++)
		check_line(core->queues[i].name);
	for (size_t i = 0; i < core->memory_count; i++)
		check_line(ntff_memory_title(&core->memory[i], i));
	for (int i = 0; i < NTFF_ENGINES; i++)
		check_place(ntff, core->streams[i].at, core->streams[i].size);
	check_segments(ntff, core->segments, core->segment_count);
}

static void check_header(struct arena *arena, const struct ntff *ntff)
{
	const struct ntff_version *versions[] = {&ntff->runtime, &ntff->driver, &ntff->collectives};
	REQUIRE(ntff->core_count <= ntff_core_limit && ntff->uuid_size <= sizeof ntff->uuid);
	REQUIRE(ntff->data_at <= ntff->size);
	for (size_t i = 0; i < 3; i++)
		REQUIRE(!versions[i]->hash == !ntff_version_text(arena, versions[i]));
	for (size_t i = 0; i < 3; i++)
		if (versions[i]->hash)
			require_text(ntff_version_text(arena, versions[i]));
	for (size_t i = 0; i < ntff->core_count; i++)
		check_core(ntff, &ntff->cores[i]);
	check_segments(ntff, ntff->strays, ntff->stray_count);
	for (size_t i = 0; i < ntff->unknown_count; i++) {
		check_line(ntff->unknowns[i].path);
		REQUIRE(ntff->unknowns[i].count > 0);
		for (size_t k = 0; k < i; k++)
			REQUIRE(strcmp(ntff->unknowns[i].path, ntff->unknowns[k].path) != 0);
	}
}

/* --- the records --- */

struct seen {
	const struct ntff *ntff;
	int64_t length; /* length of the window */
	uint64_t instructions, wordless, engine_counts[NTFF_ENGINES];
	uint64_t transfers, kept_transfers, bytes, left_out, left_out_bytes;
	uint64_t events, counted_events, timeless, throttles;
};

static int see_instruction(void *context, const struct ntff_instruction *one, struct error *err)
{
	struct seen *seen = context;
	(void)err;
	REQUIRE(one->core >= seen->ntff->cores &&
		one->core < seen->ntff->cores + seen->ntff->core_count);
	REQUIRE(one->engine >= 0 && one->engine < NTFF_ENGINES && one->pc < 1 << 20 &&
		one->hint < 16);
	REQUIRE(one->begin <= one->end);
	REQUIRE(one->in_window == (one->begin >= 0 && one->end <= seen->length));
	REQUIRE(one->in_window || !one->timed);
	if (one->word)
		check_word(one->word);
	seen->instructions++;
	seen->wordless += one->in_window && !one->word;
	seen->engine_counts[one->engine] += one->in_window;
	return 0;
}

static int see_transfer(void *context, const struct ntff_transfer *one, struct error *err)
{
	struct seen *seen = context;
	(void)err;
	REQUIRE(one->engine < 32 && one->ring < ntff_rings && one->begin <= one->end);
	REQUIRE(one->queue == ntff_find_queue(one->core, one->engine, one->ring));
	REQUIRE(ntff_dma_class_name(one->class) && ntff_traffic_kind_name(one->traffic));
	bool inside = one->begin >= 0 && one->end <= seen->length;
	REQUIRE(inside == (one->status != NTFF_TRANSFER_OUTSIDE));
	seen->transfers++;
	if (one->status == NTFF_TRANSFER_INSIDE) {
		seen->kept_transfers++;
		seen->bytes += one->bytes;
	} else if (one->status == NTFF_TRANSFER_SKIPPED) {
		seen->left_out++;
		seen->left_out_bytes += one->bytes;
	}
	return 0;
}

static int see_event(void *context, const struct ntff_event *one, struct error *err)
{
	struct seen *seen = context;
	(void)err;
	REQUIRE(one->id < 256 && one->op < 256 && one->source < 8 &&
		(one->counted || !one->in_window));
	REQUIRE(one->in_window == (one->time >= 0 && one->time <= seen->length));
	seen->events++;
	seen->counted_events += one->counted;
	seen->timeless += one->time == INT64_MIN;
	return 0;
}

static int see_throttle(void *context, const struct ntff_throttle *one, struct error *err)
{
	struct seen *seen = context;
	(void)err;
	REQUIRE(one->begin <= one->end &&
		one->in_window == (one->begin >= 0 && one->begin <= seen->length));
	seen->throttles++;
	return 0;
}

/* Every record is one thing, and every thing has its records. */
static void check_counts(const struct ntff_counts *c, const struct seen *seen)
{
	uint64_t size = 0;
	for (size_t i = 0; i < seen->ntff->core_count; i++)
		for (size_t k = 0; k < seen->ntff->cores[i].segment_count; k++)
			size += seen->ntff->cores[i].segments[k].size;
	for (size_t i = 0; i < seen->ntff->stray_count; i++)
		size += seen->ntff->strays[i].size;
	REQUIRE((size - c->unknown_segment_bytes) / ntff_record_size ==
		c->begins + c->ends + c->notifications + c->transfer_begins + c->transfer_data +
			c->transfer_completions + c->unknown_records + c->events + c->throttles +
			c->errors);
	REQUIRE(c->begins == c->instructions + c->open_begins);
	REQUIRE(c->ends == c->instructions + c->orphan_ends);
	REQUIRE(c->transfer_begins == c->transfers + c->open_transfers);
	REQUIRE(c->transfer_data == c->transfers + c->orphan_transfers);
	REQUIRE(c->wrong_times >= c->instructions - seen->instructions + c->transfers -
					  seen->transfers + seen->timeless);
	REQUIRE(c->events == seen->events && c->throttles >= seen->throttles);
	REQUIRE(c->wrong_times + seen->throttles + seen->instructions + seen->transfers +
			c->events - seen->timeless <=
		c->instructions + c->transfers + c->events + c->throttles);
	REQUIRE(c->outside_program == seen->wordless);
	REQUIRE(c->left_out == seen->left_out && c->left_out_bytes == seen->left_out_bytes);
	REQUIRE(c->left_out_ps >= 0);
}

/* A metric is known when its kind of records is traced; what is unknown adds nothing. */
static double given(const struct run *run, enum metric metric, bool traced)
{
	REQUIRE(!isnan(run->given[metric].number) == traced);
	return traced ? run->given[metric].number : 0;
}

/* Sums in floating point of the same numbers in another order. */
static bool at_most(double a, double b)
{
	return a <= b + 1e-9 * b + 1e-12;
}

static void check_run(const struct run *run, const struct ntff_counts *counts,
		      const struct seen *seen)
{
	static const enum metric engines[NTFF_ENGINES][3] = {
		{METRIC_TENSOR_ACTIVE_TIME, METRIC_TENSOR_INSTRUCTION_TIME,
		 METRIC_TENSOR_INSTRUCTION_COUNT},
		{METRIC_SCALAR_ACTIVE_TIME, METRIC_SCALAR_INSTRUCTION_TIME,
		 METRIC_SCALAR_INSTRUCTION_COUNT},
		{METRIC_GPSIMD_ACTIVE_TIME, METRIC_GPSIMD_INSTRUCTION_TIME,
		 METRIC_GPSIMD_INSTRUCTION_COUNT},
		{METRIC_VECTOR_ACTIVE_TIME, METRIC_VECTOR_INSTRUCTION_TIME,
		 METRIC_VECTOR_INSTRUCTION_COUNT},
		{METRIC_SYNC_ACTIVE_TIME, METRIC_SYNC_INSTRUCTION_TIME,
		 METRIC_SYNC_INSTRUCTION_COUNT},
	};
	bool traced[NTFF_TRACED_KINDS];
	ntff_run_find_capture_flags(seen->ntff, traced);
	bool dma = traced[NTFF_TRACED_DMA], words = traced[NTFF_TRACED_INSTRUCTIONS];
	bool events = traced[NTFF_TRACED_EVENTS];
	double active = given(run, METRIC_DMA_ACTIVE_TIME, dma), kept = 0;
	for (int i = 0; i < NTFF_ENGINES; i++) {
		double count = given(run, engines[i][2], words);
		REQUIRE(count == (double)seen->engine_counts[i]);
		REQUIRE(at_most(given(run, engines[i][0], words),
				given(run, engines[i][1], words)));
		active += given(run, engines[i][0], words);
		kept += count;
	}
	REQUIRE(at_most(given(run, METRIC_TOTAL_ACTIVE_TIME, words && dma), active));
	REQUIRE(at_most(given(run, METRIC_DMA_ACTIVE_TIME, dma),
			given(run, METRIC_DMA_PACKET_TIME, dma)));
	REQUIRE(given(run, METRIC_STATIC_DMA_BYTES, dma) +
			given(run, METRIC_SOFTWARE_DMA_BYTES, dma) +
			given(run, METRIC_HARDWARE_DMA_BYTES, dma) ==
		(double)seen->bytes);
	REQUIRE(given(run, METRIC_STATIC_DMA_PACKETS, dma) +
			given(run, METRIC_SOFTWARE_DMA_PACKETS, dma) +
			given(run, METRIC_HARDWARE_DMA_PACKETS, dma) ==
		(double)seen->kept_transfers);
	REQUIRE(given(run, METRIC_EVENT_COUNT, events) == (double)seen->counted_events);
	bool complete = words && dma && events;
	double all = given(run, METRIC_TRACE_COUNT, complete);
	REQUIRE(!complete ||
		all == kept + (double)seen->counted_events + (double)seen->kept_transfers);
	REQUIRE(given(run, METRIC_MATMUL_COUNT, words) + given(run, METRIC_ACTIVATE_COUNT, words) +
			(double)counts->outside_program <=
		kept);
	given(run, METRIC_THROTTLE_TIME, traced[NTFF_TRACED_THROTTLES]);
}

/* --- all of it --- */

/* From memory, or through the file. */
static const struct run *read_run(struct arena *arena, struct span bytes, int fd, struct error *err)
{
	struct ingest_result result = {0};
	const char *path = arena_printf(arena, "/proc/self/fd/%d", fd);
	struct input *input = fd < 0 ? input_of_bytes(bytes) : input_open(path, err);
	REQUIRE(input);
	int rc = ntff_reader.read(arena, input, &result, err);
	input_close(input);
	REQUIRE(rc == 0 ? result.runs.count == 1 : result.runs.count == 0 && err->text[0]);
	require_result(&result);
	return rc == 0 ? result.runs.items[0] : NULL;
}

static int file_of(struct span bytes)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);
	REQUIRE(fd >= 0 && write(fd, bytes.ptr, bytes.len) == (ssize_t)bytes.len);
	return fd;
}

/* The same, however the bytes come. */
static const struct run *read_twice(struct arena *arena, struct span bytes)
{
	struct error first = {0}, second = {0};
	char hashes[2][65];
	int fd = file_of(bytes);
	const struct run *run = read_run(arena, bytes, -1, &first);
	const struct run *again = read_run(arena, bytes, fd, &second);
	close(fd);
	REQUIRE(!run == !again && strcmp(first.text, second.text) == 0);
	if (run) {
		run_hash(run, true, hashes[0]);
		run_hash(again, true, hashes[1]);
		REQUIRE(strcmp(hashes[0], hashes[1]) == 0 && run->note_count == again->note_count);
	}
	return run;
}

static int print_dump(struct cli *cli, const struct ntff_source *source, unsigned which,
		      struct error *err)
{
	const struct ntff_dump_options options = {"trace", true, 10};
	const struct inspect_part whole = {INT64_MIN, INT64_MAX};
	cli->common.json = which == 3;
	if (which == 0)
		return inspect_disasm(cli, source, -1, err);
	if (which == 1)
		return inspect_events(source, &whole, err);
	return inspect_dump(cli, source, &options, err);
}

/* What is complete can be shown, and what is not is refused for the same reason. */
static void show_dump(const struct ntff *ntff, struct random_access *bytes, unsigned which,
		      bool complete)
{
	static bool silent;
	struct error err = {0};
	struct cli cli = {.common = {.quiet = true}};
	const struct ntff_source source = {ntff, bytes};
	REQUIRE(silent || freopen("/dev/null", "w", stdout));
	silent = true;
	int rc = print_dump(&cli, &source, which, &err);
	REQUIRE(rc == 0 ? !err.text[0] : err.text[0] && !complete);
	arena_free(&cli.arena);
}

static void read_records(struct arena *arena, struct span bytes, const struct run *run)
{
	struct error err = {0};
	struct input *input = input_of_bytes(bytes);
	struct random_access *file = random_access_open(input, &err);
	struct ntff ntff;
	struct ntff_window window;
	struct ntff_counts counts;
	bool complete = false;
	/* Damaged gzip is not even a file. */
	if (file && ntff_header_read(arena, file, &ntff, &err) == 0) {
		check_header(arena, &ntff);
		struct seen seen = {.ntff = &ntff};
		struct ntff_sink sink = {&seen, see_instruction, see_transfer, see_event,
					 see_throttle};
		complete = ntff_trace_find_window(&ntff, file, &window, &err) == 0;
		seen.length =
			complete && window.end != INT64_MAX ? window.end - window.start : INT64_MAX;
		complete = complete &&
			   ntff_trace_read(&ntff, file, &window, &sink, &counts, &err) == 0;
		if (complete) {
			check_counts(&counts, &seen);
			REQUIRE((run != NULL) == (counts.instructions || counts.transfers));
		}
		if (run)
			check_run(run, &counts, &seen);
		show_dump(&ntff, file, (unsigned)bytes.len % 4, complete);
	}
	REQUIRE(complete ? !err.text[0] : !run && err.text[0]);
	random_access_close(file);
	input_close(input);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct arena arena = {0};
	struct span all = {(const char *)bytes, size};
	for (size_t at = 0; at + 64 <= size && at < 16 * 64; at += 64)
		check_word(bytes + at);
	read_records(&arena, all, read_twice(&arena, all));
	arena_free(&arena);
	return 0;
}
