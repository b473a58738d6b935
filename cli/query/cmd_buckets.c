/* rooflog buckets: finds the best sizes to compile for and compares them with the usual ones. */
#include "cli/query/query.h"

#include "base/system/system.h"
#include "cli/command.h"
#include "render/sizing/sizing.h"

enum { DEFAULT_COUNT = 5 };
static const size_t file_limit = 32u << 20;

static int read_wish(struct cli *cli, const struct sweep_request *request, struct bucket_wish *wish,
		     struct error *err)
{
	struct span text;
	wish->k = request->k ? request->k : DEFAULT_COUNT;
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
				 "no runs differ in %.80s alone: there is nothing to choose from",
				 sweep->x);
	if (count < sweep->count)
		cli_note(cli, "left out: %zu shape%s measured at one size only",
			 sweep->count - count, sweep->count - count == 1 ? "" : "s");
	assert(count <= sweep->count);
	return (int)count;
}

/* Loads the shapes. Returns how many there are, or -1. */
static int load_shapes(struct cli *cli, const struct sweep_request *request,
		       struct bucket_shape **shapes, struct error *err)
{
	struct bucket_wish wish = {0};
	struct sweep *sweep = arena_new(&cli->arena, struct sweep);
	if (read_wish(cli, request, &wish, err) < 0 ||
	    cli_query_sweep(cli, request, sweep, err) < 0)
		return -1;
	return make_shapes(cli, sweep, &wish, shapes, err);
}

int cli_query_buckets_document(struct cli *cli, const struct sweep_request *request,
			       struct json **document, struct error *err)
{
	struct bucket_shape *shapes;
	int count = load_shapes(cli, request, &shapes, err);
	if (count < 0)
		return -1;
	*document = render_buckets_json(&cli->arena, shapes, (size_t)count);
	return 0;
}

struct buckets_arguments {
	struct sweep_request choice;
	bool json;
};

static int print_buckets(struct cli *cli, void *options, struct error *err)
{
	const struct buckets_arguments *o = options;
	struct bucket_shape *shapes;
	int count = load_shapes(cli, &o->choice, &shapes, err);
	if (count < 0)
		return -1;
	if (o->json)
		return cli_print_json(render_buckets_json(&cli->arena, shapes, (size_t)count), err);
	struct strbuf sb = {0};
	render_buckets_text(&cli->arena, shapes, (size_t)count, &sb);
	return cli_print_built(&sb, err);
}

#define FIELD(member) OPTION_FIELD(struct buckets_arguments, member)
static const struct option rows[] = {
	{OPTION_GROUP(struct buckets_arguments, choice.filter, run_filter_options)},
	{FIELD(choice.x), "x", "PARAM", "the size to bucket, where several parameters vary"},
	{FIELD(choice.k), "k", "N", "at most N buckets (default 5)", .low = 1,
	 .high = BUCKET_LIMIT},
	{FIELD(choice.sizes), "sizes", "FILE",
	 "sizes of requests, \"size\" or \"size,weight\" a line"},
	{FIELD(json), "json", NULL, "as JSON, in seconds and fractions"},
	{.kind = OPTION_END},
};

const struct command command_buckets = {
	.name = "buckets",
	.group = GROUP_OTHER,
	.summary = "choose bucket sizes from measured latencies",
	.usage = "[OPTION]... [COMMIT]",
	.about = "Chooses the sizes to compile for from the latencies measured at a commit "
		 "(default: HEAD,\nor its nearest ancestor with runs): a request is padded up "
		 "to the next bucket.",
	.options = rows,
	.arguments = {{"COMMIT", ARGUMENT(struct buckets_arguments, choice.commit)}},
	.takes = "one commit",
	.examples = {"rooflog buckets --x s --k 4", "rooflog buckets --sizes requests.csv HEAD~1"},
	.options_size = sizeof(struct buckets_arguments),
	.needs = NEEDS_STORE,
	.run = print_buckets,
};
