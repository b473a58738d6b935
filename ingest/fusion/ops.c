/*
 * profile_fusion_ops.py: {"metadata": {device, dtype, warmup, iterations, timestamp}, "profiles":
 * [{"shape": {hidden_size, batch_size, seq_len}, "shape_key": "h4096_b1_s512",
 *   "add_rms_norm": {"add": ms, "rms_norm": ms, "add+rms_norm": ms} | {"error": text}, ...}]}
 */

#include "ingest/fusion/fusion.h"
#include "ingest/reader.h"

/* "[batch, sequence, hidden]", the shape of the operators' input tensor. */
static const char *shape_of(struct arena *arena, const struct json *profile, const char *path,
			    struct error *err)
{
	static const char *const names[] = {"batch_size", "seq_len", "hidden_size"};
	const struct json *shape = json_get(profile, "shape");
	struct strbuf sb = {0};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		double size = json_number(shape, names[i], NAN);
		if (!(size >= 1 && size <= 1e11 && size == floor(size))) {
			strbuf_free(&sb);
			error_set(err, ERR_FORMAT,
				  "%s.shape.%s: expected a size, an integer above 0", path,
				  names[i]);
			return NULL;
		}
		strbuf_addf(&sb, "%s%.0f", i ? ", " : "[", size);
	}
	strbuf_addstr(&sb, "]");
	return strbuf_into(&sb, arena);
}

/* The fused operator is the member whose name contains a plus sign. */
static const struct json *pattern_of(const struct json *times)
{
	for (const struct json *node = times->first; node; node = node->next)
		if (strchr(node->name, '+'))
			return node;
	return NULL;
}

static int read_group(struct fusion_file *file, const struct json *group, const char *shape,
		      const char *path, struct error *err)
{
	const struct json *fused = pattern_of(group);
	/* The operator failed for this shape. */
	if (json_get(group, "error")) {
		file->failed++;
		return 0;
	}
	if (!fused)
		return error_set(err, ERR_FORMAT,
				 "%.300s: pattern missing (such as \"add+rms_norm\")", path);
	struct fusion_pattern pattern = {fused->name, shape, fused, group, path};
	return fusion_reader_add_pattern(file, &pattern, err);
}

static int read_entry(struct fusion_file *file, const struct json *profile, const char *path,
		      struct error *err)
{
	if (profile->type != JSON_OBJECT)
		return error_set(err, ERR_FORMAT, "%s: expected an object", path);
	const char *shape = shape_of(file->arena, profile, path, err);
	if (!shape)
		return -1;
	for (const struct json *group = profile->first; group; group = group->next) {
		if (strcmp(group->name, "shape") == 0 || group->type != JSON_OBJECT)
			continue;
		const char *inner = arena_printf(file->arena, "%s.%.200s", path, group->name);
		if (read_group(file, group, shape, inner, err) < 0)
			return -1;
	}
	return 0;
}

static void read_metadata(const struct fusion_file *file, struct run *run)
{
	static const char *const copied[] = {"timestamp", "device"};
	struct arena *arena = file->arena;
	const struct json *metadata = json_get(file->root, "metadata");
	double iterations = json_number(metadata, "iterations", NAN);
	run->dtype = fusion_reader_line(arena, json_text(metadata, "dtype", NULL));
	run->device = fusion_reader_line(arena,
					 fusion_reader_device(json_text(metadata, "device", NULL)));
	if (iterations >= 1 && iterations <= 1e9)
		run_set(run, METRIC_LAUNCH_COUNT, iterations, PROVENANCE_REPORTED);
	for (size_t i = 0; i < sizeof copied / sizeof *copied; i++) {
		const char *text = fusion_reader_line(arena, json_text(metadata, copied[i], NULL));
		if (text)
			run_add_attribute(arena, run, copied[i], text);
	}
}

static int read_ops(struct arena *arena, struct input *input, struct ingest_result *result,
		    struct error *err)
{
	struct fusion_file file;
	size_t index = 0;
	if (fusion_reader_open(arena, input, "infinicore-profile-ops", &file, err) < 0)
		return -1;
	const struct json *profiles = json_get(file.root, "profiles");
	if (!profiles || profiles->type != JSON_ARRAY)
		return error_set(err, ERR_FORMAT, "profiles: expected a list");
	for (const struct json *node = profiles->first; node; node = node->next)
		if (read_entry(&file, node, arena_printf(arena, "profiles[%zu]", index++), err) < 0)
			return -1;
	for (size_t i = 0; i < file.runs.count; i++)
		read_metadata(&file, file.runs.items[i]);
	return fusion_reader_finish(&file, result, err);
}

static bool detect(struct span head)
{
	return fusion_reader_detect(head, "profiles", "shape_key");
}

const struct reader fusion_ops_reader = {"fusion-ops", "profile_fusion_ops.py",
					 NEEDS_DTYPE | NEEDS_DEVICE | NEEDS_COMMIT, detect,
					 read_ops};
