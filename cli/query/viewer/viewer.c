/* Reads the events of a run's file again and writes the page. */
#include "cli/query/viewer/viewer.h"

#include <sys/stat.h>

#include "base/text/text.h"
#include "cli/output/output.h"
#include "cli/query/viewer/source.h"
#include "ingest/registry/registry.h"
#include "render/chart/viewer/viewer.h"

/* So that a page stays below 5 MB. */
enum { PAGE_EVENTS = 120000, PAGE_OPERANDS = 2 << 20, PAGE_TEXTS = 1 << 20, NOTES = 10, FACTS = 8 };

int query_viewer_time(const char *option, const char *text, double *seconds, struct error *err)
{
	*seconds = NAN;
	if (!text || (quantity_parse(span_of(text), UNIT_SECOND, seconds) && *seconds >= 0))
		return 0;
	return error_set(err, ERR_USAGE,
			 "%s \"%.80s\": expected a time since the start of the run, such as 12.5us",
			 option, text);
}

/* The runs of one file, whose events are on one page. */
static int find_file(const struct viewer_request *request, const char **path, struct error *err)
{
	const struct loaded_list *runs = request->runs;
	const char *first = runs->items[0].stored.run->source;
	for (size_t i = 1; i < runs->count; i++)
		if (!span_text_eq(first, runs->items[i].stored.run->source))
			return error_set(err, ERR_USAGE,
					 "a page shows one run, and %zu were chosen\nhint: rooflog "
					 "log prints their ids",
					 runs->count);
	if (!first || strcmp(first, "-") == 0)
		return error_set(err, ERR_USAGE,
				 "the events are read from the file of the run, and its file is %s",
				 first ? "standard input" : "unknown");
	*path = first;
	return 0;
}

/* --- the events --- */

/* Only a regular file: a store may name anything. */
static int check_file(struct cli *cli, const char *path, struct error *err)
{
	struct stat status;
	bool there = stat(path, &status) == 0;
	if (there && S_ISREG(status.st_mode))
		return 0;
	if (cli->files.count)
		return error_set(err, ERR_USAGE, "%.300s is read twice: it must be a regular file",
				 path);
	return error_set(err, ERR_USAGE,
			 "the events of the run are in its file, %.300s, which is not here\nhint: "
			 "rooflog show FILE -o FILE.html, if it lies elsewhere",
			 path);
}

/* Whether a run of the file can be the one of the store. Executions of several files are one run
 * with the median of their times. */
static bool is_same(const struct run *stored, const struct run *read)
{
	const struct run_spread *spread = run_spread(stored, METRIC_TOTAL_TIME);
	double a = stored->given[METRIC_TOTAL_TIME].number;
	double b = read->given[METRIC_TOTAL_TIME].number;
	if (stored->kernel_hash && read->kernel_hash && !stored->joined_hash &&
	    strcmp(stored->kernel_hash, read->kernel_hash) != 0)
		return false;
	return spread || isnan(a) || isnan(b) || fabs(a - b) <= 1e-9 * fabs(a);
}

static int check_same(const struct run *stored, const struct ingest_result *result,
		      const char *path, struct error *err)
{
	for (size_t i = 0; i < result->runs.count; i++)
		if (is_same(stored, result->runs.items[i]))
			return 0;
	return error_set(err, ERR_USAGE,
			 "%.300s no longer has the run: its time or its kernel is another\nhint: "
			 "rooflog show %.300s -o FILE.html",
			 path, path);
}

static int read_events(struct cli *cli, const struct viewer_request *request, const char *path,
		       struct trace *trace, struct error *err)
{
	struct ingest_result result = {.trace = trace};
	const struct reader *reader;
	if (check_file(cli, path, err) < 0)
		return -1;
	struct input *input = input_open(path, err);
	if (!input)
		return -1;
	int rc = reader_read(&cli->arena, input, &result, &reader, err);
	if (rc < 0)
		error_prefix(err, "%s", path);
	input_close(input);
	if (rc == 0 && !cli->files.count)
		rc = check_same(request->runs->items[0].stored.run, &result, path, err);
	if (rc == 0 && (trace->count == 0 || !(trace->tick > 0)))
		return error_set(
			err, ERR_USAGE,
			"%.300s has no events: native Neuron traces (NTFF) and neuron-profile "
			"JSON have them",
			path);
	return rc;
}

/* --- what is said of them --- */

struct page {
	struct cli *cli;
	struct viewer_page page;
	struct viewer_fact facts[FACTS];
	const char *notes[NOTES];
};

static void add_fact(struct page *p, const char *name, const char *value)
{
	assert(p->page.fact_count < FACTS);
	if (value && value[0])
		p->facts[p->page.fact_count++] = (struct viewer_fact){name, value};
}

static void add_note(struct page *p, const char *text)
{
	assert(p->page.note_count < NOTES);
	if (text)
		p->notes[p->page.note_count++] = text;
}

static const char *title_of(struct arena *arena, const struct run *run, size_t runs)
{
	const char *params = run_params_text(arena, run), *slash = strrchr(run->source, '/');
	if (runs > 1)
		return arena_printf(arena, "%s (%zu runs)", run->source, runs);
	/* A file that does not say its kernel. */
	if (!run->kernel || strcmp(run->kernel, "unknown") == 0)
		return slash ? slash + 1 : run->source;
	return arena_printf(arena, "%s%s%s%s%s", run->kernel,
			    run->variant && run->variant[0] ? " " : "",
			    run->variant ? run->variant : "", params[0] ? " " : "", params);
}

static void add_facts(struct page *p, const struct viewer_request *request)
{
	struct arena *arena = &p->cli->arena;
	const struct store_run *stored = &request->runs->items[0].stored;
	const struct run *run = stored->run;
	const struct trace_packed *packed = p->page.packed;
	if (p->page.part)
		add_fact(p, "Part",
			 arena_printf(
				 arena, "%s to %s of %s",
				 quantity_text(arena, packed->from * packed->tick, UNIT_SECOND),
				 quantity_text(arena, packed->to * packed->tick, UNIT_SECOND),
				 quantity_text(arena, packed->length * packed->tick, UNIT_SECOND)));
	if (request->runs->count == 1)
		add_fact(p, "Time", quantity_text(arena, run_time(run), UNIT_SECOND));
	add_fact(p, "Device", run->device);
	add_fact(p, "Data type", run->dtype);
	add_fact(p, "File", run->source);
	if (!p->cli->files.count && run->commit) {
		add_fact(p, "Commit", arena_printf(arena, "%.10s", run->commit));
		add_fact(p, "Run", arena_printf(arena, "%.8s", stored->id));
	}
}

static const char *counted(struct arena *arena, uint64_t count)
{
	return quantity_text(arena, (double)count, UNIT_COUNT);
}

/* "12 instructions and 3 semaphore updates": what is not on the page for want of room. */
static const char *left_out(struct arena *arena, const struct trace_packed *packed)
{
	static const char *const names[TRACE_KINDS][2] = {
		{"instruction", "instructions"},
		{"DMA transfer", "DMA transfers"},
		{"semaphore update", "semaphore updates"}};
	uint64_t counts[TRACE_KINDS] = {0};
	struct strbuf sb = {0};
	for (size_t i = 0; i < packed->track_count; i++)
		counts[packed->tracks[i].kind] += packed->tracks[i].left_out;
	for (int kind = 0; kind < TRACE_KINDS; kind++)
		if (counts[kind])
			strbuf_addf(&sb, "%s%s %s", sb.len ? " and " : "",
				    counted(arena, counts[kind]), names[kind][counts[kind] > 1]);
	return strbuf_into(&sb, arena);
}

/* Each thing that the file has and the page has not. */
static void add_notes(struct page *p, const struct trace *trace)
{
	struct arena *arena = &p->cli->arena;
	const struct trace_packed *packed = p->page.packed;
	if (packed->left_out)
		add_note(p, arena_printf(arena,
					 "%s of %s events are not on this page, the shortest of "
					 "their kind: %s. --from and --to show a part in full.",
					 counted(arena, packed->left_out),
					 counted(arena, packed->left_out + packed->count),
					 left_out(arena, packed)));
	if (packed->without_operands)
		add_note(p, arena_printf(arena,
					 "The operands of %s did not fit on this page: "
					 "--from and --to show a part in full.",
					 quantity_count_text(arena, packed->without_operands,
							     "event", "events")));
	if (packed->without_texts)
		add_note(p, arena_printf(arena,
					 "The names or source lines of %s did not fit on "
					 "this page: --from and --to show a part in full.",
					 quantity_count_text(arena, packed->without_texts, "event",
							     "events")));
	if (packed->without_name)
		add_note(p, arena_printf(arena, "The names of %s did not fit on this page.",
					 quantity_count_text(arena, packed->without_name, "track",
							     "tracks")));
	if (trace->more)
		add_note(p, arena_printf(arena,
					 "Not read of the file: %s without a possible time, or "
					 "beyond %s.",
					 quantity_count_text(arena, trace->more, "event", "events"),
					 counted(arena, TRACE_EVENT_LIMIT)));
	if (trace->lost)
		add_note(p,
			 arena_printf(arena, "Not read of the file: %s, because it has too many.",
				      quantity_count_text(arena, trace->lost, "text", "texts")));
	if (trace->unshown)
		add_note(p,
			 arena_printf(
				 arena,
				 "%s DMA transfers are not on this page: the vendor's tool loses "
				 "them, and no metric counts them.",
				 counted(arena, trace->unshown)));
}

static int write_page(struct cli *cli, const struct viewer_request *request, struct page *p,
		      struct error *err)
{
	struct strbuf out = {0};
	if (render_viewer_page(&cli->arena, &p->page, &out, err) == 0)
		return cli_output(cli, request->output, &out, err);
	strbuf_free(&out);
	return -1;
}

int query_viewer_write(struct cli *cli, const struct viewer_request *request, struct error *err)
{
	const struct run *run = request->runs->items[0].stored.run;
	struct trace *trace = trace_new(&cli->arena);
	struct trace_packed packed;
	struct viewer_sources sources;
	const char *path;
	if (find_file(request, &path, err) < 0 || read_events(cli, request, path, trace, err) < 0)
		return -1;
	trace_pack(trace,
		   &(struct trace_request){request->from, request->to, PAGE_EVENTS, PAGE_OPERANDS,
					   PAGE_TEXTS},
		   &packed);
	struct page p = {.cli = cli, .page = {.packed = &packed, .version = ROOFLOG_VERSION}};
	p.page.facts = p.facts;
	p.page.notes = p.notes;
	p.page.part = !isnan(request->from) || !isnan(request->to);
	p.page.title = title_of(&cli->arena, run, request->runs->count);
	query_viewer_sources(cli, run, request->source_root, &packed, &sources);
	p.page.files = sources.items;
	p.page.file_count = sources.count;
	p.page.commit = sources.commit;
	add_facts(&p, request);
	add_notes(&p, trace);
	add_note(&p, sources.guess);
	add_note(&p, sources.fault);
	int rc = packed.count + packed.left_out == 0
			 ? error_set(err, ERR_USAGE, "%.300s has no events in this part of its %s",
				     path,
				     quantity_text(&cli->arena, packed.length * packed.tick,
						   UNIT_SECOND))
			 : write_page(cli, request, &p, err);
	trace_pack_free(&packed);
	return rc;
}
