/* Terminal tables and cards, wrapped to the width, plain where the locale is. */
#include "render/terminal/terminal.h"

#include <math.h>
#include <string.h>

#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "render/markup/escape.h"
#include "render/markup/table.h"
#include "render/terminal/lines.h"

void terminal_style(const struct terminal *terminal, struct strbuf *out, enum terminal_style style)
{
	static const char *const codes[] = {"\033[0m", "\033[1m", "\033[2m"};
	if (terminal->color)
		strbuf_addstr(out, codes[style]);
}

/* Without UTF-8 nothing beyond ASCII reaches a terminal. */
static void add_clean(const struct terminal *terminal, struct strbuf *out, struct span text)
{
	(terminal->utf8 ? terminal_text : terminal_ascii)(out, text);
}

void terminal_clean(const struct terminal *terminal, struct strbuf *out, const char *text)
{
	add_clean(terminal, out, span_of(text));
}

/* Lines are broken where the text has a separator, which is a blank elsewhere. */
static void add_wrapped(const struct terminal *terminal, struct strbuf *out, const char *text,
			char separator, size_t column, size_t indent)
{
	struct span rest = span_of(text);
	bool first = true;
	while (rest.ptr) {
		struct span word = span_cut(&rest, separator);
		size_t width = utf8_columns(word);
		if (!first && column + 1 + width > terminal->columns) {
			strbuf_addch(out, '\n');
			strbuf_repeat(out, " ", indent);
			column = indent;
		} else if (!first) {
			strbuf_addch(out, ' ');
			column++;
		}
		add_clean(terminal, out, word);
		column += width;
		first = false;
	}
	strbuf_addch(out, '\n');
}

void terminal_wrapped(const struct terminal *terminal, struct strbuf *out, const char *text,
		      size_t column, size_t indent)
{
	add_wrapped(terminal, out, text, ' ', column, indent);
}

void terminal_paragraph(const struct terminal *terminal, struct strbuf *out, const char *text,
			size_t indent)
{
	strbuf_repeat(out, " ", indent);
	terminal_wrapped(terminal, out, text, indent, indent + 2);
}

static void add_labelled(const struct terminal *terminal, struct strbuf *out, const char *label,
			 const char *text, char separator)
{
	enum { INDENT = 2 + TERMINAL_LABEL_WIDTH };
	terminal_style(terminal, out, TERMINAL_DIM);
	strbuf_addf(out, "  %-*s", TERMINAL_LABEL_WIDTH, label);
	terminal_style(terminal, out, TERMINAL_PLAIN);
	add_wrapped(terminal, out, text, separator, INDENT, INDENT);
}

void terminal_line(const struct terminal *terminal, struct strbuf *out, const char *label,
		   const char *text)
{
	add_labelled(terminal, out, label, text, ' ');
}

void terminal_items(const struct terminal *terminal, struct strbuf *out, const char *label,
		    const char *items)
{
	add_labelled(terminal, out, label, items, '\n');
}

size_t terminal_bar(const struct terminal *terminal, struct strbuf *out, double fraction,
		    size_t cells)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	double part = isnan(fraction) ? 0 : fmin(fmax(fraction, 0), 1) * (double)cells;
	size_t steps = (size_t)lround(part * 8),
	       whole = terminal->utf8 ? steps / 8 : (size_t)lround(part);
	size_t used = whole;
	strbuf_repeat(out, terminal->utf8 ? "█" : "#", whole);
	if (terminal->utf8 && steps % 8) {
		strbuf_addstr(out, eighths[steps % 8]);
		used++;
	}
	return used;
}

static void add_engines(const struct terminal *terminal, const struct json *run, struct strbuf *out)
{
	enum { CELLS = 20, LEAST_CELLS = 4, FIGURES = 1 + 10 + 2 + 10 };
	const struct json *engines = json_get(run, "engines");
	size_t rest = 2 + TERMINAL_LABEL_WIDTH + FIGURES, cells = CELLS;
	if (!engines || !engines->first)
		return;
	if (terminal->columns < rest + CELLS)
		cells = terminal->columns > rest + LEAST_CELLS ? terminal->columns - rest : 0;
	strbuf_addch(out, '\n');
	for (const struct json *engine = engines->first; engine; engine = engine->next) {
		const struct json *occupancy = json_get(engine, "occupancy");
		strbuf_addf(out, "  %-*s", TERMINAL_LABEL_WIDTH, json_text(engine, "title", ""));
		size_t used =
			terminal_bar(terminal, out, json_number(occupancy, "value", NAN), cells);
		strbuf_repeat(out, " ", cells - used);
		strbuf_addf(out, " %10s  %10s\n", json_text(occupancy, "text", ""),
			    json_text(json_get(engine, "active_time"), "text", ""));
	}
}

static void add_findings(struct arena *arena, const struct terminal *terminal,
			 const struct json *run, struct strbuf *out)
{
	const struct json *findings = json_get(run, "findings");
	if (!findings || !findings->first)
		return;
	strbuf_addch(out, '\n');
	for (const struct json *one = findings->first; one; one = one->next) {
		bool info = strcmp(json_text(one, "severity", ""), "info") == 0;
		terminal_style(terminal, out, TERMINAL_BOLD);
		strbuf_addstr(out, info ? "  + " : "  ! ");
		terminal_style(terminal, out, TERMINAL_PLAIN);
		terminal_wrapped(terminal, out, json_text(one, "text", ""), 4, 4);
		const char *advice = json_text(one, "advice", NULL);
		const char *gain = json_text(one, "gain", NULL);
		if (!advice && !gain)
			continue;
		strbuf_addstr(out, "    ");
		terminal_style(terminal, out, TERMINAL_DIM);
		terminal_wrapped(terminal, out,
				 arena_printf(arena, "%s%s%s", gain ? gain : "",
					      gain && advice ? ": " : "", advice ? advice : ""),
				 4, 4);
		terminal_style(terminal, out, TERMINAL_PLAIN);
	}
}

/* The first entries of a total by name, largest first, in one line: "MATMUL 56 x, 12.20 us". */
static void add_tally(struct arena *arena, const struct terminal *terminal, const struct json *list,
		      const char *label, struct strbuf *out)
{
	static const size_t shown = 5;
	struct strbuf sb = {0};
	size_t count = 0;
	for (const struct json *one = list ? list->first : NULL; one && count < shown;
	     one = one->next, count++) {
		strbuf_addf(&sb, "%s%s %s x", count ? "; " : "", json_text(one, "name", "?"),
			    json_text(json_get(one, "count"), "text", "?"));
		static const char *const figures[] = {"time", "bytes", "flops"};
		for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
			if (json_get(one, figures[i]))
				strbuf_addf(&sb, ", %s",
					    json_text(json_get(one, figures[i]), "text", "?"));
	}
	if (list && list->count > shown)
		strbuf_addf(&sb, "; %zu more", list->count - shown);
	if (sb.len)
		terminal_line(terminal, out, label, strbuf_into(&sb, arena));
	strbuf_free(&sb);
}

static void add_work(struct arena *arena, const struct terminal *terminal, const struct json *run,
		     struct strbuf *out)
{
	const struct json *cores = json_get(run, "cores_work");
	struct strbuf sb = {0};
	for (const struct json *core = cores && cores->count > 1 ? cores->first : NULL; core;
	     core = core->next)
		strbuf_addf(&sb, "%s%s %s cycles, %s", sb.len ? "; " : "",
			    json_text(core, "name", "?"),
			    json_text(json_get(core, "cycles"), "text", "?"),
			    json_text(json_get(core, "flops"), "text", "?"));
	size_t before = out->len;
	strbuf_addch(out, '\n');
	size_t after = out->len;
	if (sb.len)
		terminal_line(terminal, out, "cores", strbuf_into(&sb, arena));
	strbuf_free(&sb);
	add_tally(arena, terminal, json_get(run, "opcodes"), "opcodes", out);
	add_tally(arena, terminal, json_get(run, "sources"), "source lines", out);
	add_tally(arena, terminal, json_get(run, "dma"), "DMA queues", out);
	add_tally(arena, terminal, json_get(run, "kernels"), "kernels", out);
	if (out->len == after)
		strbuf_truncate(out, before);
}

static const char *change_words(const struct json *baseline, const char *key)
{
	return json_text(json_get(json_get(baseline, "changes"), key), "words", NULL);
}

static void add_baseline(struct arena *arena, const struct terminal *terminal,
			 const struct json *run, struct strbuf *out)
{
	const struct json *baseline = json_get(run, "baseline");
	if (!baseline)
		return;
	strbuf_addch(out, '\n');
	const char *age = json_text(baseline, "age_text", NULL);
	terminal_line(terminal, out, "compared",
		      arena_printf(arena, "with %s (%s%s%s)",
				   json_text(json_get(baseline, "commit"), "short", "?"),
				   json_text(baseline, "kind", ""), age ? ", " : "",
				   age ? age : ""));
	const struct {
		const char *label, *key;
	} rows[] = {{json_get(run, "timing") ? "time" : "rate",
		     json_text(json_get(run, "headline"), "key", "total_time")},
		    {"MFU", "mfu"},
		    {json_get(json_get(run, "metrics"), "mfu") ? "" : "MFU", "mfu_algorithmic"},
		    {terminal_is_gpu(run) ? "DRAM traffic" : "HBM traffic", "hbm_bytes"},
		    {"FLOP", "useful_flops"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *words = change_words(baseline, rows[i].key);
		if (words)
			terminal_line(terminal, out, rows[i].label, words);
	}
	const struct json *why = json_get(baseline, "why");
	if (why)
		terminal_line(terminal, out, "why", json_text(why, "text", ""));
}

static void add_versions(struct arena *arena, const struct terminal *terminal,
			 const struct json *run, struct strbuf *out)
{
	struct strbuf sb = {0};
	const struct json *versions = json_get(run, "versions");
	for (const struct json *one = versions ? versions->first : NULL; one; one = one->next) {
		const char *key = json_text(one, "key", "");
		size_t len = strlen(key);
		/* The tool class of the file, where the configuration gives it another. */
		if (strcmp(key, "measured_by") == 0)
			strbuf_addf(&sb, "%smeasured by %s", sb.len ? ", " : "",
				    json_text(one, "text", ""));
		if (len <= 8 || strcmp(key + len - 8, "_version") != 0)
			continue;
		/* Parentheses of an unknown hash are empty. */
		struct span text = span_of(json_text(one, "text", ""));
		if (span_ends(text, " ()"))
			text.len -= strlen(" ()");
		strbuf_addf(&sb, "%s%.*s %.*s", sb.len ? ", " : "", (int)(len - 8), key,
			    (int)text.len, text.ptr);
	}
	if (sb.len) {
		strbuf_addch(out, '\n');
		terminal_line(terminal, out, "versions", strbuf_into(&sb, arena));
	}
	strbuf_free(&sb);
	const struct json *warnings = json_get(run, "warnings");
	for (const struct json *one = warnings ? warnings->first : NULL; one; one = one->next) {
		const char *category = json_text(one, "category", "");
		const char *message = json_text(one, "message", "");
		/* What is no warning says so by its category. */
		if (strcmp(category, "missing") == 0 || strcmp(category, "note") == 0)
			terminal_line(terminal, out, category, message);
		else
			terminal_line(terminal, out, "warning",
				      arena_printf(arena, "%s (%s)", message, category));
	}
}

/* Only Neuron runs have physical cores to be known. */
static void add_device(struct arena *arena, const struct terminal *terminal, const struct json *run,
		       struct strbuf *out)
{
	double cores = json_number(run, "cores", NAN);
	const char *instance = json_text(run, "instance_type", NULL);
	const struct json *engines = json_get(run, "engines");
	const char *count = "";
	if (cores > 0)
		count = arena_printf(arena, ", %g physical core%s", cores, cores == 1 ? "" : "s");
	else if (!terminal_is_gpu(run) && engines && engines->first)
		count = ", physical cores unknown";
	terminal_line(terminal, out, "device",
		      arena_printf(arena, "%s%s%s%s", json_text(run, "device", "unknown"),
				   instance ? ", " : "", instance ? instance : "", count));
}

void terminal_card(struct arena *arena, const struct terminal *terminal, const struct json *run,
		   bool details, struct strbuf *out)
{
	struct terminal_card card = {.arena = arena, .terminal = terminal, .run = run, .out = out};
	const struct json *commit = json_get(run, "commit");
	terminal_style(terminal, out, TERMINAL_BOLD);
	terminal_wrapped(terminal, out, json_text(run, "title", ""), 0, 2);
	terminal_style(terminal, out, TERMINAL_PLAIN);
	add_device(arena, terminal, run, out);
	if (commit) {
		const struct json *dirty = json_get(commit, "dirty");
		terminal_line(terminal, out, "commit",
			      arena_printf(arena, "%s%s %s", json_text(commit, "short", "?"),
					   dirty && dirty->truth ? " + uncommitted changes" : "",
					   json_text(commit, "subject", "")));
	}
	if (json_get(run, "id"))
		terminal_line(terminal, out, "run",
			      arena_strndup(arena, json_text(run, "id", ""), 12));
	strbuf_addch(out, '\n');
	terminal_key_figures(&card);
	terminal_gpu_lines(&card);
	add_engines(terminal, run, out);
	add_work(arena, terminal, run, out);
	add_findings(arena, terminal, run, out);
	add_baseline(arena, terminal, run, out);
	add_versions(arena, terminal, run, out);
	if (details)
		terminal_further_metrics(&card);
}
