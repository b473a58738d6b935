/* Code that the readers of fusion profiles share. */
#include "ingest/fusion/fusion.h"

#include "ingest/json/document/peek.h"

static const size_t size_limit = 16u << 20;
static const double longest_ms = 1e9;
enum {
	run_limit = 8192,
	name_limit = 200,
	line_limit = 4096,
	size_digits = 12,
	rank_limit = 8,
	part_limit = 16,
	rounded_decimals = 4, /* the producers round times in ms to 4 decimals */
	decimals_limit = 9
};

bool fusion_reader_detect(struct span head, const char *section, const char *name)
{
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	while (json_peek_next(&peek, &value)) {
		if (value.depth == 0 && value.kind != '{')
			return false;
		if (value.depth == 3 && span_starts(value.name, name) &&
		    span_is(peek.open[1].name, section))
			return true;
	}
	return false;
}

int fusion_reader_open(struct arena *arena, struct input *input, const char *tool,
		       struct fusion_file *file, struct error *err)
{
	const struct json *root = input_read_json(arena, input, size_limit, err);
	if (!root)
		return -1;
	if (root->type != JSON_OBJECT)
		return error_set(err, ERR_FORMAT, "a fusion profile must be one JSON object");
	*file = (struct fusion_file){
		.arena = arena, .root = root, .tool = tool, .decimals = rounded_decimals};
	return 0;
}

/* The number of decimals that represent the number exactly; decimals_limit + 1 if it takes more. */
static int decimals_of(double ms)
{
	char text[64];
	for (int decimals = 0; decimals <= decimals_limit; decimals++) {
		snprintf(text, sizeof text, "%.*f", decimals, ms);
		if (strtod(text, NULL) == ms)
			return decimals;
	}
	return decimals_limit + 1;
}

int fusion_reader_time(struct fusion_file *file, const struct json *node, const char *path,
		       double *seconds, struct error *err)
{
	*seconds = NAN;
	if (!node || node->type == JSON_NULL)
		return 0;
	if (node->type != JSON_NUMBER || node->number <= 0 || node->number > longest_ms)
		return error_set(err, ERR_FORMAT,
				 "%.400s: expected a time in ms, a number above 0 and up to 1e9",
				 path);
	int decimals = decimals_of(node->number);
	if (decimals > file->decimals)
		file->decimals = decimals;
	*seconds = node->number / 1000;
	return 0;
}

static bool is_line(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return false;
	return true;
}

int fusion_reader_check_name(const char *name, const char *path, struct error *err)
{
	if (name[0] && strlen(name) <= name_limit && is_line(name))
		return 0;
	return error_set(err, ERR_FORMAT,
			 "%.300s: \"%.80s\" is not a valid name (one line, at most %d bytes)", path,
			 name, (int)name_limit);
}

static bool is_shape(const char *text)
{
	int rank = 0;
	if (*text++ != '[')
		return false;
	for (;;) {
		size_t digits = strspn(text, "0123456789");
		if (digits == 0 || digits > size_digits || text[0] == '0' || ++rank > rank_limit)
			return false;
		text += digits;
		if (strcmp(text, "]") == 0)
			return true;
		if (strncmp(text, ", ", 2) != 0)
			return false;
		text += 2;
	}
}

int fusion_reader_check_shape(const char *shape, const char *path, struct error *err)
{
	if (is_shape(shape))
		return 0;
	return error_set(err, ERR_FORMAT,
			 "%.300s: \"%.80s\" is not a shape; expected a list such as [1, 512, 4096]",
			 path, shape);
}

const struct json *fusion_reader_object(const struct json *parent, const char *name,
					const char *path, struct error *err)
{
	const struct json *node = json_get(parent, name);
	if (node && node->type == JSON_OBJECT)
		return node;
	error_set(err, ERR_FORMAT, "%.300s: expected an object", path);
	return NULL;
}

struct run *fusion_reader_add_run(struct fusion_file *file, const char *kernel, const char *variant,
				  const char *shape, struct error *err)
{
	if (file->runs.count == run_limit) {
		error_set(err, ERR_FORMAT, "the file has more than %d times", (int)run_limit);
		return NULL;
	}
	struct run *run = run_new(file->arena);
	run->kernel = kernel;
	run->variant = variant;
	run->tool = file->tool;
	if (shape)
		run_set_param(file->arena, run, "shape", shape);
	run_list_add(file->arena, &file->runs, run);
	return run;
}

const char *fusion_reader_device(const char *text)
{
	static const char *const backends[] = {"cuda", "cpu", "maca", "musa", "hip",      "rocm",
					       "npu",  "xpu", "mps",  "gpu",  "iluvatar", "nvidia"};
	if (!text || !text[0])
		return NULL;
	struct span backend = {text, strcspn(text, ":")};
	if (span_among_any_case(backend, backends, sizeof backends / sizeof *backends))
		return NULL;
	return text;
}

const char *fusion_reader_line(struct arena *arena, const char *text)
{
	if (!text || !text[0] || strlen(text) > line_limit || !is_line(text))
		return NULL;
	return arena_strdup(arena, text);
}

int fusion_reader_finish(struct fusion_file *file, struct ingest_result *result, struct error *err)
{
	if (file->runs.count == 0)
		return error_set(err, ERR_FORMAT, "no times in the file");
	struct strbuf sb = {0};
	quantity_add(&sb, pow(10, -file->decimals - 3), UNIT_SECOND);
	const char *resolution = strbuf_into(&sb, file->arena);
	if (file->failed)
		run_add_note(file->arena, file->runs.items[0], "rooflog",
			     arena_printf(file->arena,
					  "%zu timing%s marked as failed in the file, skipped",
					  file->failed, file->failed == 1 ? "" : "s"));
	for (size_t i = 0; i < file->runs.count; i++) {
		if (file->decimals <= decimals_limit)
			run_add_attribute(file->arena, file->runs.items[i], "time_resolution",
					  resolution);
		run_list_add(file->arena, &result->runs, file->runs.items[i]);
	}
	return 0;
}

/* --- a pattern and its parts --- */

struct part {
	const char *name;
	const struct json *node;
	double seconds;
};

/* Finds the parts of "add+rms_norm" and their times; returns their number, or -1 and *err. */
static int read_parts(struct fusion_file *file, const struct fusion_pattern *pattern,
		      struct part operators[part_limit], struct error *err)
{
	int count = 0;
	struct span rest = span_of(pattern->name);
	while (rest.ptr) {
		struct span name = span_cut(&rest, '+');
		if (count == part_limit || name.len == 0)
			return error_set(
				err, ERR_FORMAT,
				"%.300s: \"%.80s\" is not a pattern of at most %d operators",
				pattern->path, pattern->name, (int)part_limit);
		struct part *part = &operators[count++];
		part->name = arena_strndup(file->arena, name.ptr, name.len);
		const char *path =
			arena_printf(file->arena, "%.200s.%s", pattern->path, part->name);
		part->node = json_get(pattern->parts, part->name);
		if (fusion_reader_time(file, part->node, path, &part->seconds, err) < 0)
			return -1;
	}
	return count;
}

/* Adds in the same order and unit as the producer, left to right in milliseconds, so that an equal
 * sum is recognized. */
static double sum_of(const struct part *parts, int count)
{
	assert(count > 0 && count <= part_limit);
	double ms = 0;
	for (int i = 0; i < count; i++)
		ms += isnan(parts[i].seconds) ? NAN : parts[i].node->number;
	return ms / 1000;
}

static int add_unfused(struct fusion_file *file, const struct fusion_pattern *pattern, double *sum,
		       struct error *err)
{
	struct part operators[part_limit];
	int count = read_parts(file, pattern, operators, err);
	if (count < 0)
		return -1;
	*sum = sum_of(operators, count);
	if (isnan(*sum))
		return 0;
	struct run *run =
		fusion_reader_add_run(file, pattern->name, "unfused", pattern->shape, err);
	if (!run)
		return -1;
	run_set(run, METRIC_HOST_TIME, *sum, PROVENANCE_DERIVED);
	for (int i = 0; i < count; i++)
		run_add_tally(file->arena, run,
			      (struct run_tally){.kind = TALLY_KERNEL,
						 .name = operators[i].name,
						 .count = 1,
						 .seconds = operators[i].seconds,
						 .bytes = NAN,
						 .flops = NAN});
	return 0;
}

int fusion_reader_add_pattern(struct fusion_file *file, const struct fusion_pattern *pattern,
			      struct error *err)
{
	double sum, seconds;
	const char *path = arena_printf(file->arena, "%.200s.%.200s", pattern->path, pattern->name);
	if (fusion_reader_check_name(pattern->name, pattern->path, err) < 0 ||
	    fusion_reader_time(file, pattern->fused, path, &seconds, err) < 0 ||
	    add_unfused(file, pattern, &sum, err) < 0)
		return -1;
	if (isnan(seconds))
		return 0;
	struct run *run = fusion_reader_add_run(file, pattern->name, "fused", pattern->shape, err);
	if (!run)
		return -1;
	bool estimated = fabs(seconds - sum) <= 1e-12 * seconds;
	run_set(run, METRIC_HOST_TIME, seconds,
		estimated ? PROVENANCE_ESTIMATED : PROVENANCE_MEASURED);
	if (estimated)
		run_add_note(file->arena, run, "rooflog",
			     "the fused time equals the sum of its parts: an estimate, because no "
			     "fused operator was measured");
	if (isnan(sum))
		run_add_note(
			file->arena, run, "rooflog",
			"unfused time unknown: one operator of the pattern was not timed alone");
	return 0;
}
