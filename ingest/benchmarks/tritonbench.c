/*
 * JSON of tritonbench: --output-json, and the result.json of its nightly run, which has the same
 * members in "metrics" and the device in "env".
 *
 *   {"tritonbench_gemm_fwd[x_(256, 256, 256)-triton_matmul]_latency": "0.0125", ...}
 *
 * One run per benchmark, input and backend. Averages over inputs, baselines' names and metrics
 * without a fixed unit are not read; a text such as "CUDA OOM" is a failure.
 */

#include "ingest/collect/collect.h"
#include "ingest/json/document/document.h"
#include "ingest/reader.h"

enum { member_limit = 1000000 };

static const struct {
	const char *name;
	enum metric metric;
	double scale;
	enum provenance provenance;
} metrics[] = {
	{"latency", METRIC_TOTAL_TIME, 1e-3, PROVENANCE_MEASURED},
	{"walltime", METRIC_HOST_TIME, 1e-3, PROVENANCE_MEASURED},
	{"tflops", METRIC_ALGORITHMIC_RATE, 1e12, PROVENANCE_REPORTED},
	{"gbps", METRIC_ALGORITHMIC_BANDWIDTH, 1e9, PROVENANCE_REPORTED},
};
enum { metric_count = sizeof metrics / sizeof *metrics };

struct reading {
	struct arena *arena;
	const char *device;
	struct row_groups groups;
	size_t failed, member;
};

/* The parts of a member's name. */
struct name {
	struct span benchmark, input, backend, metric;
};

static size_t last_of(struct span text, char c)
{
	const char *at = text.len ? memrchr(text.ptr, c, text.len) : NULL;
	return at ? (size_t)(at - text.ptr) : text.len;
}

/* Whether it is the name of a metric of one input. */
static bool split_name(const char *member, struct name *name)
{
	static const char prefix[] = "tritonbench_", input[] = "[x_";
	struct span rest = span_of(member);
	if (!span_starts(rest, prefix))
		return false;
	rest = (struct span){rest.ptr + strlen(prefix), rest.len - strlen(prefix)};
	size_t open = span_find(rest, input), close = last_of(rest, ']');
	if (open == rest.len || close == rest.len || close < open || open == 0 ||
	    rest.len - close < 3 || rest.ptr[close + 1] != '_')
		return false;
	name->benchmark = (struct span){rest.ptr, open};
	name->metric = (struct span){rest.ptr + close + 2, rest.len - close - 2};
	size_t start = open + strlen(input);
	struct span inside = {rest.ptr + start, close - start};
	size_t dash = last_of(inside, '-');
	if (dash == inside.len)
		return false;
	name->input = (struct span){inside.ptr, dash};
	name->backend = (struct span){inside.ptr + dash + 1, inside.len - dash - 1};
	return true;
}

static const char *copy(struct reading *r, struct span text)
{
	return json_document_name(r->arena, arena_strndup(r->arena, text.ptr, text.len));
}

/* Latencies are numbers in texts. NAN for other texts. */
static double value_of(const struct json *value)
{
	double number = value->type == JSON_NUMBER ? value->number : NAN;
	if (value->type == JSON_STRING)
		span_number(span_of(value->text), &number);
	return number > 0 ? number : NAN;
}

static int read_member(struct reading *r, const struct json *member, struct error *err)
{
	struct name name;
	size_t which = 0;
	if (!member->name || !split_name(member->name, &name))
		return 0;
	while (which < metric_count && !span_is(name.metric, metrics[which].name))
		which++;
	if (which == metric_count || member->type == JSON_NULL)
		return 0;
	double value = value_of(member);
	if (isnan(value)) {
		r->failed++;
		return 0;
	}
	struct span key = {name.benchmark.ptr, (size_t)(name.metric.ptr - 2 - name.benchmark.ptr)};
	struct row_group *group = row_groups_find(&r->groups, key, r->member, err);
	if (!group)
		return -1;
	struct run *run = group->run;
	if (!run->kernel) {
		run->kernel = copy(r, name.benchmark);
		run->variant = copy(r, name.backend);
		run->tool = "tritonbench";
		run->device = r->device;
		run_set_param(r->arena, run, "x", copy(r, name.input));
	}
	run_set(run, metrics[which].metric, json_document_scale(value, metrics[which].scale),
		metrics[which].provenance);
	return 0;
}

static int read_tritonbench(struct arena *arena, struct input *input, struct ingest_result *result,
			    struct error *err)
{
	struct reading r = {.arena = arena,
			    .groups = {.arena = arena, .width = 1, .unit = "metric"}};
	const struct json *root = json_document_read(arena, input, err);
	if (!root)
		return -1;
	const struct json *list = json_get(root, "metrics");
	r.device = json_document_text(arena, json_get(root, "env"), "device");
	list = list && list->type == JSON_OBJECT ? list : root;
	if (list->count > member_limit)
		return error_set(err, ERR_FORMAT, "more than %d metrics", (int)member_limit);
	for (const struct json *one = list->first; one; one = one->next) {
		r.member++;
		if (read_member(&r, one, err) < 0)
			return -1;
	}
	if (r.groups.count == 0)
		return error_set(err, ERR_FORMAT,
				 "no input has a latency, walltime, tflops or gbps above 0%s",
				 r.failed ? "; all failed" : "");
	if (r.failed)
		run_add_note(arena, r.groups.items[0].run, "rooflog",
			     arena_printf(arena, "metrics without a number above 0, skipped: %zu",
					  r.failed));
	row_groups_finish(&r.groups, &result->runs);
	return 0;
}

static bool detect(struct span head)
{
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	while (json_peek_next(&peek, &value))
		if (value.depth <= 2 && !value.is_item && span_starts(value.name, "tritonbench_") &&
		    span_find(value.name, "[") < value.name.len)
			return true;
	return false;
}

const struct reader tritonbench_reader = {"tritonbench", "tritonbench --output-json", 0, detect,
					  read_tritonbench};
