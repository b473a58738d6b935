/* rooflog compare: compares the same work side by side: by variant, device, dtype, tool or size, or
 * at two commits, which the gate judges by rows for the requested metrics. It only reads the
 * store. */
#include "cli/command.h"

#include "cli/runs/files/files.h"
#include "cli/runs/runs.h"
#include "render/compare/compare.h"
#include "cli/gate/gate.h"
#include "cli/output/output.h"
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
		cli_note(cli, "no time is known of %zu of these runs, so their %s is unknown",
			 untimed, variants_have_speedups(by) ? "speed-up" : "difference");
}

static int compare_kernels(struct cli *cli, const struct loaded_list *list, const char *by,
			   const char *against, struct compare_section_list *sections,
			   struct error *err)
{
	struct arena *arena = &cli->arena;
	if (against && !occurs(list, by, against))
		return error_set(err, ERR_USAGE, "no run has the %s \"%.80s\"", by, against);
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
		return error_set(err, ERR_STORE,
				 "there is nothing to compare: %s run is there, or matches",
				 list->count ? "only one" : "no");
	if (sections->count == 0)
		return error_set(
			err, ERR_STORE,
			"there is nothing to compare: no two of the %zu runs do the same work "
			"with a different %s%s",
			list->count, by,
			variants_have_speedups(by) ? ""
						   : ": kernel, variant, dtype, device and "
						     "parameters must be equal");
	note_untimed(cli, sections, by);
	if (sections->alone)
		cli_note(cli, "%zu configuration%s left out: nothing to compare with",
			 sections->alone, sections->alone == 1 ? "" : "s");
	return 0;
}

/* The options: by, against and metrics compare within one commit; metric and the rest compare two
 * commits. */
struct asked {
	const char *by, *against;
	bool metrics;
	struct text_list metric;
	struct output_wish wish;
	struct output_list outputs;
	struct run_filter filter;
	struct trust_options trust;
	struct reading_options reading;
	struct arguments words;
	const char *first, *second; /* of two sides: files or commits */
	bool from_merge_base;       /* A...B: the first side is where the second one began */
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
	render_compare_text(&cli->arena, &compared->sections, output_width(output), &text);
	int rc = output_text(cli, output, strbuf_text(&text), err);
	strbuf_free(&text);
	return rc;
}

static int compare_one(struct cli *cli, const struct asked *asked, struct error *err)
{
	char oid[65] = "";
	const char *by = asked->by ? asked->by : "variant", *word;
	struct loaded_list list = {0};
	struct compare_section_list sections = {0};
	struct run_query query = runs_query(&asked->filter, oid);
	if (files_open(cli, &asked->words, &asked->reading, &word, err) < 0)
		return -1;
	if (cli->files.count ? files_runs(cli, &asked->filter, &list, err) < 0
			     : (runs_select_commit(cli, word, oid, err) < 0 ||
				runs_load(cli, &query, &list, err) < 0))
		return files_explain(cli, word, err);
	runs_median_per_series(cli, &list);
	if (compare_kernels(cli, &list, by, asked->against, &sections, err) < 0)
		return -1;
	for (size_t i = 0; asked->metrics && i < sections.count; i++)
		sections.items[i].metrics = true;
	struct sides_of_one compared = {sections, by};
	return output_write_each(cli, &asked->outputs, write_one, &compared, err);
}

/* --- two commits: which metrics, and by which parameters --- */

/* Whether a row compares this metric by the history; METRIC_COUNT is the run's headline. */
static bool judges(const struct policy *policy, enum metric metric)
{
	bool headline =
		metric == METRIC_COUNT || metric == METRIC_TOTAL_TIME || metric == METRIC_HOST_TIME;
	if (policy->refines || policy_is_absolute(policy))
		return false;
	return policy->own_headline ? headline : policy->metric == metric;
}

static void add_row(struct arena *arena, struct policy_list *rows, const struct policy *row)
{
	*arena_add(arena, rows) = *row;
}

/* Adds one row for all series, and a refining row for each configured row about this metric: the
 * refining rows carry the limit, the tolerance and the noise for the series that they match. */
static void add_metric(struct arena *arena, const struct policy_list *configured,
		       enum metric metric, struct policy_list *rows)
{
	enum { ALL = POLICY_RELATIVE | POLICY_TOLERANCE | POLICY_ALPHA | POLICY_NOISE };
	struct policy all = default_policy;
	const char *parent = NULL;
	all.name = metric == METRIC_COUNT ? "headline" : metric_info(metric)->key;
	all.own_headline = metric == METRIC_COUNT;
	all.metric = metric == METRIC_COUNT ? default_policy.metric : metric;
	for (size_t i = configured->count; i-- > 0;)
		if (judges(&configured->items[i], metric)) {
			all.own_direction = configured->items[i].own_direction;
			all.direction = configured->items[i].direction;
		}
	add_row(arena, rows, &all);
	for (size_t i = 0; i < configured->count; i++) {
		struct policy row = configured->items[i];
		if (judges(&row, metric)) {
			parent = row.name;
			row.given = ALL;
		} else if (!row.refines || !parent || strcmp(row.refines, parent) != 0) {
			continue;
		}
		row.refines = all.name;
		add_row(arena, rows, &row);
	}
}

static int choose_rows(struct cli *cli, void *context, struct error *err)
{
	const struct text_list *metrics = context;
	struct policy_list rows = {0};
	for (size_t i = 0; i < metrics->count; i++) {
		enum metric metric;
		if (option_metric(metrics->items[i], &metric, err) < 0)
			return -1;
		add_metric(&cli->arena, &cli->settings.policies, metric, &rows);
	}
	if (metrics->count == 0)
		add_metric(&cli->arena, &cli->settings.policies, METRIC_COUNT, &rows);
	cli->settings.policies = rows;
	return 0;
}

/* --- which commits --- */

/* Resolves the baseline. If the tip of a branch was not measured, its newest ancestor in the store
 * replaces it. */
static int resolve_baseline(struct cli *cli, const char *name, char oid[65], struct error *err)
{
	char tip[65];
	if (runs_resolve_baseline(cli, name, oid, err) < 0)
		return -1;
	if (store_has_revision(cli->store, oid))
		return 0;
	memcpy(tip, oid, sizeof tip);
	if (runs_newest_stored(cli, oid, err) < 0)
		return -1;
	if (!oid[0])
		return error_set(err, ERR_STORE,
				 "neither %s (%.10s) nor a commit before it has stored runs: "
				 "ingest profiles of it",
				 name, tip);
	cli_note(cli, "%s (%.10s) has no stored runs: its newest ancestor that has is %.10s", name,
		 tip, oid);
	return 0;
}

static int resolve_candidate(struct cli *cli, const char *name, char oid[65], struct error *err)
{
	if (runs_resolve_baseline(cli, name, oid, err) < 0)
		return -1;
	if (store_has_revision(cli->store, oid))
		return 0;
	return error_set(err, ERR_STORE, "%s (%.10s) has no stored runs: ingest its profiles first",
			 name, oid);
}

static void copy_oid(char oid[65], const struct revision *revision)
{
	snprintf(oid, 65, "%s", revision->oid);
}

/* The candidate is a file, which follows the baseline. */
static int resolve_file_candidate(struct cli *cli, const struct asked *asked, char baseline[65],
				  char candidate[65], struct error *err)
{
	struct revision before;
	if (cli_open_store(cli, STORE_READ, err) < 0 ||
	    resolve_baseline(cli, asked->first, baseline, err) < 0 ||
	    store_revision(cli->store, &cli->arena, baseline, &before, err) < 0 ||
	    files_read_after(cli, asked->second, &asked->reading, &before, err) < 0)
		return -1;
	copy_oid(candidate, &cli->files.items[0]);
	return 0;
}

/* The baseline is a file, which has no history. */
static int resolve_file_baseline(struct cli *cli, const struct asked *asked, char baseline[65],
				 char candidate[65], struct error *err)
{
	if (cli_open_store(cli, STORE_READ, err) < 0 ||
	    resolve_candidate(cli, asked->second, candidate, err) < 0 ||
	    files_read_after(cli, asked->first, &asked->reading, NULL, err) < 0)
		return -1;
	copy_oid(baseline, &cli->files.items[0]);
	return 0;
}

/* The merge base of both sides, or its newest ancestor with runs. */
static int resolve_merge_base(struct cli *cli, const struct asked *asked, char baseline[65],
			      struct error *err)
{
	char one[65], two[65], base[65];
	if (runs_resolve_baseline(cli, asked->first, one, err) < 0 ||
	    runs_resolve_baseline(cli, asked->second, two, err) < 0 ||
	    cli_open_repository(cli, err) < 0 || runs_merge_base(cli, one, two, base, err) < 0)
		return -1;
	return resolve_baseline(cli, base, baseline, err);
}

static int resolve_commits(struct cli *cli, const struct asked *asked, char baseline[65],
			   char candidate[65], struct error *err)
{
	struct revision a, b;
	if (cli_open_store(cli, STORE_READ, err) < 0)
		return files_explain(cli, asked->first, err);
	store_read_once(cli->store);
	if (asked->from_merge_base ? resolve_merge_base(cli, asked, baseline, err) < 0
				   : resolve_baseline(cli, asked->first, baseline, err) < 0)
		return files_explain(cli, asked->first, err);
	if (resolve_candidate(cli, asked->second, candidate, err) < 0)
		return files_explain(cli, asked->second, err);
	if (store_revision(cli->store, &cli->arena, baseline, &a, err) < 0 ||
	    store_revision(cli->store, &cli->arena, candidate, &b, err) < 0)
		return -1;
	if (runs_steps_to(cli, &a, &b) > 0)
		cli_warn(cli,
			 "%s is an ancestor of %s, so it is on the record that it is compared "
			 "with: the older commit comes first",
			 asked->second, asked->first);
	return 0;
}

/* Opens the store or reads the files, and finds the commits of both sides. */
static int resolve(struct cli *cli, const struct asked *asked, char baseline[65],
		   char candidate[65], struct error *err)
{
	bool first, second;
	if (files_is(cli, asked->first, &first, err) < 0 ||
	    files_is(cli, asked->second, &second, err) < 0)
		return -1;
	if (!first && !second)
		return resolve_commits(cli, asked, baseline, candidate, err);
	if (first != second)
		return (second ? resolve_file_candidate
			       : resolve_file_baseline)(cli, asked, baseline, candidate, err);
	if (files_read(cli, &asked->words, &asked->reading, err) < 0)
		return -1;
	copy_oid(baseline, &cli->files.items[0]);
	copy_oid(candidate, &cli->files.items[1]);
	return 0;
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
	return cli_output(cli, output->path, &text, err);
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

static int compare_two(struct cli *cli, const struct asked *asked, struct error *err)
{
	char baseline[65], candidate[65];
	struct gate_result gate = {0};
	struct loaded_list none = {0};
	struct text_list metrics = asked->metric;
	struct json *document;
	struct gate_request request = {.oid = candidate,
				       .against = baseline,
				       .filter = &asked->filter,
				       .why = true,
				       .trust = asked->trust,
				       .choose_rows = choose_rows,
				       .context = &metrics};
	if (resolve(cli, asked, baseline, candidate, err) < 0)
		return -1;
	/* No change is judged where files are compared: the configuration of the work tree counts.
	 */
	request.trust.work_tree |= cli->files.count > 0;
	if (gate_command_run(cli, &request, &gate, err) < 0)
		return -1;
	const char *title = arena_printf(&cli->arena, "%s against %s", asked->second, asked->first);
	if (runs_document(cli, &none, title, &gate, &document, err) < 0)
		return -1;
	struct report_sides sides = {asked->first, asked->second};
	if (cli->files.count == 2)
		drop_shared_folders(&sides);
	summary_add_compare(&cli->arena, document, &gate, &sides);
	return output_write_each(cli, &asked->outputs, write_two, document, err);
}

/* "A..B" and "A...B", as in git; false for any other word. */
static bool split_range(struct cli *cli, struct asked *asked)
{
	const char *word = asked->words.items[0], *dots = strstr(word, "..");
	if (!dots || dots == word)
		return false;
	asked->from_merge_base = dots[2] == '.';
	asked->first = arena_strndup(&cli->arena, word, (size_t)(dots - word));
	asked->second = dots + 2 + asked->from_merge_base;
	if (!asked->second[0])
		asked->second = "HEAD";
	return true;
}

/* Two words are two sides, unless --by asks for the runs of both. A file alone is compared with
 * HEAD. */
static int choose_sides(struct cli *cli, struct asked *asked, struct error *err)
{
	const struct arguments *words = &asked->words;
	bool is_file = false;
	if (words->count && files_is(cli, words->items[0], &is_file, err) < 0)
		return -1;
	if (words->count == 1 && !asked->by && !is_file && split_range(cli, asked))
		return 0;
	if (asked->by && words->count > 1 && !is_file)
		return error_set(err, ERR_USAGE,
				 "--by is about runs of one commit, and here are two: %s and %s",
				 words->items[0], words->items[1]);
	if (!asked->by && words->count > 2)
		return error_set(err, ERR_USAGE,
				 "takes two sides at most, not %zu: files, folders or commits",
				 words->count);
	if (asked->by || words->count == 0 || (words->count == 1 && !is_file))
		return 0;
	asked->first = words->count == 1 ? "HEAD" : words->items[0];
	asked->second = words->items[words->count - 1];
	return 0;
}

static int check_outputs(struct cli *cli, struct asked *asked, struct error *err)
{
	static const struct output_rules rules = {OUTPUT_COMPARE, "compare", "text", NULL, false};
	if (output_choose(cli, &rules, &asked->wish, &asked->outputs, err) < 0)
		return -1;
	for (size_t i = 0; !asked->second && i < asked->outputs.count; i++)
		if (strcmp(asked->outputs.items[i].name, "md") == 0)
			return error_set(
				err, ERR_USAGE,
				"md is about two sides: rooflog compare BASELINE CANDIDATE");
	return output_claim(cli, &asked->outputs, err);
}

/* Refuses options of one kind of comparison with the other kind. */
static int check(struct cli *cli, void *options, struct error *err)
{
	struct asked *asked = options;
	if (choose_sides(cli, asked, err) < 0)
		return -1;
	if (!asked->second && asked->metric.count)
		return error_set(err, ERR_USAGE,
				 "--metric is about two sides: rooflog compare BASELINE CANDIDATE");
	if (asked->second && (asked->against || asked->metrics))
		return error_set(err, ERR_USAGE,
				 "--%s is about runs of one commit, and here are two sides: %s and "
				 "%s",
				 asked->against ? "against" : "metrics", asked->first,
				 asked->second);
	return check_outputs(cli, asked, err);
}

static int compare(struct cli *cli, void *options, struct error *err)
{
	const struct asked *asked = options;
	return asked->second ? compare_two(cli, asked, err) : compare_one(cli, asked, err);
}

#define FIELD(member) OPTION_FIELD(struct asked, member)
static const struct option rows[] = {
	{FIELD(by), "by", "WHAT",
	 "variant (default), dtype, device, tool, or the name of a parameter"},
	{FIELD(against), "against", "VALUE",
	 "the one to compare with (default: in most configurations, then slowest)"},
	{FIELD(metrics), "metrics", NULL,
	 "also which metrics differ, of all that both know (--by tool always says it)"},
	{FIELD(metric), "metric", "KEY",
	 "of two sides: this metric instead of the time; may be repeated"},
	{OPTION_GROUP(struct asked, wish, output_option_rows)},
	{OPTION_GROUP(struct asked, filter, run_filter_options)},
	{OPTION_GROUP(struct asked, reading, reading_option_rows)},
	{OPTION_GROUP(struct asked, trust, trust_option_rows)},
	{.kind = OPTION_END},
};

const struct command command_compare = {
	.name = "compare",
	.group = GROUP_EVERY_DAY,
	.summary = "compare two commits, runs or files, or variants of a kernel",
	.usage = "[OPTION]... [[BASELINE] CANDIDATE]",
	.about =
		"Says what the candidate made faster or slower, as the gate would, and why. Each\n"
		"side is a file, a folder, a commit or a named baseline; a single file is "
		"compared\n"
		"with HEAD. Files need no repository, and nothing is stored.\n"
		"Without a second side, or with --by, compares runs of a commit (default: HEAD, "
		"or\n"
		"its nearest ancestor with runs) that do the same work: time, engine times and\n"
		"speed-up for each configuration of a kernel, and the geometric mean of its\n"
		"speed-ups last. Tools have no speed-up: by tool it says how many of their common\n"
		"metrics are equal, and which are not.",
	.options = rows,
	.arguments = {{"[BASELINE] CANDIDATE", ARGUMENT(struct asked, words)}},
	.examples = {"rooflog compare before.json after.json", "rooflog compare HEAD~1 HEAD",
		     "rooflog compare --by variant"},
	.options_size = sizeof(struct asked),
	.check = check,
	.run = compare,
};
