/* Tables and cards on a terminal, wrapped to its width; plain ASCII without a UTF-8 locale. */
#include "render/terminal/terminal.h"

#include "render/document/key.h"

#include "base/text/text.h"
#include "render/markup/markup.h"
#include "render/terminal/lines.h"
#include "render/vocabulary/vocabulary.h"

void terminal_style(const struct terminal *terminal, struct strbuf *out, enum terminal_style style)
{
	static const char *const codes[] = {"\033[0m", "\033[1m", "\033[2m", "\033[31m",
					    "\033[32m"};
	if (terminal->color)
		strbuf_addstr(out, codes[style]);
}

size_t terminal_clean(const struct terminal *terminal, struct strbuf *out, const char *text)
{
	size_t start = out->len;
	(terminal->utf8 ? terminal_text : terminal_ascii)(out, span_of(text));
	return utf8_columns((struct span){strbuf_text(out) + start, out->len - start});
}

/* Wraps a text at its separator; the separator is printed as a blank elsewhere. */
static void add_wrapped(const struct terminal *terminal, struct strbuf *out, const char *text,
			char separator, size_t column, size_t indent)
{
	struct strbuf shown = {0};
	bool lines = separator == '\n';
	if (terminal->utf8)
		(lines ? terminal_text_lines : terminal_text)(&shown, span_of(text));
	else
		(lines ? terminal_ascii_lines : terminal_ascii)(&shown, span_of(text));
	vocabulary_close_percents(&shown);
	struct span rest = span_of(strbuf_text(&shown));
	bool first = true;
	while (rest.ptr) {
		struct span word = lines ? span_cut(&rest, separator) : fill_next(&rest);
		/* A piece wider than the line stays whole: it can be an identifier to copy. */
		for (size_t blank = 1, taken = 0; taken < word.len || blank; blank = 0) {
			struct span piece = span_from(word, taken);
			piece.len = lines ? piece.len : fill_piece(piece);
			size_t width = utf8_columns(piece);
			if (!first && column + blank + width > terminal->columns) {
				strbuf_addch(out, '\n');
				strbuf_repeat(out, " ", indent);
				column = indent;
			} else if (!first && blank) {
				strbuf_addch(out, ' ');
				column++;
			}
			strbuf_addspan(out, piece);
			column += width;
			taken += piece.len;
			first = false;
		}
	}
	strbuf_addch(out, '\n');
	strbuf_free(&shown);
}

void terminal_wrapped(const struct terminal *terminal, struct strbuf *out, const char *text,
		      size_t column, size_t indent)
{
	add_wrapped(terminal, out, text, ' ', column, indent);
}

static void add_labelled(const struct terminal *terminal, struct strbuf *out, const char *label,
			 const char *text, char separator)
{
	enum { INDENT = 2 + TERMINAL_LABEL_WIDTH };
	terminal_style(terminal, out, TERMINAL_DIM);
	label = vocabulary_label(label);
	strbuf_addf(out, "  %s", label);
	strbuf_pad(out, utf8_columns(span_of(label)), TERMINAL_LABEL_WIDTH);
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

__attribute__((format(printf, 2, 0))) static const char *text_of(const struct terminal_page *page,
								 const char *format, va_list args)
{
	struct strbuf text = {0};
	strbuf_vaddf(&text, format, args);
	return strbuf_into(&text, page->arena);
}

void terminal_say(const struct terminal_page *page, size_t indent, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	strbuf_repeat(page->out, " ", indent);
	terminal_wrapped(page->terminal, page->out, text_of(page, format, args), indent,
			 indent + 2);
	va_end(args);
}

void terminal_entry(const struct terminal_page *page, const char *label, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	terminal_line(page->terminal, page->out, label, text_of(page, format, args));
	va_end(args);
}

struct md_table terminal_page_table(const struct terminal_page *page)
{
	struct md_table table;
	md_table_init(&table, page->arena);
	table.width = page->terminal->wraps ? page->terminal->columns : 0;
	table.ascii = !page->terminal->utf8;
	table.say = vocabulary_value;
	return table;
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

static void add_engines(const struct terminal_page *card)
{
	enum { CELLS = 20, FEWEST_CELLS = 4, FIGURES = 1 + 10 + 2 + 10 };
	size_t rest = 2 + TERMINAL_LABEL_WIDTH + FIGURES, cells = CELLS;
	size_t columns = card->terminal->columns;
	const struct json *engine = json_first(card->json, KEY(engines));
	if (columns < rest + CELLS)
		cells = columns > rest + FEWEST_CELLS ? columns - rest : 0;
	if (engine) {
		strbuf_addch(card->out, '\n');
		terminal_entry(card, "engines", "%s",
			       vocabulary_label("active share of the run time, active time"));
	}
	for (; engine; engine = engine->next) {
		const struct json *occupancy = json_get(engine, KEY(occupancy));
		double share = json_number(occupancy, KEY(value), NAN);
		strbuf_addstr(card->out, "  ");
		strbuf_pad(card->out,
			   terminal_clean(card->terminal, card->out,
					  json_text(engine, KEY(title), "")),
			   TERMINAL_LABEL_WIDTH);
		size_t used = terminal_bar(card->terminal, card->out, share, cells);
		strbuf_pad(card->out, used, cells);
		strbuf_addf(card->out, " %10s  %10s\n", json_text(occupancy, KEY(text), ""),
			    json_text(json_get(engine, KEY(active_time)), KEY(text), ""));
	}
}

static void add_findings(const struct terminal_page *card)
{
	const struct terminal *terminal = card->terminal;
	const struct json *one = json_first(card->json, KEY(findings));
	if (one)
		strbuf_addch(card->out, '\n');
	for (; one; one = one->next) {
		bool info = strcmp(json_text(one, KEY(severity), ""), "info") == 0;
		const char *advice = json_text(one, KEY(advice), NULL);
		const char *gain = json_text(one, KEY(gain), NULL);
		terminal_style(terminal, card->out, TERMINAL_BOLD);
		strbuf_addstr(card->out, info ? "  + " : "  ! ");
		terminal_style(terminal, card->out, TERMINAL_PLAIN);
		terminal_wrapped(terminal, card->out, json_text(one, KEY(text), ""), 4, 4);
		if (!advice && !gain)
			continue;
		strbuf_addstr(card->out, "    ");
		terminal_style(terminal, card->out, TERMINAL_DIM);
		terminal_wrapped(terminal, card->out,
				 arena_printf(card->arena, "%s%s%s", gain ? gain : "",
					      gain && advice ? ": " : "", advice ? advice : ""),
				 4, 4);
		terminal_style(terminal, card->out, TERMINAL_PLAIN);
	}
}

/* Adds the largest entries of a sum by name in one line: "MATMUL 56 x, 12.20 us". */
static void add_tally(const struct terminal_page *card, const struct json *list, const char *label)
{
	static const char *const figures[] = {"time", "bytes", "flops"};
	static const size_t limit = 5;
	struct strbuf sb = {0};
	size_t count = 0;
	for (const struct json *one = list ? list->first : NULL; one && count < limit;
	     one = one->next, count++) {
		strbuf_addf(&sb, "%s%s %s x", count ? "; " : "", json_text(one, KEY(name), "?"),
			    json_text(json_get(one, KEY(count)), KEY(text), "?"));
		for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
			if (json_get(one, figures[i]))
				strbuf_addf(&sb, ", %s",
					    json_text(json_get(one, figures[i]), KEY(text), "?"));
	}
	if (list && list->count > limit)
		strbuf_addf(&sb, "; %zu more", list->count - limit);
	if (sb.len)
		terminal_entry(card, label, "%s", strbuf_text(&sb));
	strbuf_free(&sb);
}

static void add_work(const struct terminal_page *card)
{
	const struct json *run = card->json, *cores = json_get(run, KEY(cores_work));
	struct strbuf sb = {0};
	for (const struct json *core = cores && cores->count > 1 ? cores->first : NULL; core;
	     core = core->next)
		strbuf_addf(&sb, "%s%s %s cycles, %s", sb.len ? "; " : "",
			    json_text(core, KEY(name), "?"),
			    json_text(json_get(core, KEY(cycles)), KEY(text), "?"),
			    json_text(json_get(core, KEY(flops)), KEY(text), "?"));
	size_t before = card->out->len;
	strbuf_addch(card->out, '\n');
	size_t after = card->out->len;
	if (sb.len)
		terminal_entry(card, "cores", "%s", strbuf_text(&sb));
	strbuf_free(&sb);
	add_tally(card, json_get(run, KEY(opcodes)), "opcodes");
	add_tally(card, json_get(run, KEY(sources)), "source lines");
	add_tally(card, json_get(run, KEY(dma)), "DMA queues");
	add_tally(card, json_get(run, KEY(kernels)), "kernels");
	if (card->out->len == after)
		strbuf_truncate(card->out, before);
}

static void add_baseline(const struct terminal_page *card)
{
	const struct json *run = card->json, *baseline = json_get(run, KEY(baseline));
	const struct json *changes = json_get(baseline, KEY(changes));
	const struct json *why = json_get(baseline, KEY(why));
	const char *age = json_text(baseline, KEY(age_text), NULL);
	if (!baseline)
		return;
	strbuf_addch(card->out, '\n');
	terminal_entry(card, "compared", "with %s (%s%s%s)",
		       json_text(json_get(baseline, KEY(commit)), KEY(short), "?"),
		       json_text(baseline, KEY(kind), ""), age ? ", " : "", age ? age : "");
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
		const char *words = json_text(json_get(changes, rows[i].key), KEY(words), NULL);
		if (words)
			terminal_entry(card, rows[i].label, "%s", words);
	}
	if (why)
		terminal_entry(card, "cause", "%s", json_text(why, KEY(text), ""));
}

/* How the kernel is tiled, and what its tuning tried. */
static void add_tiling(const struct terminal_page *card)
{
	for (const struct json *one = json_first(card->json, KEY(tiling)); one; one = one->next) {
		const char *stage = json_text(one, KEY(stage), "");
		const char *text = json_text(one, KEY(text), ""),
			   *tuning = json_text(one, KEY(tuning), "");
		const char *of = stage[0] ? arena_printf(card->arena, "%s: ", stage) : "";
		if (text[0])
			terminal_entry(card, "tiling", "%s%s", of, text);
		if (tuning[0])
			terminal_entry(card, "tuning", "%s%s", of, tuning);
	}
}

static const char *attribute_of(const struct json *run, const char *key)
{
	for (const struct json *one = json_first(run, KEY(versions)); one; one = one->next)
		if (strcmp(json_text(one, KEY(key), ""), key) == 0)
			return json_text(one, KEY(text), NULL);
	return NULL;
}

/* What the machine did while "run" measured, below the versions or in their place. */
static void add_machine(const struct terminal_page *card, bool below_versions)
{
	static const struct {
		const char *key, *lead;
	} parts[] = {{"machine_load", "load "},     {"cpu_limit", "limit "},
		     {"cpu_governor", "governor "}, {"gpu_clock", "GPU "},
		     {"gpu_temperature", "at "},    {"gpu_slowed_by", "slowed down by "}};
	struct strbuf sb = {0};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const char *text = attribute_of(card->json, parts[i].key);
		if (text)
			strbuf_addf(&sb, "%s%s%s", sb.len ? "; " : "", parts[i].lead, text);
	}
	if (sb.len && !below_versions)
		strbuf_addch(card->out, '\n');
	if (sb.len)
		terminal_entry(card, "machine", "%s", strbuf_text(&sb));
	strbuf_free(&sb);
}

static void add_versions(const struct terminal_page *card)
{
	struct strbuf sb = {0};
	for (const struct json *one = json_first(card->json, KEY(versions)); one; one = one->next) {
		struct span key = span_of(json_text(one, KEY(key), ""));
		struct span text = span_of(json_text(one, KEY(text), ""));
		/* The file's own tool class, if the configuration overrides it. */
		if (span_is(key, "measured_by"))
			strbuf_addf(&sb, "%smeasured by %s", sb.len ? ", " : "", text.ptr);
		if (!span_ends(key, "_version") || span_is(key, "_version"))
			continue;
		/* The parentheses of an unknown hash are empty. */
		if (span_ends(text, " ()"))
			text.len -= strlen(" ()");
		strbuf_addf(&sb, "%s%.*s %.*s", sb.len ? ", " : "",
			    (int)(key.len - strlen("_version")), key.ptr, (int)text.len, text.ptr);
	}
	if (sb.len) {
		strbuf_addch(card->out, '\n');
		terminal_entry(card, "versions", "%s", strbuf_text(&sb));
	}
	add_machine(card, sb.len > 0);
	strbuf_free(&sb);
	for (const struct json *one = json_first(card->json, KEY(warnings)); one; one = one->next) {
		const char *category = json_text(one, KEY(category), "");
		const char *message = json_text(one, KEY(message), "");
		/* The profiler's advice stands among the findings. */
		if (strcmp(category, "ncu") == 0)
			continue;
		/* Entries that are not warnings are prefixed with their category. */
		if (strcmp(category, "missing") == 0 || strcmp(category, "note") == 0)
			terminal_entry(card, category, "%s", message);
		else
			terminal_entry(card, "warning", "%s (%s)", message, category);
	}
}

/* Physical cores are a property of Neuron runs only. */
static void add_device(const struct terminal_page *card)
{
	const struct json *run = card->json;
	double cores = json_number(run, KEY(cores), NAN);
	const char *instance = json_text(run, KEY(instance_type), NULL);
	const char *count = "";
	if (cores > 0)
		count = arena_printf(card->arena, ", %g physical core%s", cores,
				     cores == 1 ? "" : "s");
	else if (!terminal_is_gpu(run) && json_first(run, KEY(engines)))
		count = ", physical cores unknown";
	terminal_entry(card, "device", "%s%s%s%s", json_text(run, KEY(device), "unknown"),
		       instance ? ", " : "", instance ? instance : "", count);
}

void terminal_card(struct arena *arena, const struct terminal *terminal, const struct json *run,
		   bool details, struct strbuf *out)
{
	struct terminal_page card = {.arena = arena, .terminal = terminal, .json = run, .out = out};
	const struct json *commit = json_get(run, KEY(commit));
	terminal_style(terminal, out, TERMINAL_BOLD);
	terminal_wrapped(terminal, out, json_text(run, KEY(title), ""), 0, 2);
	terminal_style(terminal, out, TERMINAL_PLAIN);
	add_device(&card);
	if (json_get(commit, KEY(file)))
		terminal_entry(&card, "file", "%s", json_text(commit, KEY(file), ""));
	else if (commit)
		terminal_entry(&card, "commit", "%s%s %s", json_text(commit, KEY(short), "?"),
			       json_truth(commit, KEY(dirty)) ? " + uncommitted changes" : "",
			       json_text(commit, KEY(subject), ""));
	if (json_get(run, KEY(id)))
		terminal_entry(&card, "run", "%.12s", json_text(run, KEY(id), ""));
	strbuf_addch(out, '\n');
	terminal_key_figures(&card);
	terminal_gpu_lines(&card);
	add_engines(&card);
	add_work(&card);
	add_findings(&card);
	add_baseline(&card);
	add_tiling(&card);
	add_versions(&card);
	if (details)
		terminal_further_metrics(&card);
}
