/* nvidia-smi before a measurement, once a second during it, and afterwards. */
#include "cli/query/measure/machine/gpu.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/system/system.h"
#include "model/statistics/statistics.h"

enum {
	QUERY_SECONDS = 20,
	WATCH_SECONDS = 7 * 24 * 3600,
	ANSWER_LIMIT = 64 << 10,
	SAMPLE_LIMIT = 100000, /* a day */
	FIELDS = 6
};

/* Members of what neuron-ls prints. */
static const char neuron_processes[] = "neuron_processes", neuron_command[] = "command";

/* Clocks within this share of each other are the same. */
static const double same_clock = 0.02;

/* In the order of the query. Values in MHz, W and degrees Celsius. */
enum field { CLOCK, MEMORY_CLOCK, POWER, TEMPERATURE, REASONS, DRIVER };
static const char query[] = "--query-gpu=clocks.sm,clocks.mem,power.draw,temperature.gpu,"
			    "clocks_event_reasons.active,driver_version";
/* Drivers before 535 have the older name. */
static const char old_query[] = "--query-gpu=clocks.sm,clocks.mem,power.draw,temperature.gpu,"
				"clocks_throttle_reasons.active,driver_version";

/* nvml.h, nvmlClocksEventReasons: those that slow the GPU down. */
static const struct reason {
	unsigned long bit;
	const char *name;
} reasons[] = {{0x4, "power cap"},
	       {0x8, "hardware slowdown"},
	       {0x20, "temperature"},
	       {0x40, "temperature (hardware)"},
	       {0x80, "power brake"}};

struct samples {
	double *items;
	size_t count, capacity;
};

struct gpu {
	struct cli *cli;
	const char *id, *query;
	const char *driver, *mig;
	double locked; /* MHz, or NAN */
	/* The watching thread writes these; they are read after it ended. */
	struct arena arena;
	struct samples clocks, memory_clocks, power, temperatures;
	unsigned long reasons;
	pthread_t thread;
	bool watches;
	atomic_bool seen;   /* a first line */
	int end;            /* an eventfd: readable once the watch shall end */
	struct strbuf rest; /* an unfinished line */
};

/* --- one question --- */

static int ask(const char *const *argv, bool cleans_up, struct process_result *result,
	       struct error *err)
{
	const struct process_request request = {.argv = argv,
						.directory = "/",
						.limit = ANSWER_LIMIT,
						.seconds = QUERY_SECONDS,
						.cleans_up = cleans_up};
	return process_run(&request, result, err);
}

/* What nvidia-smi prints, without the final newline; NULL if it fails. */
static const char *answer(struct arena *arena, const char *const *argv, bool cleans_up)
{
	struct process_result result;
	struct error ignored;
	if (ask(argv, cleans_up, &result, &ignored) < 0)
		return NULL;
	struct span text = span_trim(strbuf_span(&result.out));
	const char *copy = result.status == 0 ? arena_strndup(arena, text.ptr, text.len) : NULL;
	process_result_free(&result);
	return copy;
}

static const char *query_one(const struct gpu *gpu, const char *fields)
{
	const char *const argv[] = {
		"nvidia-smi", "--id", gpu->id, fields, "--format=csv,noheader,nounits", NULL};
	return answer(&gpu->cli->arena, argv, false);
}

/* --- the watch --- */

static void add_sample(struct gpu *gpu, struct samples *samples, struct span text)
{
	double number;
	if (samples->count < SAMPLE_LIMIT && span_number(span_trim(text), &number))
		*arena_add(&gpu->arena, samples) = number;
}

static void add_reasons(struct gpu *gpu, struct span text)
{
	char digits[32];
	text = span_trim(text);
	if (!span_starts(text, "0x") || text.len >= sizeof digits)
		return;
	memcpy(digits, text.ptr, text.len);
	digits[text.len] = '\0';
	gpu->reasons |= strtoul(digits, NULL, 16);
}

/* One line of an answer: the fields of the query. */
static void add_line(struct gpu *gpu, struct span line)
{
	struct span cells[FIELDS] = {{NULL, 0}};
	for (size_t i = 0; i < FIELDS && line.ptr; i++)
		cells[i] = span_cut(&line, ',');
	add_sample(gpu, &gpu->clocks, cells[CLOCK]);
	add_sample(gpu, &gpu->memory_clocks, cells[MEMORY_CLOCK]);
	add_sample(gpu, &gpu->power, cells[POWER]);
	add_sample(gpu, &gpu->temperatures, cells[TEMPERATURE]);
	add_reasons(gpu, cells[REASONS]);
}

static bool take(void *context, struct span bytes)
{
	struct gpu *gpu = context;
	for (size_t i = 0; i < bytes.len; i++) {
		if (bytes.ptr[i] != '\n') {
			strbuf_addch(&gpu->rest, bytes.ptr[i]);
			continue;
		}
		add_line(gpu, strbuf_span(&gpu->rest));
		strbuf_truncate(&gpu->rest, 0);
	}
	atomic_store(&gpu->seen, gpu->clocks.count > 0);
	return true;
}

static bool end_watch(struct process_watch *watch)
{
	(void)watch;
	return false;
}

static void *watch(void *context)
{
	struct gpu *gpu = context;
	struct process_watch end = {gpu->end, end_watch};
	const char *const argv[] = {
		"nvidia-smi",     "--id", gpu->id, gpu->query, "--format=csv,noheader,nounits",
		"--loop-ms=1000", NULL};
	const struct process_request request = {.argv = argv,
						.directory = "/",
						.sink = take,
						.context = gpu,
						.seconds = WATCH_SECONDS,
						.watch = &end,
						.cleans_up = true};
	struct process_result result;
	struct error ignored;
	if (process_run(&request, &result, &ignored) == 0)
		process_result_free(&result);
	return NULL;
}

/* A short measurement ends before nvidia-smi said anything. One that hangs is not waited for. */
static void end_watching(struct gpu *gpu)
{
	enum { PATIENCE = 200 };
	const struct timespec pause = {0, 10000000}; /* 10 ms */
	const uint64_t one = 1;
	for (int i = 0; i < PATIENCE && !atomic_load(&gpu->seen); i++)
		nanosleep(&pause, NULL);
	if (gpu->watches && write(gpu->end, &one, sizeof one) == sizeof one)
		pthread_join(gpu->thread, NULL);
	close(gpu->end);
}

/* --- clocks --- */

static void restore_clocks(struct gpu *gpu)
{
	const char *const argv[] = {"nvidia-smi", "--id", gpu->id, "--reset-gpu-clocks", NULL};
	if (!isnan(gpu->locked) && !answer(&gpu->cli->arena, argv, true))
		cli_warn(gpu->cli,
			 "the GPU's clocks stay locked: run \"nvidia-smi --id %s "
			 "--reset-gpu-clocks\"",
			 gpu->id);
}

/* What the GPU runs at without boost, by its application clock. */
static int lock_clocks(struct gpu *gpu, struct error *err)
{
	const char *text = query_one(gpu, "--query-gpu=clocks.default_applications.graphics");
	double clock;
	if (!text || !span_number(span_of(text), &clock))
		return error_set(
			err, ERR_SYSTEM,
			"--lock-clocks: the GPU states no default clock (%.80s); \"nvidia-smi "
			"-lgc MHZ\" locks one of your choice",
			text ? text : "nvidia-smi failed");
	const char *const argv[] = {
		"nvidia-smi", "--id", gpu->id,
		arena_printf(&gpu->cli->arena, "--lock-gpu-clocks=%.0f,%.0f", clock, clock), NULL};
	struct process_result result = {.status = 0};
	/* Also if it is interrupted, it may have locked them. */
	gpu->locked = clock;
	int rc = ask(argv, false, &result, err);
	if (rc == 0 && result.status != 0) {
		struct span said = span_last_line(strbuf_span(&result.out));
		rc = error_set(err, ERR_SYSTEM,
			       "--lock-clocks: nvidia-smi ended with status %d: %.*s",
			       result.status, (int)(said.len < 200 ? said.len : 200), said.ptr);
		gpu->locked = NAN;
	}
	process_result_free(&result);
	if (rc < 0)
		restore_clocks(gpu);
	return rc;
}

/* --- before and after --- */

/* Programs on the GPU, one a line. */
static void warn_of_processes(const struct gpu *gpu)
{
	const char *text = query_one(gpu, "--query-compute-apps=pid,process_name");
	if (text && text[0])
		cli_warn(gpu->cli, "another process uses GPU %s (%.100s): times will scatter",
			 gpu->id, text);
}

static void warn_of_neuron(struct cli *cli)
{
	static const char *const argv[] = {"neuron-ls", "--json-output", NULL};
	const char *text = answer(&cli->arena, argv, false);
	struct error ignored;
	const struct json *list = text ? json_parse(&cli->arena, span_of(text), &ignored) : NULL;
	for (const struct json *one = list ? list->first : NULL; one; one = one->next) {
		const struct json *processes = json_get(one, neuron_processes);
		if (processes && processes->first)
			cli_warn(
				cli,
				"another process uses a Neuron device (%.100s): times will scatter",
				json_text(processes->first, neuron_command, "unknown"));
	}
}

static const char *reasons_text(struct arena *arena, unsigned long bits)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (bits & reasons[i].bit)
			strbuf_addf(&sb, "%s%s", sb.len ? ", " : "", reasons[i].name);
	return strbuf_into(&sb, arena);
}

/* The GPU that the program will use; false if there is none. */
static bool find(struct cli *cli, struct gpu *gpu)
{
	char path[PATH_MAX];
	const char *visible = process_variable("CUDA_VISIBLE_DEVICES");
	struct span list = span_of(visible ? visible : "0");
	struct span first = span_trim(span_cut(&list, ','));
	*gpu = (struct gpu){.cli = cli,
			    .id = arena_strndup(&cli->arena, first.ptr, first.len),
			    .query = query,
			    .locked = NAN};
	if (!first.len || !process_find("nvidia-smi", path))
		return false;
	const char *text = query_one(gpu, query);
	if (!text) {
		gpu->query = old_query;
		text = query_one(gpu, old_query);
	}
	struct span rest = span_of(text), cell = {NULL, 0};
	for (size_t i = 0; i < FIELDS && rest.ptr; i++)
		cell = span_trim(span_cut(&rest, ','));
	gpu->driver = arena_strndup(&cli->arena, cell.ptr, cell.len);
	return cell.len > 0;
}

void gpu_look(struct cli *cli)
{
	struct gpu gpu;
	char path[PATH_MAX];
	if (process_find("neuron-ls", path))
		warn_of_neuron(cli);
	if (find(cli, &gpu))
		warn_of_processes(&gpu);
}

int gpu_begin(struct cli *cli, bool lock, struct gpu **found, struct error *err)
{
	struct gpu *gpu = arena_new(&cli->arena, struct gpu);
	*found = NULL;
	if (!find(cli, gpu))
		return lock ? error_set(err, ERR_SYSTEM,
					"--lock-clocks: nvidia-smi is not installed, or knows no "
					"GPU %s",
					gpu->id)
			    : 0;
	gpu->mig = query_one(gpu, "--query-gpu=mig.mode.current");
	if (lock && lock_clocks(gpu, err) < 0)
		return -1;
	gpu->end = eventfd(0, EFD_CLOEXEC);
	gpu->watches = gpu->end >= 0 && pthread_create(&gpu->thread, NULL, watch, gpu) == 0;
	*found = gpu;
	return 0;
}

/* Into the memory of the command. */
static void keep(struct arena *arena, struct samples *samples)
{
	double *copy = arena_array(arena, samples->count + 1, sizeof *copy);
	if (samples->count)
		memcpy(copy, samples->items, samples->count * sizeof *copy);
	samples->items = copy;
}

void gpu_end(struct gpu *gpu)
{
	if (!gpu)
		return;
	end_watching(gpu);
	restore_clocks(gpu);
	struct samples *all[] = {&gpu->clocks, &gpu->memory_clocks, &gpu->power,
				 &gpu->temperatures};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		keep(&gpu->cli->arena, all[i]);
	arena_free(&gpu->arena);
	strbuf_free(&gpu->rest);
	const char *text = reasons_text(&gpu->cli->arena, gpu->reasons);
	if (text[0])
		cli_warn(gpu->cli, "the GPU was slowed down meanwhile: %s", text);
	double clock = median_of(gpu->clocks.items, gpu->clocks.count);
	if (!isnan(gpu->locked) && fabs(clock / gpu->locked - 1) > same_clock)
		cli_warn(gpu->cli,
			 "the GPU ran at %.0f MHz, not at the %.0f MHz that were asked for", clock,
			 gpu->locked);
}

/* "1395 MHz (1380 to 1410)" */
static void note_samples(struct arena *arena, struct run *run, const char *key,
			 const struct samples *samples, const char *unit)
{
	if (!samples->count || run_attribute(run, key))
		return;
	double low = INFINITY, high = -INFINITY;
	for (size_t i = 0; i < samples->count; i++) {
		low = fmin(low, samples->items[i]);
		high = fmax(high, samples->items[i]);
	}
	run_add_attribute(arena, run, key,
			  arena_printf(arena, "%.4g %s (%.4g to %.4g)",
				       median_of(samples->items, samples->count), unit, low, high));
}

void gpu_note(const struct gpu *gpu, struct arena *arena, struct run *run)
{
	if (!gpu)
		return;
	if (gpu->driver && gpu->driver[0] && !run_attribute(run, "driver_version"))
		run_add_attribute(arena, run, "driver_version", gpu->driver);
	if (gpu->mig && strcmp(gpu->mig, "Enabled") == 0)
		run_add_attribute(arena, run, "gpu_mig", "on");
	note_samples(arena, run, "gpu_clock", &gpu->clocks, "MHz");
	note_samples(arena, run, "gpu_memory_clock", &gpu->memory_clocks, "MHz");
	note_samples(arena, run, "gpu_power", &gpu->power, "W");
	note_samples(arena, run, "gpu_temperature", &gpu->temperatures, "C");
	const char *text = reasons_text(arena, gpu->reasons);
	if (text[0])
		run_add_attribute(arena, run, "gpu_slowed_by", text);
}
