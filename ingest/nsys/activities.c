/* Times of activities, device by device. */
#include "ingest/nsys/activities.h"

#include "base/text/text.h"

const char nsys_kernels[] = "CUPTI_ACTIVITY_KIND_KERNEL";

static const char runtime[] = "CUPTI_ACTIVITY_KIND_RUNTIME";
static const char *const tables[NSYS_KINDS] = {[NSYS_KERNEL] = nsys_kernels,
					       [NSYS_COPY] = "CUPTI_ACTIVITY_KIND_MEMCPY",
					       [NSYS_SET] = "CUPTI_ACTIVITY_KIND_MEMSET"};
enum { gpu_limit = 1024, activity_limit = 4000000 };

bool nsys_time(double nanoseconds, uint64_t *ticks)
{
	bool possible = nanoseconds >= 0 && nanoseconds < (double)trace_tick_limit;
	*ticks = possible ? (uint64_t)nanoseconds : 0;
	return possible;
}

const char *nsys_process(struct sqlite_file *file, const char *table)
{
	/* globalPid contains the process id in bits 24 to 47. */
	return sqlite_file_has_column(file, table, "globalPid") ? "t.globalPid >> 24 & 16777215"
								: "NULL";
}

bool nsys_join_launch(struct sqlite_file *file, const char *table, struct strbuf *sql)
{
	static const char *const wanted[] = {"start", "globalTid", "correlationId"};
	bool there = sqlite_file_table(file, runtime, false) != NULL;
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		there = there && sqlite_file_has_column(file, runtime, wanted[i]);
	if (!there || !sqlite_file_has_column(file, table, "correlationId") ||
	    !sqlite_file_has_column(file, table, "globalPid"))
		return false;
	/* Grouped, so that no launch counts twice. */
	strbuf_addf(
		sql,
		" LEFT JOIN (SELECT correlationId c, globalTid >> 24 & 16777215 p, max(start) "
		"begin FROM %s GROUP BY 1, 2) r ON r.c = t.correlationId AND r.p = (t.globalPid "
		">> 24 & 16777215)",
		runtime);
	return true;
}

/* --- reading --- */

struct reading {
	struct nsys_activities *all;
	enum nsys_kind kind;
	size_t count;
};

static bool same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool is_gpu(const struct nsys_gpu *gpu, double process, double device)
{
	return same(gpu->process, process) && same(gpu->device, device);
}

struct nsys_gpu *nsys_activities_gpu(struct nsys_activities *all, double process, double device)
{
	if (all->last < all->gpu_count && is_gpu(&all->gpus[all->last], process, device))
		return &all->gpus[all->last];
	for (size_t i = 0; i < all->gpu_count; i++)
		if (is_gpu(&all->gpus[i], process, device)) {
			all->last = i;
			return &all->gpus[i];
		}
	return NULL;
}

static double mapped(const struct nsys_activities *all, double process, double device)
{
	for (size_t i = 0; i < all->mapping_count; i++)
		if (all->mappings[i].process == process && all->mappings[i].cuda == device &&
		    !isnan(all->mappings[i].gpu))
			return all->mappings[i].gpu;
	return device;
}

double nsys_physical_gpu(struct nsys_activities *all, double process, double device)
{
	const struct nsys_gpu *gpu = nsys_activities_gpu(all, process, device);
	return gpu ? gpu->physical : mapped(all, process, device);
}

static struct nsys_gpu *gpu_of(struct nsys_activities *all, double process, double device)
{
	struct nsys_gpu *gpu = nsys_activities_gpu(all, process, device);
	if (gpu || all->gpu_count == gpu_limit)
		return gpu;
	gpu = arena_next(all->arena, all->gpus, all->gpu_count, all->gpu_capacity);
	*gpu = (struct nsys_gpu){
		.process = process, .device = device, .physical = mapped(all, process, device)};
	return gpu;
}

/* Whether another process uses the same GPU. */
static bool is_shared(const struct nsys_activities *all, const struct nsys_gpu *gpu)
{
	for (size_t i = 0; i < all->gpu_count; i++)
		if (same(all->gpus[i].physical, gpu->physical) &&
		    !same(all->gpus[i].process, gpu->process))
			return true;
	return false;
}

static int read_activity(void *context, struct sqlite_row *row, struct error *err)
{
	enum { START, END, DEVICE, PROCESS };
	struct reading *r = context;
	struct interval_span one;
	(void)err;
	struct nsys_gpu *gpu = gpu_of(r->all, sqlite_file_row_number(row, PROCESS),
				      sqlite_file_row_number(row, DEVICE));
	bool possible = nsys_time(sqlite_file_row_number(row, START), &one.begin) &&
			nsys_time(sqlite_file_row_number(row, END), &one.end) &&
			one.end >= one.begin;
	if (!possible || !gpu || r->count == activity_limit) {
		r->all->invalid++;
		return 0;
	}
	r->count++;
	*arena_next(r->all->arena, gpu->items[r->kind], gpu->count[r->kind],
		    gpu->capacity[r->kind]) = one;
	return 0;
}

static bool has_times(struct sqlite_file *file, const char *table)
{
	return sqlite_file_table(file, table, false) &&
	       sqlite_file_has_column(file, table, "start") &&
	       sqlite_file_has_column(file, table, "end") &&
	       sqlite_file_has_column(file, table, "deviceId");
}

static void cover(struct arena *arena, struct nsys_gpu *gpu)
{
	struct interval_list {
		struct interval_span *items;
		size_t count;
	} all = {NULL, 0};
	for (int kind = 0; kind < NSYS_KINDS; kind++)
		all.count += gpu->count[kind];
	all.items = arena_array(arena, all.count, sizeof *all.items);
	size_t at = 0;
	for (int kind = 0; kind < NSYS_KINDS; kind++) {
		if (gpu->count[kind])
			memcpy(all.items + at, gpu->items[kind],
			       gpu->count[kind] * sizeof *all.items);
		at += gpu->count[kind];
	}
	const struct interval_span *kernels = gpu->items[NSYS_KERNEL];
	size_t count = gpu->count[NSYS_KERNEL];
	gpu->kernels = interval_cover_of(arena, kernels, count, 1);
	gpu->concurrent = interval_cover_of(arena, kernels, count, 2);
	gpu->copies = interval_cover_of(arena, gpu->items[NSYS_COPY], gpu->count[NSYS_COPY], 1);
	gpu->busy = interval_cover_of(arena, all.items, all.count, 1);
}

int nsys_activities_read(struct nsys_activities *all, struct sqlite_file *file, struct error *err)
{
	for (int kind = 0; kind < NSYS_KINDS; kind++) {
		struct reading r = {.all = all, .kind = (enum nsys_kind)kind};
		struct strbuf sql = {0};
		if (!has_times(file, tables[kind]))
			continue;
		strbuf_addf(&sql, "SELECT t.start, t.\"end\", t.deviceId, %s FROM %s t",
			    nsys_process(file, tables[kind]), tables[kind]);
		int rc = sqlite_file_query(file, sql.buf, read_activity, &r, err);
		strbuf_free(&sql);
		if (rc < 0)
			return -1;
	}
	for (size_t i = 0; i < all->gpu_count; i++) {
		cover(all->arena, &all->gpus[i]);
		all->gpus[i].shared = is_shared(all, &all->gpus[i]);
	}
	return 0;
}

/* --- events --- */

struct filling {
	struct trace *trace;
	struct nsys_activities *all;
	enum nsys_kind kind;
};

/* "HtoD", as CUPTI numbers the kinds of copies. */
static const char *copy_name(double kind)
{
	static const char *const names[] = {"copy",      "copy HtoD", "copy DtoH", "copy HtoA",
					    "copy AtoH", "copy AtoA", "copy AtoD", "copy DtoA",
					    "copy DtoD", "copy HtoH", "copy PtoP"};
	size_t count = sizeof names / sizeof *names;
	return names[kind >= 0 && kind < (double)count ? (size_t)kind : 0];
}

static const char *what_of(struct arena *arena, struct sqlite_row *row, enum nsys_kind kind,
			   double latency)
{
	enum { SIZES = 7, BYTES = 13 };
	struct strbuf sb = {0};
	double sizes[6], bytes = sqlite_file_row_number(row, BYTES);
	for (int i = 0; i < 6; i++)
		sizes[i] = sqlite_file_row_number(row, SIZES + i);
	if (kind == NSYS_KERNEL && sizes[0] >= 0 && sizes[3] >= 0)
		strbuf_addf(&sb, "grid %.0fx%.0fx%.0f, block %.0fx%.0fx%.0f", sizes[0], sizes[1],
			    sizes[2], sizes[3], sizes[4], sizes[5]);
	if (bytes >= 0)
		strbuf_addf(&sb, "%s", quantity_text(arena, bytes, UNIT_BYTE));
	if (latency >= 0)
		strbuf_addf(&sb, "%slaunched %s before", sb.len ? ", " : "",
			    quantity_text(arena, latency, UNIT_SECOND));
	return strbuf_into(&sb, arena);
}

/* Each process numbers its own streams, so on a shared GPU a stream is named with its process. */
static uint32_t track_of(struct filling *f, struct arena *arena, struct sqlite_row *row)
{
	enum { DEVICE = 2, PROCESS, STREAM };
	static const char *const suffixes[NSYS_KINDS] = {"", " copies", " memory sets"};
	double process = sqlite_file_row_number(row, PROCESS),
	       device = sqlite_file_row_number(row, DEVICE),
	       stream = sqlite_file_row_number(row, STREAM);
	const struct nsys_gpu *gpu = nsys_activities_gpu(f->all, process, device);
	double physical = nsys_physical_gpu(f->all, process, device);
	const char *name =
		isnan(stream) ? "unknown stream" : arena_printf(arena, "stream %.0f", stream);
	const char *owner = gpu && gpu->shared && !isnan(process)
				    ? arena_printf(arena, "process %.0f ", process)
				    : "";
	return trace_track(
		f->trace, f->kind == NSYS_KERNEL ? TRACE_ENGINE : TRACE_QUEUE,
		span_of(isnan(physical) ? "" : arena_printf(arena, "GPU %.0f", physical)),
		span_of(arena_printf(arena, "%s%s%s", owner, name, suffixes[f->kind])));
}

static int fill_event(void *context, struct sqlite_row *row, struct error *err)
{
	enum { START, END, NAME = 5, LAUNCH, COPY_KIND = 14 };
	struct filling *f = context;
	struct arena scratch = {0};
	double launch;
	uint64_t end;
	struct trace_event event = {0};
	(void)err;
	launch = sqlite_file_row_number(row, LAUNCH);
	if (!nsys_time(sqlite_file_row_number(row, START), &event.begin) ||
	    !nsys_time(sqlite_file_row_number(row, END), &end) || end < event.begin) {
		f->trace->more++;
		return 0;
	}
	event.duration = end - event.begin;
	double latency = ((double)event.begin - launch) / 1e9;
	struct span name = sqlite_file_row_text(row, NAME);
	if (f->kind == NSYS_COPY)
		name = span_of(copy_name(sqlite_file_row_number(row, COPY_KIND)));
	else if (f->kind == NSYS_SET)
		name = span_of("memory set");
	event.track = track_of(f, &scratch, row);
	event.name = utf8_is_line(name) ? trace_text(f->trace, name) : 0;
	event.operands = trace_text(f->trace, span_of(what_of(&scratch, row, f->kind, latency)));
	trace_add_from_origin(f->trace, event);
	arena_free(&scratch);
	return 0;
}

int nsys_trace_fill(struct trace *trace, struct nsys_activities *all, struct sqlite_file *file,
		    struct error *err)
{
	static const char *const sizes[] = {"gridX",  "gridY", "gridZ",    "blockX", "blockY",
					    "blockZ", "bytes", "copyKind", NULL};
	static const char *const stream[] = {"streamId", NULL};
	struct filling f = {.trace = trace, .all = all};
	trace->tick = 1e-9;
	for (int kind = 0; kind < NSYS_KINDS; kind++) {
		const char *table = tables[kind];
		struct strbuf sql = {0}, join = {0};
		f.kind = (enum nsys_kind)kind;
		if (!has_times(file, table))
			continue;
		bool named = kind == NSYS_KERNEL;
		bool launched = nsys_join_launch(file, table, &join);
		strbuf_addf(&sql, "SELECT t.start, t.\"end\", t.deviceId, %s, ",
			    nsys_process(file, table));
		sqlite_file_columns(file, &sql, table, stream);
		strbuf_addf(&sql, ", %s, %s, ", named ? "s.value" : "NULL",
			    launched ? "r.begin" : "NULL");
		sqlite_file_columns(file, &sql, table, sizes);
		strbuf_addf(&sql, " FROM %s t%s%s", table,
			    named ? " LEFT JOIN StringIds s ON s.id = t.shortName" : "",
			    strbuf_text(&join));
		int rc = sqlite_file_query(file, sql.buf, fill_event, &f, err);
		strbuf_free(&sql);
		strbuf_free(&join);
		if (rc < 0)
			return -1;
	}
	return 0;
}
