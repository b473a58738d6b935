/* Executions of one kernel that were captured one by one ("a_exec_2.json", "a_exec_3.json") become
 * one run, the one with the median time, with the times of all as samples. */
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

/* A run and what names its kernel. Executions of one kernel differ in their index only. A trace
 * identifies the kernel by the UUID or the beginning of it. NULL: unknown. */
enum { EXECUTION_TEXTS = 7 };
struct execution {
	size_t index; /* among the runs */
	const char *path;
	struct span before, after;
	enum metric metric;
	const char *texts[EXECUTION_TEXTS];
};

/* False for a run whose file has no such name, or that has several times already. */
static bool read_execution(struct arena *arena, const struct incoming *one,
			   struct execution *execution)
{
	const struct run *run = one->run;
	enum metric metric = run_time_metric(run);
	if (!cut_execution(one->path, &execution->before, &execution->after) ||
	    isnan(run_time(run)) || run_spread(run, metric))
		return false;
	execution->path = one->path;
	execution->metric = metric;
	const char *const texts[EXECUTION_TEXTS] = {one->reader->name,
						    run_series_key(arena, run),
						    run->kernel_hash,
						    run_attribute(run, "uuid"),
						    run_attribute(run, "uuid_start"),
						    run->commit,
						    run->node};
	memcpy(execution->texts, texts, sizeof texts);
	return true;
}

/* What is not known comes first. */
static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_spans(struct span a, struct span b)
{
	int order = memcmp(a.ptr, b.ptr, a.len < b.len ? a.len : b.len);
	return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int by_kernel(const struct execution *x, const struct execution *y)
{
	int order = compare_spans(x->before, y->before);
	order = order ? order : compare_spans(x->after, y->after);
	order = order ? order : (int)x->metric - (int)y->metric;
	for (size_t i = 0; i < EXECUTION_TEXTS && !order; i++)
		order = compare_texts(x->texts[i], y->texts[i]);
	return order;
}

static int by_execution(const void *a, const void *b)
{
	const struct execution *x = a, *y = b;
	int order = by_kernel(x, y);
	return order ? order : (x->index > y->index) - (x->index < y->index);
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

/* Leaves out runs of one file, which lie side by side: they are not executions of each other. */
static size_t of_different_files(struct execution *all, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		const char *path = all[i].path;
		bool repeated = (i && strcmp(all[i - 1].path, path) == 0) ||
				(i + 1 < count && strcmp(all[i + 1].path, path) == 0);
		if (!repeated)
			all[kept++] = all[i];
	}
	return kept;
}

/* Merges executions of one kernel, which are in the order of reading, in the place of the first. */
static void merge_executions(struct ingest *ingest, struct execution *all, size_t count,
			     struct incoming *same)
{
	count = of_different_files(all, count);
	if (count < 2)
		return;
	for (size_t i = 0; i < count; i++) {
		same[i] = ingest->runs[all[i].index];
		ingest->runs[all[i].index].run = NULL;
	}
	ingest->runs[all[0].index] = merge(ingest->cli, same, count);
}

void ingest_merge(struct ingest *ingest)
{
	size_t count = 0, remaining = 0;
	struct execution *all = arena_array(ingest->arena, ingest->run_count, sizeof *all);
	struct incoming *same = arena_array(ingest->arena, ingest->run_count, sizeof *same);
	for (size_t i = 0; i < ingest->run_count; i++) {
		all[count].index = i;
		count += read_execution(ingest->arena, &ingest->runs[i], &all[count]);
	}
	array_sort(all, count, sizeof *all, by_execution);
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count && by_kernel(&all[first], &all[end]) == 0;)
			end++;
		merge_executions(ingest, &all[first], end - first, same);
	}
	for (size_t i = 0; i < ingest->run_count; i++)
		if (ingest->runs[i].run)
			ingest->runs[remaining++] = ingest->runs[i];
	ingest->run_count = remaining;
}
