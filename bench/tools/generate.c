/*
 * usage: generate [--summary any|first|last] BYTES SEED >profile.json
 * Writes an invented profile of about BYTES bytes in the shape of neuron-profile's JSON: compact,
 * members and sections in random order (the summary where --summary wants it), 22 to 35 members an
 * instruction, not all with a source line, 63-bit ids, escapes, JSON inside strings, nested lists.
 * The summary is computed from the records, so the file never contradicts itself. The same
 * arguments give the same bytes on every machine: whole numbers only, one draw per statement.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tools/record.h"
#include "bench/tools/schedule.h"

enum { STREAM_TEXT, STREAM_INSTRUCTIONS, STREAM_TRANSFERS };
enum { bridge_ns = 24 }; /* idleness that the profiler's active intervals bridge */

/* --- the whole profile --- */

struct totals {
	uint64_t active[ENGINES], instructions[ENGINES], time[ENGINES], matmuls, flops, transposes;
	uint64_t dma_active, dma_bytes, dma_time, read, written, last;
};

struct profile {
	uint64_t seed, instructions, transfers, updates, rates;
	struct totals totals;
	struct random random;
	struct record record;
	bool follows; /* a record of the section was written */
};

static struct schedule schedule_of(const struct profile *profile, uint64_t stream)
{
	return (struct schedule){.random = random_of(profile->seed, stream)};
}

static void later(uint64_t *last, uint64_t time)
{
	*last = time > *last ? time : *last;
}

static void total_instructions(struct profile *profile)
{
	struct totals *totals = &profile->totals;
	struct schedule schedule = schedule_of(profile, STREAM_INSTRUCTIONS);
	struct busy busy[ENGINES] = {{0}}, closed;
	struct instruction one;
	for (uint64_t i = 0; i < profile->instructions; i++) {
		next_instruction(&schedule, &one);
		if (busy_add(&busy[one.engine], one.time, bridge_ns, &closed))
			totals->active[one.engine] += closed.end - closed.start;
		totals->instructions[one.engine]++;
		totals->time[one.engine] += one.time.end - one.time.start;
		totals->matmuls += one.elements > 0;
		totals->flops += 2 * one.elements;
		totals->transposes += one.transposes ? 2 * one.elements : 0;
		later(&totals->last, one.time.end);
	}
	for (int i = 0; i < ENGINES; i++)
		totals->active[i] += busy[i].end - busy[i].start;
}

static void total_transfers(struct profile *profile)
{
	struct totals *totals = &profile->totals;
	struct schedule schedule = schedule_of(profile, STREAM_TRANSFERS);
	struct busy busy = {0}, closed;
	struct transfer one;
	for (uint64_t i = 0; i < profile->transfers; i++) {
		next_transfer(&schedule, &one);
		if (busy_add(&busy, one.time, 0, &closed))
			totals->dma_active += closed.end - closed.start;
		totals->dma_bytes += one.bytes;
		totals->dma_time += one.time.end - one.time.start;
		totals->read += one.queue < QUEUES - 1 ? one.bytes : 0;
		totals->written += one.queue < QUEUES - 1 ? 0 : one.bytes;
		later(&totals->last, one.time.end);
	}
	totals->dma_active += busy.end - busy.start;
}

/* --- records --- */

static void end_record(struct profile *profile)
{
	write_record(&profile->record, &profile->random, profile->follows);
	profile->follows = true;
}

/* --- instructions --- */

static const char *const files[] = {
	"mlp.py",         "attention_cte.py", "nkilib/core/qkv.py", "\\u003ceval_with_key\\u003e.0",
	"moe/blocked.py", "rmsnorm.py",       "k\xc3\xa9rnel.py",   "output_projection.py",
};

static void write_source(struct record *record, struct random *random, unsigned file, unsigned line)
{
	unsigned kind = below(random, 8);
	if (kind < 6)
		member(record, "\"nki_source_location\":\"%s:%u\"", files[file], line);
	else if (kind == 6)
		text(record, "nki_source_location", "");
}

static void write_origin(struct profile *profile, uint64_t index)
{
	struct record *record = &profile->record;
	struct random *random = &profile->random;
	unsigned file = below(random, 8);
	unsigned line = below(random, 120) + file * 37 + 1;
	write_source(record, random, file, line);
	number(record, "raw_bir_id", index);
	number(record, "raw_penguin_id", index / 7);
	member(record, "\"bir_id\":\"sg0000:%" PRIu64 "\"", index);
	member(record, "\"penguin_id\":\"sg0000:%" PRIu64 "\"", index / 7);
	member(record, "\"bir_instruction_name\":\"I-%" PRIu64 "-%u\"", index, line);
	member(record, "\"hlo_name\":\"%%dot.%u = dot(%%p%u, %%p%u)\"", line, file, file + 1);
	member(record, "\"layer\":\"model/layers[%u]/self_attn/o_proj/aten.mm.default\"", file);
	member(record,
	       "\"hlo_attrs\":\"[{\\\"op_type\\\":\\\"aten__mm\\\",\\\"source_file\\\":\\\"%s\\\","
	       "\\\"source_line\\\":\\\"%u\\\"}]\"",
	       files[file], line);
	if (below(random, 8)) {
		number(record, "compiler_pc", index % 5000);
		number(record, "raw_hlo_id", line);
		member(record, "\"raw_framework_id\":[%u]", file);
	}
}

static void write_predecessors(struct profile *profile)
{
	uint64_t first = draw(&profile->random) >> 1;
	uint64_t second = draw(&profile->random) >> 1;
	member(&profile->record,
	       "\"predecessors\":[{\"id\":%" PRIu64 ",\"type\":\"FLOW_DEPENDENCE\"},"
	       "{\"type\":\"ANTI_DEPENDENCE\",\"id\":%" PRIu64 "}]",
	       first, second);
}

static void write_operands(struct profile *profile, const struct instruction *one)
{
	unsigned from = below(&profile->random, 65536);
	unsigned to = below(&profile->random, 65536);
	member(&profile->record,
	       "\"operands\":\"S[%u] (%s)\\u003e=%u S[%u]++@complete %s src=bf16@0x%x[1,%u,1]"
	       "[128,1,1] dst=fp32@0x%x[1,1,1][128,1,1] channels=128\"",
	       from % 64, engines[one->engine].label, to % 4096, to % 64, one->opcode, from,
	       1 + from % 4, to);
}

static void write_traffic(struct profile *profile, const struct instruction *one)
{
	struct record *record = &profile->record;
	struct random *random = &profile->random;
	if (one->elements) {
		number(record, "elements", one->elements);
		member(record, "\"pe_utilization\":0.%06u", below(random, 1000000));
	}
	if (below(random, 2)) {
		number(record, "sbuf_read_bytes", below(random, 131072));
		number(record, "sbuf_write_bytes", below(random, 131072));
	}
	if (one->engine == SYNC) {
		number(record, "hbm_read_bytes", below(random, 262144));
		number(record, "hbm_write_bytes", 0);
		text(record, "compiler_opcode", "PSEUDO_DMA_TRIGGER");
		member(record, "\"compiler_operands\":\" qSyncSpillReload%u \"", below(random, 4));
	}
}

static void write_instruction(struct profile *profile, const struct instruction *one,
			      uint64_t index)
{
	struct record *record = &profile->record;
	struct random *random = &profile->random;
	number(record, "id", draw(random) >> 1);
	number(record, "timestamp", one->time.start);
	number(record, "duration", one->time.end - one->time.start);
	text(record, "opcode", one->opcode);
	text(record, "label", engines[one->engine].label);
	text(record, "subgroup", engines[one->engine].label);
	text(record, "subgraph", "sg00");
	text(record, "fully_qualified_subgraph", "/sg00");
	text(record, "instruction_type", one->transposes ? "TRANSPOSE" : "REGULAR");
	number(record, "pc", index % 100000 + 40);
	number(record, "crc_in", below(random, 65536));
	number(record, "crc_out", below(random, 65536));
	number(record, "evt_wait_time", below(random, 4200));
	text(record, "activation_fn", one->engine == SCALAR ? "gelu" : "");
	write_origin(profile, index);
	write_operands(profile, one);
	write_traffic(profile, one);
	if (below(random, 2))
		write_predecessors(profile);
	end_record(profile);
}

static void write_instructions(struct profile *profile)
{
	struct schedule schedule = schedule_of(profile, STREAM_INSTRUCTIONS);
	struct instruction one;
	for (uint64_t i = 0; i < profile->instructions; i++) {
		next_instruction(&schedule, &one);
		write_instruction(profile, &one, i);
	}
}

/* --- active times --- */

static void write_active(struct profile *profile, unsigned engine, struct busy busy)
{
	struct record *record = &profile->record;
	text(record, "engine", engines[engine].name);
	text(record, "subgraph", "sg00");
	number(record, "pcore_idx", 0);
	number(record, "start_ts", busy.start);
	number(record, "end_ts", busy.end);
	number(record, "duration_ns", busy.end - busy.start);
	end_record(profile);
}

static void write_active_times(struct profile *profile)
{
	struct schedule schedule = schedule_of(profile, STREAM_INSTRUCTIONS);
	struct busy busy[ENGINES] = {{0}}, closed;
	struct instruction one;
	for (uint64_t i = 0; i < profile->instructions; i++) {
		next_instruction(&schedule, &one);
		if (busy_add(&busy[one.engine], one.time, bridge_ns, &closed))
			write_active(profile, one.engine, closed);
	}
	for (unsigned i = 0; i < ENGINES; i++)
		if (busy[i].end)
			write_active(profile, i, busy[i]);
}

/* --- DMA --- */

static void write_transfer(struct profile *profile, const struct transfer *one)
{
	struct record *record = &profile->record;
	struct random *random = &profile->random;
	unsigned ring = below(random, 16);
	number(record, "id", draw(random) >> 1);
	number(record, "timestamp", one->time.start);
	number(record, "duration", one->time.end - one->time.start);
	text(record, "queue_type", queues[one->queue]);
	number(record, "transfer_size", one->bytes);
	number(record, "read_size", one->bytes);
	number(record, "write_size", one->bytes);
	number(record, "transfer_rate",
	       one->bytes * 1000000000 / (one->time.end - one->time.start));
	member(record, "\"dma_queue\":\"%u\"", ring);
	member(record, "\"dma_engine\":\"%u\"", ring / 2);
	number(record, "block_id", below(random, 64));
	number(record, "crc", below(random, 65536));
	number(record, "packet_aggregation_id", draw(random) >> 1);
	text(record, "duplicate", "no");
	member(record, "\"subgroup\":\"qSyncSpillReload%u-Q%u-E%u\"", ring % 4, ring, ring);
	member(record, "\"semaphore_id\":\"S[%u] (qSyncSpillReload%u)\"", ring, ring % 4);
	member(record, "\"variable\":\"identity_%u\"", below(random, 900));
	text(record, "subgraph", "sg00");
	text(record, "aggregated", "no");
	text(record, "is_cc_dma", "no");
	text(record, "op", ring % 2 ? "copy" : "write");
	member(record, "\"source\":[[\"WEIGHT\"]]");
	member(record, "\"dest\":[\"SB\"]");
	number(record, "packet_idx", below(random, 256));
	end_record(profile);
}

static void write_transfers(struct profile *profile)
{
	struct schedule schedule = schedule_of(profile, STREAM_TRANSFERS);
	struct transfer one;
	for (uint64_t i = 0; i < profile->transfers; i++) {
		next_transfer(&schedule, &one);
		write_transfer(profile, &one);
	}
}

/* --- what rooflog steps over --- */

static void write_updates(struct profile *profile)
{
	for (uint64_t i = 0; i < profile->updates; i++) {
		number(&profile->record, "value", below(&profile->random, 4096));
		member(&profile->record, "\"id\":\"%u\"", below(&profile->random, 256));
		number(&profile->record, "timestamp", 30 * i);
		end_record(profile);
	}
}

static void write_rates(struct profile *profile)
{
	for (uint64_t i = 0; i < profile->rates; i++) {
		unsigned bytes = below(&profile->random, 1048576);
		number(&profile->record, "total_transfer_bytes", bytes);
		number(&profile->record, "hbm_total_transfer_bytes", bytes / 2);
		number(&profile->record, "transfer_rate", bytes * (uint64_t)1000);
		text(&profile->record, "uses_hbm", bytes % 2 ? "true" : "false");
		number(&profile->record, "timestamp", 1000 * i);
		end_record(profile);
	}
}

/* --- the small sections --- */

static void summarise_engine(struct record *record, const struct totals *totals, int engine)
{
	const char *name = engines[engine].name;
	member(record, "\"%s_engine_instruction_count\":%" PRIu64, name,
	       totals->instructions[engine]);
	member(record, "\"%s_engine_active_time_percent\":%.17g", name,
	       (double)totals->active[engine] / (double)totals->last);
	char key[64];
	snprintf(key, sizeof key, "%s_engine_active_time", name);
	seconds(record, key, totals->active[engine]);
	snprintf(key, sizeof key, "%s_engine_instruction_time", name);
	seconds(record, key, totals->time[engine]);
}

static void write_summary(struct profile *profile)
{
	const struct totals *totals = &profile->totals;
	struct record *record = &profile->record;
	seconds(record, "total_time", totals->last);
	for (int i = 0; i < ENGINES; i++)
		summarise_engine(record, totals, i);
	seconds(record, "dma_active_time", totals->dma_active);
	seconds(record, "dma_packet_time", totals->dma_time);
	number(record, "dma_transfer_count", profile->transfers);
	number(record, "dma_transfer_total_bytes", totals->dma_bytes);
	number(record, "hardware_flops", totals->flops);
	number(record, "transpose_flops", totals->transposes);
	number(record, "matmul_instruction_count", totals->matmuls);
	number(record, "hbm_read_bytes", totals->read);
	number(record, "hbm_write_bytes", totals->written);
	text(record, "instance_type", "trn2.3xlarge");
	text(record, "compiler_version", "0.0.0+invented");
	text(record, "profiler_version", "0.0.0%invented");
	end_record(profile);
}

static void write_metadata(struct profile *profile)
{
	struct record *record = &profile->record;
	number(record, "num_physical_cores", 1);
	number(record, "data_version", 8);
	number(record, "ticks_per_nanosec", 1000);
	number(record, "pe_num_rows", 128);
	number(record, "pe_num_cols", 128);
	number(record, "hbm_ddr_bandwidth", 716000000000);
	number(record, "last_hw_timestamp", profile->totals.last);
	member(record, "\"pe_clock_freq\":2.4");
	member(record, "\"is_simulation\":false");
	text(record, "first_ts", "1970-01-01T00:00:00Z");
	end_record(profile);
}

static void write_header(struct profile *profile)
{
	member(&profile->record, "\"hash\":\"%016" PRIx64 "\"", draw(&profile->random));
	text(&profile->record, "network_name", "invented.neff");
	end_record(profile);
}

static void write_terminology(struct profile *profile)
{
	text(&profile->record, "total_time", "Time of the execution on the device.");
	text(&profile->record, "hardware_flops", "All that the PE array \\u0026 its rows did.");
	end_record(profile);
}

/* --- all of it --- */

enum place { PLACE_ANY, PLACE_FIRST, PLACE_LAST };

struct section {
	const char *name;
	void (*write)(struct profile *profile);
};

static void swap(struct section *a, struct section *b)
{
	struct section kept = *a;
	*a = *b;
	*b = kept;
}

static void write_profile(struct profile *profile, enum place place)
{
	struct section sections[] = {
		{"summary", write_summary},
		{"metadata", write_metadata},
		{"instruction", write_instructions},
		{"active_time", write_active_times},
		{"dma", write_transfers},
		{"semaphore_update", write_updates},
		{"dma_throughput", write_rates},
		{"neff_header", write_header},
		{"terminology", write_terminology},
	};
	enum { count = sizeof sections / sizeof *sections };
	for (unsigned i = count - 1; i > 0; i--)
		swap(&sections[i], &sections[below(&profile->random, i + 1)]);
	for (unsigned i = 0; place != PLACE_ANY && i < count; i++)
		if (sections[i].write == write_summary) {
			swap(&sections[i], &sections[place == PLACE_FIRST ? 0 : count - 1]);
			break;
		}
	for (unsigned i = 0; i < count; i++) {
		printf("%s\"%s\":[", i ? "," : "{", sections[i].name);
		profile->follows = false;
		sections[i].write(profile);
		putchar(']');
	}
	putchar('}');
}

/* About half of a profile is instructions and a third is DMA. The divisors are the mean sizes of
 * records in bytes; active times, 3 % of it, go with the instructions. */
static void plan(struct profile *profile, uint64_t bytes)
{
	profile->instructions = bytes / 100 * 50 / 942 + 1;
	profile->transfers = bytes / 100 * 33 / 513 + 1;
	profile->updates = bytes / 100 * 6 / 44;
	profile->rates = bytes / 100 * 7 / 130;
}

static bool parse_number(const char *text, uint64_t *number)
{
	char *end;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && *end == '\0';
}

static bool parse_place(const char *text, enum place *place)
{
	static const char *const places[] = {"any", "first", "last"};
	for (*place = PLACE_ANY; *place <= PLACE_LAST; ++*place)
		if (strcmp(text, places[*place]) == 0)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	static struct profile profile;
	enum place place = PLACE_ANY;
	uint64_t bytes;
	bool placed =
		argc == 5 && strcmp(argv[1], "--summary") == 0 && parse_place(argv[2], &place);
	char **arguments = placed ? argv + 2 : argv;
	if ((!placed && argc != 3) || !parse_number(arguments[1], &bytes) ||
	    !parse_number(arguments[2], &profile.seed)) {
		fputs("usage: generate [--summary any|first|last] BYTES SEED >profile.json\n",
		      stderr);
		return 2;
	}
	profile.random = random_of(profile.seed, STREAM_TEXT);
	plan(&profile, bytes);
	total_instructions(&profile);
	total_transfers(&profile);
	write_profile(&profile, place);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		perror("generate");
		return 1;
	}
	return 0;
}
