/* rooflog buckets: the best sizes to compile for, beside the usual ones. */
#include "cli/query/buckets.h"

#include <math.h>

#include "base/system/file.h"
#include "cli/command.h"
#include "cli/runs/sweep.h"
#include "ingest/table/request_sizes.h"
#include "model/sizing/buckets.h"
#include "render/markup/table.h"

static const size_t file_limit = 32u << 20;
enum { POWER_LIMIT = 31, LISTED_LIMIT = 16, PLAN_COUNT = 5, DEFAULT_COUNT = 5 };
/* Sequence lengths that vLLM compiles for when nobody says otherwise. */
static const double vllm_sizes[] = {128, 256, 512, 1024, 2048};

struct plan {
	const char *name;
	struct bucket_plan plan;
};

struct shape {
	const struct sweep *sweep;
	const struct sweep_line *line;
	struct bucket_problem problem;
	bool uniform;
	struct plan plans[PLAN_COUNT];
};

struct request {
	struct bucket_request *sizes; /* NULL: every size alike */
	size_t size_count;
	size_t k;
};

/* --- one shape --- */

static int spread_evenly(struct arena *arena, struct shape *shape, struct error *err)
{
	double largest = floor(shape->line->points[shape->line->count - 1].x);
	if (largest > REQUEST_SIZE_LIMIT)
		return error_set(err, ERR_USAGE,
				 "%.80s=%.0f is too large to take every size up to it alike: give "
				 "the sizes with --sizes FILE",
				 shape->sweep->x, largest);
	size_t count = (size_t)largest;
	struct bucket_request *requests = arena_array(arena, count, sizeof *requests);
	for (size_t i = 0; i < count; i++)
		requests[i] = (struct bucket_request){(double)(i + 1), 1};
	shape->problem.requests = requests;
	shape->problem.request_count = count;
	shape->uniform = true;
	return 0;
}

static size_t powers_of_two(double largest, double sizes[POWER_LIMIT])
{
	size_t count = 0;
	for (double size = 1; size <= largest && count < POWER_LIMIT; size *= 2)
		sizes[count++] = size;
	return count;
}

static void plan_shape(struct arena *arena, struct shape *shape, size_t k)
{
	const struct bucket_problem *problem = &shape->problem;
	double powers[POWER_LIMIT], largest = problem->points[problem->point_count - 1].size;
	size_t power_count = powers_of_two(largest, powers);
	struct plan plans[PLAN_COUNT] = {
		{arena_printf(arena, "best of up to %zu", k), buckets_best(arena, problem, k)},
		{"vLLM sequence buckets",
		 buckets_judge(arena, problem, vllm_sizes, sizeof vllm_sizes / sizeof *vllm_sizes)},
		{"powers of two", buckets_judge(arena, problem, powers, power_count)},
		{"one bucket", buckets_judge(arena, problem, &largest, 1)},
		{"every measured size", buckets_all(arena, problem)},
	};
	for (size_t i = 0; i < PLAN_COUNT; i++)
		shape->plans[i] = plans[i];
}

static int make_shape(struct cli *cli, const struct request *request, struct shape *shape,
		      struct error *err)
{
	struct arena *arena = &cli->arena;
	const struct sweep_line *line = shape->line;
	if (line->count > BUCKET_POINT_LIMIT)
		return error_set(err, ERR_USAGE, "%.200s: there are more than %d measured sizes",
				 line->name, (int)BUCKET_POINT_LIMIT);
	struct bucket_point *points = arena_array(arena, line->count, sizeof *points);
	for (size_t i = 0; i < line->count; i++)
		points[i] = (struct bucket_point){line->points[i].x, line->points[i].seconds};
	shape->problem =
		(struct bucket_problem){points, line->count, request->sizes, request->size_count};
	if (!request->sizes && spread_evenly(arena, shape, err) < 0)
		return -1;
	plan_shape(arena, shape, request->k);
	return 0;
}

/* --- printing --- */

static const char *size_text(struct arena *arena, double size)
{
	return arena_printf(arena, "%.10g", size);
}

static const char *sizes_text(struct arena *arena, const struct bucket_plan *plan)
{
	struct strbuf sb = {0};
	if (plan->count > LISTED_LIMIT)
		return arena_printf(arena, "%zu sizes", plan->count);
	for (size_t i = 0; i < plan->count; i++) {
		const struct bucket *bucket = &plan->buckets[i];
		strbuf_addf(&sb, "%s%s%.10g", i ? " " : "",
			    bucket->measured > bucket->size ? "~" : "", bucket->size);
	}
	return plan->count ? strbuf_into(&sb, arena) : "none";
}

static void add_plans(struct arena *arena, const struct shape *shape, struct strbuf *out)
{
	struct md_table table;
	bool borrowed = false;
	md_table_init(&table, arena);
	md_table_column(&table, "plan", MD_ALIGN_LEFT);
	md_table_column(&table, "covered", MD_ALIGN_RIGHT);
	md_table_column(&table, "time", MD_ALIGN_RIGHT);
	md_table_column(&table, "waste", MD_ALIGN_RIGHT);
	md_table_column(&table, "padding", MD_ALIGN_RIGHT);
	md_table_column(&table, "buckets", MD_ALIGN_LEFT);
	for (size_t i = 0; i < PLAN_COUNT; i++) {
		const struct bucket_plan *plan = &shape->plans[i].plan;
		md_table_cell(&table, shape->plans[i].name);
		md_table_cell(&table, quantity_text(arena, plan->covered, UNIT_FRACTION));
		md_table_cell(&table, quantity_text(arena, plan->seconds, UNIT_SECOND));
		md_table_cell(&table, quantity_change_text(arena, plan->waste));
		md_table_cell(&table, quantity_text(arena, plan->padding, UNIT_FRACTION));
		md_table_cell(&table, sizes_text(arena, plan));
		for (size_t b = 0; b < plan->count && plan->count <= LISTED_LIMIT; b++)
			borrowed |= plan->buckets[b].measured > plan->buckets[b].size;
	}
	md_table_plain(&table, out);
	if (borrowed)
		strbuf_addstr(out, "~ was not measured: the time is that of the next larger size "
				   "that was\n");
}

static void add_best(struct arena *arena, const struct shape *shape, struct strbuf *out)
{
	const struct bucket_plan *plan = &shape->plans[0].plan;
	struct md_table table;
	double below = 0;
	md_table_init(&table, arena);
	md_table_column(&table, "bucket", MD_ALIGN_RIGHT);
	md_table_column(&table, "for sizes", MD_ALIGN_LEFT);
	md_table_column(&table, "share", MD_ALIGN_RIGHT);
	md_table_column(&table, "time", MD_ALIGN_RIGHT);
	for (size_t i = 0; i < plan->count; i++) {
		const struct bucket *bucket = &plan->buckets[i];
		md_table_cell(&table, size_text(arena, bucket->size));
		md_table_cell(&table, below > 0 ? arena_printf(arena, "above %.10g", below)
						: arena_printf(arena, "up to %.10g", bucket->size));
		md_table_cell(&table, quantity_text(arena, bucket->share, UNIT_FRACTION));
		md_table_cell(&table, quantity_text(arena, bucket->seconds, UNIT_SECOND));
		below = bucket->size;
	}
	md_table_plain(&table, out);
}

static void add_shape(struct arena *arena, const struct shape *shape, struct strbuf *out)
{
	const struct bucket_problem *problem = &shape->problem;
	const struct bucket_plan *best = &shape->plans[0].plan;
	double largest = problem->points[problem->point_count - 1].size;
	strbuf_addf(out, "%s: %s from %.10g to %.10g in %zu measured sizes, %s\n",
		    shape->line->name, shape->sweep->x, problem->points[0].size, largest,
		    problem->point_count, metric_info(shape->line->time)->title);
	if (best->covered < 1)
		strbuf_addf(out, "%s of the requests are larger than %.10g, the largest measured\n",
			    quantity_text(arena, 1 - best->covered, UNIT_FRACTION), largest);
	strbuf_addch(out, '\n');
	add_best(arena, shape, out);
	strbuf_addch(out, '\n');
	add_plans(arena, shape, out);
}

static int print_shapes(struct cli *cli, const struct shape *shapes, size_t count,
			struct error *err)
{
	struct strbuf sb = {0};
	const struct sweep *sweep = shapes[0].sweep;
	if (sweep->common[0])
		strbuf_addf(&sb, "all %s\n", sweep->common);
	strbuf_addf(&sb, "requests: %s\n",
		    shapes[0].uniform ? "every size up to the largest measured alike"
				      : "as in the file of sizes");
	for (size_t i = 0; i < count; i++) {
		strbuf_addch(&sb, '\n');
		add_shape(&cli->arena, &shapes[i], &sb);
	}
	int rc = cli_print_clean(strbuf_text(&sb), err);
	strbuf_free(&sb);
	return rc;
}

static void add_json_plan(struct arena *arena, struct json *list, const struct plan *named)
{
	const struct bucket_plan *plan = &named->plan;
	struct json *object = json_add_object(arena, list);
	json_set_text(arena, object, "name", named->name);
	json_set_number(arena, object, "covered", plan->covered);
	json_set_number(arena, object, "seconds", plan->seconds);
	json_set_number(arena, object, "ideal_seconds", plan->ideal);
	json_set_number(arena, object, "waste", plan->waste);
	json_set_number(arena, object, "padding", plan->padding);
	struct json *buckets = json_set_array(arena, object, "buckets");
	for (size_t i = 0; i < plan->count; i++) {
		struct json *bucket = json_add_object(arena, buckets);
		json_set_number(arena, bucket, "size", plan->buckets[i].size);
		json_set_number(arena, bucket, "measured", plan->buckets[i].measured);
		json_set_number(arena, bucket, "seconds", plan->buckets[i].seconds);
		json_set_number(arena, bucket, "share", plan->buckets[i].share);
	}
}

static void add_json_points(struct arena *arena, struct json *parent, const struct shape *shape)
{
	struct json *points = json_set_array(arena, parent, "measured");
	for (size_t i = 0; i < shape->problem.point_count; i++) {
		struct json *point = json_add_object(arena, points);
		json_set_number(arena, point, "size", shape->problem.points[i].size);
		json_set_number(arena, point, "seconds", shape->problem.points[i].seconds);
	}
}

static struct json *json_of(struct arena *arena, const struct shape *shapes, size_t count)
{
	struct json *list = json_array(arena);
	for (size_t i = 0; i < count; i++) {
		const struct shape *shape = &shapes[i];
		struct json *object = json_add_object(arena, list);
		json_set_text(arena, object, "name", shape->line->name);
		json_set_text(arena, object, "common", shape->sweep->common);
		json_set_text(arena, object, "x", shape->sweep->x);
		json_set_text(arena, object, "time", metric_info(shape->line->time)->key);
		json_set_number(arena, object, "measured_sizes",
				(double)shape->problem.point_count);
		json_set_bool(arena, object, "uniform", shape->uniform);
		add_json_points(arena, object, shape);
		struct json *plans = json_set_array(arena, object, "plans");
		for (size_t p = 0; p < PLAN_COUNT; p++)
			add_json_plan(arena, plans, &shape->plans[p]);
	}
	return list;
}

/* --- the command --- */

static int read_request(struct cli *cli, const struct buckets_options *options,
			struct request *request, struct error *err)
{
	struct span text;
	request->k = options->k ? options->k : DEFAULT_COUNT;
	if (!options->sizes)
		return 0;
	if (file_read(&cli->arena, options->sizes, file_limit, &text, err) < 0)
		return -1;
	if (request_sizes_read(&cli->arena, text, &request->sizes, &request->size_count, err) < 0)
		return error_prefix(err, "%s", options->sizes);
	return 0;
}

/* Lines with one size leave nothing to choose. */
static int make_shapes(struct cli *cli, const struct sweep *sweep, const struct request *request,
		       struct shape **shapes, struct error *err)
{
	size_t count = 0;
	*shapes = arena_array(&cli->arena, sweep->count, sizeof **shapes);
	for (size_t i = 0; i < sweep->count; i++) {
		struct shape *shape = &(*shapes)[count];
		if (sweep->lines[i].count < 2)
			continue;
		shape->sweep = sweep;
		shape->line = &sweep->lines[i];
		if (make_shape(cli, request, shape, err) < 0)
			return -1;
		count++;
	}
	if (count == 0)
		return error_set(err, ERR_USAGE,
				 "no runs differ in %.80s alone: there is nothing to choose from",
				 sweep->x);
	if (count < sweep->count)
		cli_note(cli, "left out: %zu shape%s measured at one size only",
			 sweep->count - count, sweep->count - count == 1 ? "" : "s");
	return (int)count;
}

/* How many shapes there are; -1 on failure. */
static int load_shapes(struct cli *cli, const struct buckets_options *options,
		       struct shape **shapes, struct error *err)
{
	struct request request = {0};
	struct sweep *sweep = arena_new(&cli->arena, struct sweep);
	if (read_request(cli, options, &request, err) < 0 ||
	    cli_sweep(cli, options->commit, &options->filter, options->x, sweep, err) < 0)
		return -1;
	return make_shapes(cli, sweep, &request, shapes, err);
}

int buckets_document(struct cli *cli, const struct buckets_options *options, struct json **document,
		     struct error *err)
{
	struct shape *shapes;
	int count = load_shapes(cli, options, &shapes, err);
	if (count < 0)
		return -1;
	*document = json_of(&cli->arena, shapes, (size_t)count);
	return 0;
}

struct buckets_arguments {
	struct buckets_options choice;
	bool json;
};

static int print_buckets(struct cli *cli, void *options, struct error *err)
{
	const struct buckets_arguments *o = options;
	struct shape *shapes;
	int count = load_shapes(cli, &o->choice, &shapes, err);
	if (count < 0)
		return -1;
	int rc = o->json ? cli_print_json(json_of(&cli->arena, shapes, (size_t)count), err)
			 : print_shapes(cli, shapes, (size_t)count, err);
	return rc < 0 ? -1 : EXIT_PASS;
}

#define FIELD(member) OPTION_FIELD(struct buckets_arguments, member)
static const struct option rows[] = {
	{FIELD(choice.filter), .rows = run_filter_options},
	{FIELD(choice.x), "x", "PARAM", "the size to bucket, where several parameters vary"},
	{FIELD(choice.k), "k", "N", "at most N buckets (default 5)", .low = 1,
	 .high = BUCKET_LIMIT},
	{FIELD(choice.sizes), "sizes", "FILE",
	 "sizes of requests, \"size\" or \"size,weight\" a line"},
	{FIELD(json), "json", NULL, "as JSON, in seconds and fractions"},
	{.kind = OPTION_END},
};

static const char *const examples[] = {
	"rooflog buckets --x s --k 4",
	"rooflog buckets --sizes requests.csv HEAD~1",
	NULL,
};

const struct command command_buckets = {
	.name = "buckets",
	.summary = "choose bucket sizes from measured latencies",
	.usage = "[OPTION]... [COMMIT]",
	.about = "Chooses the sizes to compile for from the latencies measured at a commit "
		 "(default: HEAD,\nor its nearest ancestor with runs): a request is padded up "
		 "to the next bucket.",
	.options = rows,
	.arguments = {{"COMMIT", ARGUMENT(struct buckets_arguments, choice.commit)}},
	.takes = "one commit",
	.examples = examples,
	.options_size = sizeof(struct buckets_arguments),
	.needs = NEEDS_STORE,
	.run = print_buckets,
};
