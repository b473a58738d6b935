/* The key figures of a card. A line is built of pieces, and what is not known is no piece; a line
 * without pieces is not there. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "render/terminal/lines.h"

/* A metric's text; NULL unknown. */
static const char *text_of(const struct json *run, const char *key)
{
	const struct json *metric = json_get(json_get(run, "metrics"), key);
	return metric && !isnan(json_number(metric, "value", NAN)) ? json_text(metric, "text", NULL)
								   : NULL;
}

/* The line that is being made has the metric: it is no further one. */
static void note_shown(struct terminal_card *card, const char *key)
{
	assert(card->shown_count < TERMINAL_SHOWN);
	card->shown[card->shown_count++] = key;
}

/* Its text for a line of the card; NULL unknown. */
static const char *known(struct terminal_card *card, const char *key)
{
	note_shown(card, key);
	return text_of(card->run, key);
}

bool terminal_is_gpu(const struct json *run)
{
	const struct json *gpu = json_get(run, "gpu");
	return gpu && gpu->truth;
}

/* "before text after", after a comma when it is not the first; nothing for an unknown text. */
struct piece {
	const char *before, *key, *after;
};

static void add_piece(struct strbuf *sb, const char *separator, const char *before,
		      const char *text, const char *after)
{
	if (text)
		strbuf_addf(sb, "%s%s%s%s", sb->len ? separator : "", before, text, after);
}

static void add_pieces(struct strbuf *sb, struct terminal_card *card, const struct piece *pieces,
		       size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_piece(sb, ", ", pieces[i].before, known(card, pieces[i].key), pieces[i].after);
}

static void put_line(const struct terminal_card *card, const char *label, struct strbuf *sb)
{
	if (sb->len)
		terminal_line(card->terminal, card->out, label, strbuf_text(sb));
	strbuf_free(sb);
}

static void add_time(struct terminal_card *card)
{
	const struct json *run = card->run;
	struct strbuf sb = {0};
	const struct json *time = json_get(run, "timing");
	/* A run of which only a rate is known has it in its line of work. */
	if (!time && json_get(run, "headline"))
		return;
	const char *basis = json_text(time, "basis", "device time");
	bool host = strcmp(basis, "host time") == 0;
	const char *active = host ? NULL : known(card, "active_fraction");
	note_shown(card, host ? "host_time" : "total_time");
	strbuf_addstr(&sb, time ? json_text(time, "text", "unknown") : "unknown");
	if (active)
		strbuf_addf(&sb, ", of which %s active", active);
	else if (time)
		strbuf_addf(&sb, " (%s)", basis);
	add_piece(&sb, "; ", "", json_text(time, "repeats", NULL), "");
	if (time && !host)
		add_piece(&sb, "; ", "host time ", known(card, "host_time"), "");
	add_piece(&sb, "; ", "", json_text(json_get(run, "samples"), "text", NULL), "");
	put_line(card, "time", &sb);
}

static const char *peak_text(const struct terminal_card *card)
{
	const struct json *peaks = json_get(card->run, "peaks");
	return arena_printf(card->arena, "%s (%s; %s)",
			    json_text(json_get(peaks, "flops"), "text", "unknown"),
			    json_text(peaks, "dtype", "unknown dtype"),
			    json_text(peaks, "flops_source", "no source"));
}

/* Without a device time there is no MFU, and no line. */
static void add_mfu(struct terminal_card *card)
{
	const struct json *run = card->run;
	static const char *const keys[][2] = {{"mfu", "mfu_at_clock"},
					      {"mfu_algorithmic", "mfu_algorithmic_at_clock"}};
	bool said = false;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct strbuf sb = {0};
		const char *mfu = known(card, keys[i][0]), *clock = known(card, keys[i][1]);
		if (!mfu)
			continue;
		strbuf_addf(&sb, "%s%s", mfu, i ? " (algorithmic)" : "");
		const struct json *peak = json_get(json_get(run, "peaks"), "flops");
		if (!said && !isnan(json_number(peak, "value", NAN)))
			strbuf_addf(&sb, " of %s", peak_text(card));
		if (i == 0)
			add_piece(&sb, ", ", "at most ", known(card, "mfu_max_achievable"),
				  " at this intensity");
		add_piece(&sb, "; ", "", clock, " at the measured clock");
		if (clock && !said)
			add_piece(&sb, "", ", of ", known(card, "peak_flops_at_clock"), "");
		put_line(card, said ? "" : "MFU", &sb);
		said = true;
	}
}

static void add_intensity(struct terminal_card *card)
{
	const struct json *run = card->run;
	struct strbuf sb = {0};
	const struct json *peaks = json_get(run, "peaks");
	const struct json *ridge = json_get(peaks, "ridge");
	add_piece(&sb, "", "", known(card, "arithmetic_intensity"), "");
	add_piece(&sb, ", ", "", known(card, "algorithmic_intensity"), " (algorithmic)");
	if (!sb.len)
		return;
	note_shown(card, "ridge_point");
	note_shown(card, "core_ridge_point");
	if (!isnan(json_number(ridge, "value", NAN)))
		strbuf_addf(&sb, "; ridge %s", json_text(ridge, "text", ""));
	if (json_number(run, "cores", NAN) > 1)
		add_piece(&sb, "",
			  " (one core: ", json_text(json_get(peaks, "core_ridge"), "text", NULL),
			  ")");
	put_line(card, "intensity", &sb);
}

static void add_memory(struct terminal_card *card)
{
	const struct json *run = card->run;
	struct strbuf sb = {0};
	add_piece(&sb, "", "", known(card, "hbm_bytes"), "");
	add_piece(&sb, "", " at ", known(card, "achieved_bandwidth"), "");
	add_piece(&sb, ", ", "MBU ", known(card, "mbu"), "");
	add_piece(&sb, ", ", "throughput ", known(card, "dram_throughput"), " of peak");
	put_line(card, terminal_is_gpu(run) ? "DRAM" : "HBM", &sb);
}

/* The caches' traffic, and what of their peak it is. */
static void add_levels(struct terminal_card *card)
{
	const struct json *run = card->run;
	const struct json *levels = json_get(run, "levels");
	for (const struct json *one = levels ? levels->first : NULL; one; one = one->next) {
		struct strbuf sb = {0};
		const char *name = json_text(one, "name", "");
		if (strcmp(name, "DRAM") == 0)
			continue;
		static const struct {
			const char *before, *key;
		} pieces[] = {{"", "bytes"},
			      {" at ", "bandwidth"},
			      {" of ", "peak_bandwidth"},
			      {", ", "intensity"}};
		for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
			const struct json *figure = json_get(one, pieces[i].key);
			if (!isnan(json_number(figure, "value", NAN)))
				add_piece(&sb, "", pieces[i].before, json_text(figure, "text", ""),
					  "");
			if (json_get(figure, "key"))
				note_shown(card, json_text(figure, "key", ""));
		}
		put_line(card, name, &sb);
	}
	note_shown(card, "peak_l1_bandwidth");
	note_shown(card, "peak_l2_bandwidth");
}

/* The work as its formula or its producer states it. */
static void add_work(struct terminal_card *card)
{
	const struct json *run = card->run;
	struct strbuf sb = {0};
	const struct json *work = json_get(run, "work");
	add_piece(&sb, "", "", known(card, "algorithmic_flops"), "");
	add_piece(&sb, " at ", "", known(card, "algorithmic_rate"), "");
	const char *bytes = known(card, "algorithmic_bytes");
	add_piece(&sb, ", ", "", bytes, "");
	add_piece(&sb, bytes ? " at " : ", ", "", known(card, "algorithmic_bandwidth"), "");
	add_piece(&sb, ", ", "", known(card, "throughput"), "");
	put_line(card, "work", &sb);
	if (!work)
		return;
	add_piece(&sb, "", "flops = ", json_text(work, "flops_formula", NULL), "");
	add_piece(&sb, "; ", "bytes = ", json_text(work, "bytes_formula", NULL), "");
	add_piece(&sb, " ", "(", json_text(work, "source", NULL), ")");
	put_line(card, "formula", &sb);
}

/* The class, and every rule's own verdict where they differ. */
static void add_bottleneck(struct terminal_card *card)
{
	const struct json *run = card->run;
	const struct json *bottleneck = json_get(run, "bottleneck");
	const struct json *disagree = json_get(bottleneck, "disagree");
	const struct json *verdicts = json_get(bottleneck, "verdicts");
	static const char *const evidence[] = {"mbu", "tensor_engine_occupancy", "dram_throughput",
					       "tensor_pipe_utilization", "sm_throughput"};
	bool any = strcmp(json_text(bottleneck, "class", "unknown"), "unknown") != 0;
	for (size_t i = 0; i < sizeof evidence / sizeof *evidence; i++)
		any = any || text_of(run, evidence[i]);
	if (any)
		terminal_line(card->terminal, card->out, "bottleneck",
			      arena_printf(card->arena, "%s: %s",
					   json_text(bottleneck, "title", "Unknown"),
					   json_text(bottleneck, "reason", "")));
	if (json_get(bottleneck, "roofline")) {
		terminal_line(card->terminal, card->out, "roofline",
			      json_text(bottleneck, "roofline", ""));
		note_shown(card, "attainable_flops");
		note_shown(card, "roofline_efficiency");
	}
	for (const struct json *one = disagree && disagree->truth && verdicts ? verdicts->first
									      : NULL;
	     one; one = one->next) {
		const char *rule = json_text(one, "rule", "");
		if (strcmp(rule, "roofline") == 0)
			continue;
		terminal_line(card->terminal, card->out, rule,
			      arena_printf(card->arena, "%s: %s", json_text(one, "title", ""),
					   json_text(one, "reason", "")));
	}
}

void terminal_key_figures(struct terminal_card *card)
{
	add_time(card);
	add_mfu(card);
	add_intensity(card);
	add_memory(card);
	add_levels(card);
	add_work(card);
	add_bottleneck(card);
}

void terminal_gpu_lines(struct terminal_card *card)
{
	static const struct {
		const char *label;
		struct piece pieces[6];
	} rows[] = {
		{"throughput",
		 {{"SM ", "sm_throughput", ""},
		  {"memory ", "memory_throughput", ""},
		  {"DRAM ", "dram_throughput", ""},
		  {"L2 ", "l2_throughput", ""},
		  {"L1 ", "l1_throughput", ""}}},
		{"occupancy",
		 {{"", "achieved_occupancy", " achieved"},
		  {"", "theoretical_occupancy", " theoretical"}}},
		{"tensor pipe", {{"", "tensor_pipe_utilization", " active"}}},
		{"issue slots", {{"", "issue_slots_busy", " busy"}}},
		{"cache hits", {{"L1 ", "l1_hit_rate", ""}, {"L2 ", "l2_hit_rate", ""}}},
		{"launch",
		 {{"", "grid_size", " blocks"},
		  {"", "block_size", " threads a block"},
		  {"", "waves_per_sm", " waves per SM"},
		  {"", "registers_per_thread", " registers a thread"}}},
		{"launches", {{"", "launch_count", ""}}},
		{"shared memory",
		 {{"", "shared_memory_static_bytes", " static"},
		  {"", "shared_memory_dynamic_bytes", " dynamic"}}},
		{"spills",
		 {{"", "local_spilling_requests", " requests"},
		  {"", "local_spilling_overhead", " of the local memory instructions"}}},
		{"clock", {{"SM ", "sm_clock", ""}, {"memory ", "memory_clock", ""}}},
	};
	bool first = true;
	if (!terminal_is_gpu(card->run))
		return;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf sb = {0};
		size_t count = 0;
		while (count < 6 && rows[i].pieces[count].key)
			count++;
		add_pieces(&sb, card, rows[i].pieces, count);
		if (sb.len && first)
			strbuf_addch(card->out, '\n');
		first = first && !sb.len;
		put_line(card, rows[i].label, &sb);
	}
}

/* The rows of engines have these two of each. */
static bool is_of_engine(const struct json *run, struct span key)
{
	const struct json *engines = json_get(run, "engines");
	if (!span_ends(key, "_occupancy") && !span_ends(key, "_active_time"))
		return false;
	for (const struct json *one = engines ? engines->first : NULL; one; one = one->next)
		if (span_starts(key, json_text(one, "name", "?")))
			return true;
	return false;
}

static bool is_further(const struct terminal_card *card, const char *key)
{
	for (size_t i = 0; i < card->shown_count; i++)
		if (strcmp(card->shown[i], key) == 0)
			return false;
	return !is_of_engine(card->run, span_of(key));
}

void terminal_further_metrics(const struct terminal_card *card)
{
	struct strbuf sb = {0};
	const struct json *rows = json_get(card->run, "metric_rows");
	for (const struct json *one = rows ? rows->first : NULL; one; one = one->next)
		if (is_further(card, json_text(one, "key", "")))
			strbuf_addf(&sb, "%s%s %s", sb.len ? ";\n" : "",
				    json_text(one, "title", ""), json_text(one, "text", "?"));
	if (sb.len) {
		strbuf_addch(card->out, '\n');
		terminal_items(card->terminal, card->out, "further", strbuf_text(&sb));
	}
	strbuf_free(&sb);
}
