/* Writes the page of one run, or of two. */
#include "cli/query/viewer/viewer.h"

#include "base/text/text.h"
#include "cli/output/output.h"
#include "cli/query/viewer/events.h"
#include "cli/query/viewer/notes.h"
#include "cli/query/viewer/source.h"
#include "model/timeline/alignment.h"
#include "render/chart/viewer/viewer.h"

/* So that a page stays below 5 MB; two sides share them. */
enum { PAGE_EVENTS = 120000, PAGE_OPERANDS = 2 << 20, PAGE_TEXTS = 1 << 20, FACTS = 10 };

int query_viewer_time(const char *option, const char *text, double *seconds, struct error *err)
{
	*seconds = NAN;
	if (!text || (quantity_parse(span_of(text), UNIT_SECOND, seconds) && *seconds >= 0))
		return 0;
	return error_set(err, ERR_USAGE,
			 "%s \"%.80s\": expected a time since the start of the run, such as 12.5us",
			 option, text);
}

struct page {
	struct cli *cli;
	const struct viewer_request *request;
	struct viewer_page page;
	struct viewer_side baseline;
	struct trace_packed packed[2]; /* run, baseline */
	struct viewer_sources sources[2];
	struct viewer_match matches[TIMELINE_PART_LIMIT];
	struct viewer_fact facts[FACTS];
	struct viewer_notes notes;
	bool cut; /* a side has more than the page has room for */
};

static void add_fact(struct page *p, const char *name, const char *value)
{
	assert(p->page.fact_count < FACTS);
	if (value && value[0])
		p->facts[p->page.fact_count++] = (struct viewer_fact){name, value};
}

/* Some files do not say their kernel. */
static bool has_kernel(const struct run *run)
{
	return run->kernel && strcmp(run->kernel, "unknown") != 0;
}

const char *query_viewer_title(struct arena *arena, const struct loaded_list *runs)
{
	const struct run *run = runs->items[0].stored.run;
	const char *params = run_params_text(arena, run);
	const char *source = run->source ? run->source : "unknown file",
		   *slash = strrchr(source, '/');
	if (runs->count > 1)
		return arena_printf(arena, "%s (%zu runs)", source, runs->count);
	if (!has_kernel(run))
		return slash ? slash + 1 : source;
	return arena_printf(arena, "%s%s%s%s%s", run->kernel,
			    run->variant && run->variant[0] ? " " : "",
			    run->variant ? run->variant : "", params[0] ? " " : "", params);
}

/* "2 us to 4 us of 78.4 us" */
static const char *part_text(struct arena *arena, const struct trace_packed *packed)
{
	return arena_printf(arena, "%s to %s of %s",
			    render_viewer_time(arena, packed->from * packed->tick),
			    render_viewer_time(arena, packed->to * packed->tick),
			    render_viewer_time(arena, packed->length * packed->tick));
}

/* The times of two runs, and their difference. */
static void add_times(struct page *p)
{
	struct arena *arena = &p->cli->arena;
	const struct viewer_request *request = p->request;
	double time = run_time(request->runs->items[0].stored.run);
	if (!request->baseline) {
		if (request->runs->count == 1)
			add_fact(p, "Time", render_viewer_time(arena, time));
		return;
	}
	double before = run_time(request->baseline->items[0].stored.run);
	add_fact(
		p, "Before",
		arena_printf(arena, "%s: %s", p->baseline.name, render_viewer_time(arena, before)));
	add_fact(p, "After",
		 arena_printf(arena, "%s: %s", p->page.run.name, render_viewer_time(arena, time)));
	if (before > 0 && !isnan(time))
		add_fact(p, "Change", arena_printf(arena, "%+.2f %%", (time / before - 1) * 100));
}

static void add_facts(struct page *p)
{
	struct arena *arena = &p->cli->arena;
	const struct store_run *stored = &p->request->runs->items[0].stored;
	const struct run *run = stored->run;
	if (p->page.part)
		add_fact(p, "Part", part_text(arena, &p->packed[0]));
	add_times(p);
	add_fact(p, "Device", run->device);
	add_fact(p, "Data type", run->dtype);
	if (p->request->baseline)
		return;
	add_fact(p, "File", run->source);
	if (!query_viewer_is_file(p->cli, run) && run->commit) {
		add_fact(p, "Commit", arena_printf(arena, "%.10s", run->commit));
		add_fact(p, "Run", arena_printf(arena, "%.8s", stored->id));
	}
}

/* Reads one side: its events as far as there is room, and the text of its source lines. */
static int add_side(struct page *p, const struct loaded_list *runs, size_t index,
		    struct viewer_side *side, struct error *err)
{
	const struct viewer_request *request = p->request;
	struct trace_packed *packed = &p->packed[index];
	struct viewer_sources *sources = &p->sources[index];
	const struct run *run = runs->items[0].stored.run;
	struct trace *trace;
	size_t share = (request->baseline ? 2 : 1) * (request->shrink ? request->shrink : 1);
	if (query_viewer_events(p->cli, runs, &trace, err) < 0)
		return -1;
	const struct trace_request asked = {request->from, request->to, PAGE_EVENTS / share,
					    PAGE_OPERANDS / share, PAGE_TEXTS / share};
	trace_pack(trace, &asked, packed);
	side->packed = packed;
	if (packed->count + packed->left_out == 0)
		return error_set(
			err, ERR_USAGE, "%.300s has no events in this part of its %s", run->source,
			quantity_text(&p->cli->arena, packed->length * packed->tick, UNIT_SECOND));
	query_viewer_sources(p->cli, run, request->source_root, packed, sources);
	side->files = sources->items;
	side->file_count = sources->count;
	side->commit = sources->commit;
	p->notes.of = request->baseline ? side->name : "";
	query_viewer_notes(&p->notes, packed);
	p->cut = p->cut || packed->left_out || packed->without_operands || packed->without_texts;
	query_viewer_note(&p->notes, sources->guess);
	query_viewer_note(&p->notes, sources->fault);
	return 0;
}

/* Which parts of the two runs match. */
static void match(struct page *p)
{
	struct timeline_difference difference;
	const struct run *before = p->request->baseline->items[0].stored.run;
	bool compared =
		timeline_compare(before, p->request->runs->items[0].stored.run, &difference);
	p->notes.of = "";
	p->page.resolution = compared ? difference.resolution : NAN;
	if (!compared || !difference.aligned) {
		query_viewer_note(&p->notes,
				  "The two timelines are too different to match: the same time "
				  "of both is compared.");
		return;
	}
	for (size_t i = 0; i < difference.count; i++) {
		const struct timeline_part *part = &difference.parts[i];
		p->matches[i] = (struct viewer_match){part->baseline_from, part->baseline_to,
						      part->from, part->to};
	}
	p->page.matches = p->matches;
	p->page.match_count = difference.count;
}

static int build(struct page *p, struct strbuf *out, struct error *err)
{
	const struct viewer_request *request = p->request;
	if (request->baseline) {
		p->page.run.name = request->name;
		p->baseline.name = request->baseline_name;
		p->page.baseline = &p->baseline;
		if (add_side(p, request->baseline, 1, &p->baseline, err) < 0)
			return -1;
		match(p);
	}
	if (add_side(p, request->runs, 0, &p->page.run, err) < 0)
		return -1;
	add_facts(p);
	p->notes.of = "";
	if (p->cut)
		query_viewer_note(&p->notes, request->more);
	p->page.facts = p->facts;
	p->page.notes = p->notes.items;
	p->page.note_count = p->notes.count;
	return render_viewer_page(&p->cli->arena, &p->page, out, err);
}

int query_viewer_page(struct cli *cli, const struct viewer_request *request, struct strbuf *out,
		      struct error *err)
{
	const struct run *run = request->runs->items[0].stored.run;
	struct page *p = arena_new(&cli->arena, struct page);
	*p = (struct page){.cli = cli, .request = request};
	p->notes.arena = &cli->arena;
	p->page.version = ROOFLOG_VERSION;
	p->page.part = !isnan(request->from) || !isnan(request->to);
	p->page.title = query_viewer_title(&cli->arena, request->runs);
	if (request->baseline && !has_kernel(run))
		p->page.title = arena_printf(&cli->arena, "%s and %s", request->baseline_name,
					     request->name);
	p->page.run.name = "";
	p->page.links = request->links;
	p->page.link_count = request->link_count;
	p->page.other = request->other;
	int rc = build(p, out, err);
	for (size_t i = 0; i < 2; i++)
		trace_pack_free(&p->packed[i]);
	return rc;
}

int query_viewer_write(struct cli *cli, const struct viewer_request *request, struct error *err)
{
	struct strbuf out = {0};
	if (query_viewer_page(cli, request, &out, err) == 0)
		return cli_output(cli, request->output, &out, err);
	strbuf_free(&out);
	return -1;
}
