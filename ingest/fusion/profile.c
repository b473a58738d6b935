/*
 * profile_result.json in both versions:
 *   1: {"single": {"add": ms, ...}, "fused": {"add+rms_norm": ms}}, without shapes
 *   2: {"unfused": {"add+rms_norm": {"[1, 512, 4096]": ms}}, "fused": {...}}
 * Neither states device, dtype or commit.
 */

#include "ingest/fusion/fusion.h"
#include "ingest/json/document/peek.h"
#include "ingest/reader.h"

static int read_shapes(struct fusion_file *file, const struct json *op, const char *variant,
		       struct error *err)
{
	for (const struct json *node = op->first; node; node = node->next) {
		double seconds;
		const char *path =
			arena_printf(file->arena, "%s.%.200s.%.80s", variant, op->name, node->name);
		if (fusion_reader_check_shape(node->name, path, err) < 0 ||
		    fusion_reader_time(file, node, path, &seconds, err) < 0)
			return -1;
		if (isnan(seconds))
			continue;
		struct run *run = fusion_reader_add_run(file, op->name, variant, node->name, err);
		if (!run)
			return -1;
		run_set(run, METRIC_HOST_TIME, seconds, PROVENANCE_MEASURED);
	}
	return 0;
}

static int read_operators(struct fusion_file *file, const char *variant, struct error *err)
{
	const struct json *operators = fusion_reader_object(file->root, variant, variant, err);
	if (!operators)
		return -1;
	for (const struct json *op = operators->first; op; op = op->next) {
		if (fusion_reader_check_name(op->name, variant, err) < 0)
			return -1;
		const char *path = arena_printf(file->arena, "%s.%s", variant, op->name);
		if (!fusion_reader_object(operators, op->name, path, err) ||
		    read_shapes(file, op, variant, err) < 0)
			return -1;
	}
	return 0;
}

static int read_single(struct fusion_file *file, struct error *err)
{
	const struct json *fused = fusion_reader_object(file->root, "fused", "fused", err);
	const struct json *single = fusion_reader_object(file->root, "single", "single", err);
	if (!fused || !single)
		return -1;
	for (const struct json *node = fused->first; node; node = node->next) {
		struct fusion_pattern pattern = {node->name, NULL, node, single, "single"};
		if (fusion_reader_add_pattern(file, &pattern, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < file->runs.count; i++)
		run_add_note(file->arena, file->runs.items[i], "rooflog",
			     "the file has no shapes: one time stands for all of them, and unfused "
			     "times are sums of single operators");
	return 0;
}

static int read_profile(struct arena *arena, struct input *input, struct ingest_result *result,
			struct error *err)
{
	struct fusion_file file;
	if (fusion_reader_open(arena, input, "infinicore-profile", &file, err) < 0)
		return -1;
	int rc = json_get(file.root, "unfused") ? read_operators(&file, "unfused", err) < 0 ||
							  read_operators(&file, "fused", err) < 0
						: read_single(&file, err) < 0;
	return rc ? -1 : fusion_reader_finish(&file, result, err);
}

/* Whether the object has a table by operator and shape, or a table by operator and one by pattern.
 * The head of a long file contains the beginning of the first table only. */
static bool detect(struct span head)
{
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	bool unfused = false, fused = false, single = false, shapes = false, numbers = false;
	while (json_peek_next(&peek, &value)) {
		if (value.depth == 0 && value.kind != '{')
			return false;
		if (value.depth == 1 && value.kind != '{')
			return false;
		unfused |= value.depth == 1 && span_is(value.name, "unfused");
		fused |= value.depth == 1 && span_is(value.name, "fused");
		single |= value.depth == 1 && span_is(value.name, "single");
		shapes |= value.depth == 3 && span_starts(value.name, "[");
		numbers |= value.depth == 2 && value.kind == '0';
	}
	if (shapes)
		return unfused && (fused || peek.end != JSON_PEEK_CLOSED);
	return single && numbers && fused;
}

const struct reader fusion_profile_reader = {
	"fusion-profile", "profile_result.json of the FusionScheduler",
	NEEDS_DTYPE | NEEDS_DEVICE | NEEDS_COMMIT, detect, read_profile};
