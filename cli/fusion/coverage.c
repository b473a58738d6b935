/*
 * rooflog fusion --coverage: what the scheduler needs, prompts (batch 1, sequences
 * from 128) and decoding (batches up to 32, one token), against what is stored for each
 * platform: measured, interpolated between measured shapes, or missing.
 */
#include "cli/fusion/fusion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/markup/table.h"

/* What the scheduler is for, measured or not. */
static const char *const known_platforms[] = {"NVIDIA", "Iluvatar", "MetaX"};
static const char *const known_operators[] = {"add+rms_norm", "silu+mul"};

static const struct {
	const char *phase;
	double batch, sequence;
} expected[] = {
	{"prefill", 1, 128},  {"prefill", 1, 256}, {"prefill", 1, 512}, {"prefill", 1, 1024},
	{"prefill", 1, 2048}, {"decode", 1, 1},    {"decode", 2, 1},    {"decode", 4, 1},
	{"decode", 8, 1},     {"decode", 16, 1},   {"decode", 32, 1},
};
enum { expected_count = sizeof expected / sizeof *expected, list_limit = 256 };

struct texts {
	const char *items[list_limit];
	size_t count;
};

static void add_text(struct texts *texts, const char *text)
{
	for (size_t i = 0; i < texts->count; i++)
		if (strcmp(texts->items[i], text) == 0)
			return;
	if (texts->count < list_limit)
		texts->items[texts->count++] = text;
}

/* "NVIDIA" of "NVIDIA A100 SXM4 80GB"; a device that nobody knows is a platform of its own. */
static const char *platform_of(struct cli *cli, const struct run *run)
{
	const struct hardware *hardware =
		run->device ? hardware_find(&cli->devices, run->device) : NULL;
	const char *title = hardware && hardware->title ? hardware->title : run->device;
	if (!title)
		return "unknown";
	return arena_strndup(&cli->arena, title, strcspn(title, " "));
}

/* One line: an operator of one hidden size on one platform. */
struct coverage {
	const char *platform, *kernel;
	double hidden; /* NAN: no shape of the operator is known anywhere */
	enum fusion_cover of[expected_count];
	size_t counts[FUSION_MISSING + 1];
	size_t measured; /* shapes of this hidden size, expected or not */
};

/* Only what was timed on both sides counts. */
static bool counts_as_measured(const struct fusion_work *work)
{
	const struct fusion_time *times = work->times;
	for (int side = 0; side < 2; side++)
		if (isnan(times[side].time) || times[side].provenance == PROVENANCE_ESTIMATED)
			return false;
	return work->sizes.rank == 3;
}

static struct coverage cover(struct cli *cli, const struct fusion_works *works,
			     const char *platform, const char *kernel, double hidden)
{
	struct coverage line = {.platform = platform, .kernel = kernel, .hidden = hidden};
	struct fusion_shape *shapes = arena_array(&cli->arena, works->count + 1, sizeof *shapes);
	for (size_t i = 0; i < works->count; i++) {
		const struct fusion_work *work = &works->items[i];
		if (counts_as_measured(work) && strcmp(work->run->kernel, kernel) == 0 &&
		    work->sizes.sizes[2] == hidden &&
		    strcmp(platform_of(cli, work->run), platform) == 0)
			shapes[line.measured++] = work->sizes;
	}
	for (size_t i = 0; i < expected_count; i++) {
		struct fusion_shape wanted = {{expected[i].batch, expected[i].sequence, hidden}, 3};
		line.of[i] = fusion_cover(shapes, line.measured, &wanted);
		line.counts[line.of[i]]++;
	}
	return line;
}

struct coverages {
	struct coverage *items;
	size_t count, capacity;
};

static int by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The hidden sizes that an operator has on any platform. */
static size_t hidden_sizes(const struct fusion_works *works, const char *kernel,
			   double sizes[list_limit])
{
	size_t count = 0;
	for (size_t i = 0; i < works->count; i++) {
		const struct fusion_work *work = &works->items[i];
		bool known = false;
		if (work->sizes.rank != 3 || strcmp(work->run->kernel, kernel) != 0)
			continue;
		for (size_t k = 0; k < count; k++)
			known |= sizes[k] == work->sizes.sizes[2];
		if (!known && count < list_limit)
			sizes[count++] = work->sizes.sizes[2];
	}
	qsort(sizes, count, sizeof *sizes, by_number);
	return count;
}

static void add_line(struct cli *cli, struct coverages *lines, struct coverage line)
{
	lines->items = arena_grow(&cli->arena, lines->items, lines->count, &lines->capacity,
				  sizeof *lines->items);
	lines->items[lines->count++] = line;
}

static bool fits(const char *pattern, const char *text)
{
	return !pattern || span_glob(pattern, text);
}

static struct coverages cover_all(struct cli *cli, const struct fusion_options *options,
				  const struct fusion_works *works)
{
	struct coverages lines = {0};
	struct texts platforms = {0}, kernels = {0};
	/* With a filter by device or dtype the question is about those that fit. */
	bool all = !options->filter.device && !options->filter.dtype && !options->tool;
	for (size_t i = 0; all && i < sizeof known_platforms / sizeof *known_platforms; i++)
		add_text(&platforms, known_platforms[i]);
	for (size_t i = 0; i < sizeof known_operators / sizeof *known_operators; i++)
		if (fits(options->filter.kernel, known_operators[i]))
			add_text(&kernels, known_operators[i]);
	for (size_t i = 0; i < works->count; i++) {
		add_text(&platforms, platform_of(cli, works->items[i].run));
		add_text(&kernels, works->items[i].run->kernel);
	}
	for (size_t p = 0; p < platforms.count; p++)
		for (size_t k = 0; k < kernels.count; k++) {
			double sizes[list_limit];
			size_t count = hidden_sizes(works, kernels.items[k], sizes);
			if (count == 0)
				sizes[count++] = NAN;
			for (size_t i = 0; i < count; i++)
				add_line(cli, &lines,
					 cover(cli, works, platforms.items[p], kernels.items[k],
					       sizes[i]));
		}
	return lines;
}

/* --- output --- */

/* "prefill 128 256; decode 1 2": sequences, then batches. */
static const char *missing_text(struct arena *arena, const struct coverage *line)
{
	struct strbuf sb = {0};
	const char *phase = "";
	for (size_t i = 0; i < expected_count; i++) {
		if (line->of[i] != FUSION_MISSING)
			continue;
		if (strcmp(phase, expected[i].phase) != 0)
			strbuf_addf(&sb, "%s%s", phase[0] ? "; " : "", expected[i].phase);
		phase = expected[i].phase;
		strbuf_addf(&sb, " %.0f",
			    expected[i].sequence > 1 ? expected[i].sequence : expected[i].batch);
	}
	if (!sb.len)
		strbuf_addstr(&sb, "--");
	return strbuf_into(&sb, arena);
}

static int print_text(struct cli *cli, const struct coverages *lines, struct error *err)
{
	struct arena *arena = &cli->arena;
	static const char *const titles[] = {"platform", "operator", "hidden size", "measured",
					     "interpolated"};
	struct md_table table;
	struct strbuf sb = {0};
	md_table_init(&table, arena);
	for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
		md_table_column(&table, titles[i], i < 2 ? MD_ALIGN_LEFT : MD_ALIGN_RIGHT);
	md_table_column(&table, "missing", MD_ALIGN_LEFT);
	for (size_t i = 0; i < lines->count; i++) {
		const struct coverage *line = &lines->items[i];
		md_table_cell(&table, line->platform);
		md_table_cell(&table, line->kernel);
		md_table_cell(&table, isnan(line->hidden)
					      ? "--"
					      : arena_printf(arena, "%.0f", line->hidden));
		md_table_cell(&table,
			      arena_printf(arena, "%zu of %d", line->counts[FUSION_MEASURED],
					   (int)expected_count));
		md_table_cell(&table,
			      arena_printf(arena, "%zu of %d", line->counts[FUSION_INTERPOLATED],
					   (int)expected_count));
		md_table_cell(&table, missing_text(arena, line));
	}
	md_table_plain(&table, &sb);
	strbuf_addstr(&sb, "\nexpected: prefill is batch 1 with these sequence lengths, decode one "
			   "token in these batches.\nFor a missing shape the scheduler takes the "
			   "times of another one.\n");
	int rc = cli_print_clean(strbuf_text(&sb), err);
	strbuf_free(&sb);
	return rc;
}

static void add_shapes(struct arena *arena, struct json *object, const struct coverage *line,
		       enum fusion_cover cover, const char *name)
{
	struct json *array = json_set_array(arena, object, name);
	for (size_t i = 0; i < expected_count; i++) {
		const char *hidden =
			isnan(line->hidden) ? "H" : arena_printf(arena, "%.0f", line->hidden);
		if (line->of[i] == cover)
			json_add_text(arena, array,
				      arena_printf(arena, "[%.0f, %.0f, %s]", expected[i].batch,
						   expected[i].sequence, hidden));
	}
}

static int print_json(struct cli *cli, const struct coverages *lines, struct error *err)
{
	struct arena *arena = &cli->arena;
	struct json *array = json_array(arena);
	for (size_t i = 0; i < lines->count; i++) {
		const struct coverage *line = &lines->items[i];
		struct json *object = json_add_object(arena, array);
		json_set_text(arena, object, "platform", line->platform);
		json_set_text(arena, object, "kernel", line->kernel);
		json_set_number(arena, object, "hidden_size", line->hidden);
		json_set_number(arena, object, "expected", expected_count);
		json_set_number(arena, object, "stored_shapes", (double)line->measured);
		add_shapes(arena, object, line, FUSION_MEASURED, "measured");
		add_shapes(arena, object, line, FUSION_INTERPOLATED, "interpolated");
		add_shapes(arena, object, line, FUSION_MISSING, "missing");
	}
	return cli_print_json(array, err);
}

int fusion_coverage(struct cli *cli, const struct fusion_options *options, bool json,
		    struct error *err)
{
	struct fusion_works works = {0};
	if (fusion_load(cli, options, fusion_sides, &works, err) < 0)
		return -1;
	struct coverages lines = cover_all(cli, options, &works);
	return json ? print_json(cli, &lines, err) : print_text(cli, &lines, err);
}
