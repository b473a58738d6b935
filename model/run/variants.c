/* Groups runs by work, chooses the reference, and computes speed-ups and their means. */
#include "model/run/variants.h"

#include "model/run/short_names.h"

const char *variants_value(const struct run *run, const char *by)
{
	const struct {
		const char *by, *value;
	} rows[] = {
		{"variant", run->variant && run->variant[0] ? run->variant : NULL},
		{"dtype", run->dtype},
		{"device", run->device},
		{"tool", run->tool},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].by, by) == 0)
			return rows[i].value;
	return run_param(run, by);
}

bool variants_have_speedups(const char *by)
{
	return strcmp(by, "tool") != 0;
}

/* Whether `b` has all parameters of `a` except `by`. */
static bool has_params(const struct run *a, const struct run *b, const char *by)
{
	for (size_t i = 0; i < a->param_count; i++)
		if (strcmp(a->params[i].name, by) != 0 &&
		    !span_text_eq(run_param(b, a->params[i].name), a->params[i].value))
			return false;
	return true;
}

/* Whether both ran on the same instance type and cores, unless devices are compared: another device
 * has its own. */
static bool same_place(const struct run *a, const struct run *b, const char *by)
{
	return (strcmp(by, "device") == 0 && !span_text_eq(a->device, b->device)) ||
	       (span_text_eq(a->device, b->device) &&
		span_text_eq(a->instance_type, b->instance_type) && a->cores == b->cores);
}

static bool same_work(const struct run *a, const struct run *b, const char *by)
{
	return span_text_eq(a->kernel, b->kernel) && a->dirty == b->dirty &&
	       (strcmp(by, "tool") == 0 || span_text_eq(a->tool, b->tool)) &&
	       (strcmp(by, "variant") == 0 || span_text_eq(a->variant, b->variant)) &&
	       (strcmp(by, "dtype") == 0 || span_text_eq(a->dtype, b->dtype)) &&
	       same_place(a, b, by) && has_params(a, b, by) && has_params(b, a, by);
}

/* Runs that do the same work, as indices into `runs`; a run joins the first pile that fits. */
struct pile {
	size_t *runs;
	size_t count, capacity;
};

static struct pile *make_piles(struct arena *arena, const struct run *const *runs, size_t count,
			       const char *by, size_t *pile_count)
{
	struct pile *piles = arena_array(arena, count, sizeof *piles);
	*pile_count = 0;
	for (size_t i = 0; i < count; i++) {
		size_t at = 0;
		if (!variants_value(runs[i], by))
			continue;
		while (at < *pile_count && !same_work(runs[piles[at].runs[0]], runs[i], by))
			at++;
		struct pile *pile = &piles[at];
		*pile_count += at == *pile_count;
		*arena_next(arena, pile->runs, pile->count, pile->capacity) = i;
	}
	return piles;
}

static const struct run *run_of_value(const struct run *const *runs, const struct pile *pile,
				      const char *by, const char *value)
{
	for (size_t i = 0; i < pile->count; i++)
		if (span_text_eq(variants_value(runs[pile->runs[i]], by), value))
			return runs[pile->runs[i]];
	return NULL;
}

/* NAN for times of different bases, and for the time of a wrong result. */
static double speedup_of(const struct run *reference, const struct run *run)
{
	double time = run_time(run);
	if (run_time_metric(reference) != run_time_metric(run) || run_is_incorrect(reference) ||
	    run_is_incorrect(run) || !(time > 0))
		return NAN;
	return run_time(reference) / time;
}

struct candidate {
	const char *value;
	size_t piles;
	double log_time; /* sum of logarithms over the piles */
};

static int by_merit(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	if (x->piles != y->piles)
		return x->piles > y->piles ? -1 : 1;
	if (x->log_time != y->log_time)
		return x->log_time > y->log_time ? -1 : 1;
	return strcmp(x->value, y->value);
}

/* All values of the piles with at least two values, the best reference first. */
static struct candidate *candidates_of(struct arena *arena, const struct run *const *runs,
				       const struct pile *piles, size_t pile_count, const char *by,
				       size_t *count)
{
	struct candidate *list = NULL;
	size_t capacity = 0;
	*count = 0;
	for (size_t i = 0; i < pile_count; i++)
		for (size_t j = 0; piles[i].count > 1 && j < piles[i].count; j++) {
			const struct run *run = runs[piles[i].runs[j]];
			const char *value = variants_value(run, by);
			size_t at = 0;
			assert(value);
			while (at < *count && strcmp(list[at].value, value) != 0)
				at++;
			if (at == *count) {
				*arena_next(arena, list, *count, capacity) =
					(struct candidate){value, 0, 0};
			}
			double time = run_time(run);
			list[at].piles++;
			list[at].log_time += time > 0 ? log(time) : 0;
		}
	if (*count)
		qsort(list, *count, sizeof *list, by_merit);
	return list;
}

static int by_value(const void *a, const void *b)
{
	const char *x = ((const struct compare_row *)a)->value;
	const char *y = ((const struct compare_row *)b)->value;
	double p, q;
	if (span_number(span_of(x), &p) && span_number(span_of(y), &q) && p != q)
		return p < q ? -1 : 1;
	return strcmp(x, y);
}

static struct compare_group group_of(struct arena *arena, const struct run *const *runs,
				     const struct pile *pile, const struct compare *compare)
{
	struct compare_group group = {.rows = arena_array(arena, pile->count, sizeof *group.rows)};
	const struct run *reference = run_of_value(runs, pile, compare->by, compare->reference);
	for (size_t i = 0; i < pile->count; i++) {
		const struct run *run = runs[pile->runs[i]];
		struct compare_row row = {pile->runs[i], variants_value(run, compare->by),
					  run_time(run), NAN};
		if (variants_have_speedups(compare->by))
			row.speedup = speedup_of(reference, run);
		group.rows[group.count++] = row;
	}
	qsort(group.rows, group.count, sizeof *group.rows, by_value);
	for (size_t i = 1; i < group.count; i++)
		if (strcmp(group.rows[i].value, compare->reference) == 0) {
			struct compare_row first = group.rows[i];
			memmove(group.rows + 1, group.rows, i * sizeof *group.rows);
			group.rows[0] = first;
		}
	return group;
}

static void add_means(struct arena *arena, struct compare *compare,
		      const struct candidate *candidates, size_t count)
{
	compare->means = arena_array(arena, count, sizeof *compare->means);
	for (size_t i = 0; i < count; i++) {
		struct compare_mean mean = {candidates[i].value, 0, 0};
		if (strcmp(mean.value, compare->reference) == 0)
			continue;
		for (size_t j = 0; j < compare->group_count; j++) {
			const struct compare_group *group = &compare->groups[j];
			for (size_t k = 0; k < group->count; k++)
				if (strcmp(group->rows[k].value, mean.value) == 0 &&
				    group->rows[k].speedup > 0) {
					mean.speedup += log(group->rows[k].speedup);
					mean.configurations++;
				}
		}
		mean.speedup =
			mean.configurations ? exp(mean.speedup / (double)mean.configurations) : NAN;
		compare->means[compare->mean_count++] = mean;
	}
}

/* A copy of the run without the compared dimension, which has its own column. */
static const struct run *without(struct arena *arena, const struct run *run, const char *by)
{
	struct run *plain = arena_new(arena, struct run);
	*plain = *run;
	plain->params = arena_array(arena, run->param_count, sizeof *plain->params);
	plain->param_count = 0;
	for (size_t i = 0; i < run->param_count; i++)
		if (strcmp(run->params[i].name, by) != 0)
			plain->params[plain->param_count++] = run->params[i];
	if (strcmp(by, "variant") == 0)
		plain->variant = "";
	if (strcmp(by, "dtype") == 0)
		plain->dtype = NULL;
	if (strcmp(by, "tool") == 0)
		plain->tool = NULL;
	if (strcmp(by, "device") == 0) {
		plain->device = plain->instance_type = NULL;
		plain->cores = 0;
	}
	return plain;
}

static void name_groups(struct arena *arena, const struct run *const *runs, struct compare *compare)
{
	const struct run **first = arena_array(arena, compare->group_count, sizeof *first);
	for (size_t i = 0; i < compare->group_count; i++)
		first[i] = without(arena, runs[compare->groups[i].rows[0].run], compare->by);
	struct short_names naming = short_names_of(arena, first, compare->group_count);
	if (compare->group_count == 1) {
		naming.variant = naming.dtype = false;
		naming.param_count = 0;
	}
	for (size_t i = 0; i < compare->group_count; i++)
		compare->groups[i].name = short_names_name(arena, &naming, first[i]);
	compare->common = short_names_common(arena, &naming);
}

struct compare variants_of(struct arena *arena, const struct run *const *runs, size_t count,
			   const char *by, const char *reference)
{
	struct compare compare = {.by = by, .common = "", .reference = reference};
	size_t pile_count, candidate_count;
	struct pile *piles = make_piles(arena, runs, count, by, &pile_count);
	struct candidate *candidates =
		candidates_of(arena, runs, piles, pile_count, by, &candidate_count);
	if (!compare.reference && candidate_count)
		compare.reference = candidates[0].value;
	compare.groups = arena_array(arena, pile_count, sizeof *compare.groups);
	for (size_t i = 0; i < pile_count; i++) {
		if (piles[i].count < 2 || !run_of_value(runs, &piles[i], by, compare.reference)) {
			compare.alone++;
			continue;
		}
		compare.groups[compare.group_count++] = group_of(arena, runs, &piles[i], &compare);
	}
	if (compare.group_count) {
		name_groups(arena, runs, &compare);
		if (variants_have_speedups(by))
			add_means(arena, &compare, candidates, candidate_count);
	}
	return compare;
}

static void add_metric(struct compare_agreement *agreement, const struct run *reference,
		       const struct run *run, enum metric metric)
{
	double a = run_number(reference, metric), b = run_number(run, metric);
	if (isnan(a) && isnan(b))
		return;
	if (isnan(b)) {
		agreement->only_reference[agreement->only_reference_count++] = metric;
	} else if (isnan(a)) {
		agreement->only_other[agreement->only_other_count++] = metric;
	} else {
		agreement->common++;
		agreement->equal += a == b;
		if (a != b)
			agreement->differences[agreement->difference_count++] =
				(struct compare_difference){metric, a, b, a != 0 ? b / a - 1 : NAN};
	}
}

struct compare_agreement variants_agreement_of(struct arena *arena, const struct run *reference,
					       const struct run *run)
{
	struct compare_agreement agreement = {.common = 0};
	agreement.differences = arena_array(arena, METRIC_COUNT, sizeof *agreement.differences);
	for (int metric = 0; metric < METRIC_COUNT; metric++)
		add_metric(&agreement, reference, run, (enum metric)metric);
	return agreement;
}
