/* Naming the runs of one file so that different work never shares a series. */
#include "ingest/kernel_runs.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "ingest/kernel_name.h"

static const char *clean_text(struct arena *arena, struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] < ' ' || text.ptr[i] == 0x7f)
			return "?";
	return text.len && utf8_valid_prefix(text) == text.len
		       ? arena_strndup(arena, text.ptr, text.len)
		       : "?";
}

void kernel_work_init(struct arena *arena, struct kernel_work *work, const char *tool,
		      struct span symbol)
{
	enum { symbol_limit = 64 * 1024 };
	symbol = span_trim(symbol);
	*work = (struct kernel_work){
		.run = run_new(arena),
		.symbol = symbol.len < symbol_limit ? clean_text(arena, symbol) : "?",
		.grid = {NAN, NAN, NAN},
		.block = {NAN, NAN, NAN},
	};
	work->run->tool = tool;
	work->run->node = "";
	work->run->kernel = kernel_short_name(arena, span_of(work->symbol));
	if (strcmp(work->run->kernel, work->symbol) != 0)
		run_add_attribute(arena, work->run, "kernel_symbol", work->symbol);
}

void kernel_work_give_sizes(struct kernel_work *work)
{
	run_give(work->run, METRIC_GRID_SIZE, work->grid[0] * work->grid[1] * work->grid[2],
		 PROVENANCE_MEASURED);
	run_give(work->run, METRIC_BLOCK_SIZE, work->block[0] * work->block[1] * work->block[2],
		 PROVENANCE_MEASURED);
}

/* --- telling apart --- */

static bool same_size(const double a[3], const double b[3])
{
	for (int i = 0; i < 3; i++)
		if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
			return false;
	return true;
}

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int by_kernel(const void *a, const void *b)
{
	const struct kernel_work *one = *(struct kernel_work *const *)a;
	const struct kernel_work *two = *(struct kernel_work *const *)b;
	int order = compare_text(one->run->kernel, two->run->kernel);
	return order ? order : compare_text(one->run->device, two->run->device);
}

static int by_seconds(const void *a, const void *b)
{
	const struct kernel_work *one = a, *two = b;
	if (one->seconds != two->seconds)
		return one->seconds < two->seconds ? 1 : -1;
	int order = compare_text(one->symbol, two->symbol);
	for (int i = 0; i < 3 && !order; i++)
		order = (one->grid[i] > two->grid[i]) - (one->grid[i] < two->grid[i]);
	for (int i = 0; i < 3 && !order; i++)
		order = (one->block[i] > two->block[i]) - (one->block[i] < two->block[i]);
	return order;
}

static void set_size(struct arena *arena, struct run *run, const char *name, const double size[3])
{
	run_set_param(arena, run, name,
		      isnan(size[0])
			      ? "unknown"
			      : arena_printf(arena, "%.0fx%.0fx%.0f", size[0], size[1], size[2]));
}

/* What tells the runs of one kernel apart. */
struct difference {
	bool grid, block, symbol;
};

static struct difference difference_of(struct kernel_work *const *group, size_t count)
{
	struct difference differs = {false, false, false};
	for (size_t i = 1; i < count; i++) {
		differs.grid |= !same_size(group[i]->grid, group[0]->grid);
		differs.block |= !same_size(group[i]->block, group[0]->block);
		differs.symbol |= strcmp(group[i]->symbol, group[0]->symbol) != 0;
	}
	return differs;
}

static void tell_apart(struct arena *arena, struct kernel_work *const *group, size_t count)
{
	struct difference differs = difference_of(group, count);
	bool told = differs.grid || differs.block || differs.symbol;
	for (size_t i = 0; i < count && count > 1; i++) {
		struct run *run = group[i]->run;
		if (differs.grid)
			set_size(arena, run, "grid", group[i]->grid);
		if (differs.block)
			set_size(arena, run, "block", group[i]->block);
		if (differs.symbol)
			run_set_param(arena, run, "symbol",
				      arena_printf(arena, "%016llx",
						   (unsigned long long)hash_of(
							   span_of(group[i]->symbol))));
		if (!told)
			run_set_param(arena, run, "occurrence", arena_printf(arena, "%zu", i + 1));
		if (!told && i == 0)
			run_add_note(
				arena, run, "rooflog",
				arena_printf(arena,
					     "%zu kernels of the file have this name and "
					     "nothing that tells them apart; they are numbered",
					     count));
	}
}

void kernel_runs_add(struct arena *arena, struct kernel_work *works, size_t count,
		     struct run_list *runs)
{
	size_t kept = count < kernel_run_limit ? count : kernel_run_limit;
	struct kernel_work **order = arena_array(arena, count, sizeof *order);
	qsort(works, count, sizeof *works, by_seconds);
	for (size_t i = 0; i < count; i++)
		order[i] = &works[i];
	qsort(order, count, sizeof *order, by_kernel);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && by_kernel(&order[i], &order[end]) == 0; end++)
			;
		tell_apart(arena, order + i, end - i);
	}
	if (kept < count)
		run_add_note(
			arena, works[0].run, "rooflog",
			arena_printf(arena,
				     "%zu kernels with less time are left out; the first %d of "
				     "a file are kept",
				     count - kept, (int)kernel_run_limit));
	for (size_t i = 0; i < kept; i++)
		run_list_add(arena, runs, works[i].run);
}
