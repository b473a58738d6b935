/* Terminal tables and cards, wrapped to the width, plain where the locale is. */
#include "render/terminal.h"

#include <math.h>
#include <string.h>

#include "base/quantity.h"
#include "base/utf8.h"
#include "render/table.h"

static const char bold[] = "\033[1m", dim[] = "\033[2m", plain[] = "\033[0m";

static void style(const struct terminal *terminal, struct strbuf *out, const char *code)
{
	if (terminal->color)
		strbuf_addstr(out, code);
}

/* Control characters never reach a terminal; without UTF-8 nothing beyond ASCII does. */
static void add_clean(const struct terminal *terminal, struct strbuf *out, struct span text)
{
	for (size_t i = 0; i < text.len;) {
		uint32_t code;
		size_t len = utf8_next((struct span){text.ptr + i, text.len - i}, &code);
		bool shown =
			len && code >= 0x20 && code != 0x7f && !(code >= 0x80 && code < 0xa0) &&
			!(code >= 0x202a && code <= 0x202e) && !(code >= 0x2066 && code <= 0x2069);
		if (shown && (code < 0x80 || terminal->utf8))
			strbuf_add(out, text.ptr + i, len);
		else
			strbuf_addch(out, '?');
		i += len ? len : 1;
	}
}

/* Words of `text` from column `indent` on, broken before the right margin. `column` is where
 * the cursor stands. */
static void add_wrapped(const struct terminal *terminal, struct strbuf *out, const char *text,
			size_t column, size_t indent)
{
	struct span rest = span_of(text);
	bool first = true;
	while (rest.ptr) {
		struct span word = span_cut(&rest, ' ');
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

static const char *metric_text(const struct json *run, const char *key)
{
	return json_text(json_get(json_get(run, "metrics"), key), "text", "unknown");
}

static double metric_number(const struct json *run, const char *key)
{
	return json_number(json_get(json_get(run, "metrics"), key), "value", NAN);
}

enum { label_width = 14 };

static void add_line(const struct terminal *terminal, struct strbuf *out, const char *label,
		     const char *text)
{
	style(terminal, out, dim);
	strbuf_addf(out, "  %-*s", label_width, label);
	style(terminal, out, plain);
	add_wrapped(terminal, out, text, 2 + label_width, 2 + label_width);
}

static void add_key_figures(struct arena *arena, const struct terminal *terminal,
			    const struct json *run, struct strbuf *out)
{
	const struct json *peaks = json_get(run, "peaks");
	const char *samples = json_text(json_get(run, "samples"), "text", NULL);
	add_line(terminal, out, "time",
		 arena_printf(arena, "%s, of which %s active%s%s", metric_text(run, "total_time"),
			      metric_text(run, "active_fraction"), samples ? "; " : "",
			      samples ? samples : ""));
	add_line(terminal, out, "MFU",
		 arena_printf(arena, "%s of %s (%s; %s), at most %s at this intensity",
			      metric_text(run, "mfu"),
			      json_text(json_get(peaks, "flops"), "text", "unknown"),
			      json_text(peaks, "dtype", "unknown dtype"),
			      json_text(peaks, "flops_source", "no source"),
			      metric_text(run, "mfu_max_achievable")));
	const char *core_ridge = json_text(json_get(peaks, "core_ridge"), "text", "unknown");
	double cores = json_number(run, "cores", NAN);
	add_line(terminal, out, "intensity",
		 arena_printf(arena, "%s; ridge %s%s", metric_text(run, "arithmetic_intensity"),
			      json_text(json_get(peaks, "ridge"), "text", "unknown"),
			      cores > 1 ? arena_printf(arena, " (one core: %s)", core_ridge) : ""));
	add_line(terminal, out, "HBM",
		 arena_printf(arena, "%s at %s, MBU %s", metric_text(run, "hbm_bytes"),
			      metric_text(run, "achieved_bandwidth"), metric_text(run, "mbu")));
	const struct json *bottleneck = json_get(run, "bottleneck");
	add_line(terminal, out, "bottleneck",
		 arena_printf(arena, "%s: %s", json_text(bottleneck, "title", "Unknown"),
			      json_text(bottleneck, "reason", "")));
	if (json_get(bottleneck, "roofline"))
		add_line(terminal, out, "roofline", json_text(bottleneck, "roofline", ""));
}

static void add_bar(const struct terminal *terminal, struct strbuf *out, double fraction,
		    const char *bar)
{
	if (terminal->utf8) {
		strbuf_addstr(out, bar);
		strbuf_repeat(out, " ", 21 - utf8_columns(span_of(bar)));
		return;
	}
	size_t cells = isnan(fraction) ? 0 : (size_t)lround(fmin(fmax(fraction, 0), 1) * 20);
	strbuf_repeat(out, "#", cells);
	strbuf_repeat(out, " ", 21 - cells);
}

static void add_engines(const struct terminal *terminal, const struct json *run, struct strbuf *out)
{
	const struct json *engines = json_get(run, "engines");
	if (!engines || !engines->first)
		return;
	strbuf_addch(out, '\n');
	for (const struct json *engine = engines->first; engine; engine = engine->next) {
		const struct json *occupancy = json_get(engine, "occupancy");
		strbuf_addf(out, "  %-*s", label_width, json_text(engine, "title", ""));
		add_bar(terminal, out, json_number(occupancy, "value", NAN),
			json_text(engine, "bar", ""));
		strbuf_addf(out, "%10s  %10s\n", json_text(occupancy, "text", ""),
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
		style(terminal, out, bold);
		strbuf_addstr(out, info ? "  + " : "  ! ");
		style(terminal, out, plain);
		add_wrapped(terminal, out, json_text(one, "text", ""), 4, 4);
		const char *advice = json_text(one, "advice", NULL);
		const char *gain = json_text(one, "gain", NULL);
		if (!advice && !gain)
			continue;
		strbuf_addstr(out, "    ");
		style(terminal, out, dim);
		add_wrapped(terminal, out,
			    arena_printf(arena, "%s%s%s", gain ? gain : "",
					 gain && advice ? ": " : "", advice ? advice : ""),
			    4, 4);
		style(terminal, out, plain);
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
		add_line(terminal, out, label, strbuf_into(&sb, arena));
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
	strbuf_addch(out, '\n');
	if (sb.len)
		add_line(terminal, out, "cores", strbuf_into(&sb, arena));
	strbuf_free(&sb);
	add_tally(arena, terminal, json_get(run, "opcodes"), "opcodes", out);
	add_tally(arena, terminal, json_get(run, "sources"), "source lines", out);
	add_tally(arena, terminal, json_get(run, "dma"), "DMA queues", out);
}

static const char *change_words(const struct json *baseline, const char *key)
{
	return json_text(json_get(json_get(baseline, "changes"), key), "words", "unknown");
}

static void add_baseline(struct arena *arena, const struct terminal *terminal,
			 const struct json *run, struct strbuf *out)
{
	const struct json *baseline = json_get(run, "baseline");
	if (!baseline)
		return;
	strbuf_addch(out, '\n');
	const char *age = json_text(baseline, "age_text", NULL);
	add_line(terminal, out, "compared",
		 arena_printf(arena, "with %s (%s%s%s)",
			      json_text(json_get(baseline, "commit"), "short", "?"),
			      json_text(baseline, "kind", ""), age ? ", " : "", age ? age : ""));
	static const struct {
		const char *label, *key;
	} rows[] = {{"time", "total_time"},
		    {"MFU", "mfu"},
		    {"HBM traffic", "hbm_bytes"},
		    {"FLOP", "useful_flops"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		add_line(terminal, out, rows[i].label, change_words(baseline, rows[i].key));
}

static void add_versions(struct arena *arena, const struct terminal *terminal,
			 const struct json *run, struct strbuf *out)
{
	struct strbuf sb = {0};
	const struct json *versions = json_get(run, "versions");
	for (const struct json *one = versions ? versions->first : NULL; one; one = one->next) {
		const char *key = json_text(one, "key", "");
		size_t len = strlen(key);
		if (len <= 8 || strcmp(key + len - 8, "_version") != 0)
			continue;
		strbuf_addf(&sb, "%s%.*s %s", sb.len ? ", " : "", (int)(len - 8), key,
			    json_text(one, "text", ""));
	}
	if (sb.len) {
		strbuf_addch(out, '\n');
		add_line(terminal, out, "versions", strbuf_into(&sb, arena));
	}
	strbuf_free(&sb);
	const struct json *warnings = json_get(run, "warnings");
	for (const struct json *one = warnings ? warnings->first : NULL; one; one = one->next)
		add_line(terminal, out, "warning",
			 arena_printf(arena, "%s (%s)", json_text(one, "message", ""),
				      json_text(one, "category", "")));
}

void terminal_card(struct arena *arena, const struct terminal *terminal, const struct json *run,
		   struct strbuf *out)
{
	const struct json *commit = json_get(run, "commit");
	style(terminal, out, bold);
	add_wrapped(terminal, out, json_text(run, "title", ""), 0, 2);
	style(terminal, out, plain);
	double cores = json_number(run, "cores", NAN);
	const char *instance = json_text(run, "instance_type", NULL);
	add_line(terminal, out, "device",
		 arena_printf(arena, "%s%s%s, %s", json_text(run, "device", "unknown"),
			      instance ? ", " : "", instance ? instance : "",
			      cores > 0 ? arena_printf(arena, "%g physical core%s", cores,
						       cores == 1 ? "" : "s")
					: "physical cores unknown"));
	if (commit) {
		const struct json *dirty = json_get(commit, "dirty");
		add_line(terminal, out, "commit",
			 arena_printf(arena, "%s%s %s", json_text(commit, "short", "?"),
				      dirty && dirty->truth ? " + uncommitted changes" : "",
				      json_text(commit, "subject", "")));
	}
	if (json_get(run, "id"))
		add_line(terminal, out, "run", arena_strndup(arena, json_text(run, "id", ""), 12));
	strbuf_addch(out, '\n');
	add_key_figures(arena, terminal, run, out);
	add_engines(terminal, run, out);
	add_work(arena, terminal, run, out);
	add_findings(arena, terminal, run, out);
	add_baseline(arena, terminal, run, out);
	add_versions(arena, terminal, run, out);
}

static const char *name_of(const struct json *run)
{
	return json_text(run, "name", json_text(run, "kernel", "?"));
}

/* One rule over all runs: how many it concerns, and its sentence for the first of them. */
struct concern {
	const char *rule, *text;
	const struct json *first;
	size_t runs;
};

enum { concern_limit = 32 };

static void count_finding(struct concern *concerns, size_t *count, const struct json *run,
			  const struct json *finding)
{
	const char *rule = json_text(finding, "rule", "");
	if (strcmp(json_text(finding, "severity", ""), "info") == 0)
		return;
	for (size_t i = 0; i < *count; i++)
		if (strcmp(concerns[i].rule, rule) == 0) {
			concerns[i].runs++;
			return;
		}
	if (*count < concern_limit)
		concerns[(*count)++] =
			(struct concern){rule, json_text(finding, "text", ""), run, 1};
}

/* What the runs have in common is said once. */
static void add_concerns(struct arena *arena, const struct terminal *terminal,
			 const struct json *runs, struct strbuf *out)
{
	struct concern concerns[concern_limit];
	size_t count = 0;
	for (const struct json *run = runs->first; run; run = run->next) {
		const struct json *findings = json_get(run, "findings");
		for (const struct json *one = findings ? findings->first : NULL; one;
		     one = one->next)
			count_finding(concerns, &count, run, one);
	}
	if (count)
		strbuf_addch(out, '\n');
	for (size_t i = 0; i < count; i++) {
		const struct concern *one = &concerns[i];
		const char *whom = one->runs == runs->count && runs->count > 1 ? "all runs"
				   : one->runs == 1                            ? name_of(one->first)
						    : arena_printf(arena, "%zu of %zu runs",
								   one->runs, runs->count);
		strbuf_addstr(out, "! ");
		add_wrapped(terminal, out,
			    arena_printf(arena, "%s: %s%s", whom, one->runs > 1 ? "e.g. " : "",
					 one->text),
			    2, 4);
	}
}

void terminal_table(struct arena *arena, const struct terminal *terminal, const struct json *report,
		    struct strbuf *out)
{
	static const struct {
		const char *title, *key;
		double scale; /* 0: as the document's text says it, unit and all */
	} columns[] = {{"time", "total_time", 0},
		       {"MFU%", "mfu", 100},
		       {"FLOP/B", "arithmetic_intensity", 1},
		       {"roof%", "roofline_efficiency", 100},
		       {"tensor%", "tensor_engine_occupancy", 100},
		       {"DMA%", "dma_occupancy", 100}};
	const size_t count = sizeof columns / sizeof *columns;
	const char *common = json_text(report, "common", "");
	struct md_table table;
	if (common[0])
		add_wrapped(terminal, out, arena_printf(arena, "all %s", common), 0, 4);
	if (common[0])
		strbuf_addch(out, '\n');
	md_table_init(&table, arena);
	md_table_column(&table, "run", MD_ALIGN_LEFT);
	for (size_t i = 0; i < count; i++)
		md_table_column(&table, columns[i].title, MD_ALIGN_RIGHT);
	md_table_column(&table, "bound", MD_ALIGN_LEFT);
	const struct json *runs = json_get(report, "runs");
	for (const struct json *run = runs ? runs->first : NULL; run; run = run->next) {
		md_table_cell(&table, name_of(run));
		for (size_t i = 0; i < count; i++) {
			double number = metric_number(run, columns[i].key) * columns[i].scale;
			const char *text = columns[i].scale == 0
						   ? metric_text(run, columns[i].key)
						   : quantity_text(arena, number, UNIT_NONE);
			md_table_cell(&table, isnan(number) ? "?" : text);
		}
		md_table_cell(&table, json_text(json_get(run, "bottleneck"), "class", "?"));
	}
	md_table_plain(&table, out);
	if (runs)
		add_concerns(arena, terminal, runs, out);
}
