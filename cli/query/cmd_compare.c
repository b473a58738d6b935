/* rooflog compare: compares the same work side by side: by variant, device, dtype, tool or size, or
 * at two commits, which the gate judges by rows for the requested metrics. It only reads the
 * store. */
#include "cli/command.h"

#include "cli/runs/files/files.h"
#include "cli/runs/runs.h"
#include "render/compare/compare.h"
#include "cli/gate/gate.h"
#include "cli/output/output.h"
#include "cli/query/viewer/viewer.h"
#include "render/summary/summary.h"
#include "render/terminal/terminal.h"
#include "cli/config/config.h"

static size_t count_kernel(const struct loaded_list *list, size_t end, const char *kernel)
{
	size_t count = 0;
	for (size_t i = 0; i < end; i++)
		count += span_text_eq(list->items[i].stored.run->kernel, kernel);
	return count;
}

/* The runs with the same kernel as list->items[first], in the order of the store. */
static struct compare_section section_of(struct arena *arena, const struct loaded_list *list,
					 size_t first, const char *by, const char *against)
{
	struct compare_section section = {.kernel = list->items[first].stored.run->kernel,
					  .metrics = !variants_have_speedups(by)};
	size_t count = count_kernel(list, first + 1, section.kernel);
	const struct run **runs = arena_array(arena, count, sizeof *runs);
	section.runs = arena_array(arena, count, sizeof *section.runs);
	for (size_t i = first + 1; i-- > 0;) {
		const struct loaded_run *loaded = &list->items[i];
		if (!span_text_eq(loaded->stored.run->kernel, section.kernel))
			continue;
		runs[section.count] = loaded->stored.run;
		section.runs[section.count++] = (struct compare_run){
			loaded->stored.run, loaded->stored.id, loaded->samples};
	}
	section.compare = variants_of(arena, runs, section.count, by, against);
	return section;
}

static size_t count_untimed(const struct compare_section *section)
{
	size_t count = 0;
	for (size_t i = 0; i < section->compare.group_count; i++)
		for (size_t j = 0; j < section->compare.groups[i].count; j++)
			count += isnan(section->compare.groups[i].rows[j].time);
	return count;
}

static bool seen_before(const struct loaded_list *list, size_t index)
{
	for (size_t i = index + 1; i < list->count; i++)
		if (span_text_eq(list->items[i].stored.run->kernel,
				 list->items[index].stored.run->kernel))
			return true;
	return false;
}

static bool occurs(const struct loaded_list *list, const char *by, const char *value)
{
	for (size_t i = 0; i < list->count; i++)
		if (span_text_eq(variants_value(list->items[i].stored.run, by), value))
			return true;
	return false;
}

static void note_untimed(struct cli *cli, const struct compare_section_list *sections,
			 const char *by)
{
	size_t untimed = 0;
	for (size_t i = 0; i < sections->count; i++)
		untimed += count_untimed(&sections->items[i]);
	if (untimed)
		cli_note(cli, "%zu of these runs %s no time, so %s %s is unknown", untimed,
			 untimed == 1 ? "has" : "have", untimed == 1 ? "its" : "their",
			 variants_have_speedups(by) ? "speed-up" : "difference");
}

static int compare_kernels(struct cli *cli, const struct loaded_list *list, const char *by,
			   const char *against, struct compare_section_list *sections,
			   struct error *err)
{
	struct arena *arena = &cli->arena;
	if (against && !occurs(list, by, against))
		return error_set(err, ERR_USAGE, "no run has %s \"%.80s\"", by, against);
	for (size_t i = list->count; i-- > 0;) {
		if (seen_before(list, i))
			continue;
		struct compare_section section = section_of(arena, list, i, by, against);
		sections->alone += section.compare.alone;
		if (section.compare.group_count == 0)
			continue;
		*arena_add(arena, sections) = section;
	}
	if (sections->count == 0 && list->count < 2)
		return error_set(err, ERR_STORE, "nothing to compare: %s matching run",
				 list->count ? "only one" : "no");
	if (sections->count == 0)
		return error_set(err, ERR_STORE,
				 "nothing to compare: no two of %zu runs do the same work with a "
				 "different %s%s",
				 list->count, by,
				 variants_have_speedups(by)
					 ? ""
					 : ": kernel, variant, dtype, device and "
					   "parameters must be equal");
	note_untimed(cli, sections, by);
	if (sections->alone)
		cli_note(cli, "skipped %zu configuration%s with a single run", sections->alone,
			 sections->alone == 1 ? "" : "s");
	return 0;
}

/* The options: by and against compare within one commit; metric compares two sides. */
struct asked {
	const char *by, *against;
	bool all_metrics;
	const char *source_root; /* where the page finds source lines */
	const char *from_text, *to_text;
	double from, to; /* s: the part that the page shows; NAN: all */
	struct text_list metric;
	struct output_wish wish;
	struct output_list outputs;
	struct run_filter filter;
	struct trust_options trust;
	struct reading_options reading;
	struct arguments given; /* the arguments, */
	struct words words;     /* and what they mean */
};

static const struct words_rules runs_rules = {
	.command = "compare",
	.kinds = WORD_FILE | WORD_COMMIT | WORD_SERIES,
	.does = "compare --by compares the runs of a commit or of files",
};

struct sides_of_one {
	struct compare_section_list sections;
	const char *by;
};

static int write_one(struct cli *cli, void *context, const struct output *output, struct error *err)
{
	const struct sides_of_one *compared = context;
	struct strbuf text = {0};
	if (strcmp(output->format, "json") == 0)
		return cli_output_json(
			cli, output->path,
			render_compare_json(&cli->arena, &compared->sections, compared->by), err);
	if (strcmp(output->format, "md") == 0) {
		render_compare_markdown(&cli->arena, &compared->sections, &text);
		return cli_output(cli, output->path, &text, err);
	}
	render_compare_text(&cli->arena, &compared->sections, output_width(output), &text);
	if (cli_is_standard_output(output->path))
		cli_page(cli);
	int rc = output_text(cli, output, strbuf_text(&text), err);
	strbuf_free(&text);
	return rc;
}

static int compare_one(struct cli *cli, struct asked *asked, struct error *err)
{
	const struct files_request request = {&asked->given, &asked->reading, &asked->filter};
	struct loaded_list list = {0};
	struct compare_section_list sections = {0};
	const char *by = asked->by;
	if (files_open(cli, &runs_rules, &request, &asked->words, err) < 0 ||
	    files_choose(cli, &asked->words, &asked->filter, &list, err) < 0 ||
	    runs_load_details(cli, &list, err) < 0)
		return -1;
	runs_median_per_series(cli, &list);
	if (compare_kernels(cli, &list, by, asked->against, &sections, err) < 0)
		return -1;
	for (size_t i = 0; asked->all_metrics && i < sections.count; i++)
		sections.items[i].metrics = true;
	struct sides_of_one compared = {sections, by};
	return output_write_each(cli, &asked->outputs, write_one, &compared, err);
}

/* --- two commits: which metrics, and by which parameters --- */

static int choose_rows(struct cli *cli, void *context, struct error *err)
{
	const struct text_list *metrics = context;
	struct policy_list rows = {0};
	for (size_t i = 0; i < metrics->count; i++) {
		enum metric metric;
		if (option_metric(metrics->items[i], &metric, err) < 0)
			return -1;
		gate_command_add_metric_rows(&cli->arena, &cli->settings.policies, metric, &rows);
	}
	if (metrics->count == 0)
		gate_command_add_metric_rows(&cli->arena, &cli->settings.policies, METRIC_COUNT,
					     &rows);
	cli->settings.policies = rows;
	return 0;
}

/* --- which commits --- */

/* The commits that are compared, and what they are called. */
struct sides {
	char baseline[65], candidate[65];
	struct report_sides names;
};

/* If the tip of a branch was not measured, its newest ancestor in the store replaces it. */
static int settle_baseline(struct cli *cli, const char *name, char oid[65], struct error *err)
{
	char tip[65];
	if (store_has_revision(cli->store, oid))
		return 0;
	memcpy(tip, oid, sizeof tip);
	if (runs_newest_stored(cli, oid, err) < 0)
		return -1;
	if (!oid[0])
		return error_set(err, ERR_STORE,
				 "neither %s (%.10s) nor any ancestor has measurements: ingest its "
				 "profiles first",
				 name, tip);
	cli_note(cli, "%s (%.10s) has no measurements; using its nearest measured ancestor %.10s",
		 name, tip, oid);
	return 0;
}

static int settle_candidate(struct cli *cli, const char *name, const char *oid, struct error *err)
{
	if (store_has_revision(cli->store, oid))
		return 0;
	return error_set(err, ERR_STORE,
			 "%s (%.10s) has no measurements: ingest its profiles first", name, oid);
}

static const char *short_id(struct cli *cli, const char *oid)
{
	return arena_prefix(&cli->arena, oid, 10);
}

/* The nearest ancestor with runs of the candidate. */
static int choose_baseline(struct cli *cli, struct sides *sides, struct error *err)
{
	struct revision revision;
	if (store_revision(cli->store, &cli->arena, sides->candidate, &revision, err) < 0)
		return -1;
	snprintf(sides->baseline, sizeof sides->baseline, "%s", revision.parent);
	if (sides->baseline[0] && runs_newest_measured(cli, sides->baseline, err) < 0)
		return -1;
	if (!sides->baseline[0])
		return error_set(err, ERR_STORE,
				 "no commit before %.10s has stored runs: nothing to compare "
				 "with\nhint: rooflog compare --by variant",
				 sides->candidate);
	sides->names.baseline = short_id(cli, sides->baseline);
	return 0;
}

/* Replaces the first side by its merge base with the second. */
static int replace_by_merge_base(struct cli *cli, struct sides *sides, struct error *err)
{
	char base[65];
	if (cli_open_repository(cli, err) < 0 ||
	    runs_merge_base(cli, sides->baseline, sides->candidate, base, err) < 0)
		return -1;
	memcpy(sides->baseline, base, sizeof base);
	sides->names.baseline = arena_printf(&cli->arena, "%.10s, the merge base of %s and %s",
					     base, sides->names.baseline, sides->names.candidate);
	return 0;
}

static int resolve_commits(struct cli *cli, const struct asked *asked, struct sides *sides,
			   struct error *err)
{
	struct revision a, b;
	store_read_once(cli->store);
	if ((asked->words.from_merge_base && replace_by_merge_base(cli, sides, err) < 0) ||
	    settle_baseline(cli, sides->names.baseline, sides->baseline, err) < 0 ||
	    settle_candidate(cli, sides->names.candidate, sides->candidate, err) < 0 ||
	    store_revision(cli->store, &cli->arena, sides->baseline, &a, err) < 0 ||
	    store_revision(cli->store, &cli->arena, sides->candidate, &b, err) < 0)
		return -1;
	if (runs_steps_to(cli, &a, &b) > 0)
		cli_warn(cli, "%s is an ancestor of %s: give the older commit first",
			 sides->names.candidate, sides->names.baseline);
	return 0;
}

/* What a side becomes that is a file or a run: a commit after `parent`, NULL without history. */
static int add_side(struct cli *cli, const struct asked *asked, const struct word *word,
		    const struct revision *parent, char oid[65], struct error *err)
{
	if ((word->kind == WORD_RUN
		     ? files_add_run(cli, word->id, parent, err)
		     : files_read_after(cli, word->text, &asked->reading, parent, err)) < 0)
		return -1;
	snprintf(oid, 65, "%s", cli->files.items[cli->files.count - 1].oid);
	return 0;
}

/* At least one side is a file or a run. A candidate follows the baseline. */
static int resolve_mixed(struct cli *cli, const struct asked *asked, const struct word both[2],
			 struct sides *sides, struct error *err)
{
	struct revision before;
	if (asked->words.from_merge_base)
		return error_set(err, ERR_USAGE, "A...B needs two commits");
	if (both[0].kind == WORD_COMMIT
		    ? settle_baseline(cli, both[0].text, sides->baseline, err) < 0
		    : add_side(cli, asked, &both[0], NULL, sides->baseline, err) < 0)
		return -1;
	if (both[1].kind == WORD_COMMIT)
		return settle_candidate(cli, both[1].text, sides->candidate, err);
	if (store_revision(cli->store, &cli->arena, sides->baseline, &before, err) < 0)
		return -1;
	return add_side(cli, asked, &both[1], &before, sides->candidate, err);
}

/* Completes the sides that were not named: B is HEAD, and a file alone is B. */
static int complete(struct cli *cli, const struct words *words, struct word both[2],
		    struct error *err)
{
	struct words head = {.count = 0};
	if (words->count == 2) {
		memcpy(both, words->items, 2 * sizeof *both);
		return 0;
	}
	if (words_choose_commit(cli, &head, err) < 0)
		return -1;
	bool file = words->count && words->items[0].kind == WORD_FILE;
	both[file ? 0 : 1] = head.items[0];
	if (words->count)
		both[file ? 1 : 0] = words->items[0];
	return 0;
}

static int resolve(struct cli *cli, const struct asked *asked, struct sides *sides,
		   struct error *err)
{
	struct word both[2] = {{.kind = 0}, {.kind = 0}};
	if (asked->words.count > 2)
		return error_set(
			err, ERR_USAGE,
			"expected at most two sides, got %zu: files, folders, runs or commits",
			asked->words.count);
	/* Two files were read by files_open(). */
	if (cli->files.count == 2) {
		snprintf(sides->baseline, sizeof sides->baseline, "%s", cli->files.items[0].oid);
		snprintf(sides->candidate, sizeof sides->candidate, "%s", cli->files.items[1].oid);
		sides->names = (struct report_sides){asked->words.items[0].text,
						     asked->words.items[1].text};
		return 0;
	}
	if (complete(cli, &asked->words, both, err) < 0)
		return -1;
	sides->names = (struct report_sides){both[0].text, both[1].text};
	if (both[0].id)
		snprintf(sides->baseline, sizeof sides->baseline, "%s", both[0].id);
	snprintf(sides->candidate, sizeof sides->candidate, "%s", both[1].id ? both[1].id : "");
	if (!both[0].kind && choose_baseline(cli, sides, err) < 0)
		return -1;
	bool commits =
		(!both[0].kind || both[0].kind == WORD_COMMIT) && both[1].kind == WORD_COMMIT;
	return commits ? resolve_commits(cli, asked, sides, err)
		       : resolve_mixed(cli, asked, both, sides, err);
}

/* --- printing --- */

/* The document of two sides, as text, Markdown or itself. */
static int write_two(struct cli *cli, void *context, const struct output *output, struct error *err)
{
	struct json *document = context;
	const struct terminal terminal = cli_terminal(cli);
	struct strbuf text = {0};
	const struct rendering rendering = {.format = output->format,
					    .template = "compare",
					    .output = output->path,
					    .charts = output_report_kind_find("compare")->charts};
	if (strcmp(output->format, "text") != 0)
		return output_render(cli, document, &rendering, err);
	terminal_compare(&cli->arena, &terminal, document, &text);
	if (cli_is_standard_output(output->path))
		cli_page(cli);
	return cli_is_standard_output(output->path) ? output_painted(cli, &text, err)
						    : cli_output(cli, output->path, &text, err);
}

/* Two files of one folder are called by what their paths do not share. */
static void drop_shared_folders(struct report_sides *sides)
{
	size_t shared = 0;
	for (size_t i = 0; sides->baseline[i] && sides->baseline[i] == sides->candidate[i]; i++)
		if (sides->baseline[i] == '/')
			shared = i + 1;
	if (!sides->baseline[shared] || !sides->candidate[shared])
		return;
	sides->baseline += shared;
	sides->candidate += shared;
}

/* In what two runs of one kernel differ, as --by takes it; NULL: in something else. */
static const char *difference_of(const struct run *a, const struct run *b)
{
	static const char *const known[] = {"variant", "dtype", "device", "tool"};
	if (strcmp(a->kernel, b->kernel) != 0)
		return NULL;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!span_text_eq(variants_value(a, known[i]), variants_value(b, known[i])))
			return known[i];
	for (size_t i = 0; i < a->param_count; i++)
		if (!span_text_eq(a->params[i].value, variants_value(b, a->params[i].name)))
			return a->params[i].name;
	return NULL;
}

/* Without a series on both sides there is nothing to compare but configurations. */
static void note_no_pair(struct cli *cli, const struct asked *asked, const struct gate_result *gate,
			 const struct report_sides *names)
{
	const struct gate_series *before = NULL, *after = NULL;
	for (size_t i = 0; i < gate->count; i++) {
		const struct gate_series *series = gate->comparisons[i].series;
		if (series->baseline.count && series->candidate.count)
			return;
		before = series->baseline.count ? series : before;
		after = series->candidate.count ? series : after;
	}
	if (!before || !after)
		return;
	const char *by = words_count(&asked->words, WORD_FILE) == 2
				 ? difference_of(before->run, after->run)
				 : NULL;
	cli_note(cli, "no series is on both sides%s",
		 by ? arena_printf(&cli->arena, "; by %s: rooflog compare --by %s %s %s", by, by,
				   names->baseline, names->candidate)
		    : "");
}

/* --- the timelines of two runs --- */

/* The page among the outputs; NULL: none. */
static const struct output *page_of(const struct asked *asked)
{
	for (size_t i = 0; i < asked->outputs.count; i++)
		if (span_text_eq(asked->outputs.items[i].format, "html"))
			return &asked->outputs.items[i];
	return NULL;
}

static int write_timelines(struct cli *cli, struct asked *asked, struct sides *sides,
			   struct error *err)
{
	if (words_count(&asked->words, WORD_FILE) == 2)
		drop_shared_folders(&sides->names);
	const struct viewer_pair pair = {
		.oids = {sides->baseline, sides->candidate},
		.names = {sides->names.baseline, sides->names.candidate},
		.filter = &asked->filter,
		.output = page_of(asked)->path,
		.source_root = asked->source_root,
		.from = asked->from,
		.to = asked->to,
	};
	return query_viewer_write_pair(cli, &pair, err);
}

static const struct words_rules sides_rules = {
	.command = "compare",
	.kinds = WORD_FILE | WORD_RUN | WORD_COMMIT | WORD_SERIES,
	.sides = true,
	.judges = true,
};

/* Whether all that is written is text: other outputs share its document, which stays English. */
static bool is_text(const struct output_list *outputs)
{
	for (size_t i = 0; i < outputs->count; i++)
		if (strcmp(outputs->items[i].format, "text") != 0)
			return false;
	return true;
}

static int compare_two(struct cli *cli, struct asked *asked, struct error *err)
{
	const struct files_request opening = {&asked->given, &asked->reading, &asked->filter};
	struct sides sides = {.names = {NULL, NULL}};
	struct gate_result gate = {0};
	struct loaded_list none = {0};
	struct text_list metrics = asked->metric;
	struct json *document;
	struct gate_request request = {.oid = sides.candidate,
				       .against = sides.baseline,
				       .filter = &asked->filter,
				       .why = true,
				       .trust = asked->trust,
				       .choose_rows = choose_rows,
				       .context = &metrics};
	if (files_open(cli, &sides_rules, &opening, &asked->words, err) < 0 ||
	    resolve(cli, asked, &sides, err) < 0)
		return -1;
	if (page_of(asked))
		return write_timelines(cli, asked, &sides, err);
	/* No change is judged where files are compared: the configuration of the work tree counts.
	 */
	request.trust.work_tree |= cli->files.count > 0;
	if (gate_command_run(cli, &request, &gate, err) < 0)
		return -1;
	note_no_pair(cli, asked, &gate, &sides.names);
	output_speak(cli, is_text(&asked->outputs));
	const char *title =
		arena_printf(&cli->arena, "%s vs. %s", sides.names.candidate, sides.names.baseline);
	if (runs_document(cli, &none, title, &gate, &document, err) < 0)
		return -1;
	if (words_count(&asked->words, WORD_FILE) == 2)
		drop_shared_folders(&sides.names);
	summary_add_compare(&cli->arena, document, &gate, &sides.names, &cli->settings.scenarios);
	if (asked->all_metrics)
		summary_add_agreements(&cli->arena, document, &gate);
	return output_write_each(cli, &asked->outputs, write_two, document, err);
}

static int check_outputs(struct cli *cli, struct asked *asked, struct error *err)
{
	static const struct output_rules rules = {OUTPUT_COMPARE, "compare", "text", NULL, false};
	if (output_choose(cli, &rules, &asked->wish, &asked->outputs, err) < 0)
		return -1;
	return output_claim(cli, &asked->outputs, err);
}

/* A page shows the events of two runs, and is the only output. */
static int check_page(struct asked *asked, struct error *err)
{
	const struct output *page = page_of(asked);
	const char *only = asked->source_root ? "source-root"
			   : asked->from_text ? "from"
			   : asked->to_text   ? "to"
					      : NULL;
	if (!page)
		return only ? error_set(err, ERR_USAGE, "--%s is for a page\nhint: -o FILE.html",
					only)
			    : 0;
	if (query_viewer_time("--from", asked->from_text, &asked->from, err) < 0 ||
	    query_viewer_time("--to", asked->to_text, &asked->to, err) < 0)
		return -1;
	if (asked->to <= asked->from)
		return error_set(err, ERR_USAGE, "--to must be after --from");
	if (asked->by || asked->metric.count || asked->all_metrics || asked->outputs.count > 1)
		return error_set(err, ERR_USAGE,
				 "-o FILE.html shows the timelines of two runs, and cannot be "
				 "combined with %s",
				 asked->by                  ? "--by"
				 : asked->outputs.count > 1 ? "another output"
							    : "metrics");
	return 0;
}

/* Refuses options of one kind of comparison with the other kind. */
static int check(struct cli *cli, void *options, struct error *err)
{
	struct asked *asked = options;
	if (asked->by && asked->metric.count)
		return error_set(err, ERR_USAGE,
				 "--metric needs two sides, --by one: give one of the options");
	if (!asked->by && asked->against)
		return error_set(err, ERR_USAGE, "--against needs --by: compare --by variant");
	return check_outputs(cli, asked, err) < 0 ? -1 : check_page(asked, err);
}

static int compare(struct cli *cli, void *options, struct error *err)
{
	struct asked *asked = options;
	return (asked->by ? compare_one : compare_two)(cli, asked, err);
}

#define FIELD(member) OPTION_FIELD(struct asked, member)
static const struct option rows[] = {
	{FIELD(by), "by", "WHAT",
	 "compare the runs of one commit or file by variant, dtype, device, tool, or the name of a "
	 "parameter"},
	{FIELD(against), "against", "VALUE",
	 "with --by: the value to compare with (default: the most frequent, then the slowest)"},
	{FIELD(metric), "metric", "KEY", "compare this metric instead of the time; repeatable"},
	{FIELD(all_metrics), "all-metrics", NULL,
	 "also list every other metric that differs; --by tool always does"},
	{FIELD(from_text), "from", "TIME",
	 "with -o FILE.html: only what runs from this time on, since the start of each run: "
	 "12.5us"},
	{FIELD(to_text), "to", "TIME", "with -o FILE.html: only what runs until this time"},
	{FIELD(source_root), "source-root", "FOLDER",
	 "with -o FILE.html: the folder of the repository that source lines are in (default: its "
	 "top)"},
	{OPTION_GROUP(struct asked, trust, trust_option_rows)},
	{.kind = OPTION_TITLE, .help = "Output"},
	{OPTION_GROUP(struct asked, wish, output_option_rows)},
	{OPTION_GROUP(struct asked, filter, run_filter_options)},
	{OPTION_GROUP(struct asked, reading, reading_option_rows)},
	{.kind = OPTION_END},
};

const struct command command_compare = {
	.name = "compare",
	.group = GROUP_EVERY_DAY,
	.summary = "compare two commits, runs or files, or variants of a kernel",
	.usage = "[A [B]] [SERIES] [OPTION]...\n"
		 "--by WHAT [FILE | COMMIT | SERIES]... [OPTION]...",
	.about = "Compare B with A: what became faster, what became slower, and why. A and B are\n"
		 "commits, baselines, runs, files or folders. B defaults to HEAD, and A to the\n"
		 "nearest ancestor of B that has runs. A single FILE is B, compared with HEAD.",
	.notes = "The exit status is 0 whatever the result. To fail on a regression, use gate.",
	.examples =
		{"rooflog compare                           HEAD with the commit before it",
		 "rooflog compare before.json after.json    two files; no repository needed",
		 "rooflog compare main my-branch            two branches; also main..my-branch",
		 "rooflog compare before.json after.json -o ab.html",
		 "rooflog compare --by variant attention    variants of one kernel, side by side"},
	.options = rows,
	.arguments = {{"A, B, SERIES", ARGUMENT(struct asked, given)}},
	.options_size = sizeof(struct asked),
	.check = check,
	.run = compare,
	.sections = "rule gate device work alias scenario",
	.documents = "compare report",
	.see_also = "gate show log verdicts metrics",
};
