/* nc_latency_data.json: the latency of each execution by core, in whole microseconds. */

#include "base/json/json.h"
#include "ingest/json/document/peek.h"
#include "ingest/neuron/bench.h"

/* Real files have some kilobytes; more is not such a file. */
static const size_t size_limit = 64u << 20; /* bytes */
enum { core_limit = 1024 };

static int samples_of(struct arena *arena, const struct json *core, double **samples,
		      struct error *err)
{
	size_t count = 0;
	if (core->type != JSON_ARRAY || core->count == 0)
		return error_set(err, ERR_FORMAT,
				 "latency_data.%.20s: expected a list of microseconds", core->name);
	*samples = arena_array(arena, core->count, sizeof **samples);
	for (const struct json *item = core->first; item; item = item->next) {
		if (item->type != JSON_NUMBER || !(item->number > 0))
			return error_set(err, ERR_FORMAT,
					 "latency_data.%.20s[%zu]: expected a number of "
					 "microseconds above 0",
					 core->name, count);
		(*samples)[count++] = item->number / 1e6;
	}
	return 0;
}

/* Only the name distinguishes host times from device times; see the header. */
static bool is_host_time(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	return strncmp(name, "latency", strlen("latency")) == 0;
}

/* Whether the name is an index. It becomes an attribute and appears in messages, so arbitrary text
 * is refused. */
static bool is_core(const char *name)
{
	size_t digits = strspn(name, "0123456789");
	return digits > 0 && digits < 10 && name[digits] == '\0';
}

static int read_cores(struct arena *arena, const struct json *cores, bool host,
		      struct run **slowest, struct error *err)
{
	for (const struct json *core = cores->first; core; core = core->next) {
		double *samples = NULL;
		if (!is_core(core->name))
			return error_set(err, ERR_FORMAT,
					 "latency_data: member name is not a core index");
		if (samples_of(arena, core, &samples, err) < 0)
			return -1;
		struct run *run = run_new(arena);
		run->tool = host ? "neuron-bench-host" : "neuron-bench";
		run_set_samples(arena, run, host ? METRIC_HOST_TIME : METRIC_TOTAL_TIME, samples,
				core->count, PROVENANCE_MEASURED);
		if (*slowest && run_time(run) <= run_time(*slowest))
			continue;
		run_add_attribute(arena, run, "neuron_bench_core", core->name);
		*slowest = run;
	}
	return 0;
}

static int read_latencies(struct arena *arena, struct input *input, struct ingest_result *result,
			  struct error *err)
{
	struct run *slowest = NULL;
	const struct json *root = input_read_json(arena, input, size_limit, err);
	if (!root)
		return -1;
	const struct json *cores = json_get(root, "latency_data");
	if (!cores || cores->type != JSON_OBJECT || cores->count == 0 || cores->count > core_limit)
		return error_set(err, ERR_FORMAT,
				 "latency_data: expected an object with one list per core");
	bool host = is_host_time(input_name(input));
	if (read_cores(arena, cores, host, &slowest, err) < 0)
		return -1;
	if (cores->count > 1)
		run_add_note(arena, slowest, "neuron-bench",
			     arena_printf(arena,
					  "the slowest of %u cores that ran copies of the kernel",
					  cores->count));
	run_list_add(arena, &result->runs, slowest);
	return 0;
}

static bool detect(struct span head)
{
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	while (json_peek_next(&peek, &value))
		if (value.depth == 1 && !value.is_item)
			return span_is(value.name, "latency_data") && value.kind == '{';
	return false;
}

const struct reader neuron_bench_json_reader = {"neuron-bench-json",
						"neuron-bench, nc_latency_data.json",
						NEEDS_DTYPE | NEEDS_DEVICE, detect, read_latencies};
