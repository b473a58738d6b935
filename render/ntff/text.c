/*
 * The summary of a native trace as text: sections of lines and tables that fit 80 columns.
 * text_file.c has the sections about the file itself.
 */
#include "render/ntff/internal.h"

#include "base/text/text.h"
#include "model/ntff/trace.h"
#include "render/markup/markup.h"
#include "render/terminal/lines.h"

enum { bar_cells = 20 };

/* --- pieces --- */

/* Adds text; characters that the terminal cannot show become "?". */
static void add_plain(struct strbuf *out, const struct terminal *terminal, struct span text)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];
		if (c < 0x80 || terminal->utf8)
			strbuf_addch(out, (char)c);
		else if (c >= 0xc0)
			strbuf_addch(out, '?');
	}
}

void render_ntff_section(struct strbuf *out, const struct terminal *terminal, const char *title)
{
	strbuf_addf(out, "\n%s%s%s\n", terminal->color ? "\033[1m" : "", title,
		    terminal->color ? "\033[0m" : "");
}

void render_ntff_table(struct strbuf *out, const struct terminal *terminal, struct md_table *table)
{
	struct strbuf plain = {0}, clean = {0};
	table->width = terminal->wraps ? terminal->columns - 2 : 0;
	md_table_plain(table, &plain);
	terminal_text_lines(&clean, strbuf_span(&plain));
	struct span rest = strbuf_span(&clean);
	while (rest.len) {
		strbuf_addstr(out, "  ");
		add_plain(out, terminal, span_cut(&rest, '\n'));
		strbuf_addch(out, '\n');
	}
	strbuf_free(&plain);
	strbuf_free(&clean);
}

const char *render_ntff_name(struct arena *arena, const char *name)
{
	enum { most = 64 };
	struct span text = span_of(name);
	if (text.len <= most)
		return name;
	text.len = utf8_valid_prefix((struct span){text.ptr, most});
	return arena_printf(arena, "%.*s...", (int)text.len, text.ptr);
}

const char *render_ntff_count(struct arena *arena, uint64_t number)
{
	return quantity_text(arena, (double)number, UNIT_COUNT);
}

const char *render_ntff_bytes(struct arena *arena, uint64_t bytes)
{
	return quantity_text(arena, (double)bytes, UNIT_BYTE);
}

const char *render_ntff_time(struct arena *arena, uint64_t ps)
{
	return quantity_text(arena, (double)ps / 1e12, UNIT_SECOND);
}

/* Full picosecond resolution in a unit that keeps the columns aligned: 1000000 ps is "1.000000"
 * us. */
const char *render_ntff_exact(struct arena *arena, int64_t ps, int decimals)
{
	assert(decimals == 3 || decimals == 6);
	int64_t unit = decimals == 6 ? 1000000 : 1000;
	uint64_t size = ps < 0 ? -(uint64_t)ps : (uint64_t)ps;
	return arena_printf(arena, "%s%" PRIu64 ".%0*" PRIu64, ps < 0 ? "-" : "",
			    size / (uint64_t)unit, decimals, size % (uint64_t)unit);
}

const char *render_ntff_share(struct arena *arena, uint64_t part, uint64_t all)
{
	return all ? quantity_text(arena, (double)part / (double)all, UNIT_FRACTION) : NULL;
}

/* The active time; a lower bound if intervals arrived out of order. */
static const char *active(struct arena *arena, const struct ntff_sum *sum)
{
	const char *text = render_ntff_time(arena, sum->active_ps);
	return sum->late ? arena_printf(arena, ">= %s", text) : text;
}

static const char *bar(struct arena *arena, const struct terminal *terminal, uint64_t part,
		       uint64_t all)
{
	struct strbuf sb = {0};
	terminal_bar(terminal, &sb, all ? (double)part / (double)all : 0, bar_cells);
	return strbuf_into(&sb, arena);
}

static void left(struct md_table *table, const char *title)
{
	md_table_column(table, title, MD_ALIGN_LEFT);
}

static void right(struct md_table *table, const char *title)
{
	md_table_column(table, title, MD_ALIGN_RIGHT);
}

/* --- engines --- */

static void engine_row(const struct ntff_summary *summary, const struct terminal *terminal,
		       struct md_table *table, const char *name, const struct ntff_sum *sum)
{
	struct arena *arena = summary->arena;
	md_table_row(table, name, render_ntff_count(arena, sum->count),
		     render_ntff_time(arena, sum->ps), active(arena, sum),
		     render_ntff_share(arena, sum->active_ps, summary->total_ps),
		     bar(arena, terminal, sum->active_ps, summary->total_ps));
}

static void add_engines(const struct ntff_summary *summary, const struct terminal *terminal,
			struct strbuf *out)
{
	struct arena *arena = summary->arena;
	struct md_table table;
	md_table_init(&table, arena);
	left(&table, "engine");
	right(&table, "count");
	right(&table, "their time");
	right(&table, "active");
	right(&table, "of total");
	left(&table, "");
	for (int i = 0; i < NTFF_ENGINES; i++) {
		engine_row(summary, terminal, &table, ntff_engine_name(i), &summary->engines[i]);
		for (size_t k = 0; summary->ntff->core_count > 1 && k < summary->ntff->core_count;
		     k++)
			engine_row(
				summary, terminal, &table,
				arena_printf(arena, "  %s",
					     render_ntff_name(arena, summary->ntff->cores[k].name)),
				&summary->cores[k].engines[i]);
	}
	const struct ntff_sum *dma = &summary->shown[NTFF_ROW_ALL];
	engine_row(summary, terminal, &table, "DMA transfers", dma);
	render_ntff_section(out, terminal, "Engines");
	render_ntff_table(out, terminal, &table);
	const char *of_total = render_ntff_share(arena, summary->all.active_ps, summary->total_ps);
	terminal_line(
		terminal, out, "any active",
		arena_printf(arena, "%s%s%s", active(arena, &summary->all),
			     of_total ? ", " : "; the total is unknown",
			     of_total ? arena_printf(arena, "%s of the total", of_total) : ""));
}

/* --- opcodes --- */

static size_t next_opcode(const struct ntff_summary *summary, const bool *taken)
{
	size_t best = ntff_outside_program + 1;
	for (size_t i = 0; i <= ntff_outside_program; i++)
		if (!taken[i] && summary->opcodes[i].count &&
		    (best > ntff_outside_program ||
		     summary->opcodes[i].ps > summary->opcodes[best].ps))
			best = i;
	return best;
}

static void add_opcodes(const struct ntff_summary *summary, const struct terminal *terminal,
			struct strbuf *out)
{
	struct arena *arena = summary->arena;
	bool taken[ntff_outside_program + 1] = {false};
	uint64_t all = 0, kinds = 0;
	struct md_table table;
	for (size_t i = 0; i <= ntff_outside_program; i++) {
		ntff_add(&all, i == NTFF_EVENT_SEMAPHORE ? 0 : summary->opcodes[i].ps);
		kinds += summary->opcodes[i].count > 0;
	}
	md_table_init(&table, arena);
	left(&table, "opcode");
	right(&table, "times");
	right(&table, "time");
	right(&table, "of work");
	right(&table, "mean");
	for (size_t row = 0; row < summary->top_limit; row++) {
		size_t at = next_opcode(summary, taken);
		if (at > ntff_outside_program)
			break;
		const struct ntff_sum *sum = &summary->opcodes[at];
		taken[at] = true;
		md_table_row(&table, render_ntff_opcode_text(arena, (unsigned)at),
			     render_ntff_count(arena, sum->count), render_ntff_time(arena, sum->ps),
			     at == NTFF_EVENT_SEMAPHORE ? "waits"
							: render_ntff_share(arena, sum->ps, all),
			     render_ntff_time(arena, sum->ps / sum->count));
	}
	render_ntff_section(out, terminal,
			    arena_printf(arena, "Opcodes by time, %zu of %" PRIu64,
					 md_table_rows(&table), kinds));
	render_ntff_table(out, terminal, &table);
}

/* --- the longest instructions --- */

static void add_instruction(struct arena *arena, const struct terminal *terminal,
			    const struct ntff_longest *top, struct strbuf *out)
{
	const struct ntff_instruction *one = &top->one;
	struct strbuf text = {0}, name = {0}, clean = {0};
	if (top->has_word)
		ntff_word_text(&text, top->word);
	terminal_text_lines(&clean, span_of(one->core->name));
	add_plain(&name, terminal, strbuf_span(&clean));
	strbuf_addf(out, "  %-8s  %-6s  %6s  %13s  %12s  %s\n", strbuf_text(&name),
		    ntff_engine_name(one->engine),
		    top->has_word ? arena_printf(arena, "%" PRIu32, one->pc) : "-",
		    render_ntff_exact(arena, one->begin, 6),
		    render_ntff_exact(arena, one->end - one->begin, 3),
		    render_ntff_opcode_text(arena,
					    top->has_word ? top->word[0] : ntff_outside_program));
	if (text.len > 1) {
		strbuf_repeat(out, " ", 12);
		terminal_wrapped(terminal, out, strbuf_text(&text) + 1, 12, 12);
	}
	strbuf_free(&text);
	strbuf_free(&name);
	strbuf_free(&clean);
}

static void add_top(const struct ntff_summary *summary, const struct terminal *terminal,
		    const char *title, const struct ntff_top *top, struct strbuf *out)
{
	struct arena *arena = summary->arena;
	render_ntff_section(out, terminal,
			    arena_printf(arena, "%s, %zu of %" PRIu64, title, top->count, top->of));
	if (top->count)
		strbuf_addf(out, "  %-8s  %-6s  %6s  %13s  %12s  %s\n", "core", "engine", "pc",
			    "begin (us)", "time (ns)", "opcode");
	for (size_t i = 0; i < top->count; i++)
		add_instruction(arena, terminal, &top->items[i], out);
}

/* --- DMA --- */

static void add_traffic(const struct ntff_summary *summary, const struct terminal *terminal,
			const struct ntff_sum sums[NTFF_TRAFFIC_ROWS], struct strbuf *out)
{
	struct arena *arena = summary->arena;
	struct md_table table;
	md_table_init(&table, arena);
	left(&table, "class: queue type");
	right(&table, "transfers");
	right(&table, "bytes");
	right(&table, "their time");
	right(&table, "active");
	right(&table, "of total");
	for (int i = 0; i < NTFF_TRAFFIC_ROWS; i++) {
		if (sums[i].count == 0 && i != NTFF_ROW_ALL)
			continue;
		md_table_row(&table, render_ntff_traffic_name((enum ntff_traffic_row)i),
			     render_ntff_count(arena, sums[i].count),
			     render_ntff_bytes(arena, sums[i].bytes),
			     render_ntff_time(arena, sums[i].ps), active(arena, &sums[i]),
			     render_ntff_share(arena, sums[i].active_ps, summary->total_ps));
	}
	render_ntff_table(out, terminal, &table);
}

static void add_dma(const struct ntff_summary *summary, const struct terminal *terminal,
		    struct strbuf *out)
{
	struct arena *arena = summary->arena;
	const struct ntff_counts *counts = &summary->counts;
	render_ntff_section(out, terminal, "DMA transfers");
	add_traffic(summary, terminal, summary->shown, out);
	if (counts->left_out == 0)
		return;
	strbuf_addstr(out, "\n  ");
	terminal_wrapped(
		terminal, out,
		arena_printf(arena,
			     "The vendor's tool leaves out %s more (%s bytes, %s): another one of "
			     "%s ring was under way when the execution began. With %s:",
			     render_ntff_count(arena, counts->left_out),
			     render_ntff_count(arena, counts->left_out_bytes),
			     render_ntff_time(arena, (uint64_t)counts->left_out_ps),
			     counts->left_out == 1 ? "its" : "their",
			     counts->left_out == 1 ? "it" : "them"),
		2, 2);
	add_traffic(summary, terminal, summary->whole, out);
}

/* --- work --- */

static const char *const signs[] = {[NTFF_EXACT] = "",
				    [NTFF_AT_LEAST] = ">= ",
				    [NTFF_AT_MOST] = "<= ",
				    [NTFF_ABOUT] = "about "};

static void add_work(const struct ntff_summary *summary, const struct terminal *terminal,
		     struct strbuf *out)
{
	struct arena *arena = summary->arena;
	struct md_table table;
	md_table_init(&table, arena);
	left(&table, "work");
	right(&table, "");
	right(&table, "exactly");
	for (size_t i = 0; i < ntff_figure_count; i++) {
		enum metric metric = summary->figures[i].metric;
		const struct metric_info *info = metric_info(metric);
		double number = run_number(summary->run, metric);
		const char *sign = signs[summary->figures[i].bound];
		if (isnan(number) && metric == METRIC_DEVICE_MEMORY_TRAFFIC)
			continue;
		md_table_row(&table, info->title,
			     isnan(number) ? NULL
					   : arena_printf(arena, "%s%s", sign,
							  quantity_text(arena, number, info->unit)),
			     isnan(number) ? NULL : quantity_text(arena, number, UNIT_COUNT));
	}
	render_ntff_section(out, terminal, "Work, of all cores");
	render_ntff_table(out, terminal, &table);
	terminal_line(terminal, out, "dtype",
		      summary->run->dtype ? summary->run->dtype : "unknown");
	terminal_line(terminal, out, "on-chip",
		      "bytes of SBUF and PSUM are those of one partition, as the vendor counts");
	for (size_t i = 0; i < summary->run->note_count; i++)
		terminal_line(terminal, out, i ? "" : "bounds", summary->run->notes[i].message);
}

/* --- throttling --- */

static void add_throttles(const struct ntff_summary *summary, const struct terminal *terminal,
			  struct strbuf *out)
{
	struct arena *arena = summary->arena;
	size_t shown = summary->throttle_count < summary->top_limit ? summary->throttle_count
								    : summary->top_limit;
	uint64_t all = summary->throttle_count + summary->more_throttles;
	struct md_table table;
	md_table_init(&table, arena);
	left(&table, "core");
	right(&table, "begin (us)");
	right(&table, "time (us)");
	right(&table, "limit");
	left(&table, "type");
	for (size_t i = 0; i < shown; i++) {
		const struct ntff_throttle *one = &summary->throttles[i];
		md_table_row(&table, render_ntff_name(arena, one->core->name),
			     render_ntff_exact(arena, one->begin, 6),
			     render_ntff_exact(arena, one->end - one->begin, 6),
			     one->other ? NULL : arena_printf(arena, "%u/%u", one->k, one->n),
			     one->other ? "another kind of record"
					: arena_printf(arena, "%u", one->type));
	}
	render_ntff_section(
		out, terminal,
		arena_printf(arena, "Clock limits (throttling), %zu of %" PRIu64, shown, all));
	if (shown)
		render_ntff_table(out, terminal, &table);
	else
		strbuf_addstr(out, all ? "  see --events\n" : "  none in the window\n");
}

/* --- irregularities --- */

static void add_warnings(const struct ntff_summary *summary, const struct terminal *terminal,
			 struct strbuf *out)
{
	struct json *list = json_array(summary->arena);
	render_ntff_add_warnings(summary, list);
	render_ntff_section(out, terminal, "Warnings");
	if (!list->first)
		strbuf_addstr(out, "  none\n");
	for (const struct json *one = list->first; one; one = one->next) {
		strbuf_addstr(out, "  ! ");
		terminal_wrapped(terminal, out, one->text, 4, 4);
	}
}

void render_ntff_text(const struct ntff_view *view, const struct terminal *terminal,
		      struct strbuf *out)
{
	const struct ntff_summary *summary = view->summary;
	render_ntff_header(view, terminal, out);
	if (summary->has_records) {
		render_ntff_cores(summary, terminal, out);
		add_engines(summary, terminal, out);
		add_opcodes(summary, terminal, out);
		add_top(summary, terminal, "Longest instructions", &summary->work_top, out);
		add_top(summary, terminal, "Longest waits", &summary->wait_top, out);
		add_dma(summary, terminal, out);
		add_work(summary, terminal, out);
		add_throttles(summary, terminal, out);
	}
	render_ntff_queues(summary, terminal, out);
	render_ntff_segments(summary, terminal, out);
	render_ntff_memory(summary, terminal, out);
	render_ntff_unknown(summary, terminal, out);
	if (summary->has_records)
		add_warnings(summary, terminal, out);
}
