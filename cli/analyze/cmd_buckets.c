/* rooflog analyze buckets: finds the best sizes to compile for and compares them with the usual
 * ones. */
#include "cli/analyze/analyze.h"

#include "base/system/system.h"
#include "cli/query/query.h"
#include "render/sizing/sizing.h"

enum { DEFAULT_COUNT = 5 };
/* Steps of grid_best_of() for all grids together. */
static const double effort = 4e8;
static const size_t file_limit = 32u << 20;

struct buckets_arguments {
	struct sweep_request choice;
	size_t count;      /* maximum number of buckets */
	const char *sizes; /* file of request sizes; NULL: all equally likely */
	struct analyze_outputs outputs;
	struct reading_options reading;
	struct arguments words; /* none: HEAD or its nearest ancestor with runs */
};

static const struct words_rules rules = {
	.command = "analyze buckets",
	.kinds = WORD_FILE | WORD_COMMIT | WORD_SERIES,
	.does = "analyze takes the runs of a commit or of files",
};

/* Opens the files on the line, and says which commit's runs are meant. */
static int open_runs(struct cli *cli, struct buckets_arguments *request, struct error *err)
{
	const struct files_request asked = {&request->words, &request->reading,
					    &request->choice.filter};
	struct words words;
	if (files_open(cli, &rules, &asked, &words, err) < 0)
		return -1;
	request->choice.commit = words_commit(&words);
	return 0;
}

/* --- one size --- */

static int read_wish(struct cli *cli, const struct buckets_arguments *request,
		     struct bucket_wish *wish, struct error *err)
{
	struct span text;
	wish->k = request->count;
	if (!request->sizes)
		return 0;
	if (file_read_linked(&cli->arena, request->sizes, file_limit, &text, err) < 0)
		return -1;
	if (request_sizes_read(&cli->arena, text, &wish->sizes, &wish->size_count, err) < 0)
		return error_prefix(err, "%s", request->sizes);
	return 0;
}

/* Turns the lines of the sweep into shapes. A line with one size is left out: there is nothing to
 * choose. */
static int make_shapes(struct cli *cli, const struct sweep *sweep, const struct bucket_wish *wish,
		       struct bucket_shape **shapes, struct error *err)
{
	size_t count = 0;
	*shapes = arena_array(&cli->arena, sweep->count, sizeof **shapes);
	for (size_t i = 0; i < sweep->count; i++) {
		struct bucket_shape *shape = &(*shapes)[count];
		if (sweep->lines[i].count < 2)
			continue;
		shape->sweep = sweep;
		shape->line = &sweep->lines[i];
		if (bucket_shape_plan(&cli->arena, wish, shape, err) < 0)
			return -1;
		count++;
	}
	if (count == 0)
		return error_set(err, ERR_USAGE,
				 "no runs differ only in %.80s: no sizes to choose from", sweep->x);
	if (count < sweep->count)
		cli_note(cli, "skipped %zu shape%s measured at a single size", sweep->count - count,
			 sweep->count - count == 1 ? "" : "s");
	assert(count <= sweep->count);
	return (int)count;
}

/* Loads the shapes. Returns how many there are, or -1. */
static int load_shapes(struct cli *cli, struct buckets_arguments *request,
		       struct bucket_shape **shapes, struct error *err)
{
	struct bucket_wish wish = {0};
	struct sweep *sweep = arena_new(&cli->arena, struct sweep);
	if (read_wish(cli, request, &wish, err) < 0 || open_runs(cli, request, err) < 0 ||
	    cli_query_sweep(cli, &request->choice, sweep, err) < 0)
		return -1;
	return make_shapes(cli, sweep, &wish, shapes, err);
}

/* --- two sizes --- */

/* Cuts "b,s" into two names. */
static int cut_names(struct cli *cli, const char *over, const char *names[2], struct error *err)
{
	struct span rest = span_of(over);
	size_t count = 0;
	for (; rest.ptr && count < 3; count++) {
		struct span name = span_trim(span_cut(&rest, ','));
		if (!name.len)
			break;
		if (count < 2)
			names[count] = arena_strndup(&cli->arena, name.ptr, name.len);
	}
	if (count != 2 || rest.ptr || strcmp(names[0], names[1]) == 0)
		return error_set(err, ERR_USAGE,
				 "--over %.80s: expected one parameter, or two different ones with "
				 "a comma between them",
				 over);
	return 0;
}

static int read_pairs(struct cli *cli, const struct buckets_arguments *request,
		      const char *const names[2], struct grid_wish *wish, struct error *err)
{
	struct span text;
	struct grid_request *requests;
	wish->most[0] = wish->most[1] = request->count;
	if (!request->sizes)
		return 0;
	if (file_read_linked(&cli->arena, request->sizes, file_limit, &text, err) < 0)
		return -1;
	if (request_pairs_read(&cli->arena, text, names, &requests, &wish->request_count, err) < 0)
		return error_prefix(err, "%s", request->sizes);
	wish->requests = requests;
	return 0;
}

/* Loads and plans the grids. Returns how many there are, or -1. */
static int load_grids(struct cli *cli, struct buckets_arguments *request,
		      struct grid_shape **shapes, struct error *err)
{
	struct grid_wish wish = {0};
	struct size_grids *grids = arena_new(&cli->arena, struct size_grids);
	const char *names[2];
	const struct run **runs;
	size_t count;
	if (cut_names(cli, request->choice.x, names, err) < 0 ||
	    read_pairs(cli, request, names, &wish, err) < 0 || open_runs(cli, request, err) < 0 ||
	    cli_query_sweep_runs(cli, &request->choice, &runs, &count, err) < 0 ||
	    grid_all_of(&cli->arena, runs, count, names, grids, err) < 0)
		return -1;
	if (grids->flat)
		cli_note(cli, "skipped %s with a single size of %.80s or %.80s",
			 quantity_count_text(&cli->arena, grids->flat, "shape", "shapes"), names[0],
			 names[1]);
	wish.effort = effort / (double)grids->count;
	*shapes = arena_array(&cli->arena, grids->count, sizeof **shapes);
	for (size_t i = 0; i < grids->count; i++) {
		(*shapes)[i] = (struct grid_shape){.grids = grids, .grid = &grids->items[i]};
		grid_shape_plan(&cli->arena, &wish, &(*shapes)[i]);
	}
	return (int)grids->count;
}

/* --- the command --- */

static const struct analysis analysis = {
	.command = OUTPUT_BUCKETS, .name = "analyze buckets", .chart = "buckets"};

static int check(struct cli *cli, void *options, struct error *err)
{
	struct buckets_arguments *o = options;
	return analyze_check(cli, &o->outputs, &analysis, err);
}

static int run(struct cli *cli, void *options, struct error *err)
{
	struct buckets_arguments *o = options;
	struct analysis made = analysis;
	bool paired = o->choice.x && strchr(o->choice.x, ',');
	struct bucket_shape *shapes = NULL;
	struct grid_shape *grids = NULL;
	int count = paired ? load_grids(cli, o, &grids, err) : load_shapes(cli, o, &shapes, err);
	if (count < 0 || output_choose_language(cli, NULL, err) < 0)
		return -1;
	made.document = paired ? render_buckets_pairs_json(&cli->arena, grids, (size_t)count)
			       : render_buckets_json(&cli->arena, shapes, (size_t)count);
	output_speak(cli, true);
	if (paired)
		render_buckets_pairs_text(&cli->arena, grids, (size_t)count, &made.text);
	else
		render_buckets_text(&cli->arena, shapes, (size_t)count, &made.text);
	output_speak(cli, false);
	return analyze_write(cli, &o->outputs, &made, err);
}

#define FIELD(member) OPTION_FIELD(struct buckets_arguments, member)
static const struct option rows[] = {
	{FIELD(choice.x), "over", "PARAM",
	 "the size to choose, if several parameters vary; two, as b,s, are bucketed together"},
	{FIELD(count), "count", "N", "at most N sizes of each parameter (default: 5)", .low = 1,
	 .high = BUCKET_LIMIT},
	{FIELD(sizes), "sizes", "FILE",
	 "sizes of real requests: \"size\" or \"size,weight\" on each line, \"b,s\" or "
	 "\"b,s,weight\" for two (default: all equally likely)"},
	{OPTION_GROUP(struct buckets_arguments, choice.filter, run_filter_options)},
	{OPTION_GROUP(struct buckets_arguments, reading, reading_option_rows)},
	{OPTION_GROUP(struct buckets_arguments, outputs, analyze_output_rows)},
	{.kind = OPTION_END},
};

static const struct buckets_arguments defaults = {.count = DEFAULT_COUNT};

const struct command analyze_buckets = {
	.name = "analyze buckets",
	.summary = "choose bucket sizes from measured latencies",
	.options = rows,
	.arguments = {{"FILE | COMMIT | SERIES", ARGUMENT(struct buckets_arguments, words)}},
	.options_size = sizeof(struct buckets_arguments),
	.defaults = &defaults,
	.check = check,
	.run = run,
};
