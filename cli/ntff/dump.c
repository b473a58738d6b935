/* One pass over a trace: sums by engine, core, opcode and DMA queue, and the longest instructions.
 */
#include "cli/ntff/dump.h"

#include <inttypes.h>
#include <string.h>

#include "ingest/ntff/run.h"
#include "ingest/ntff/instruction/word.h"

static void add_to(struct dump_sum *sum, int64_t begin, int64_t end)
{
	sum->count++;
	ntff_add(&sum->ps, (uint64_t)(end - begin));
	if (sum->active)
		interval_union_add(sum->active, (uint64_t)begin, (uint64_t)end);
}

/* --- instructions --- */

static bool is_longer(const struct ntff_instruction *a, const struct ntff_instruction *b)
{
	int64_t length = a->end - a->begin, other = b->end - b->begin;
	return length != other ? length > other : a->begin < b->begin;
}

static void take_top(struct dump_top *top, size_t limit, const struct ntff_instruction *one)
{
	size_t at = top->count;
	top->of++;
	if (at == limit && (at == 0 || !is_longer(one, &top->items[at - 1].one)))
		return;
	if (at == limit)
		at--;
	else
		top->count++;
	for (; at > 0 && is_longer(one, &top->items[at - 1].one); at--)
		top->items[at] = top->items[at - 1];
	top->items[at] = (struct dump_instruction){.one = *one, .has_word = one->word != NULL};
	if (one->word)
		memcpy(top->items[at].word, one->word, ntff_word_size);
}

static int on_instruction(void *context, const struct ntff_instruction *one, struct error *err)
{
	struct ntff_dump *dump = context;
	(void)err;
	if (!one->kept)
		return 0;
	struct dump_core *core = &dump->cores[one->core - dump->ntff->cores];
	uint64_t flops = ntff_work_instruction(dump->work, one);
	struct dump_sum *opcode = &dump->opcodes[one->word ? one->word[0] : dump_outside];
	bool waits = one->word && one->word[0] == NTFF_EVENT_SEMAPHORE;
	add_to(opcode, one->begin, one->end);
	ntff_add(&opcode->flops, flops);
	ntff_add(&core->flops, flops);
	core->instructions++;
	dump->instructions++;
	take_top(waits ? &dump->wait_top : &dump->work_top, dump->top_limit, one);
	struct dump_sum *sums[] = {&dump->engines[one->engine], &core->engines[one->engine]};
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
		ntff_add(&sums[i]->flops, flops);
		if (one->timed && !waits)
			add_to(sums[i], one->begin, one->end);
		else
			sums[i]->count++;
	}
	if (one->timed && !waits)
		add_to(&dump->all, one->begin, one->end);
	return 0;
}

/* --- DMA --- */

static enum dump_traffic traffic_of(const struct ntff_transfer *one)
{
	const char *type = ntff_dma_queue_type(one);
	if (one->class != NTFF_DMA_STATIC)
		return one->class == NTFF_DMA_SOFTWARE ? DUMP_SOFTWARE : DUMP_HARDWARE;
	return text_eq(type, "instruction") ? DUMP_STATIC_INSTRUCTION
	       : text_eq(type, "data")      ? DUMP_STATIC_DATA
	       : text_eq(type, "io")        ? DUMP_STATIC_IO
					    : DUMP_STATIC_UNKNOWN;
}

const char *ntff_traffic_name(enum dump_traffic traffic)
{
	static const char *const names[DUMP_TRAFFICS] = {
		[DUMP_STATIC] = "static",
		[DUMP_STATIC_INSTRUCTION] = "static: instruction",
		[DUMP_STATIC_DATA] = "static: data",
		[DUMP_STATIC_IO] = "static: io",
		[DUMP_STATIC_UNKNOWN] = "static: unknown",
		[DUMP_SOFTWARE] = "software_dynamic",
		[DUMP_HARDWARE] = "hardware_dynamic",
		[DUMP_TRAFFIC_ALL] = "all",
	};
	return names[traffic];
}

static void add_transfer(struct dump_sum sums[DUMP_TRAFFICS], const struct ntff_transfer *one)
{
	enum dump_traffic own = traffic_of(one);
	struct dump_sum *which[] = {&sums[own], &sums[DUMP_TRAFFIC_ALL],
				    one->class == NTFF_DMA_STATIC ? &sums[DUMP_STATIC] : NULL};
	for (size_t i = 0; i < sizeof which / sizeof *which; i++)
		if (which[i]) {
			add_to(which[i], one->begin, one->end);
			which[i]->bytes += one->bytes;
		}
}

static int on_transfer(void *context, const struct ntff_transfer *one, struct error *err)
{
	struct ntff_dump *dump = context;
	(void)err;
	ntff_work_transfer(dump->work, one);
	if (one->place == NTFF_TRANSFER_OUTSIDE)
		return 0;
	add_transfer(dump->whole, one);
	if (one->place != NTFF_TRANSFER_KEPT)
		return 0;
	add_transfer(dump->shown, one);
	interval_union_add(dump->all.active, (uint64_t)one->begin, (uint64_t)one->end);
	return 0;
}

/* --- events, throttling --- */

static int on_event(void *context, const struct ntff_event *one, struct error *err)
{
	struct ntff_dump *dump = context;
	(void)err;
	dump->events += one->counted;
	return 0;
}

static int on_throttle(void *context, const struct ntff_throttle *one, struct error *err)
{
	struct ntff_dump *dump = context;
	(void)err;
	if (!one->kept)
		return 0;
	if (dump->throttle_count == dump_throttle_limit)
		dump->more_throttles++;
	else
		dump->throttles[dump->throttle_count++] = *one;
	return 0;
}

/* --- all of it --- */

typedef void for_sum(struct dump_sum *sum);

static void for_unions(struct ntff_dump *dump, for_sum *take)
{
	for (int i = 0; i < NTFF_ENGINES; i++) {
		take(&dump->engines[i]);
		for (size_t core = 0; core < dump->ntff->core_count; core++)
			take(&dump->cores[core].engines[i]);
	}
	for (int i = 0; i < DUMP_TRAFFICS; i++) {
		take(&dump->shown[i]);
		take(&dump->whole[i]);
	}
	take(&dump->all);
}

static void make_union(struct dump_sum *sum)
{
	sum->active = interval_union_new();
}

static void measure_union(struct dump_sum *sum)
{
	sum->active_ps = interval_union_length(sum->active);
	sum->late = interval_union_late(sum->active);
}

static void free_union(struct dump_sum *sum)
{
	interval_union_free(sum->active);
	sum->active = NULL;
}

int ntff_dump_read(struct ntff_dump *dump, struct error *err)
{
	const struct ntff *ntff = dump->ntff;
	struct ntff_sink sink = {dump, on_instruction, on_transfer, on_event, on_throttle};
	dump->cores = arena_array(dump->arena, ntff->core_count, sizeof *dump->cores);
	dump->work_top.items =
		arena_array(dump->arena, dump->top_limit, sizeof *dump->work_top.items);
	dump->wait_top.items =
		arena_array(dump->arena, dump->top_limit, sizeof *dump->wait_top.items);
	dump->throttles = arena_array(dump->arena, dump_throttle_limit, sizeof *dump->throttles);
	dump->work = ntff_work_new();
	for_unions(dump, make_union);
	if (ntff_find_window(ntff, dump->bytes, &dump->window, err) < 0 ||
	    ntff_read_trace(ntff, dump->bytes, &dump->window, &sink, &dump->counts, err) < 0)
		return -1;
	for_unions(dump, measure_union);
	for (size_t i = 0; i < ntff->core_count; i++)
		if (ntff->cores[i].duration > dump->total_ps)
			dump->total_ps = ntff->cores[i].duration;
	dump->run = run_new(dump->arena);
	ntff_work_give(dump->arena, dump->run, dump->work, ntff_flags_transposes(dump->arena, ntff),
		       dump->counts.outside_program);
	dump->has_records = true;
	return 0;
}

void ntff_dump_free(struct ntff_dump *dump)
{
	if (dump->work)
		for_unions(dump, free_union);
	ntff_work_free(dump->work);
	dump->work = NULL;
}

const char *ntff_dump_version(struct arena *arena, const struct ntff_version *version)
{
	const char *text = ntff_version_text(arena, version);
	return text && span_ends(span_of(text), " ()")
		       ? arena_strndup(arena, text, strlen(text) - strlen(" ()"))
		       : text;
}

const char *ntff_dump_hex(struct arena *arena, const unsigned char *bytes, size_t len,
			  const char *between)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < len; i++)
		strbuf_addf(&sb, "%s%02x", i && i % 4 == 0 ? between : "", bytes[i]);
	return strbuf_into(&sb, arena);
}

const char *ntff_dump_opcode(struct arena *arena, unsigned opcode)
{
	const char *name = ntff_opcode_name(opcode);
	return name                    ? name
	       : opcode < dump_outside ? arena_printf(arena, "opcode 0x%02x", opcode)
				       : "(outside the program)";
}

/* --- work and its bounds --- */

const enum metric ntff_dump_work[] = {
	METRIC_HARDWARE_FLOPS,     METRIC_TRANSPOSE_FLOPS,       METRIC_HBM_READ_BYTES,
	METRIC_HBM_WRITE_BYTES,    METRIC_DEVICE_MEMORY_TRAFFIC, METRIC_SBUF_READ_BYTES,
	METRIC_SBUF_WRITE_BYTES,   METRIC_PSUM_READ_BYTES,       METRIC_PSUM_WRITE_BYTES,
	METRIC_PSUM_TO_SBUF_BYTES,
};
const size_t ntff_dump_work_count = sizeof ntff_dump_work / sizeof *ntff_dump_work;

/* Whether some work is in no figure. */
static bool is_incomplete(const struct ntff_dump *dump)
{
	return dump->counts.outside_program || dump->work->overflows;
}

static enum dump_bound hbm_bound(const struct ntff_dump *dump, bool read)
{
	const struct ntff_work *work = dump->work;
	bool less = is_incomplete(dump) || work->described < work->dynamic;
	bool more = (read && work->weights) || work->described > work->dynamic;
	return less && more ? DUMP_ABOUT : less ? DUMP_AT_LEAST : more ? DUMP_AT_MOST : DUMP_EXACT;
}

enum dump_bound ntff_dump_bound(const struct ntff_dump *dump, enum metric metric)
{
	const struct ntff_work *work = dump->work;
	bool incomplete = is_incomplete(dump);
	bool unknown = incomplete || work->unknown_layouts || work->unsized;
	bool aimless = work->aimless_io || work->aimless_static;
	switch (metric) {
	case METRIC_HARDWARE_FLOPS:
		return incomplete ? DUMP_AT_LEAST : DUMP_EXACT;
	case METRIC_TRANSPOSE_FLOPS:
		return !ntff_flags_transposes(dump->arena, dump->ntff) ? DUMP_ABOUT
		       : incomplete                                    ? DUMP_AT_LEAST
								       : DUMP_EXACT;
	case METRIC_HBM_READ_BYTES:
	case METRIC_DEVICE_MEMORY_TRAFFIC:
		return hbm_bound(dump, true);
	case METRIC_HBM_WRITE_BYTES:
		return hbm_bound(dump, false);
	case METRIC_SBUF_READ_BYTES:
	case METRIC_SBUF_WRITE_BYTES:
		return unknown || aimless ? DUMP_AT_LEAST : DUMP_EXACT;
	default:
		return unknown ? DUMP_AT_LEAST : DUMP_EXACT;
	}
}

/* --- what is odd --- */

static void warn_count(const struct ntff_dump *dump, struct json *list, uint64_t count,
		       const char *what)
{
	if (count)
		json_add_text(dump->arena, list,
			      arena_printf(dump->arena, "%s: %" PRIu64, what, count));
}

void ntff_dump_warnings(const struct ntff_dump *dump, struct json *list)
{
	const struct ntff_counts *counts = &dump->counts;
	uint64_t late = dump->all.late, strays = 0;
	for (int i = 0; i < NTFF_ENGINES; i++)
		late += dump->engines[i].late;
	for (int i = 0; i < DUMP_TRAFFICS; i++)
		late += dump->shown[i].late;
	for (size_t i = 0; i < dump->ntff->stray_count; i++)
		strays += dump->ntff->strays[i].size / ntff_record_size;
	if (dump->has_records && dump->window.guessed)
		json_add_text(dump->arena, list,
			      "no note tells when the program began: the execution is counted "
			      "from the first instruction on");
	if (dump->has_records && dump->total_ps == 0)
		json_add_text(dump->arena, list,
			      "the header does not say how long the execution took");
	warn_count(dump, list, counts->orphan_ends, "instruction ends without a begin");
	if (counts->open_begins > dump->ntff->core_count)
		warn_count(dump, list, counts->open_begins,
			   "instruction begins without an end, of which one a core is normal");
	warn_count(dump, list, counts->orphan_transfers, "DMA transfer ends without a begin");
	warn_count(dump, list, counts->open_transfers, "DMA transfer begins without an end");
	warn_count(dump, list, counts->wrong_times, "records with impossible times, left out");
	warn_count(dump, list, counts->unknown_records,
		   "records of a kind that nobody has explained, left out");
	warn_count(dump, list, counts->errors, "error records, of which the meaning is not known");
	warn_count(dump, list, counts->unknown_segment_bytes,
		   "bytes in traces of a kind or a core that nobody has explained, left out");
	warn_count(dump, list, strays,
		   "records of cores that the header does not describe, left out");
	warn_count(dump, list, counts->outside_program,
		   "instructions of the window that ran outside the programs that the trace "
		   "holds");
	warn_count(dump, list, late,
		   "intervals that came too late to be counted whole, so that active times are "
		   "lower bounds");
	if (dump->ntff->more_unknowns)
		json_add_text(dump->arena, list,
			      "the header has more unknown fields than are listed");
}
