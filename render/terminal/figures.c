/* The key figures of a card. A line is built of pieces; an unknown piece is left out, and a line
 * without pieces is not printed. */

#include "render/document/key.h"
#include "base/base.h"
#include "render/terminal/lines.h"
#include "render/vocabulary/vocabulary.h"

/* A metric's text; NULL: unknown. */
static const char *text_of(const struct json *run, const char *key)
{
	const struct json *metric = json_get(json_get(run, KEY(metrics)), key);
	return metric && !isnan(json_number(metric, KEY(value), NAN))
		       ? json_text(metric, KEY(text), NULL)
		       : NULL;
}

/* Notes that the current line shows the metric, so that terminal_further_metrics() skips it. */
static void note_shown(struct terminal_page *card, const char *key)
{
	assert(card->shown_count < TERMINAL_SHOWN);
	card->shown[card->shown_count++] = key;
}

/* A metric's text for a line of the card, noted as shown; NULL: unknown. */
static const char *known(struct terminal_page *card, const char *key)
{
	note_shown(card, key);
	return text_of(card->json, key);
}

bool terminal_is_gpu(const struct json *run)
{
	return json_truth(run, KEY(gpu));
}

/* "before text after", preceded by a comma unless it is the first; nothing if the text is
 * unknown. */
struct piece {
	const char *before, *key, *after;
};

static void add_piece(struct strbuf *sb, const char *separator, const char *before,
		      const char *text, const char *after)
{
	if (text)
		strbuf_addf(sb, "%s%s%s%s", sb->len ? vocabulary_label(separator) : "",
			    vocabulary_label(before), text, vocabulary_label(after));
}

static void add_pieces(struct strbuf *sb, struct terminal_page *card, const struct piece *pieces,
		       size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_piece(sb, ", ", pieces[i].before, known(card, pieces[i].key), pieces[i].after);
}

static void put_line(const struct terminal_page *card, const char *label, struct strbuf *sb)
{
	if (sb->len)
		terminal_entry(card, label, "%s", strbuf_text(sb));
	strbuf_free(sb);
}

static void add_time(struct terminal_page *card)
{
	const struct json *run = card->json;
	struct strbuf sb = {0};
	const struct json *time = json_get(run, KEY(timing));
	/* A run with a rate but no time shows the rate in its line of work. */
	if (!time && json_get(run, KEY(headline)))
		return;
	const char *basis = json_text(time, KEY(basis), "device time");
	bool host = strcmp(basis, "host time") == 0;
	const char *active = host ? NULL : known(card, KEY(active_fraction));
	note_shown(card, host ? "host_time" : "total_time");
	strbuf_addstr(&sb, time ? json_text(time, KEY(text), "unknown") : "unknown");
	if (active)
		strbuf_addf(&sb, "%s%s%s", vocabulary_label(", engines active "), active,
			    vocabulary_label(" of it"));
	else if (time)
		strbuf_addf(&sb, " (%s)", vocabulary_label(basis));
	add_piece(&sb, "; ", "", json_text(time, KEY(repeats), NULL), "");
	if (time && !host)
		add_piece(&sb, "; ", "host time ", known(card, KEY(host_time)), "");
	add_piece(&sb, "; ", "", json_text(json_get(run, KEY(samples)), KEY(text), NULL), "");
	put_line(card, "time", &sb);
}

static const char *peak_text(const struct terminal_page *card)
{
	const struct json *peaks = json_get(card->json, KEY(peaks));
	return arena_printf(card->arena, "%s (%s; %s)",
			    json_text(json_get(peaks, KEY(flops)), KEY(text), "unknown"),
			    json_text(peaks, KEY(dtype), "unknown dtype"),
			    json_text(peaks, KEY(flops_source), "unknown source"));
}

/* MFU requires a device time; without one the line is not printed. */
static void add_mfu(struct terminal_page *card)
{
	const struct json *run = card->json;
	static const char *const keys[][2] = {{"mfu", "mfu_at_clock"},
					      {"mfu_algorithmic", "mfu_algorithmic_at_clock"}};
	bool first = true;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct strbuf sb = {0};
		const char *mfu = known(card, keys[i][0]), *clock = known(card, keys[i][1]);
		if (!mfu)
			continue;
		strbuf_addf(&sb, "%s%s", mfu, i ? " (algorithmic)" : "");
		const struct json *peak = json_get(json_get(run, KEY(peaks)), KEY(flops));
		if (first && !isnan(json_number(peak, KEY(value), NAN)))
			strbuf_addf(&sb, "%s%s", vocabulary_label(" of "), peak_text(card));
		if (i == 0)
			add_piece(&sb, ", ", "at most ", known(card, KEY(mfu_max_achievable)),
				  " at this arithmetic intensity");
		add_piece(&sb, "; ", "", clock, " at the measured clock");
		if (clock && first)
			add_piece(&sb, "", ", of ", known(card, KEY(peak_flops_at_clock)), "");
		put_line(card, first ? "MFU" : "", &sb);
		first = false;
	}
}

/* HFU counts all FLOP that the hardware executed, MFU only the useful ones. */
static void add_hfu(struct terminal_page *card)
{
	struct strbuf sb = {0};
	const char *hfu = known(card, KEY(hfu));
	const char *all = text_of(card->json, "adjusted_hardware_flops");
	const char *transposes = text_of(card->json, "adjusted_transpose_flops");
	if (!hfu)
		return;
	all = all ? all : known(card, "hardware_flops");
	transposes = transposes ? transposes : known(card, "transpose_flops");
	strbuf_addf(&sb, "%s%s%s%s", hfu, vocabulary_label(" of the same peak: all "),
		    all ? all : "FLOP", vocabulary_label(" executed"));
	if (transposes && strcmp(transposes, "0 FLOP") != 0)
		add_piece(&sb, "", ", ", transposes, " of them transposes");
	put_line(card, "HFU", &sb);
}

static void add_intensity(struct terminal_page *card)
{
	const struct json *run = card->json;
	struct strbuf sb = {0};
	const struct json *peaks = json_get(run, KEY(peaks));
	const struct json *ridge = json_get(peaks, KEY(ridge));
	add_piece(&sb, "", "", known(card, KEY(arithmetic_intensity)), "");
	add_piece(&sb, ", ", "", known(card, KEY(algorithmic_intensity)), " (algorithmic)");
	if (!sb.len)
		return;
	note_shown(card, "ridge_point");
	note_shown(card, "core_ridge_point");
	if (!isnan(json_number(ridge, KEY(value), NAN)))
		strbuf_addf(&sb, "%s%s%s", vocabulary_label("; "), vocabulary_label("ridge "),
			    json_text(ridge, KEY(text), ""));
	if (json_number(run, KEY(cores), NAN) > 1)
		add_piece(&sb, "", " (one core: ",
			  json_text(json_get(peaks, KEY(core_ridge)), KEY(text), NULL), ")");
	put_line(card, "intensity", &sb);
}

static void add_memory(struct terminal_page *card)
{
	const struct json *run = card->json;
	struct strbuf sb = {0};
	add_piece(&sb, "", "", known(card, KEY(hbm_bytes)), "");
	add_piece(&sb, "", " at ", known(card, KEY(achieved_bandwidth)), "");
	const struct json *peak = json_get(json_get(run, KEY(peaks)), KEY(bandwidth));
	bool has_peak = !isnan(json_number(peak, KEY(value), NAN));
	const char *of = has_peak ? arena_printf(card->arena, "%s%s", vocabulary_label(" of "),
						 json_text(peak, KEY(text), "unknown"))
				  : "";
	add_piece(&sb, ", ", "MBU ", known(card, KEY(mbu)), of);
	add_piece(&sb, ", ", "throughput ", known(card, KEY(dram_throughput)), " of peak");
	put_line(card, terminal_is_gpu(run) ? "DRAM" : "HBM", &sb);
}

/* Adds the caches' traffic and its share of their peak. */
static void add_levels(struct terminal_page *card)
{
	for (const struct json *one = json_first(card->json, KEY(levels)); one; one = one->next) {
		struct strbuf sb = {0};
		const char *name = json_text(one, KEY(name), "");
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
			if (!isnan(json_number(figure, KEY(value), NAN)))
				add_piece(&sb, "", pieces[i].before,
					  json_text(figure, KEY(text), ""), "");
			if (json_get(figure, KEY(key)))
				note_shown(card, json_text(figure, KEY(key), ""));
		}
		put_line(card, name, &sb);
	}
	note_shown(card, "peak_l1_bandwidth");
	note_shown(card, "peak_l2_bandwidth");
}

/* Adds the work as given by its formula or by the producer of the profile. */
static void add_work(struct terminal_page *card)
{
	const struct json *run = card->json;
	struct strbuf sb = {0};
	const struct json *work = json_get(run, KEY(work));
	add_piece(&sb, "", "", known(card, KEY(algorithmic_flops)), "");
	add_piece(&sb, " at ", "", known(card, KEY(algorithmic_rate)), "");
	const char *bytes = known(card, KEY(algorithmic_bytes));
	add_piece(&sb, ", ", "", bytes, "");
	add_piece(&sb, bytes ? " at " : ", ", "", known(card, KEY(algorithmic_bandwidth)), "");
	add_piece(&sb, ", ", "", known(card, KEY(throughput)), "");
	put_line(card, "work", &sb);
	if (!work)
		return;
	add_piece(&sb, "", "flops = ", json_text(work, KEY(flops_formula), NULL), "");
	add_piece(&sb, "; ", "bytes = ", json_text(work, KEY(bytes_formula), NULL), "");
	add_piece(&sb, " ", "(", json_text(work, KEY(source), NULL), ")");
	put_line(card, "formula", &sb);
}

/* Adds the class and, if the rules disagree, the verdict of each. */
static void add_bottleneck(struct terminal_page *card)
{
	const struct json *run = card->json;
	const struct json *bottleneck = json_get(run, KEY(bottleneck));
	bool disagree = json_truth(bottleneck, KEY(disagree));
	static const char *const evidence[] = {"mbu", "tensor_engine_occupancy", "dram_throughput",
					       "tensor_pipe_utilization", "sm_throughput"};
	bool any = strcmp(json_text(bottleneck, KEY(class), "unknown"), "unknown") != 0;
	for (size_t i = 0; i < sizeof evidence / sizeof *evidence; i++)
		any = any || text_of(run, evidence[i]);
	if (any)
		terminal_entry(card, "bottleneck", "%s%s%s",
			       json_text(bottleneck, KEY(title), "Unknown"), vocabulary_label(": "),
			       json_text(bottleneck, KEY(reason), ""));
	if (json_get(bottleneck, KEY(roofline))) {
		terminal_entry(card, "roofline", "%s", json_text(bottleneck, KEY(roofline), ""));
		note_shown(card, "attainable_flops");
		note_shown(card, "roofline_efficiency");
	}
	for (const struct json *one = disagree ? json_first(bottleneck, KEY(verdicts)) : NULL; one;
	     one = one->next) {
		const char *rule = json_text(one, KEY(rule), "");
		if (strcmp(rule, "roofline") == 0)
			continue;
		terminal_entry(card, rule, "%s: %s", json_text(one, KEY(title), ""),
			       json_text(one, KEY(reason), ""));
	}
}

void terminal_key_figures(struct terminal_page *card)
{
	add_time(card);
	add_mfu(card);
	add_hfu(card);
	add_intensity(card);
	add_memory(card);
	add_levels(card);
	add_work(card);
	add_bottleneck(card);
}

void terminal_gpu_lines(struct terminal_page *card)
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
		  {"", "block_size", " threads per block"},
		  {"", "waves_per_sm", " waves per SM"},
		  {"", "registers_per_thread", " registers per thread"}}},
		{"launches", {{"", "launch_count", ""}}},
		{"schedule",
		 {{"", "launch_latency", " after the call"},
		  {"GPU idle ", "idle_before_launch", " before"},
		  {"with kernels ", "kernel_overlap", ""},
		  {"with copies ", "copy_overlap", ""}}},
		{"shared memory",
		 {{"", "shared_memory_static_bytes", " static"},
		  {"", "shared_memory_dynamic_bytes", " dynamic"}}},
		{"global access",
		 {{"", "global_load_sectors_per_request", " sectors per load request"},
		  {"", "global_store_sectors_per_request", " per store request"},
		  {"efficiency of loads ", "global_load_efficiency", ""},
		  {"of stores ", "global_store_efficiency", ""}}},
		{"shared access",
		 {{"", "shared_bank_conflicts", " bank conflicts"},
		  {"", "shared_bank_conflict_share", " of the wavefronts"}}},
		{"spills",
		 {{"", "local_spilling_requests", " requests"},
		  {"", "local_spilling_overhead", " of local memory instructions"}}},
		{"clock", {{"SM ", "sm_clock", ""}, {"memory ", "memory_clock", ""}}},
	};
	bool first = true;
	if (!terminal_is_gpu(card->json))
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

/* Whether the metric is one of the two that the rows of engines already show. */
static bool is_of_engine(const struct json *run, struct span key)
{
	if (!span_ends(key, "_occupancy") && !span_ends(key, "_active_time"))
		return false;
	for (const struct json *one = json_first(run, KEY(engines)); one; one = one->next)
		if (span_starts(key, json_text(one, KEY(name), "?")))
			return true;
	return false;
}

static bool is_further(const struct terminal_page *card, const char *key)
{
	for (size_t i = 0; i < card->shown_count; i++)
		if (strcmp(card->shown[i], key) == 0)
			return false;
	return !is_of_engine(card->json, span_of(key));
}

void terminal_further_metrics(const struct terminal_page *card)
{
	struct strbuf sb = {0};
	for (const struct json *one = json_first(card->json, KEY(metric_rows)); one;
	     one = one->next)
		if (is_further(card, json_text(one, KEY(key), "")))
			strbuf_addf(&sb, "%s%s %s", sb.len ? ";\n" : "",
				    json_text(one, KEY(title), ""), json_text(one, KEY(text), "?"));
	if (sb.len) {
		strbuf_addch(card->out, '\n');
		terminal_items(card->terminal, card->out, "further", strbuf_text(&sb));
	}
	strbuf_free(&sb);
}
