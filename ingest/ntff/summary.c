/* One pass over a trace: sums by engine, core, opcode and DMA queue,
 * and the longest instructions. */
#include "ingest/ntff/header/header.h"
#include "ingest/ntff/ntff.h"
#include "ingest/ntff/trace/records.h"
#include "ingest/ntff/trace/trace.h"

struct reading {
	struct ntff_summary *summary;
	struct ntff_work *work;
};

static void add_to(struct ntff_sum *sum, int64_t begin, int64_t end)
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

static void add_to_top(struct ntff_top *top, size_t limit, const struct ntff_instruction *one)
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
	top->items[at] = (struct ntff_longest){.one = *one, .has_word = one->word != NULL};
	if (one->word)
		memcpy(top->items[at].word, one->word, ntff_word_size);
}

static int on_instruction(void *context, const struct ntff_instruction *one, struct error *err)
{
	struct reading *reading = context;
	struct ntff_summary *summary = reading->summary;
	(void)err;
	if (!one->in_window)
		return 0;
	struct ntff_core_sum *core = &summary->cores[one->core - summary->ntff->cores];
	uint64_t flops = ntff_trace_work_instruction(reading->work, one);
	struct ntff_sum *opcode =
		&summary->opcodes[one->word ? one->word[0] : ntff_outside_program];
	bool waits = one->word && one->word[0] == NTFF_EVENT_SEMAPHORE;
	add_to(opcode, one->begin, one->end);
	ntff_add(&opcode->flops, flops);
	ntff_add(&core->flops, flops);
	core->instructions++;
	summary->instructions++;
	add_to_top(waits ? &summary->wait_top : &summary->work_top, summary->top_limit, one);
	struct ntff_sum *sums[] = {&summary->engines[one->engine], &core->engines[one->engine]};
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
		ntff_add(&sums[i]->flops, flops);
		if (one->timed && !waits)
			add_to(sums[i], one->begin, one->end);
		else
			sums[i]->count++;
	}
	if (one->timed && !waits)
		add_to(&summary->all, one->begin, one->end);
	return 0;
}

/* --- DMA --- */

static void add_transfer(struct ntff_sum sums[NTFF_TRAFFIC_ROWS], const struct ntff_transfer *one)
{
	struct ntff_sum *which[] = {&sums[NTFF_ROW_STATIC + 1 + one->traffic], &sums[NTFF_ROW_ALL],
				    one->class == NTFF_DMA_STATIC ? &sums[NTFF_ROW_STATIC] : NULL};
	for (size_t i = 0; i < sizeof which / sizeof *which; i++)
		if (which[i]) {
			add_to(which[i], one->begin, one->end);
			which[i]->bytes += one->bytes;
		}
}

static int on_transfer(void *context, const struct ntff_transfer *one, struct error *err)
{
	struct reading *reading = context;
	struct ntff_summary *summary = reading->summary;
	(void)err;
	ntff_trace_work_transfer(reading->work, one);
	if (one->status == NTFF_TRANSFER_OUTSIDE)
		return 0;
	add_transfer(summary->whole, one);
	if (one->status != NTFF_TRANSFER_INSIDE)
		return 0;
	add_transfer(summary->shown, one);
	interval_union_add(summary->all.active, (uint64_t)one->begin, (uint64_t)one->end);
	return 0;
}

/* --- events, throttling --- */

static int on_event(void *context, const struct ntff_event *one, struct error *err)
{
	struct ntff_summary *summary = ((struct reading *)context)->summary;
	(void)err;
	summary->events += one->counted;
	return 0;
}

static int on_throttle(void *context, const struct ntff_throttle *one, struct error *err)
{
	struct ntff_summary *summary = ((struct reading *)context)->summary;
	(void)err;
	if (!one->in_window)
		return 0;
	if (summary->throttle_count == ntff_throttle_limit)
		summary->more_throttles++;
	else
		summary->throttles[summary->throttle_count++] = *one;
	return 0;
}

/* --- work and its bounds --- */

/* Whether some of the work is missing in the sums. */
static bool is_incomplete(const struct reading *reading)
{
	return reading->summary->counts.outside_program || reading->work->overflows;
}

static enum ntff_bound hbm_bound(const struct reading *reading, bool read)
{
	const struct ntff_work *work = reading->work;
	bool less = is_incomplete(reading) || work->described < work->dynamic;
	bool more = (read && work->weights) || work->described > work->dynamic;
	return less && more ? NTFF_ABOUT : less ? NTFF_AT_LEAST : more ? NTFF_AT_MOST : NTFF_EXACT;
}

static enum ntff_bound bound_of(const struct reading *reading, enum metric metric)
{
	const struct ntff_work *work = reading->work;
	bool incomplete = is_incomplete(reading);
	bool unknown = incomplete || work->unknown_layouts || work->unsized;
	bool aimless = work->aimless_io || work->aimless_static;
	switch (metric) {
	case METRIC_HARDWARE_FLOPS:
		return incomplete ? NTFF_AT_LEAST : NTFF_EXACT;
	case METRIC_TRANSPOSE_FLOPS:
		return !ntff_run_flags_transposes(reading->summary->arena, reading->summary->ntff)
			       ? NTFF_ABOUT
		       : incomplete ? NTFF_AT_LEAST
				    : NTFF_EXACT;
	case METRIC_HBM_READ_BYTES:
	case METRIC_DEVICE_MEMORY_TRAFFIC:
		return hbm_bound(reading, true);
	case METRIC_HBM_WRITE_BYTES:
		return hbm_bound(reading, false);
	case METRIC_SBUF_READ_BYTES:
	case METRIC_SBUF_WRITE_BYTES:
		return unknown || aimless ? NTFF_AT_LEAST : NTFF_EXACT;
	default:
		return unknown ? NTFF_AT_LEAST : NTFF_EXACT;
	}
}

static void set_work(const struct reading *reading)
{
	static const enum metric metrics[ntff_figure_count] = {
		METRIC_HARDWARE_FLOPS,     METRIC_TRANSPOSE_FLOPS,       METRIC_HBM_READ_BYTES,
		METRIC_HBM_WRITE_BYTES,    METRIC_DEVICE_MEMORY_TRAFFIC, METRIC_SBUF_READ_BYTES,
		METRIC_SBUF_WRITE_BYTES,   METRIC_PSUM_READ_BYTES,       METRIC_PSUM_WRITE_BYTES,
		METRIC_PSUM_TO_SBUF_BYTES,
	};
	struct ntff_summary *summary = reading->summary;
	summary->run = run_new(summary->arena);
	ntff_trace_work_set(summary->arena, summary->run, reading->work,
			    ntff_run_flags_transposes(summary->arena, summary->ntff),
			    summary->counts.outside_program);
	for (size_t i = 0; i < ntff_figure_count; i++)
		summary->figures[i] =
			(struct ntff_figure){metrics[i], bound_of(reading, metrics[i])};
}

/* --- all of it --- */

typedef void for_sum(struct ntff_sum *sum);

static void for_unions(struct ntff_summary *summary, for_sum *apply)
{
	for (int i = 0; i < NTFF_ENGINES; i++) {
		apply(&summary->engines[i]);
		for (size_t core = 0; core < summary->ntff->core_count; core++)
			apply(&summary->cores[core].engines[i]);
	}
	for (int i = 0; i < NTFF_TRAFFIC_ROWS; i++) {
		apply(&summary->shown[i]);
		apply(&summary->whole[i]);
	}
	apply(&summary->all);
}

static void make_union(struct ntff_sum *sum)
{
	sum->active = interval_union_new();
}

static void measure_union(struct ntff_sum *sum)
{
	sum->has_active = true;
	sum->active_ps = interval_union_length(sum->active);
	sum->late = interval_union_late(sum->active);
}

static void free_union(struct ntff_sum *sum)
{
	interval_union_free(sum->active);
	sum->active = NULL;
}

static void make_lists(struct ntff_summary *summary)
{
	struct arena *arena = summary->arena;
	size_t top = summary->top_limit;
	summary->cores = arena_array(arena, summary->ntff->core_count, sizeof *summary->cores);
	summary->work_top.items = arena_array(arena, top, sizeof *summary->work_top.items);
	summary->wait_top.items = arena_array(arena, top, sizeof *summary->wait_top.items);
	summary->throttles = arena_array(arena, ntff_throttle_limit, sizeof *summary->throttles);
}

static int read_records(struct reading *reading, struct random_access *bytes, struct error *err)
{
	struct ntff_summary *summary = reading->summary;
	const struct ntff *ntff = summary->ntff;
	struct ntff_sink sink = {reading, on_instruction, on_transfer, on_event, on_throttle};
	struct ntff_window window;
	if (ntff_trace_find_window(ntff, bytes, &window, err) < 0 ||
	    ntff_trace_read(ntff, bytes, &window, &sink, &summary->counts, err) < 0)
		return -1;
	for_unions(summary, measure_union);
	for (size_t i = 0; i < ntff->core_count; i++)
		if (ntff->cores[i].duration > summary->total_ps)
			summary->total_ps = ntff->cores[i].duration;
	summary->guessed = window.guessed;
	set_work(reading);
	summary->has_records = true;
	return 0;
}

/* Reads the record for display only; a failure leaves it out. */
static void read_first_record(struct arena *arena, struct random_access *bytes,
			      struct ntff_segment *segment)
{
	struct error ignored;
	if (ntff_segment_name(segment) || segment->size < ntff_record_size)
		return;
	unsigned char *record = arena_alloc(arena, ntff_record_size);
	if (random_access_read(bytes, segment->at, record, ntff_record_size, &ignored) == 0)
		segment->first_record = record;
}

static void read_first_records(const struct ntff_summary *summary, struct random_access *bytes)
{
	const struct ntff *ntff = summary->ntff;
	for (size_t i = 0; i < ntff->core_count; i++)
		for (size_t k = 0; k < ntff->cores[i].segment_count; k++)
			read_first_record(summary->arena, bytes, &ntff->cores[i].segments[k]);
	for (size_t i = 0; i < ntff->stray_count; i++)
		read_first_record(summary->arena, bytes, &ntff->strays[i]);
}

int ntff_run_summary_read(struct ntff_summary *summary, struct random_access *bytes,
			  struct error *err)
{
	struct reading reading = {.summary = summary};
	int rc = 0;
	if (ntff_header_is_known_version(summary->ntff->version)) {
		make_lists(summary);
		reading.work = ntff_trace_work_new();
		for_unions(summary, make_union);
		rc = read_records(&reading, bytes, err);
		for_unions(summary, free_union);
		ntff_trace_work_free(reading.work);
	}
	if (rc == 0)
		read_first_records(summary, bytes);
	return rc;
}
