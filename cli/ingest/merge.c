/*
 * Executions of one kernel that were captured one by one ("a_exec_2.json", "a_exec_3.json") are
 * repeats: they become one run, the one with the median time, with the times of all as samples.
 */
#include "cli/ingest/ingest.h"

/* Splits a name at its last "_exec_<N>"; false if it has none. */
static bool cut_execution(const char *path, struct span *before, struct span *after)
{
	static const char mark[] = "_exec_";
	const char *found = NULL, *name = strrchr(path, '/');
	for (const char *at = name ? name : path; (at = strstr(at, mark)); at++)
		found = at;
	if (!found)
		return false;
	const char *end = found + strlen(mark);
	size_t digits = strspn(end, "0123456789");
	*before = (struct span){path, (size_t)(found - path)};
	*after = span_of(end + digits);
	return digits > 0;
}

/* A trace identifies its kernel by the UUID or the beginning of it. */
static bool is_same_neff(const struct run *x, const struct run *y)
{
	return span_text_eq(run_attribute(x, "uuid"), run_attribute(y, "uuid")) &&
	       span_text_eq(run_attribute(x, "uuid_start"), run_attribute(y, "uuid_start"));
}

static bool are_executions(struct cli *cli, const struct incoming *a, const struct incoming *b)
{
	struct span before[2], after[2];
	const struct run *x = a->run, *y = b->run;
	return a->reader == b->reader && cut_execution(a->path, &before[0], &after[0]) &&
	       cut_execution(b->path, &before[1], &after[1]) && span_eq(before[0], before[1]) &&
	       span_eq(after[0], after[1]) && span_text_eq(x->kernel_hash, y->kernel_hash) &&
	       is_same_neff(x, y) && span_text_eq(x->commit, y->commit) &&
	       strcmp(x->node, y->node) == 0 && !isnan(run_time(x)) &&
	       run_time_metric(x) == run_time_metric(y) && !run_spread(x, run_time_metric(x)) &&
	       !run_spread(y, run_time_metric(y)) &&
	       strcmp(run_series_key(&cli->arena, x), run_series_key(&cli->arena, y)) == 0;
}

static int by_time(const void *a, const void *b)
{
	double x = run_time(((const struct incoming *)a)->run);
	double y = run_time(((const struct incoming *)b)->run);
	return (x > y) - (x < y);
}

/* Merges `count` executions in the order of reading. If the count is even, the faster of the middle
 * two represents them, as everywhere; the spread has their true median. */
static struct incoming merge(struct cli *cli, struct incoming *items, size_t count)
{
	assert(count > 1);
	enum metric metric = run_time_metric(items[0].run);
	double *times = arena_array(&cli->arena, count, sizeof *times);
	for (size_t i = 0; i < count; i++)
		times[i] = run_time(items[i].run);
	qsort(items, count, sizeof *items, by_time);
	struct incoming chosen = items[(count - 1) / 2];
	struct value own = chosen.run->given[metric];
	run_set_samples(&cli->arena, chosen.run, metric, times, count, own.provenance);
	chosen.run->given[metric] = own;
	run_set(chosen.run, METRIC_LAUNCH_COUNT, (double)count, PROVENANCE_MEASURED);
	run_add_attribute(&cli->arena, chosen.run, "executions",
			  arena_printf(&cli->arena, "%zu", count));
	return chosen;
}

void ingest_merge(struct ingest *ingest)
{
	size_t remaining = 0;
	struct incoming *same = arena_array(ingest->arena, ingest->run_count, sizeof *same);
	for (size_t i = 0; i < ingest->run_count; i++) {
		struct span before, after;
		struct incoming first = ingest->runs[i];
		if (!first.run)
			continue;
		size_t count = 0;
		same[count++] = first;
		bool numbered = cut_execution(first.path, &before, &after);
		for (size_t j = i + 1; numbered && j < ingest->run_count; j++) {
			struct incoming *other = &ingest->runs[j];
			if (other->run && are_executions(ingest->cli, &first, other)) {
				same[count++] = *other;
				other->run = NULL;
			}
		}
		ingest->runs[remaining++] = count > 1 ? merge(ingest->cli, same, count) : first;
	}
	ingest->run_count = remaining;
}
