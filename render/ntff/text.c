/*
 * The summary of a native trace as text: sections of lines and tables that fit 80 columns.
 * text_file.c has the sections about the file itself.
 */
#include "render/ntff/internal.h"

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

void render_ntff_section(const struct ntff_page *page, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	strbuf_addch(page->out, '\n');
	terminal_style(page->terminal, page->out, TERMINAL_BOLD);
	strbuf_vaddf(page->out, format, args);
	terminal_style(page->terminal, page->out, TERMINAL_PLAIN);
	strbuf_addch(page->out, '\n');
	va_end(args);
}

void render_ntff_table(const struct ntff_page *page, struct md_table *table)
{
	struct strbuf plain = {0};
	table->width = page->terminal->wraps ? page->terminal->columns - 2 : 0;
	md_table_plain(table, &plain);
	struct span rest = strbuf_span(&plain);
	while (rest.len) {
		strbuf_addstr(page->out, "  ");
		add_plain(page->out, page->terminal, span_cut(&rest, '\n'));
		strbuf_addch(page->out, '\n');
	}
	strbuf_free(&plain);
}

const char *render_ntff_name(struct arena *arena, const char *name)
{
	enum { limit = 64 };
	struct span text = span_of(name);
	if (text.len <= limit)
		return name;
	text.len = utf8_valid_prefix((struct span){text.ptr, limit});
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

static const char *bar(const struct ntff_page *page, uint64_t part, uint64_t all)
{
	struct strbuf sb = {0};
	terminal_bar(page->terminal, &sb, all ? (double)part / (double)all : 0, bar_cells);
	return strbuf_into(&sb, page->arena);
}

/* --- engines --- */

static void engine_row(const struct ntff_page *page, struct md_table *table, const char *name,
		       const struct ntff_sum *sum)
{
	struct arena *arena = page->arena;
	md_table_row(table, name, render_ntff_count(arena, sum->count),
		     render_ntff_time(arena, sum->ps), active(arena, sum),
		     render_ntff_share(arena, sum->active_ps, page->summary->total_ps),
		     bar(page, sum->active_ps, page->summary->total_ps));
}

static void add_engines(const struct ntff_page *page)
{
	const struct ntff_summary *summary = page->summary;
	struct arena *arena = page->arena;
	struct md_table table =
		md_table_of(arena, 0, "engine|>count|>their time|>active|>of total|");
	for (int i = 0; i < NTFF_ENGINES; i++) {
		engine_row(page, &table, ntff_engine_name(i), &summary->engines[i]);
		for (size_t k = 0; summary->ntff->core_count > 1 && k < summary->ntff->core_count;
		     k++)
			engine_row(
				page, &table,
				arena_printf(arena, "  %s",
					     render_ntff_name(arena, summary->ntff->cores[k].name)),
				&summary->cores[k].engines[i]);
	}
	const struct ntff_sum *dma = &summary->shown[NTFF_ROW_ALL];
	engine_row(page, &table, "DMA transfers", dma);
	render_ntff_section(page, "Engines");
	render_ntff_table(page, &table);
	const char *of_total = render_ntff_share(arena, summary->all.active_ps, summary->total_ps);
	render_ntff_line(page, "any active", "%s%s%s", active(arena, &summary->all),
			 of_total ? ", " : "; the total is unknown",
			 of_total ? arena_printf(arena, "%s of the total", of_total) : "");
}

/* --- opcodes --- */

/* The opcode with the longest time that is not in a row yet; past the last one: none. The index
 * ntff_outside_program counts instructions whose word is unknown. */
static size_t next_opcode(const struct ntff_summary *summary, const bool *used)
{
	size_t best = ntff_outside_program + 1;
	for (size_t i = 0; i <= ntff_outside_program; i++)
		if (!used[i] && summary->opcodes[i].count &&
		    (best > ntff_outside_program ||
		     summary->opcodes[i].ps > summary->opcodes[best].ps))
			best = i;
	return best;
}

static void add_opcodes(const struct ntff_page *page)
{
	const struct ntff_summary *summary = page->summary;
	struct arena *arena = page->arena;
	bool used[ntff_outside_program + 1] = {false};
	uint64_t all = 0, kinds = 0; /* ps of all opcodes without waits; opcodes that occur */
	struct md_table table = md_table_of(arena, 0, "opcode|>times|>time|>of work|>mean");
	for (size_t i = 0; i <= ntff_outside_program; i++) {
		ntff_add(&all, i == NTFF_EVENT_SEMAPHORE ? 0 : summary->opcodes[i].ps);
		kinds += summary->opcodes[i].count > 0;
	}
	for (size_t row = 0; row < summary->top_limit; row++) {
		size_t at = next_opcode(summary, used);
		if (at > ntff_outside_program)
			break;
		const struct ntff_sum *sum = &summary->opcodes[at];
		used[at] = true;
		md_table_row(&table, render_ntff_opcode_text(arena, (unsigned)at),
			     render_ntff_count(arena, sum->count), render_ntff_time(arena, sum->ps),
			     at == NTFF_EVENT_SEMAPHORE ? "waits"
							: render_ntff_share(arena, sum->ps, all),
			     render_ntff_time(arena, sum->ps / sum->count));
	}
	render_ntff_section(page, "Opcodes by time, %zu of %" PRIu64, md_table_rows(&table), kinds);
	render_ntff_table(page, &table);
}

/* --- the longest instructions --- */

static void add_instruction(const struct ntff_page *page, const struct ntff_longest *top)
{
	struct arena *arena = page->arena;
	const struct ntff_instruction *one = &top->one;
	struct strbuf text = {0}, name = {0}, clean = {0};
	if (top->has_word)
		ntff_word_text(&text, top->word);
	terminal_text_lines(&clean, span_of(one->core->name));
	add_plain(&name, page->terminal, strbuf_span(&clean));
	strbuf_addf(page->out, "  %-8s  %-6s  %6s  %13s  %12s  %s\n", strbuf_text(&name),
		    ntff_engine_name(one->engine),
		    top->has_word ? arena_printf(arena, "%" PRIu32, one->pc) : "-",
		    render_ntff_exact(arena, one->begin, 6),
		    render_ntff_exact(arena, one->end - one->begin, 3),
		    render_ntff_opcode_text(arena,
					    top->has_word ? top->word[0] : ntff_outside_program));
	if (text.len > 1) {
		strbuf_repeat(page->out, " ", 12);
		terminal_wrapped(page->terminal, page->out, strbuf_text(&text) + 1, 12, 12);
	}
	strbuf_free(&text);
	strbuf_free(&name);
	strbuf_free(&clean);
}

static void add_top(const struct ntff_page *page, const char *title, const struct ntff_top *top)
{
	render_ntff_section(page, "%s, %zu of %" PRIu64, title, top->count, top->of);
	if (top->count)
		strbuf_addf(page->out, "  %-8s  %-6s  %6s  %13s  %12s  %s\n", "core", "engine",
			    "pc", "begin (us)", "time (ns)", "opcode");
	for (size_t i = 0; i < top->count; i++)
		add_instruction(page, &top->items[i]);
}

/* --- DMA --- */

static void add_traffic(const struct ntff_page *page, const struct ntff_sum sums[NTFF_TRAFFIC_ROWS])
{
	struct arena *arena = page->arena;
	struct md_table table = md_table_of(
		arena, 0, "class: queue type|>transfers|>bytes|>their time|>active|>of total");
	for (int i = 0; i < NTFF_TRAFFIC_ROWS; i++) {
		if (sums[i].count == 0 && i != NTFF_ROW_ALL)
			continue;
		md_table_row(&table, render_ntff_traffic_name((enum ntff_traffic_row)i),
			     render_ntff_count(arena, sums[i].count),
			     render_ntff_bytes(arena, sums[i].bytes),
			     render_ntff_time(arena, sums[i].ps), active(arena, &sums[i]),
			     render_ntff_share(arena, sums[i].active_ps, page->summary->total_ps));
	}
	render_ntff_table(page, &table);
}

static void add_dma(const struct ntff_page *page)
{
	const struct ntff_summary *summary = page->summary;
	struct arena *arena = page->arena;
	const struct ntff_counts *counts = &summary->counts;
	render_ntff_section(page, "DMA transfers");
	add_traffic(page, summary->shown);
	if (counts->left_out == 0)
		return;
	strbuf_addstr(page->out, "\n  ");
	terminal_wrapped(
		page->terminal, page->out,
		arena_printf(arena,
			     "The vendor's tool leaves out %s more (%s bytes, %s): another one of "
			     "%s ring was under way when the execution began. With %s:",
			     render_ntff_count(arena, counts->left_out),
			     render_ntff_count(arena, counts->left_out_bytes),
			     render_ntff_time(arena, (uint64_t)counts->left_out_ps),
			     counts->left_out == 1 ? "its" : "their",
			     counts->left_out == 1 ? "it" : "them"),
		2, 2);
	add_traffic(page, summary->whole);
}

/* --- work --- */

static const char *const signs[] = {[NTFF_EXACT] = "",
				    [NTFF_AT_LEAST] = ">= ",
				    [NTFF_AT_MOST] = "<= ",
				    [NTFF_ABOUT] = "about "};

static void add_work(const struct ntff_page *page)
{
	const struct ntff_summary *summary = page->summary;
	struct arena *arena = page->arena;
	struct md_table table = md_table_of(arena, 0, "work|>|>exactly");
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
	render_ntff_section(page, "Work, of all cores");
	render_ntff_table(page, &table);
	render_ntff_line(page, "dtype", "%s",
			 summary->run->dtype ? summary->run->dtype : "unknown");
	render_ntff_line(page, "on-chip",
			 "bytes of SBUF and PSUM are those of one partition, as the vendor counts");
	for (size_t i = 0; i < summary->run->note_count; i++)
		render_ntff_line(page, i ? "" : "bounds", "%s", summary->run->notes[i].message);
}

/* --- throttling --- */

static void add_throttles(const struct ntff_page *page)
{
	const struct ntff_summary *summary = page->summary;
	struct arena *arena = page->arena;
	size_t shown = summary->throttle_count < summary->top_limit ? summary->throttle_count
								    : summary->top_limit;
	uint64_t all = summary->throttle_count + summary->more_throttles;
	struct md_table table = md_table_of(arena, 0, "core|>begin (us)|>time (us)|>limit|type");
	for (size_t i = 0; i < shown; i++) {
		const struct ntff_throttle *one = &summary->throttles[i];
		md_table_row(&table, render_ntff_name(arena, one->core->name),
			     render_ntff_exact(arena, one->begin, 6),
			     render_ntff_exact(arena, one->end - one->begin, 6),
			     one->other ? NULL : arena_printf(arena, "%u/%u", one->k, one->n),
			     one->other ? "another kind of record"
					: arena_printf(arena, "%u", one->type));
	}
	render_ntff_section(page, "Clock limits (throttling), %zu of %" PRIu64, shown, all);
	if (shown)
		render_ntff_table(page, &table);
	else
		strbuf_addstr(page->out, all ? "  see --events\n" : "  none in the window\n");
}

/* --- irregularities --- */

static void add_warnings(const struct ntff_page *page)
{
	struct json *list = json_array(page->summary->arena);
	render_ntff_add_warnings(page->summary, list);
	render_ntff_section(page, "Warnings");
	if (!list->first)
		strbuf_addstr(page->out, "  none\n");
	for (const struct json *one = list->first; one; one = one->next) {
		strbuf_addstr(page->out, "  ! ");
		terminal_wrapped(page->terminal, page->out, one->text, 4, 4);
	}
}

void render_ntff_text(const struct ntff_view *view, const struct terminal *terminal,
		      struct strbuf *out)
{
	const struct ntff_summary *summary = view->summary;
	const struct ntff_page lines = {view, summary, summary->arena, terminal, out},
			       *page = &lines;
	render_ntff_header(page);
	if (summary->has_records) {
		render_ntff_cores(page);
		add_engines(page);
		add_opcodes(page);
		add_top(page, "Longest instructions", &summary->work_top);
		add_top(page, "Longest waits", &summary->wait_top);
		add_dma(page);
		add_work(page);
		add_throttles(page);
	}
	render_ntff_queues(page);
	render_ntff_segments(page);
	render_ntff_memory(page);
	render_ntff_unknown(page);
	if (summary->has_records)
		add_warnings(page);
}
