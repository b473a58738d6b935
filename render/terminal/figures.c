/* The key figures of a card. A line is built of pieces, and what is not known is no piece; a line
 * without pieces is not there. */
#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "render/terminal/lines.h"

/* A metric's text; NULL unknown. */
static const char *known(const struct json *run, const char *key)
{
	const struct json *metric = json_get(json_get(run, "metrics"), key);
	return metric && !isnan(json_number(metric, "value", NAN)) ? json_text(metric, "text", NULL)
								   : NULL;
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

static void add_pieces(struct strbuf *sb, const struct json *run, const struct piece *pieces,
		       size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_piece(sb, ", ", pieces[i].before, known(run, pieces[i].key), pieces[i].after);
}

static void put_line(const struct terminal *terminal, struct strbuf *out, const char *label,
		     struct strbuf *sb)
{
	if (sb->len)
		terminal_line(terminal, out, label, strbuf_text(sb));
	strbuf_free(sb);
}

static void add_time(const struct terminal *terminal, const struct json *run, struct strbuf *out)
{
	struct strbuf sb = {0};
	const struct json *time = json_get(run, "timing");
	/* A run of which only a rate is known has it in its line of work. */
	if (!time && json_get(run, "headline"))
		return;
	const char *active = known(run, "active_fraction");
	const char *basis = json_text(time, "basis", "device time");
	bool host = strcmp(basis, "host time") == 0;
	strbuf_addstr(&sb, time ? json_text(time, "text", "unknown") : "unknown");
	if (active && !host)
		strbuf_addf(&sb, ", of which %s active", active);
	else if (time)
		strbuf_addf(&sb, " (%s)", basis);
	add_piece(&sb, "; ", "", json_text(time, "repeats", NULL), "");
	if (time && !host)
		add_piece(&sb, "; ", "host time ", known(run, "host_time"), "");
	add_piece(&sb, "; ", "", json_text(json_get(run, "samples"), "text", NULL), "");
	put_line(terminal, out, "time", &sb);
}

static const char *peak_text(struct arena *arena, const struct json *run)
{
	const struct json *peaks = json_get(run, "peaks");
	return arena_printf(arena, "%s (%s; %s)",
			    json_text(json_get(peaks, "flops"), "text", "unknown"),
			    json_text(peaks, "dtype", "unknown dtype"),
			    json_text(peaks, "flops_source", "no source"));
}

/* Without a device time there is no MFU, and no line. */
static void add_mfu(struct arena *arena, const struct terminal *terminal, const struct json *run,
		    struct strbuf *out)
{
	static const char *const keys[][2] = {{"mfu", "mfu_at_clock"},
					      {"mfu_algorithmic", "mfu_algorithmic_at_clock"}};
	bool said = false;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct strbuf sb = {0};
		const char *mfu = known(run, keys[i][0]), *clock = known(run, keys[i][1]);
		if (!mfu)
			continue;
		strbuf_addf(&sb, "%s%s", mfu, i ? " (algorithmic)" : "");
		const struct json *peak = json_get(json_get(run, "peaks"), "flops");
		if (!said && !isnan(json_number(peak, "value", NAN)))
			strbuf_addf(&sb, " of %s", peak_text(arena, run));
		if (i == 0)
			add_piece(&sb, ", ", "at most ", known(run, "mfu_max_achievable"),
				  " at this intensity");
		add_piece(&sb, "; ", "", clock, " at the measured clock");
		if (clock && !said)
			add_piece(&sb, "", ", of ", known(run, "peak_flops_at_clock"), "");
		put_line(terminal, out, said ? "" : "MFU", &sb);
		said = true;
	}
}

static void add_intensity(const struct terminal *terminal, const struct json *run,
			  struct strbuf *out)
{
	struct strbuf sb = {0};
	const struct json *peaks = json_get(run, "peaks");
	const struct json *ridge = json_get(peaks, "ridge");
	add_piece(&sb, "", "", known(run, "arithmetic_intensity"), "");
	add_piece(&sb, ", ", "", known(run, "algorithmic_intensity"), " (algorithmic)");
	if (!sb.len)
		return;
	if (!isnan(json_number(ridge, "value", NAN)))
		strbuf_addf(&sb, "; ridge %s", json_text(ridge, "text", ""));
	if (json_number(run, "cores", NAN) > 1)
		add_piece(&sb, "",
			  " (one core: ", json_text(json_get(peaks, "core_ridge"), "text", NULL),
			  ")");
	put_line(terminal, out, "intensity", &sb);
}

static void add_memory(const struct terminal *terminal, const struct json *run, struct strbuf *out)
{
	struct strbuf sb = {0};
	add_piece(&sb, "", "", known(run, "hbm_bytes"), "");
	add_piece(&sb, "", " at ", known(run, "achieved_bandwidth"), "");
	add_piece(&sb, ", ", "MBU ", known(run, "mbu"), "");
	add_piece(&sb, ", ", "throughput ", known(run, "dram_throughput"), " of peak");
	put_line(terminal, out, terminal_is_gpu(run) ? "DRAM" : "HBM", &sb);
}

/* The caches' traffic, and what of their peak it is. */
static void add_levels(const struct terminal *terminal, const struct json *run, struct strbuf *out)
{
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
		}
		put_line(terminal, out, name, &sb);
	}
}

/* The work as its formula or its producer states it. */
static void add_work(const struct terminal *terminal, const struct json *run, struct strbuf *out)
{
	struct strbuf sb = {0};
	const struct json *work = json_get(run, "work");
	add_piece(&sb, "", "", known(run, "algorithmic_flops"), "");
	add_piece(&sb, " at ", "", known(run, "algorithmic_rate"), "");
	const char *bytes = known(run, "algorithmic_bytes");
	add_piece(&sb, ", ", "", bytes, "");
	add_piece(&sb, bytes ? " at " : ", ", "", known(run, "algorithmic_bandwidth"), "");
	add_piece(&sb, ", ", "", known(run, "throughput"), "");
	put_line(terminal, out, "work", &sb);
	if (!work)
		return;
	add_piece(&sb, "", "flops = ", json_text(work, "flops_formula", NULL), "");
	add_piece(&sb, "; ", "bytes = ", json_text(work, "bytes_formula", NULL), "");
	add_piece(&sb, " ", "(", json_text(work, "source", NULL), ")");
	put_line(terminal, out, "formula", &sb);
}

/* The class, and every rule's own verdict where they differ. */
static void add_bottleneck(struct arena *arena, const struct terminal *terminal,
			   const struct json *run, struct strbuf *out)
{
	const struct json *bottleneck = json_get(run, "bottleneck");
	const struct json *disagree = json_get(bottleneck, "disagree");
	const struct json *verdicts = json_get(bottleneck, "verdicts");
	static const char *const evidence[] = {"mbu", "tensor_engine_occupancy", "dram_throughput",
					       "tensor_pipe_utilization", "sm_throughput"};
	bool any = strcmp(json_text(bottleneck, "class", "unknown"), "unknown") != 0;
	for (size_t i = 0; i < sizeof evidence / sizeof *evidence; i++)
		any = any || known(run, evidence[i]);
	if (any)
		terminal_line(terminal, out, "bottleneck",
			      arena_printf(arena, "%s: %s",
					   json_text(bottleneck, "title", "Unknown"),
					   json_text(bottleneck, "reason", "")));
	if (json_get(bottleneck, "roofline"))
		terminal_line(terminal, out, "roofline", json_text(bottleneck, "roofline", ""));
	for (const struct json *one = disagree && disagree->truth && verdicts ? verdicts->first
									      : NULL;
	     one; one = one->next) {
		const char *rule = json_text(one, "rule", "");
		if (strcmp(rule, "roofline") == 0)
			continue;
		terminal_line(terminal, out, rule,
			      arena_printf(arena, "%s: %s", json_text(one, "title", ""),
					   json_text(one, "reason", "")));
	}
}

void terminal_key_figures(struct arena *arena, const struct terminal *terminal,
			  const struct json *run, struct strbuf *out)
{
	add_time(terminal, run, out);
	add_mfu(arena, terminal, run, out);
	add_intensity(terminal, run, out);
	add_memory(terminal, run, out);
	add_levels(terminal, run, out);
	add_work(terminal, run, out);
	add_bottleneck(arena, terminal, run, out);
}

void terminal_gpu_lines(const struct terminal *terminal, const struct json *run, struct strbuf *out)
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
	if (!terminal_is_gpu(run))
		return;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf sb = {0};
		size_t count = 0;
		while (count < 6 && rows[i].pieces[count].key)
			count++;
		add_pieces(&sb, run, rows[i].pieces, count);
		if (sb.len && first)
			strbuf_addch(out, '\n');
		first = first && !sb.len;
		put_line(terminal, out, rows[i].label, &sb);
	}
}
