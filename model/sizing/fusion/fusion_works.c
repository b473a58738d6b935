/* Groups fused and unfused runs of the same work. */
#include "model/sizing/fusion/fusion_works.h"

const char *const fusion_sides[] = {"unfused", "fused", NULL};

enum { variants_limit = 4 };

struct entry {
	const char *key; /* state of the work tree, basis of the time, series without its variant */
	const struct run *run;
	size_t variant;
};

struct entries {
	struct entry *items;
	size_t count, capacity;
};

static size_t variant_of(const struct run *run, const char *const *variants)
{
	size_t at = 0;
	while (variants[at] && strcmp(variants[at], run->variant) != 0)
		at++;
	return at;
}

static void add_entry(struct arena *arena, struct entries *entries, const struct run *run,
		      size_t variant)
{
	struct run same = *run;
	same.variant = "";
	const char *key = arena_printf(arena, "%d %d %s", run->dirty, (int)run_time_metric(run),
				       run_series_key(arena, &same));
	*arena_add(arena, entries) = (struct entry){key, run, variant};
}

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->key, ((const struct entry *)b)->key);
}

static int by_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* "128" before "1024". */
static int by_param(const struct run *a, const struct run *b, const char *name)
{
	const char *x = run_param(a, name), *y = run_param(b, name);
	double p = x ? strtod(x, NULL) : 0, q = y ? strtod(y, NULL) : 0;
	return (p > q) - (p < q);
}

static int by_identity(const void *a, const void *b)
{
	const struct fusion_work *x = a, *y = b;
	const int orders[] = {
		by_text(x->run->device, y->run->device),
		by_text(x->run->dtype, y->run->dtype),
		by_text(x->run->tool, y->run->tool),
		by_text(x->run->kernel, y->run->kernel),
		fusion_shape_compare(&x->sizes, &y->sizes),
		by_text(run_param(x->run, "model"), run_param(y->run, "model")),
		by_param(x->run, y->run, "prefill"),
		by_param(x->run, y->run, "decode"),
		strcmp(x->shape, y->shape),
		x->run->dirty - y->run->dirty,
	};
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
		if (orders[i])
			return orders[i];
	return 0;
}

/* Adds the entries of one key as a work. */
static void add_work(struct arena *arena, struct fusion_works *works, const struct entry *entries,
		     size_t count, double noise)
{
	const struct run **runs = arena_array(arena, count, sizeof *runs);
	struct fusion_reader_time *times = arena_array(arena, variants_limit, sizeof *times);
	for (size_t variant = 0; variant < variants_limit; variant++) {
		size_t used = 0;
		for (size_t i = 0; i < count; i++)
			if (entries[i].variant == variant)
				runs[used++] = entries[i].run;
		times[variant] = fusion_time_of(arena, runs, used, noise);
	}
	const struct run *run = entries[0].run;
	const char *shape = run_param(run, "shape");
	*arena_add(arena, works) =
		(struct fusion_work){run, shape ? shape : run_params_text(arena, run),
				     fusion_shape_of(shape ? shape : ""), times};
}

struct fusion_works fusion_works_of(struct arena *arena, const struct run *const *runs,
				    size_t count, const char *const *variants, double noise)
{
	struct entries entries = {0};
	struct fusion_works works = {0};
	for (size_t i = 0; i < count; i++) {
		size_t variant = variant_of(runs[i], variants);
		if (variants[variant] && !isnan(run_time(runs[i])))
			add_entry(arena, &entries, runs[i], variant);
	}
	array_sort(entries.items, entries.count, sizeof *entries.items, by_key);
	for (size_t start = 0, end; start < entries.count; start = end) {
		for (end = start + 1; end < entries.count; end++)
			if (strcmp(entries.items[end].key, entries.items[start].key) != 0)
				break;
		add_work(arena, &works, entries.items + start, end - start, noise);
	}
	array_sort(works.items, works.count, sizeof *works.items, by_identity);
	return works;
}

size_t fusion_group_end(const struct fusion_works *works, size_t start, bool by_kernel)
{
	const struct run *first = works->items[start].run;
	size_t end = start + 1;
	for (; end < works->count; end++) {
		const struct run *run = works->items[end].run;
		if (!span_text_eq(run->device, first->device) ||
		    !span_text_eq(run->dtype, first->dtype) ||
		    !span_text_eq(run->tool, first->tool) ||
		    (by_kernel && !span_text_eq(run->kernel, first->kernel)))
			break;
	}
	return end;
}

const struct message *fusion_group_message(struct arena *arena, const struct run *run)
{
	return message_of(
		arena, MESSAGE_FUSION_GROUP,
		run->device ? message_text(run->device) : message_term(MESSAGE_DEVICE_UNKNOWN),
		run->dtype ? message_text(run->dtype) : message_term(MESSAGE_DTYPE_UNKNOWN),
		run->tool ? message_text(run->tool) : message_term(MESSAGE_UNKNOWN));
}

bool fusion_is_timed(const struct fusion_work *work)
{
	const struct fusion_reader_time *unfused = &work->times[FUSION_SIDE_UNFUSED];
	const struct fusion_reader_time *fused = &work->times[FUSION_SIDE_FUSED];
	return work->sizes.rank && !isnan(unfused->time) && !isnan(fused->time) &&
	       unfused->provenance != PROVENANCE_ESTIMATED &&
	       fused->provenance != PROVENANCE_ESTIMATED;
}
