/* The sections of the dump about the file itself: header, cores, queues, traces, memory, unknown
 * fields. */
#include "render/ntff/internal.h"

#include <time.h>

/* --- the header --- */

static const char *uuid_line(const struct ntff_summary *summary)
{
	const struct ntff *ntff = summary->ntff;
	const char *text = ntff_uuid_text(summary->arena, ntff);
	if (!text)
		return "unknown";
	if (ntff->uuid_size == sizeof ntff->uuid)
		return text;
	return arena_printf(summary->arena,
			    "%s... (its first %zu of %zu bytes; the rest is unknown)", text,
			    ntff->uuid_size, sizeof ntff->uuid);
}

static const char *capture_line(const struct ntff_summary *summary)
{
	char text[64];
	struct tm tm;
	time_t when = (time_t)summary->ntff->capture_time;
	if (summary->ntff->capture_time == 0)
		return "unknown";
	if (summary->ntff->capture_time > (uint64_t)1 << 40 || !gmtime_r(&when, &tm) ||
	    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &tm) == 0)
		return arena_printf(summary->arena, "%" PRIu64 " s after 1970",
				    summary->ntff->capture_time);
	return arena_strdup(summary->arena, text);
}

static const char *window_line(const struct ntff_summary *summary)
{
	const struct ntff *ntff = summary->ntff;
	struct arena *arena = summary->arena;
	if (!summary->has_records && !ntff->has_window)
		return "unknown";
	if (ntff->has_window)
		return arena_printf(arena,
				    "from %" PRIu64 " ps to %" PRIu64 " ps of the device's clock",
				    ntff->window_start, ntff->window_end);
	return summary->guessed
		       ? "from the first core's first instruction; the file gives no end"
		       : "from the tensor engine's note that the program starts, on the first "
			 "core; the file gives no end";
}

static void add_versions(const struct ntff_page *page)
{
	const struct ntff_summary *summary = page->summary;
	const struct {
		const char *label;
		const struct ntff_version *version;
	} rows[] = {{"runtime", &summary->ntff->runtime},
		    {"driver", &summary->ntff->driver},
		    {"collectives", &summary->ntff->collectives}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *text = render_ntff_short_version(summary->arena, rows[i].version);
		render_ntff_line(page, rows[i].label, "%s", text ? text : "unknown");
	}
}

void render_ntff_header(const struct ntff_page *page)
{
	const struct ntff_summary *summary = page->summary;
	struct arena *arena = page->arena;
	const struct ntff *ntff = summary->ntff;
	terminal_style(page->terminal, page->out, TERMINAL_BOLD);
	strbuf_addf(page->out, "NTFF version %d", ntff->version);
	terminal_style(page->terminal, page->out, TERMINAL_PLAIN);
	strbuf_addch(page->out, '\n');
	render_ntff_line(page, "file", "%s", page->view->name);
	render_ntff_line(page, "sizes", "%s bytes: header %s, data %s from byte %s on",
			 render_ntff_count(arena, ntff->size),
			 render_ntff_count(arena, ntff->header_size),
			 render_ntff_count(arena, ntff->size - ntff->data_at),
			 render_ntff_count(arena, ntff->data_at));
	render_ntff_line(page, "NEFF uuid", "%s", uuid_line(summary));
	render_ntff_line(page, "NEFF path", "%s",
			 !ntff->neff_name         ? "unknown"
			 : page->view->shows_path ? ntff->neff_name
						  : "not shown, it is private (--paths shows it)");
	render_ntff_line(page, "instance", "%s",
			 ntff->instance_type ? ntff->instance_type : "unknown");
	render_ntff_line(page, "logical core", "%s",
			 ntff->physical_cores ? arena_printf(arena, "%" PRIu64 " physical core%s",
							     ntff->physical_cores,
							     ntff->physical_cores == 1 ? "" : "s")
					      : "unknown");
	add_versions(page);
	render_ntff_line(page, "captured", "%s", capture_line(summary));
	render_ntff_line(page, "window", "%s", window_line(summary));
	if (summary->has_records)
		render_ntff_line(page, "total time", "%s",
				 summary->total_ps ? render_ntff_time(arena, summary->total_ps)
						   : "unknown");
}

/* --- cores --- */

void render_ntff_cores(const struct ntff_page *page)
{
	const struct ntff_summary *summary = page->summary;
	struct arena *arena = page->arena;
	uint64_t flops = 0;
	struct md_table table =
		md_table_of(arena, 0, "core|>index|>time|>instructions|>of all|>FLOP|>of all");
	for (size_t i = 0; i < summary->ntff->core_count; i++)
		ntff_add(&flops, summary->cores[i].flops);
	for (size_t i = 0; i < summary->ntff->core_count; i++) {
		const struct ntff_core *core = &summary->ntff->cores[i];
		const struct ntff_core_sum *sums = &summary->cores[i];
		md_table_row(&table, render_ntff_name(arena, core->name),
			     arena_printf(arena, "%" PRIu64, core->nc),
			     core->duration ? render_ntff_time(arena, core->duration) : NULL,
			     render_ntff_count(arena, sums->instructions),
			     render_ntff_share(arena, sums->instructions, summary->instructions),
			     quantity_text(arena, (double)sums->flops, UNIT_FLOP),
			     flops ? render_ntff_share(arena, sums->flops, flops) : "-");
	}
	render_ntff_section(page, "Cores");
	render_ntff_table(page, &table);
}

/* --- queues --- */

static bool same_group(const struct ntff_queue *a, const struct ntff_queue *b)
{
	return a->ring == b->ring && a->type == b->type && strcmp(a->name, b->name) == 0;
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* "0-3 8 11": three or more consecutive numbers become a range. */
static const char *engine_list(struct arena *arena, uint64_t *engines, size_t count)
{
	struct strbuf sb = {0};
	qsort(engines, count, sizeof *engines, by_number);
	for (size_t i = 0; i < count;) {
		size_t end = i + 1;
		while (end < count && engines[end] == engines[i] + (end - i))
			end++;
		if (end - i < 3)
			end = i + 1;
		strbuf_addf(&sb, "%s%" PRIu64, i ? " " : "", engines[i]);
		if (end - i > 1)
			strbuf_addf(&sb, "-%" PRIu64, engines[end - 1]);
		i = end;
	}
	return strbuf_into(&sb, arena);
}

static const char *queue_type(struct arena *arena, uint64_t type)
{
	return type == NTFF_QUEUE_UNKNOWN   ? "unknown"
	       : type == NTFF_QUEUE_WEIGHTS ? "weights"
	       : type == NTFF_QUEUE_IO      ? "io"
					    : arena_printf(arena, "unknown %" PRIu64, type);
}

/* A core, with space for one value per queue. */
struct queue_list {
	const struct ntff_core *core;
	bool *done;        /* the queue is part of a row */
	uint64_t *engines; /* of the queues of the current row */
};

/* Adds all queues of a core that differ only in the engine as one row. */
static void queue_row(struct arena *arena, struct md_table *table, const struct queue_list *list,
		      size_t first)
{
	const struct ntff_core *core = list->core;
	const struct ntff_queue *queue = &core->queues[first];
	size_t count = 0;
	for (size_t i = first; i < core->queue_count; i++)
		if (same_group(&core->queues[i], queue)) {
			list->engines[count++] = core->queues[i].engine;
			list->done[i] = true;
		}
	md_table_row(table, render_ntff_name(arena, core->name),
		     queue->name[0] ? render_ntff_name(arena, queue->name) : "(no name)",
		     queue_type(arena, queue->type), arena_printf(arena, "%" PRIu64, queue->ring),
		     engine_list(arena, list->engines, count));
}

void render_ntff_queues(const struct ntff_page *page)
{
	struct arena *arena = page->arena;
	size_t count = 0;
	struct md_table table = md_table_of(arena, 0, "core|queue|type|>ring|DMA engines");
	for (size_t i = 0; i < page->summary->ntff->core_count; i++) {
		const struct ntff_core *core = &page->summary->ntff->cores[i];
		struct queue_list list = {core, arena_array(arena, core->queue_count, sizeof(bool)),
					  arena_array(arena, core->queue_count, sizeof(uint64_t))};
		count += core->queue_count;
		for (size_t k = 0; k < core->queue_count; k++)
			if (!list.done[k])
				queue_row(arena, &table, &list, k);
	}
	render_ntff_section(page, "DMA queues, %zu", count);
	if (count)
		render_ntff_table(page, &table);
	else
		strbuf_addstr(page->out, "  none\n");
}

/* --- segments --- */

static const char *segment_kind(struct arena *arena, const struct ntff_segment *segment)
{
	const char *name = ntff_segment_name(segment);
	return name ? name
		    : arena_printf(arena, "unknown: type %" PRIu64 ", subtype %" PRIu64,
				   segment->type, segment->subtype);
}

/* Prints the first record of a trace of an unknown kind. */
static void add_first_bytes(const struct ntff_page *page, const struct ntff_segment *segment)
{
	if (segment->first_record)
		render_ntff_line(
			page, "first bytes", "of type %" PRIu64 ", subtype %" PRIu64 ": %s",
			segment->type, segment->subtype,
			render_ntff_hex(page->arena, segment->first_record, ntff_record_size, " "));
}

static void segment_row(const struct ntff_summary *summary, struct md_table *table,
			const char *core, const struct ntff_segment *segment)
{
	struct arena *arena = summary->arena;
	md_table_row(table, core, segment_kind(arena, segment),
		     arena_printf(arena, "%" PRIu64, segment->index),
		     render_ntff_count(arena, segment->size / ntff_record_size),
		     render_ntff_count(arena, segment->size));
}

void render_ntff_segments(const struct ntff_page *page)
{
	const struct ntff_summary *summary = page->summary;
	struct arena *arena = page->arena;
	const struct ntff *ntff = summary->ntff;
	uint64_t empty = 0;
	struct md_table table = md_table_of(arena, 0, "core|trace of|>index|>records|>bytes");
	for (size_t i = 0; i < ntff->core_count; i++)
		for (size_t k = 0; k < ntff->cores[i].segment_count; k++) {
			const struct ntff_segment *segment = &ntff->cores[i].segments[k];
			if (segment->size == 0 && ntff_segment_name(segment))
				empty++;
			else
				segment_row(summary, &table,
					    render_ntff_name(arena, ntff->cores[i].name), segment);
		}
	for (size_t i = 0; i < ntff->stray_count; i++)
		segment_row(summary, &table,
			    arena_printf(arena, "unknown (index %" PRIu64 ")", ntff->strays[i].nc),
			    &ntff->strays[i]);
	render_ntff_section(page, "Traces, %zu (and %" PRIu64 " empty)", md_table_rows(&table),
			    empty);
	if (md_table_rows(&table))
		render_ntff_table(page, &table);
	for (size_t i = 0; i < ntff->core_count; i++)
		for (size_t k = 0; k < ntff->cores[i].segment_count; k++)
			add_first_bytes(page, &ntff->cores[i].segments[k]);
	for (size_t i = 0; i < ntff->stray_count; i++)
		add_first_bytes(page, &ntff->strays[i]);
}

/* --- memory --- */

void render_ntff_memory(const struct ntff_page *page)
{
	struct arena *arena = page->arena;
	uint64_t all = 0;
	size_t listed = 0;
	struct md_table table = md_table_of(arena, 0, "core|use|>bytes");
	for (size_t i = 0; i < page->summary->ntff->core_count; i++) {
		const struct ntff_core *core = &page->summary->ntff->cores[i];
		for (size_t k = 0; k < core->memory_count; k++, listed++) {
			ntff_add(&all, core->memory[k].bytes);
			if (core->memory[k].bytes == 0)
				continue;
			md_table_row(
				&table, render_ntff_name(arena, core->name),
				render_ntff_name(arena, ntff_memory_title(&core->memory[k], k)),
				render_ntff_count(arena, core->memory[k].bytes));
		}
	}
	if (listed)
		render_ntff_section(page, "Device memory, %s bytes", render_ntff_count(arena, all));
	else
		render_ntff_section(page, "Device memory: unknown");
	if (md_table_rows(&table))
		render_ntff_table(page, &table);
}

/* --- unknown fields --- */

void render_ntff_unknown(const struct ntff_page *page)
{
	const struct ntff_summary *summary = page->summary;
	struct arena *arena = page->arena;
	struct md_table table = md_table_of(arena, 0, "field|>times|wire type|first value");
	for (size_t i = 0; i < summary->ntff->unknown_count; i++) {
		const struct ntff_unknown *one = &summary->ntff->unknowns[i];
		static const char *const wires[] = {
			[NTFF_WIRE_NUMBER] = "number",
			[NTFF_WIRE_64_BITS] = "64 bits",
			[NTFF_WIRE_BYTES] = "bytes",
			[NTFF_WIRE_32_BITS] = "32 bits",
		};
		size_t stored =
			one->size < sizeof one->bytes ? (size_t)one->size : sizeof one->bytes;
		md_table_row(
			&table, one->path, render_ntff_count(arena, one->count), wires[one->wire],
			one->wire != NTFF_WIRE_BYTES ? arena_printf(arena, "%" PRIu64, one->value)
			: one->size == 0
				? "none"
				: arena_printf(arena, "%" PRIu64 " byte%s: %s%s", one->size,
					       one->size == 1 ? "" : "s",
					       render_ntff_hex(arena, one->bytes, stored, " "),
					       stored < one->size ? " ..." : ""));
	}
	render_ntff_section(page, "Undocumented header fields, %zu", summary->ntff->unknown_count);
	if (summary->ntff->unknown_count)
		render_ntff_table(page, &table);
}
