/*
 * The Chrome trace of rocprof (results.json). Kernels are the complete events of processes named
 * "GPU<n>". The device is read from otherData, provided that all GPUs of the machine are equal.
 */

#include "base/json/json.h"
#include "base/text/text.h"
#include "ingest/collect/collect.h"
#include "ingest/reader.h"
#include "ingest/rocm/rocprof_table.h"

static const size_t size_limit = (size_t)64 << 20;
enum { gpu_limit = 256, agent_limit = 256 };

struct reading {
	struct arena *arena;
	struct launches launches;
	double gpus[gpu_limit]; /* process ids that represent GPUs */
	size_t gpu_count;
	const char *device;
};

/* Numbers are written as strings. */
static double number_of(const struct json *object, const char *name)
{
	const struct json *value = json_get(object, name);
	double number;
	if (value && value->type == JSON_STRING && span_number(span_of(value->text), &number))
		return number;
	return json_number(object, name, NAN);
}

/* Whole nanoseconds as a string of digits, with more digits than a double holds. */
static bool time_of(const struct json *object, const char *name, uint64_t *time)
{
	const struct json *value = json_get(object, name);
	*time = 0;
	if (value && value->type == JSON_NUMBER && value->number >= 0 && value->number < 9e15) {
		*time = (uint64_t)value->number;
		return true;
	}
	return value && value->type == JSON_STRING &&
	       rocprof_nanoseconds(span_of(value->text), time);
}

/* Sets the device if all GPUs among the agents have the same marketing name. */
static void find_device(struct reading *r, const struct json *root)
{
	const struct json *other = json_get(root, "otherData");
	for (int i = 1; i <= agent_limit; i++) {
		const char *kind =
			json_text(other, arena_printf(r->arena, "Agent%d.DeviceType", i), NULL);
		const char *name =
			json_text(other, arena_printf(r->arena, "Agent%d.MarketingName", i), "");
		if (!kind)
			break;
		if (strcmp(kind, "GPU") != 0)
			continue;
		if (!name[0] || strlen(name) > 200 || !utf8_is_line(span_of(name)) ||
		    (r->device && strcmp(r->device, name) != 0)) {
			r->device = NULL;
			return;
		}
		r->device = name;
	}
}

/* --- events --- */

static void read_process(struct reading *r, const struct json *event)
{
	const char *name = json_text(json_get(event, "args"), "name", "");
	double pid = number_of(event, "pid");
	if (strcmp(json_text(event, "name", ""), "process_name") == 0 &&
	    span_starts(span_of(name), "GPU") && !isnan(pid) && r->gpu_count < gpu_limit)
		r->gpus[r->gpu_count++] = pid;
}

static bool is_on_gpu(const struct reading *r, const struct json *event)
{
	double pid = number_of(event, "pid");
	for (size_t i = 0; i < r->gpu_count; i++)
		if (r->gpus[i] == pid)
			return true;
	return false;
}

static int read_kernel(struct reading *r, const struct json *event, size_t index, struct error *err)
{
	const struct json *args = json_get(event, "args");
	struct launch launch = launches_unknown();
	uint64_t begin, end;
	launch.symbol = rocprof_symbol(span_of(json_text(event, "name", "")));
	if (!time_of(args, "BeginNs", &begin) || !time_of(args, "EndNs", &end) || end < begin)
		return error_set(
			err, ERR_FORMAT,
			"traceEvents[%zu]: BeginNs and EndNs are not valid increasing times",
			index);
	if (span_is(launch.symbol, "<barrier packet>"))
		return 0;
	launch.values[ROCPROF_TIME] = (double)(end - begin) / 1e9;
	launch.device = span_of(r->device);
	if (launches_add(&r->launches, &launch, err) < 0)
		return error_prefix(err, "traceEvents[%zu]", index);
	return 0;
}

static int read_events(struct reading *r, const struct json *events, struct error *err)
{
	size_t index = 0;
	for (const struct json *event = events->first; event; event = event->next)
		if (strcmp(json_text(event, "ph", ""), "M") == 0)
			read_process(r, event);
	for (const struct json *event = events->first; event; event = event->next, index++)
		if (strcmp(json_text(event, "ph", ""), "X") == 0 && is_on_gpu(r, event) &&
		    read_kernel(r, event, index, err) < 0)
			return -1;
	return 0;
}

static int read_json(struct arena *arena, struct input *input, struct ingest_result *result,
		     struct error *err)
{
	struct reading r = {.arena = arena, .launches = launches_of(arena, &rocprof_launches)};
	const struct json *root = input_read_json(arena, input, size_limit, err);
	const struct json *events = json_get(root, "traceEvents");
	if (!root)
		return -1;
	if (!events || events->type != JSON_ARRAY)
		return error_set(err, ERR_FORMAT, "traceEvents is missing or not an array");
	find_device(&r, root);
	if (read_events(&r, events, err) < 0)
		return -1;
	return launches_finish(
		&r.launches, &result->runs,
		"the trace has no kernels: no process is called GPU0, GPU1 ..., or nothing ran "
		"there",
		err);
}

static bool detect(struct span head)
{
	struct span text = span_trim(head);
	return span_starts(text, "{") && span_find(head, "\"traceEvents\"") < 256 &&
	       span_find(head, "\"BeginNs\"") < head.len &&
	       span_find(head, "\"process_name\"") < head.len;
}

const struct reader rocprof_json_reader = {"rocprof-json",
					   "AMD rocprof: results.json (Chrome trace)", NEEDS_DEVICE,
					   detect, read_json};
