/*
 * End-to-end times of a model under the fusion strategies never, always and smart.
 *
 * profile_e2e_fusion.py: {"config": {device, model_path, runs, ...}, "results": {"never_fuse":
 * {"[prefill=128, decode=16]": {total_ms, prefill_ms, decode_ms, input_len, output_len, runs}}}}
 *
 * Only total_ms is measured; prefill_ms and decode_ms are shares of it by token counts. Times of
 * smart_schedule are treated as estimates: another script of the same project writes the times of
 * never_fuse minus an assumed gain under that name, and the file does not state which script wrote
 * it.
 */

#include "ingest/fusion/fusion.h"
#include "ingest/reader.h"

static const char apportioned[] =
	"prefill and decode times are the total time apportioned by token counts, not measured";
static const char fabricated[] =
	"smart_schedule is treated as an estimate: some benchmark versions derive it from "
	"never_fuse, and the file does not name its version";

/* "16" from "[prefill=128, decode=16]", that is the size after `name`;
 * *rest is the text after it. */
static const char *size_after(struct arena *arena, const char *name, const char **rest)
{
	size_t len = strlen(name);
	if (strncmp(*rest, name, len) != 0)
		return NULL;
	size_t digits = strspn(*rest + len, "0123456789");
	const char *size = arena_strndup(arena, *rest + len, digits);
	*rest += len + digits;
	return digits && digits <= 12 ? size : NULL;
}

static int read_lengths(struct fusion_file *file, struct run *run, const char *key,
			const char *path, struct error *err)
{
	const char *rest = key;
	const char *prefill = size_after(file->arena, "[prefill=", &rest);
	const char *decode = prefill ? size_after(file->arena, ", decode=", &rest) : NULL;
	if (!decode || strcmp(rest, "]") != 0)
		return error_set(err, ERR_FORMAT,
				 "%.300s: \"%.80s\" is not [prefill=TOKENS, decode=TOKENS]", path,
				 key);
	run_set_param(file->arena, run, "prefill", prefill);
	run_set_param(file->arena, run, "decode", decode);
	return 0;
}

static int read_times(struct fusion_file *file, struct run *run, const struct json *node,
		      const char *path, struct error *err)
{
	bool smart = strncmp(run->variant, "smart", 5) == 0;
	const struct {
		const char *name;
		enum metric metric;
		enum provenance provenance;
	} times[] = {
		{"total_ms", METRIC_HOST_TIME, smart ? PROVENANCE_ESTIMATED : PROVENANCE_MEASURED},
		{"prefill_ms", METRIC_PREFILL_TIME, PROVENANCE_ESTIMATED},
		{"decode_ms", METRIC_DECODE_TIME, PROVENANCE_ESTIMATED},
	};
	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		double seconds;
		const char *inner = arena_printf(file->arena, "%.300s.%s", path, times[i].name);
		if (fusion_reader_time(file, json_get(node, times[i].name), inner, &seconds, err) <
		    0)
			return -1;
		if (i == 0 && isnan(seconds))
			return error_set(err, ERR_FORMAT, "%.300s: expected a time in ms", inner);
		run_set(run, times[i].metric, seconds, times[i].provenance);
		if (i > 0 && !isnan(seconds) && run->note_count == 0)
			run_add_note(file->arena, run, "rooflog", apportioned);
	}
	if (smart)
		run_add_note(file->arena, run, "rooflog", fabricated);
	return 0;
}

static void add_attribute(struct fusion_file *file, struct run *run, const char *key,
			  const char *text)
{
	const char *line = fusion_reader_line(file->arena, text);
	if (line)
		run_add_attribute(file->arena, run, key, line);
}

static void read_counts(struct fusion_file *file, struct run *run, const struct json *node)
{
	static const char *const lengths[] = {"input_len", "output_len"};
	double runs = json_number(node, "runs", NAN);
	if (runs >= 1 && runs <= 1e9)
		run_set(run, METRIC_LAUNCH_COUNT, runs, PROVENANCE_REPORTED);
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		double tokens = json_number(node, lengths[i], NAN);
		if (tokens >= 0 && tokens <= 1e12)
			add_attribute(file, run, lengths[i],
				      arena_printf(file->arena, "%.15g", tokens));
	}
}

/* The configuration becomes parameters, because runs of different models are different work. */
static void read_config(struct fusion_file *file, struct run *run)
{
	const struct json *config = json_get(file->root, "config");
	const char *path = fusion_reader_line(file->arena, json_text(config, "model_path", NULL));
	const char *device = json_text(config, "device", NULL);
	run->device = fusion_reader_line(file->arena, fusion_reader_device(device));
	run->dtype = fusion_reader_line(file->arena, json_text(config, "dtype", NULL));
	add_attribute(file, run, "device", device);
	if (!path)
		return;
	add_attribute(file, run, "model_path", path);
	size_t end = strlen(path);
	while (end && path[end - 1] == '/')
		end--;
	size_t start = end;
	while (start && path[start - 1] != '/')
		start--;
	if (end > start)
		run_set_param(file->arena, run, "model",
			      arena_strndup(file->arena, path + start, end - start));
}

static int read_strategy(struct fusion_file *file, const struct json *strategy, struct error *err)
{
	const char *outer = arena_printf(file->arena, "results.%.200s", strategy->name);
	if (fusion_reader_check_name(strategy->name, "results", err) < 0)
		return -1;
	if (strategy->type != JSON_OBJECT)
		return error_set(err, ERR_FORMAT, "%s: expected an object", outer);
	for (const struct json *node = strategy->first; node; node = node->next) {
		const char *path = arena_printf(file->arena, "%s.%.80s", outer, node->name);
		struct run *run = fusion_reader_add_run(file, "e2e", strategy->name, NULL, err);
		if (!run || read_lengths(file, run, node->name, outer, err) < 0 ||
		    read_times(file, run, node, path, err) < 0)
			return -1;
		read_counts(file, run, node);
		read_config(file, run);
	}
	return 0;
}

static int read_e2e(struct arena *arena, struct input *input, struct ingest_result *result,
		    struct error *err)
{
	struct fusion_file file;
	if (fusion_reader_open(arena, input, "infinilm-e2e", &file, err) < 0)
		return -1;
	const struct json *results = fusion_reader_object(file.root, "results", "results", err);
	if (!results)
		return -1;
	for (const struct json *node = results->first; node; node = node->next)
		if (read_strategy(&file, node, err) < 0)
			return -1;
	return fusion_reader_finish(&file, result, err);
}

static bool detect(struct span head)
{
	return fusion_reader_detect(head, "results", "[prefill=");
}

const struct reader fusion_e2e_reader = {"fusion-e2e", "profile_e2e_fusion.py",
					 NEEDS_DTYPE | NEEDS_DEVICE | NEEDS_COMMIT, detect,
					 read_e2e};
