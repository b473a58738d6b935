/* Finds source lines, opcodes and the longest single instructions of runs. */
#include "cli/query/attributions.h"

#include "cli/output/output.h"
#include "cli/query/viewer/events.h"
#include "cli/query/viewer/viewer.h"
#include "render/lists/lists.h"

/* --- sums --- */

/* A pattern also matches the end of a path: "k.py:7" and "k.py:*" match "/home/me/k.py:7". */
static bool fits_source(const char *pattern, const char *name)
{
	if (!name[0])
		return false;
	if (strcmp(pattern, "/./") == 0 || span_glob(pattern, name))
		return true;
	for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/'))
		if (span_glob(pattern, slash + 1))
			return true;
	return false;
}

static bool fits(const struct attribution_search *search, const struct run_tally *tally)
{
	if (!tally->name)
		return false;
	if (tally->kind == TALLY_SOURCE)
		return search->source && fits_source(search->source, tally->name);
	return tally->kind == TALLY_OPCODE && search->opcode &&
	       span_glob(search->opcode, tally->name);
}

/* An engine waits in it: its time is not work. */
static bool is_wait(const struct run_tally *tally)
{
	return tally->kind == TALLY_OPCODE && span_text_eq(tally->name, "EVENT_SEMAPHORE");
}

/* All of a kind in one row; the numbers are sums. */
static struct run_tally sum_of(const struct run *run, enum tally_kind kind, bool with_waits)
{
	struct run_tally sum = {.kind = kind, .bytes = NAN, .flops = NAN};
	for (size_t i = 0; i < run->tally_count; i++) {
		const struct run_tally *tally = &run->tallies[i];
		if (tally->kind != kind || !(tally->seconds > 0 || tally->count > 0) ||
		    (!with_waits && is_wait(tally)))
			continue;
		sum.count += tally->count;
		sum.seconds += tally->seconds > 0 ? tally->seconds : 0;
		if (tally->flops > 0)
			sum.flops = (isnan(sum.flops) ? 0 : sum.flops) + tally->flops;
	}
	return sum;
}

/* What shares of a run are of. */
struct totals {
	double work, instructions, lines; /* seconds */
};

static struct totals totals_of(const struct run *run)
{
	return (struct totals){
		.work = sum_of(run, TALLY_OPCODE, false).seconds,
		.instructions = sum_of(run, TALLY_OPCODE, true).seconds,
		.lines = sum_of(run, TALLY_SOURCE, true).seconds,
	};
}

/* The instructions that no source line made: all but those with one. NULL: there are none, or the
 * run has no instructions. */
static const struct run_tally *without_source(struct arena *arena, const struct run *run)
{
	struct run_tally *rest = arena_new(arena, struct run_tally);
	const struct run_tally all = sum_of(run, TALLY_OPCODE, true);
	const struct run_tally lines = sum_of(run, TALLY_SOURCE, true);
	*rest = (struct run_tally){TALLY_SOURCE,
				   "no source line",
				   all.count - lines.count,
				   fmax(all.seconds - lines.seconds, 0),
				   NAN,
				   all.flops};
	if (lines.flops > 0)
		rest->flops = all.flops - lines.flops > 0 ? all.flops - lines.flops : NAN;
	return rest->count > 0 && all.seconds > 0 ? rest : NULL;
}

/* The larger number first; unknown ones last. */
static int by_number(double a, double b)
{
	a = isnan(a) ? -1 : a;
	b = isnan(b) ? -1 : b;
	return (a < b) - (a > b);
}

/* What was sampled has no time. */
static int longest_first(const void *a, const void *b)
{
	const struct attribution *x = a, *y = b;
	int order = by_number(x->tally->seconds, y->tally->seconds);
	if (order == 0 && attribution_is_sampled(x) && attribution_is_sampled(y)) {
		order = by_number(x->samples, y->samples);
		order = order ? order : by_number(x->tally->count, y->tally->count);
	}
	return order ? order : strcmp(x->tally->name, y->tally->name);
}

/* Adds up the tallies of a kind: their samples, or what they count. */
static double sampled_sum(const struct run *run, enum tally_kind kind, bool samples)
{
	double sum = 0;
	for (size_t i = 0; i < run->tally_count; i++) {
		double number =
			samples ? run_tally_figure(run, i, "samples") : run->tallies[i].count;
		if (run->tallies[i].kind == kind && number > 0)
			sum += number;
	}
	return sum;
}

/* The whole is the samples, or the instructions if nothing was sampled. Without opcodes it is their
 * sum over the lines. */
static void set_sampled_share(struct attribution *hit, const struct run *run)
{
	static const enum share_of wholes[2][2] = {
		{SHARE_OF_EXECUTED, SHARE_OF_SAMPLES},
		{SHARE_OF_LINES_EXECUTED, SHARE_OF_LINES_SAMPLES}};
	bool lines = !(sampled_sum(run, TALLY_OPCODE, false) > 0);
	enum tally_kind kind = lines ? TALLY_SOURCE : TALLY_OPCODE;
	double total = sampled_sum(run, kind, true);
	bool samples = total > 0;
	if (!samples)
		total = sampled_sum(run, kind, false);
	double number = samples ? hit->samples : hit->tally->count;
	hit->of = wholes[lines][samples];
	hit->share = total > 0 ? (isnan(number) ? 0 : number) / total : NAN;
}

static void add_sampled(struct arena *arena, struct attribution_list *hits,
			const struct loaded_run *loaded, size_t index)
{
	const struct run *run = loaded->stored.run;
	struct attribution *hit = arena_add(arena, hits);
	*hit = (struct attribution){.run = run,
				    .id = loaded->stored.id,
				    .tally = &run->tallies[index],
				    .index = index,
				    .samples = run_tally_figure(run, index, "samples")};
	set_sampled_share(hit, run);
}

/* Which instructions without a line wait is not known: their share is of all. */
static void add_hit(struct arena *arena, struct attribution_list *hits,
		    const struct loaded_run *loaded, const struct totals *totals,
		    const struct run_tally *tally, bool rest)
{
	const struct run *run = loaded->stored.run;
	double total = totals->work;
	enum share_of of = SHARE_OF_WORK;
	if (rest || !(total > 0)) {
		of = rest ? SHARE_OF_INSTRUCTIONS : SHARE_OF_LINES;
		total = rest ? totals->instructions : totals->lines;
	}
	if (is_wait(tally))
		of = SHARE_OF_NOTHING;
	double share = of != SHARE_OF_NOTHING && total > 0 ? tally->seconds / total : NAN;
	*arena_add(arena, hits) = (struct attribution){.run = run,
						       .id = loaded->stored.id,
						       .tally = tally,
						       .share = share,
						       .of = of,
						       .samples = NAN};
}

static void find(struct arena *arena, const struct loaded_list *runs,
		 const struct attribution_search *search, struct attribution_list *hits)
{
	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = runs->items[i].stored.run;
		const struct totals totals = totals_of(run);
		const struct run_tally *rest =
			search->source && !search->source[0] ? without_source(arena, run) : NULL;
		if (rest)
			add_hit(arena, hits, &runs->items[i], &totals, rest, true);
		for (size_t j = 0; j < run->tally_count; j++) {
			const struct run_tally *tally = &run->tallies[j];
			if (fits(search, tally) && run_is_sampled(run))
				add_sampled(arena, hits, &runs->items[i], j);
			else if (fits(search, tally))
				add_hit(arena, hits, &runs->items[i], &totals, tally, false);
		}
	}
	array_sort(hits->items, hits->count, sizeof *hits->items, longest_first);
}

/* --- single instructions --- */

static const char *text_of(const struct trace *trace, uint32_t text)
{
	return trace->texts[text].text;
}

static bool event_fits(const struct attribution_search *search, const struct trace *trace,
		       const struct trace_event *event)
{
	const char *source = text_of(trace, event->source);
	double begin = ((double)event->begin - (double)trace->origin) * trace->tick;
	bool early = begin + (double)event->duration * trace->tick < search->from;
	if (trace->tracks[event->track].kind != TRACE_ENGINE || early || begin > search->to)
		return false;
	if (!search->source && !search->opcode)
		return true;
	return (search->opcode && span_glob(search->opcode, text_of(trace, event->name))) ||
	       (search->source &&
		(search->source[0] ? fits_source(search->source, source) : source[0] == '\0'));
}

static int by_duration(const void *a, const void *b)
{
	const struct trace_event *x = *(const struct trace_event *const *)a;
	const struct trace_event *y = *(const struct trace_event *const *)b;
	if (x->duration != y->duration)
		return x->duration > y->duration ? -1 : 1;
	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Instructions that wait are only listed when their opcode is asked for. */
static int find_slowest(struct cli *cli, const struct loaded_list *runs,
			const struct attribution_search *search, struct executed_list *slowest,
			struct error *err)
{
	struct arena *arena = &cli->arena;
	struct trace *trace;
	if (query_viewer_events(cli, runs, &trace, err) < 0)
		return -1;
	const struct trace_event **events = arena_array(arena, trace->count + 1, sizeof *events);
	size_t count = 0;
	for (size_t i = 0; i < trace->count; i++) {
		const struct trace_event *event = &trace->events[i];
		if (!event_fits(search, trace, event))
			continue;
		slowest->found++;
		if (event->waits && !search->opcode)
			slowest->waiting++;
		else
			events[count++] = event;
	}
	array_sort(events, count, sizeof *events, by_duration);
	slowest->count = count < search->slowest ? count : search->slowest;
	slowest->items = arena_array(arena, slowest->count + 1, sizeof *slowest->items);
	for (size_t i = 0; i < slowest->count; i++) {
		const struct trace_event *event = events[i];
		const struct trace_track *track = &trace->tracks[event->track];
		slowest->items[i] = (struct executed){
			.begin = ((double)event->begin - (double)trace->origin) * trace->tick,
			.seconds = (double)event->duration * trace->tick,
			.core = text_of(trace, track->core),
			.engine = text_of(trace, track->name),
			.opcode = text_of(trace, event->name),
			.operands = text_of(trace, event->operands),
			.source = text_of(trace, event->source),
		};
	}
	return 0;
}

/* --- printing --- */

static void note_nothing(struct cli *cli, const struct loaded_list *runs,
			 const struct attribution_search *search, bool has_lines)
{
	if (search->source && search->source[0] && !has_lines &&
	    run_is_sampled(runs->items[0].stored.run))
		cli_note(cli, "no source lines: compile with -lineinfo and export them with ncu "
			      "--import FILE --csv --page source --print-source cuda,sass");
	else if (search->source && search->source[0] && !has_lines)
		cli_note(cli, "no source lines: capture with debug information "
			      "(NEURON_FRAMEWORK_DEBUG=1)");
	else
		cli_note(cli, "no matches in %zu run%s", runs->count, runs->count == 1 ? "" : "s");
}

int attributions_print(struct cli *cli, const struct loaded_list *runs,
		       const struct attribution_search *search, struct error *err)
{
	struct attribution_list hits = {0};
	struct executed_list slowest = {0};
	bool has_lines = false;
	struct strbuf sb = {0};
	bool part = !isnan(search->from) || !isnan(search->to);
	if (runs_load_details(cli, runs, err) < 0 ||
	    (part && query_viewer_tally(cli, runs, search->from, search->to, err) < 0))
		return -1;
	find(&cli->arena, runs, search, &hits);
	for (size_t i = 0; i < runs->count; i++)
		has_lines |= sum_of(runs->items[i].stored.run, TALLY_SOURCE, true).count > 0;
	if (search->slowest && find_slowest(cli, runs, search, &slowest, err) < 0)
		return -1;
	if (cli->common.json)
		return cli_print_json(render_attributions_json(&cli->arena, &hits,
							       search->slowest ? &slowest : NULL),
				      err);
	if (hits.count) {
		struct short_names naming =
			short_names_of(&cli->arena, runs_of(&cli->arena, runs), runs->count);
		render_attributions_text(&cli->arena, &naming, &hits, cli_table_width(), &sb);
	}
	if (hits.count && slowest.count)
		strbuf_addch(&sb, '\n');
	if (slowest.count)
		render_attributions_slowest_text(&cli->arena, &slowest, cli_table_width(), &sb);
	if (!sb.len)
		note_nothing(cli, runs, search, has_lines);
	return cli_print_built(&sb, err);
}
