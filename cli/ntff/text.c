/*
 * The dump of a native trace for people: sections of lines and tables that fit
 * 80 columns. ntff_text_parts.c has the sections about the file itself.
 */
#include "cli/ntff/text.h"

#include <inttypes.h>
#include <math.h>

#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "ingest/ntff/instruction/word.h"
#include "render/markup/escape.h"
#include "render/terminal/lines.h"

enum { bar_cells = 20 };

/* --- pieces --- */

/* What is not of the terminal's alphabet is shown as "?". */
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

void ntff_text_section(struct strbuf *out, const struct terminal *terminal, const char *title)
{
	strbuf_addf(out, "\n%s%s%s\n", terminal->color ? "\033[1m" : "", title,
		    terminal->color ? "\033[0m" : "");
}

void ntff_text_table(struct strbuf *out, const struct terminal *terminal, struct md_table *table)
{
	struct strbuf plain = {0}, clean = {0};
	table->width = cli_table_width() ? terminal->columns - 2 : 0;
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

const char *ntff_text_name(struct arena *arena, const char *name)
{
	enum { most = 64 };
	struct span text = span_of(name);
	if (text.len <= most)
		return name;
	text.len = utf8_valid_prefix((struct span){text.ptr, most});
	return arena_printf(arena, "%.*s...", (int)text.len, text.ptr);
}

const char *ntff_text_count(struct arena *arena, uint64_t number)
{
	return quantity_text(arena, (double)number, UNIT_COUNT);
}

const char *ntff_text_bytes(struct arena *arena, uint64_t bytes)
{
	return quantity_text(arena, (double)bytes, UNIT_BYTE);
}

const char *ntff_text_time(struct arena *arena, uint64_t ps)
{
	return quantity_text(arena, (double)ps / 1e12, UNIT_SECOND);
}

/* Every picosecond, in a unit that keeps the columns aligned: 1000000 ps, "1.000000". */
const char *ntff_text_exact(struct arena *arena, int64_t ps, int decimals)
{
	int64_t unit = decimals == 6 ? 1000000 : 1000;
	uint64_t size = ps < 0 ? -(uint64_t)ps : (uint64_t)ps;
	return arena_printf(arena, "%s%" PRIu64 ".%0*" PRIu64, ps < 0 ? "-" : "",
			    size / (uint64_t)unit, decimals, size % (uint64_t)unit);
}

const char *ntff_text_share(struct arena *arena, uint64_t part, uint64_t all)
{
	return all ? quantity_text(arena, (double)part / (double)all, UNIT_FRACTION) : NULL;
}

/* A lower bound where intervals came too late. */
static const char *active(struct arena *arena, const struct dump_sum *sum)
{
	const char *text = ntff_text_time(arena, sum->active_ps);
	return sum->late ? arena_printf(arena, ">= %s", text) : text;
}

static const char *bar(struct arena *arena, const struct terminal *terminal, uint64_t part,
		       uint64_t all)
{
	struct strbuf sb = {0};
	double fraction = all ? fmin((double)part / (double)all, 1) : 0;
	if (!terminal->utf8) {
		strbuf_repeat(&sb, "#", (size_t)lround(fraction * bar_cells));
		return strbuf_into(&sb, arena);
	}
	int eighths = (int)lround(fraction * bar_cells * 8);
	strbuf_repeat(&sb, "█", (size_t)(eighths / 8));
	if (eighths % 8) {
		char block[4];
		strbuf_add(&sb, block, utf8_put(block, (uint32_t)(0x2590 - eighths % 8)));
	}
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

static void engine_row(const struct ntff_dump *dump, const struct terminal *terminal,
		       struct md_table *table, const char *name, const struct dump_sum *sum)
{
	struct arena *arena = dump->arena;
	md_table_cell(table, name);
	md_table_cell(table, ntff_text_count(arena, sum->count));
	md_table_cell(table, ntff_text_time(arena, sum->ps));
	md_table_cell(table, active(arena, sum));
	md_table_cell(table, ntff_text_share(arena, sum->active_ps, dump->total_ps));
	md_table_cell(table, bar(arena, terminal, sum->active_ps, dump->total_ps));
}

static void add_engines(const struct ntff_dump *dump, const struct terminal *terminal,
			struct strbuf *out)
{
	struct arena *arena = dump->arena;
	struct md_table table;
	md_table_init(&table, arena);
	left(&table, "engine");
	right(&table, "count");
	right(&table, "their time");
	right(&table, "active");
	right(&table, "of total");
	left(&table, "");
	for (int i = 0; i < NTFF_ENGINES; i++) {
		engine_row(dump, terminal, &table, ntff_engine_name(i), &dump->engines[i]);
		for (size_t k = 0; dump->ntff->core_count > 1 && k < dump->ntff->core_count; k++)
			engine_row(dump, terminal, &table,
				   arena_printf(arena, "  %s",
						ntff_text_name(arena, dump->ntff->cores[k].name)),
				   &dump->cores[k].engines[i]);
	}
	const struct dump_sum *dma = &dump->shown[DUMP_TRAFFIC_ALL];
	engine_row(dump, terminal, &table, "DMA transfers", dma);
	ntff_text_section(out, terminal, "Engines");
	ntff_text_table(out, terminal, &table);
	const char *of_total = ntff_text_share(arena, dump->all.active_ps, dump->total_ps);
	terminal_line(
		terminal, out, "any active",
		arena_printf(arena, "%s%s%s", active(arena, &dump->all),
			     of_total ? ", " : "; the total is unknown",
			     of_total ? arena_printf(arena, "%s of the total", of_total) : ""));
}

/* --- opcodes --- */

static size_t next_opcode(const struct ntff_dump *dump, const bool *taken)
{
	size_t best = dump_outside + 1;
	for (size_t i = 0; i <= dump_outside; i++)
		if (!taken[i] && dump->opcodes[i].count &&
		    (best > dump_outside || dump->opcodes[i].ps > dump->opcodes[best].ps))
			best = i;
	return best;
}

static void add_opcodes(const struct ntff_dump *dump, const struct terminal *terminal,
			struct strbuf *out)
{
	struct arena *arena = dump->arena;
	bool taken[dump_outside + 1] = {false};
	uint64_t all = 0, kinds = 0;
	struct md_table table;
	for (size_t i = 0; i <= dump_outside; i++) {
		ntff_add(&all, i == NTFF_EVENT_SEMAPHORE ? 0 : dump->opcodes[i].ps);
		kinds += dump->opcodes[i].count > 0;
	}
	md_table_init(&table, arena);
	left(&table, "opcode");
	right(&table, "times");
	right(&table, "time");
	right(&table, "of work");
	right(&table, "mean");
	for (size_t row = 0; row < dump->top_limit; row++) {
		size_t at = next_opcode(dump, taken);
		if (at > dump_outside)
			break;
		const struct dump_sum *sum = &dump->opcodes[at];
		taken[at] = true;
		md_table_cell(&table, ntff_dump_opcode(arena, (unsigned)at));
		md_table_cell(&table, ntff_text_count(arena, sum->count));
		md_table_cell(&table, ntff_text_time(arena, sum->ps));
		md_table_cell(&table, at == NTFF_EVENT_SEMAPHORE
					      ? "waits"
					      : ntff_text_share(arena, sum->ps, all));
		md_table_cell(&table, ntff_text_time(arena, sum->ps / sum->count));
	}
	ntff_text_section(out, terminal,
			  arena_printf(arena, "Opcodes by time, %zu of %" PRIu64,
				       md_table_rows(&table), kinds));
	ntff_text_table(out, terminal, &table);
}

/* --- the longest instructions --- */

static void add_instruction(struct arena *arena, const struct terminal *terminal,
			    const struct dump_instruction *top, struct strbuf *out)
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
		    ntff_text_exact(arena, one->begin, 6),
		    ntff_text_exact(arena, one->end - one->begin, 3),
		    ntff_dump_opcode(arena, top->has_word ? top->word[0] : dump_outside));
	if (text.len > 1) {
		strbuf_repeat(out, " ", 12);
		terminal_wrapped(terminal, out, strbuf_text(&text) + 1, 12, 12);
	}
	strbuf_free(&text);
	strbuf_free(&name);
	strbuf_free(&clean);
}

static void add_top(const struct ntff_dump *dump, const struct terminal *terminal,
		    const char *title, const struct dump_top *top, struct strbuf *out)
{
	struct arena *arena = dump->arena;
	ntff_text_section(out, terminal,
			  arena_printf(arena, "%s, %zu of %" PRIu64, title, top->count, top->of));
	if (top->count)
		strbuf_addf(out, "  %-8s  %-6s  %6s  %13s  %12s  %s\n", "core", "engine", "pc",
			    "begin (us)", "time (ns)", "opcode");
	for (size_t i = 0; i < top->count; i++)
		add_instruction(arena, terminal, &top->items[i], out);
}

/* --- DMA --- */

static void add_traffic(const struct ntff_dump *dump, const struct terminal *terminal,
			const struct dump_sum sums[DUMP_TRAFFICS], struct strbuf *out)
{
	struct arena *arena = dump->arena;
	struct md_table table;
	md_table_init(&table, arena);
	left(&table, "class: queue type");
	right(&table, "transfers");
	right(&table, "bytes");
	right(&table, "their time");
	right(&table, "active");
	right(&table, "of total");
	for (int i = 0; i < DUMP_TRAFFICS; i++) {
		if (sums[i].count == 0 && i != DUMP_TRAFFIC_ALL)
			continue;
		md_table_cell(&table, ntff_traffic_name((enum dump_traffic)i));
		md_table_cell(&table, ntff_text_count(arena, sums[i].count));
		md_table_cell(&table, ntff_text_bytes(arena, sums[i].bytes));
		md_table_cell(&table, ntff_text_time(arena, sums[i].ps));
		md_table_cell(&table, active(arena, &sums[i]));
		md_table_cell(&table, ntff_text_share(arena, sums[i].active_ps, dump->total_ps));
	}
	ntff_text_table(out, terminal, &table);
}

static void add_dma(const struct ntff_dump *dump, const struct terminal *terminal,
		    struct strbuf *out)
{
	struct arena *arena = dump->arena;
	const struct ntff_counts *counts = &dump->counts;
	ntff_text_section(out, terminal, "DMA transfers");
	add_traffic(dump, terminal, dump->shown, out);
	if (counts->left_out == 0)
		return;
	strbuf_addstr(out, "\n  ");
	terminal_wrapped(
		terminal, out,
		arena_printf(arena,
			     "The vendor's tool leaves out %s more (%s bytes, %s): another one of "
			     "%s ring was under way when the execution began. With %s:",
			     ntff_text_count(arena, counts->left_out),
			     ntff_text_count(arena, counts->left_out_bytes),
			     ntff_text_time(arena, (uint64_t)counts->left_out_ps),
			     counts->left_out == 1 ? "its" : "their",
			     counts->left_out == 1 ? "it" : "them"),
		2, 2);
	add_traffic(dump, terminal, dump->whole, out);
}

/* --- work --- */

static const char *const signs[] = {[DUMP_EXACT] = "",
				    [DUMP_AT_LEAST] = ">= ",
				    [DUMP_AT_MOST] = "<= ",
				    [DUMP_ABOUT] = "about "};

static void add_work(const struct ntff_dump *dump, const struct terminal *terminal,
		     struct strbuf *out)
{
	struct arena *arena = dump->arena;
	struct md_table table;
	md_table_init(&table, arena);
	left(&table, "work");
	right(&table, "");
	right(&table, "exactly");
	for (size_t i = 0; i < ntff_dump_work_count; i++) {
		enum metric metric = ntff_dump_work[i];
		const struct metric_info *info = metric_info(metric);
		double number = run_number(dump->run, metric);
		const char *sign = signs[ntff_dump_bound(dump, metric)];
		if (isnan(number) && metric == METRIC_DEVICE_MEMORY_TRAFFIC)
			continue;
		md_table_cell(&table, info->title);
		md_table_cell(&table, isnan(number) ? NULL
						    : arena_printf(arena, "%s%s", sign,
								   quantity_text(arena, number,
										 info->unit)));
		md_table_cell(&table,
			      isnan(number) ? NULL : quantity_text(arena, number, UNIT_COUNT));
	}
	ntff_text_section(out, terminal, "Work, of all cores");
	ntff_text_table(out, terminal, &table);
	terminal_line(terminal, out, "dtype", dump->run->dtype ? dump->run->dtype : "unknown");
	terminal_line(terminal, out, "on-chip",
		      "bytes of SBUF and PSUM are those of one partition, as the vendor counts");
	for (size_t i = 0; i < dump->run->note_count; i++)
		terminal_line(terminal, out, i ? "" : "bounds", dump->run->notes[i].message);
}

/* --- throttling --- */

static void add_throttles(const struct ntff_dump *dump, const struct terminal *terminal,
			  struct strbuf *out)
{
	struct arena *arena = dump->arena;
	size_t shown =
		dump->throttle_count < dump->top_limit ? dump->throttle_count : dump->top_limit;
	uint64_t all = dump->throttle_count + dump->more_throttles;
	struct md_table table;
	md_table_init(&table, arena);
	left(&table, "core");
	right(&table, "begin (us)");
	right(&table, "time (us)");
	right(&table, "limit");
	left(&table, "type");
	for (size_t i = 0; i < shown; i++) {
		const struct ntff_throttle *one = &dump->throttles[i];
		md_table_cell(&table, ntff_text_name(arena, one->core->name));
		md_table_cell(&table, ntff_text_exact(arena, one->begin, 6));
		md_table_cell(&table, ntff_text_exact(arena, one->end - one->begin, 6));
		md_table_cell(&table,
			      one->other ? NULL : arena_printf(arena, "%u/%u", one->k, one->n));
		md_table_cell(&table, one->other ? "another kind of record"
						 : arena_printf(arena, "%u", one->type));
	}
	ntff_text_section(
		out, terminal,
		arena_printf(arena, "Clock limits (throttling), %zu of %" PRIu64, shown, all));
	if (shown)
		ntff_text_table(out, terminal, &table);
	else
		strbuf_addstr(out, all ? "  see --events\n" : "  none in the window\n");
}

/* --- what is odd --- */

static void add_warnings(const struct ntff_dump *dump, const struct terminal *terminal,
			 struct strbuf *out)
{
	struct json *list = json_array(dump->arena);
	ntff_dump_warnings(dump, list);
	ntff_text_section(out, terminal, "Warnings");
	if (!list->first)
		strbuf_addstr(out, "  none\n");
	for (const struct json *one = list->first; one; one = one->next) {
		strbuf_addstr(out, "  ! ");
		terminal_wrapped(terminal, out, one->text, 4, 4);
	}
}

int ntff_print_text(struct cli *cli, const struct ntff_dump *dump, struct error *err)
{
	const struct terminal terminal = {cli_columns(), cli_utf8(), cli_color(cli)};
	struct strbuf out = {0};
	ntff_text_header(dump, &terminal, &out);
	if (dump->has_records) {
		ntff_text_cores(dump, &terminal, &out);
		add_engines(dump, &terminal, &out);
		add_opcodes(dump, &terminal, &out);
		add_top(dump, &terminal, "Longest instructions", &dump->work_top, &out);
		add_top(dump, &terminal, "Longest waits", &dump->wait_top, &out);
		add_dma(dump, &terminal, &out);
		add_work(dump, &terminal, &out);
		add_throttles(dump, &terminal, &out);
	}
	ntff_text_queues(dump, &terminal, &out);
	ntff_text_segments(dump, &terminal, &out);
	ntff_text_memory(dump, &terminal, &out);
	ntff_text_unknown(dump, &terminal, &out);
	if (dump->has_records)
		add_warnings(dump, &terminal, &out);
	int rc = ntff_write_out(&out, err);
	strbuf_free(&out);
	return rc < 0 ? -1 : 0;
}
