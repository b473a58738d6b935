/* The source lines that take most of a run: of its time, or of its warp samples. */
#include "render/report/report.h"

#include "render/document/document.h"
#include "render/vocabulary/vocabulary.h"

enum { SHOWN = 20 };

struct line {
	size_t index; /* of its tally */
	double weight;
};

static int by_weight(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return (x->index > y->index) - (x->index < y->index);
}

const char *report_stall(struct arena *arena, const struct run *run, size_t tally, double samples)
{
	double stalled;
	const char *stall = run_tally_stall(run, tally, &stalled);
	return stall && samples > 0
		       ? arena_printf(arena, "%s %.0f %%", stall, stalled / samples * 100)
		       : stall;
}

void report_add_source_lines(struct arena *arena, struct json *out, const struct run *run)
{
	const bool sampled = run_is_sampled(run);
	struct line *lines = arena_array(arena, run->tally_count, sizeof *lines);
	double total = 0;
	size_t count = 0;
	for (size_t i = 0; i < run->tally_count; i++) {
		double weight =
			sampled ? run_tally_figure(run, i, "samples") : run->tallies[i].seconds;
		if (run->tallies[i].kind != TALLY_SOURCE || !(weight > 0))
			continue;
		lines[count++] = (struct line){i, weight};
		total += weight;
	}
	if (!count)
		return;
	/* A line in an inlined function counts again in the line that calls it. */
	double samples = run_number(run, METRIC_WARP_SAMPLES);
	bool of_kernel = sampled && samples > 0;
	array_sort(lines, count, sizeof *lines, by_weight);
	struct json *object = json_set_object(arena, out, KEY(source_lines));
	const struct document_member members[] = {
		{KEY(sampled), BOOL(sampled)},
		{KEY(whole), TEXT(vocabulary_label(of_kernel ? "warp samples of the kernel"
							     : "all source lines of the run"))},
		{KEY(more), NUMBER(count > SHOWN ? (double)(count - SHOWN) : NAN)},
	};
	document_fill(arena, object, members);
	struct json *rows = json_set_array(arena, object, KEY(rows));
	for (size_t i = 0; i < count && i < SHOWN; i++) {
		const struct document_member row[] = {
			{KEY(name), TEXT(run->tallies[lines[i].index].name)},
			{KEY(amount_text),
			 AMOUNT(lines[i].weight, sampled ? UNIT_COUNT : UNIT_SECOND)},
			{KEY(share_text),
			 AMOUNT(lines[i].weight / (of_kernel ? samples : total), UNIT_FRACTION)},
			{KEY(stall),
			 TEXT(sampled ? report_stall(arena, run, lines[i].index, lines[i].weight)
				      : NULL)},
			{KEY(text), TEXT(run_tally_text(run, lines[i].index))},
		};
		document_fill(arena, json_add_object(arena, rows), row);
	}
}
