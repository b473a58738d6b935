/* Adds up what the instructions of a part of a run took, by opcode and by source line. */
#include "cli/query/viewer/events.h"
#include "cli/query/viewer/viewer.h"

/* By text. Until they are complete, `seconds` is in ticks, whose sums are exact. */
struct sums {
	struct run_tally *opcodes, *sources;
};

/* How much of an event lies in the part, in ticks; -1: it is not in it. Events without a length are
 * in the part if their time is. */
static double ticks_within(const struct trace *trace, const struct trace_event *event, double from,
			   double to)
{
	double begin = (double)(event->begin - trace->origin);
	double end = begin + (double)event->duration;
	double first = isnan(from) ? begin : fmax(begin, from / trace->tick);
	double last = isnan(to) ? end : fmin(end, to / trace->tick);
	if (last < first || (last == first && event->duration))
		return -1;
	return last - first;
}

static void add(struct run_tally *tally, enum tally_kind kind, const char *name, double ticks)
{
	if (!name[0])
		return;
	if (!tally->name)
		*tally = (struct run_tally){.kind = kind, .name = name, .bytes = NAN, .flops = NAN};
	tally->count++;
	tally->seconds += ticks;
}

/* Waits count: they are what the instruction took. */
static void sum(const struct trace *trace, double from, double to, struct sums *sums)
{
	for (size_t i = 0; i < trace->count; i++) {
		const struct trace_event *event = &trace->events[i];
		double ticks = ticks_within(trace, event, from, to);
		if (trace->tracks[event->track].kind != TRACE_ENGINE || ticks < 0)
			continue;
		add(&sums->opcodes[event->name], TALLY_OPCODE, trace->texts[event->name].text,
		    ticks);
		add(&sums->sources[event->source], TALLY_SOURCE, trace->texts[event->source].text,
		    ticks);
	}
}

int query_viewer_tally(struct cli *cli, const struct loaded_list *runs, double from, double to,
		       struct error *err)
{
	struct trace *trace;
	struct run *run = runs->items[0].stored.run;
	if (query_viewer_events(cli, runs, &trace, err) < 0)
		return -1;
	size_t texts = trace->text_count, count = 0;
	struct sums sums = {arena_array(&cli->arena, texts, sizeof *sums.opcodes),
			    arena_array(&cli->arena, texts, sizeof *sums.sources)};
	struct run_tally *all = arena_array(&cli->arena, 2 * texts, sizeof *all);
	sum(trace, from, to, &sums);
	for (size_t i = 0; i < texts; i++) {
		if (sums.opcodes[i].name)
			all[count++] = sums.opcodes[i];
		if (sums.sources[i].name)
			all[count++] = sums.sources[i];
	}
	for (size_t i = 0; i < count; i++)
		all[i].seconds *= trace->tick;
	/* The events are those of the file: they are counted once. */
	for (size_t i = 0; i < runs->count; i++)
		runs->items[i].stored.run->tally_count = 0;
	run->tallies = all;
	run->tally_count = count;
	return 0;
}
