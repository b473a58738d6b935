/* Counts which of the needed shapes are measured. */
#include "model/sizing/fusion/fusion_coverage.h"

/* Platforms and operators of the scheduler, measured or not. */
static const char *const known_platforms[] = {"NVIDIA", "Iluvatar", "MetaX"};
static const char *const known_operators[] = {"add+rms_norm", "silu+mul"};

const struct fusion_expected fusion_expected[fusion_expected_count] = {
	{"prefill", 1, 128},  {"prefill", 1, 256}, {"prefill", 1, 512}, {"prefill", 1, 1024},
	{"prefill", 1, 2048}, {"decode", 1, 1},    {"decode", 2, 1},    {"decode", 4, 1},
	{"decode", 8, 1},     {"decode", 16, 1},   {"decode", 32, 1},
};

enum { list_limit = 256 };

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

/* "NVIDIA" for "NVIDIA A100 SXM4 80GB"; an unknown device is its own platform. */
static const char *platform_of(const struct fusion_question *question, const struct run *run)
{
	const struct hardware *hardware =
		run->device ? hardware_find(question->devices, run->device) : NULL;
	const char *title = hardware && hardware->title ? hardware->title : run->device;
	if (!title)
		return "unknown";
	return arena_strndup(question->arena, title, strcspn(title, " "));
}

/* Whether the work was timed on both sides. */
static bool counts_as_measured(const struct fusion_work *work)
{
	const struct fusion_reader_time *times = work->times;
	for (int side = 0; side < 2; side++)
		if (isnan(times[side].time) || times[side].provenance == PROVENANCE_ESTIMATED)
			return false;
	return work->sizes.rank == 3;
}

static struct fusion_coverage cover(const struct fusion_question *question,
				    const struct fusion_works *works, const char *platform,
				    const char *kernel, double hidden)
{
	struct fusion_coverage line = {.platform = platform, .kernel = kernel, .hidden = hidden};
	struct fusion_shape *shapes =
		arena_array(question->arena, works->count + 1, sizeof *shapes);
	for (size_t i = 0; i < works->count; i++) {
		const struct fusion_work *work = &works->items[i];
		if (counts_as_measured(work) && strcmp(work->run->kernel, kernel) == 0 &&
		    work->sizes.sizes[2] == hidden &&
		    strcmp(platform_of(question, work->run), platform) == 0)
			shapes[line.measured++] = work->sizes;
	}
	for (size_t i = 0; i < fusion_expected_count; i++) {
		struct fusion_shape wanted = {
			{fusion_expected[i].batch, fusion_expected[i].sequence, hidden}, 3};
		line.of[i] = fusion_cover(shapes, line.measured, &wanted);
		line.counts[line.of[i]]++;
	}
	return line;
}

/* The hidden sizes of an operator on any platform. */
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
	qsort(sizes, count, sizeof *sizes, array_by_double);
	return count;
}

static void add_line(const struct fusion_question *question, struct fusion_coverages *lines,
		     struct fusion_coverage line)
{
	*arena_add(question->arena, lines) = line;
}

static bool is_asked_about(const struct fusion_question *question, const char *kernel)
{
	bool fits = question->kernel_count == 0;
	for (size_t i = 0; i < question->kernel_count && !fits; i++)
		fits = span_glob(question->kernels[i], kernel);
	return fits;
}

struct fusion_coverages fusion_coverage_of(const struct fusion_question *question,
					   const struct fusion_works *works)
{
	struct fusion_coverages lines = {0};
	struct texts platforms = {0}, kernels = {0};
	for (size_t i = 0;
	     question->all_platforms && i < sizeof known_platforms / sizeof *known_platforms; i++)
		add_text(&platforms, known_platforms[i]);
	for (size_t i = 0; i < sizeof known_operators / sizeof *known_operators; i++)
		if (is_asked_about(question, known_operators[i]))
			add_text(&kernels, known_operators[i]);
	for (size_t i = 0; i < works->count; i++) {
		add_text(&platforms, platform_of(question, works->items[i].run));
		add_text(&kernels, works->items[i].run->kernel);
	}
	for (size_t p = 0; p < platforms.count; p++)
		for (size_t k = 0; k < kernels.count; k++) {
			double sizes[list_limit];
			size_t count = hidden_sizes(works, kernels.items[k], sizes);
			if (count == 0)
				sizes[count++] = NAN;
			for (size_t i = 0; i < count; i++)
				add_line(question, &lines,
					 cover(question, works, platforms.items[p],
					       kernels.items[k], sizes[i]));
		}
	return lines;
}
