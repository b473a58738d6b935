/* Tables and cards on a terminal, wrapped to its width; plain ASCII without a UTF-8 locale. */
#include "render/terminal/terminal.h"

#include "render/document/key.h"

#include "base/text/text.h"
#include "render/markup/markup.h"
#include "render/terminal/lines.h"

void terminal_style(const struct terminal *terminal, struct strbuf *out, enum terminal_style style)
{
	static const char *const codes[] = {"\033[0m", "\033[1m", "\033[2m"};
	if (terminal->color)
		strbuf_addstr(out, codes[style]);
}

/* Adds text; without UTF-8, ASCII only. */
static void add_clean(const struct terminal *terminal, struct strbuf *out, struct span text)
{
	(terminal->utf8 ? terminal_text : terminal_ascii)(out, text);
}

void terminal_clean(const struct terminal *terminal, struct strbuf *out, const char *text)
{
	add_clean(terminal, out, span_of(text));
}

/* Wraps a text at its separator; the separator is printed as a blank elsewhere. */
static void add_wrapped(const struct terminal *terminal, struct strbuf *out, const char *text,
			char separator, size_t column, size_t indent)
{
	struct span rest = span_of(text);
	bool first = true;
	while (rest.ptr) {
		struct span word = span_cut(&rest, separator);
		size_t width = utf8_columns(word);
		/* A word wider than the line stays whole: it can be an identifier to copy. */
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
	/* Without UTF-8 a cell is the resolution. */
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
	const struct json *engines = json_get(run, KEY(engines));
	size_t rest = 2 + TERMINAL_LABEL_WIDTH + FIGURES, cells = CELLS;
	if (!engines || !engines->first)
		return;
	if (terminal->columns < rest + CELLS)
		cells = terminal->columns > rest + LEAST_CELLS ? terminal->columns - rest : 0;
	strbuf_addch(out, '\n');
	for (const struct json *engine = engines->first; engine; engine = engine->next) {
		const struct json *occupancy = json_get(engine, KEY(occupancy));
		strbuf_addf(out, "  %-*s", TERMINAL_LABEL_WIDTH, json_text(engine, KEY(title), ""));
		size_t used =
			terminal_bar(terminal, out, json_number(occupancy, KEY(value), NAN), cells);
		strbuf_repeat(out, " ", cells - used);
		strbuf_addf(out, " %10s  %10s\n", json_text(occupancy, KEY(text), ""),
			    json_text(json_get(engine, KEY(active_time)), KEY(text), ""));
	}
}

static void add_findings(struct arena *arena, const struct terminal *terminal,
			 const struct json *run, struct strbuf *out)
{
	const struct json *findings = json_get(run, KEY(findings));
	if (!findings || !findings->first)
		return;
	strbuf_addch(out, '\n');
	for (const struct json *one = findings->first; one; one = one->next) {
		bool info = strcmp(json_text(one, KEY(severity), ""), "info") == 0;
		terminal_style(terminal, out, TERMINAL_BOLD);
		strbuf_addstr(out, info ? "  + " : "  ! ");
		terminal_style(terminal, out, TERMINAL_PLAIN);
		terminal_wrapped(terminal, out, json_text(one, KEY(text), ""), 4, 4);
		const char *advice = json_text(one, KEY(advice), NULL);
		const char *gain = json_text(one, KEY(gain), NULL);
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

/* Adds the largest entries of a sum by name in one line: "MATMUL 56 x, 12.20 us". */
static void add_tally(struct arena *arena, const struct terminal *terminal, const struct json *list,
		      const char *label, struct strbuf *out)
{
	static const size_t shown = 5;
	struct strbuf sb = {0};
	size_t count = 0;
	for (const struct json *one = list ? list->first : NULL; one && count < shown;
	     one = one->next, count++) {
		strbuf_addf(&sb, "%s%s %s x", count ? "; " : "", json_text(one, KEY(name), "?"),
			    json_text(json_get(one, KEY(count)), KEY(text), "?"));
		static const char *const figures[] = {"time", "bytes", "flops"};
		for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
			if (json_get(one, figures[i]))
				strbuf_addf(&sb, ", %s",
					    json_text(json_get(one, figures[i]), KEY(text), "?"));
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
	const struct json *cores = json_get(run, KEY(cores_work));
	struct strbuf sb = {0};
	for (const struct json *core = cores && cores->count > 1 ? cores->first : NULL; core;
	     core = core->next)
		strbuf_addf(&sb, "%s%s %s cycles, %s", sb.len ? "; " : "",
			    json_text(core, KEY(name), "?"),
			    json_text(json_get(core, KEY(cycles)), KEY(text), "?"),
			    json_text(json_get(core, KEY(flops)), KEY(text), "?"));
	size_t before = out->len;
	strbuf_addch(out, '\n');
	size_t after = out->len;
	if (sb.len)
		terminal_line(terminal, out, "cores", strbuf_into(&sb, arena));
	strbuf_free(&sb);
	add_tally(arena, terminal, json_get(run, KEY(opcodes)), "opcodes", out);
	add_tally(arena, terminal, json_get(run, KEY(sources)), "source lines", out);
	add_tally(arena, terminal, json_get(run, KEY(dma)), "DMA queues", out);
	add_tally(arena, terminal, json_get(run, KEY(kernels)), "kernels", out);
	if (out->len == after)
		strbuf_truncate(out, before);
}

static const char *change_words(const struct json *baseline, const char *key)
{
	return json_text(json_get(json_get(baseline, KEY(changes)), key), KEY(words), NULL);
}

static void add_baseline(struct arena *arena, const struct terminal *terminal,
			 const struct json *run, struct strbuf *out)
{
	const struct json *baseline = json_get(run, KEY(baseline));
	if (!baseline)
		return;
	strbuf_addch(out, '\n');
	const char *age = json_text(baseline, KEY(age_text), NULL);
	terminal_line(terminal, out, "compared",
		      arena_printf(arena, "with %s (%s%s%s)",
				   json_text(json_get(baseline, KEY(commit)), KEY(short), "?"),
				   json_text(baseline, KEY(kind), ""), age ? ", " : "",
				   age ? age : ""));
	const struct {
		const char *label, *key;
	} rows[] = {
		{json_get(run, KEY(timing)) ? "time" : "rate",
		 json_text(json_get(run, KEY(headline)), KEY(key), "total_time")},
		{"MFU", "mfu"},
		{json_get(json_get(run, KEY(metrics)), KEY(mfu)) ? "" : "MFU", "mfu_algorithmic"},
		{terminal_is_gpu(run) ? "DRAM traffic" : "HBM traffic", "hbm_bytes"},
		{"FLOP", "useful_flops"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *words = change_words(baseline, rows[i].key);
		if (words)
			terminal_line(terminal, out, rows[i].label, words);
	}
	const struct json *why = json_get(baseline, KEY(why));
	if (why)
		terminal_line(terminal, out, "why", json_text(why, KEY(text), ""));
}

static void add_versions(struct arena *arena, const struct terminal *terminal,
			 const struct json *run, struct strbuf *out)
{
	struct strbuf sb = {0};
	const struct json *versions = json_get(run, KEY(versions));
	for (const struct json *one = versions ? versions->first : NULL; one; one = one->next) {
		const char *key = json_text(one, KEY(key), "");
		size_t len = strlen(key);
		/* The file's own tool class, if the configuration overrides it. */
		if (strcmp(key, "measured_by") == 0)
			strbuf_addf(&sb, "%smeasured by %s", sb.len ? ", " : "",
				    json_text(one, KEY(text), ""));
		if (len <= 8 || strcmp(key + len - 8, "_version") != 0)
			continue;
		/* The parentheses of an unknown hash are empty. */
		struct span text = span_of(json_text(one, KEY(text), ""));
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
	const struct json *warnings = json_get(run, KEY(warnings));
	for (const struct json *one = warnings ? warnings->first : NULL; one; one = one->next) {
		const char *category = json_text(one, KEY(category), "");
		const char *message = json_text(one, KEY(message), "");
		/* Entries that are not warnings are prefixed with their category. */
		if (strcmp(category, "missing") == 0 || strcmp(category, "note") == 0)
			terminal_line(terminal, out, category, message);
		else
			terminal_line(terminal, out, "warning",
				      arena_printf(arena, "%s (%s)", message, category));
	}
}

/* Physical cores are a property of Neuron runs only. */
static void add_device(struct arena *arena, const struct terminal *terminal, const struct json *run,
		       struct strbuf *out)
{
	double cores = json_number(run, KEY(cores), NAN);
	const char *instance = json_text(run, KEY(instance_type), NULL);
	const struct json *engines = json_get(run, KEY(engines));
	const char *count = "";
	if (cores > 0)
		count = arena_printf(arena, ", %g physical core%s", cores, cores == 1 ? "" : "s");
	else if (!terminal_is_gpu(run) && engines && engines->first)
		count = ", physical cores unknown";
	terminal_line(terminal, out, "device",
		      arena_printf(arena, "%s%s%s%s", json_text(run, KEY(device), "unknown"),
				   instance ? ", " : "", instance ? instance : "", count));
}

void terminal_card(struct arena *arena, const struct terminal *terminal, const struct json *run,
		   bool details, struct strbuf *out)
{
	struct terminal_card card = {.arena = arena, .terminal = terminal, .run = run, .out = out};
	const struct json *commit = json_get(run, KEY(commit));
	terminal_style(terminal, out, TERMINAL_BOLD);
	terminal_wrapped(terminal, out, json_text(run, KEY(title), ""), 0, 2);
	terminal_style(terminal, out, TERMINAL_PLAIN);
	add_device(arena, terminal, run, out);
	if (commit) {
		const struct json *dirty = json_get(commit, KEY(dirty));
		terminal_line(terminal, out, "commit",
			      arena_printf(arena, "%s%s %s", json_text(commit, KEY(short), "?"),
					   dirty && dirty->truth ? " + uncommitted changes" : "",
					   json_text(commit, KEY(subject), "")));
	}
	if (json_get(run, KEY(id)))
		terminal_line(terminal, out, "run",
			      arena_prefix(arena, json_text(run, KEY(id), ""), 12));
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
