/* The records of a native trace as events: their tracks, names and operands. */
#include "ingest/ntff/events.h"

void ntff_run_event_instruction(struct trace *trace, const struct ntff_instruction *one)
{
	struct strbuf operands = {0};
	char number[24];
	const char *name = one->word ? ntff_opcode_name(one->word[0]) : "(outside the program)";
	if (!name) {
		snprintf(number, sizeof number, "opcode 0x%02x", one->word[0]);
		name = number;
	}
	if (one->word)
		ntff_word_text(&operands, one->word);
	struct trace_event event = {
		.begin = one->begin > 0 ? (uint64_t)one->begin : 0,
		.track = trace_track(trace, TRACE_ENGINE, span_of(one->core->name),
				     span_of(ntff_engine_name(one->engine))),
		.name = trace_text(trace, span_of(name)),
		.operands = trace_text(trace, strbuf_span(&operands)),
		/* As for the metrics, waiting for a semaphore does not count as work. */
		.waits = !one->timed || (one->word && one->word[0] == NTFF_EVENT_SEMAPHORE),
	};
	if (one->end > (int64_t)event.begin)
		event.duration = (uint64_t)one->end - event.begin;
	trace_add(trace, event);
	strbuf_free(&operands);
}

void ntff_run_event_transfer(struct trace *trace, const struct ntff_transfer *one)
{
	char name[200], bytes[40];
	if (one->status == NTFF_TRANSFER_SKIPPED)
		trace->unshown++;
	if (one->status != NTFF_TRANSFER_INSIDE)
		return;
	uint64_t engine = one->engine + ntff_dma_engines * (one->core->nc & ~(uint64_t)1);
	snprintf(name, sizeof name, "Q%u-E%" PRIu64 "%s%.120s", one->ring, engine,
		 one->queue && one->queue->name ? " " : "",
		 one->queue && one->queue->name ? one->queue->name : "");
	snprintf(bytes, sizeof bytes, "%" PRIu32 " B", one->bytes);
	struct trace_event event = {
		.begin = one->begin > 0 ? (uint64_t)one->begin : 0,
		.track = trace_track(trace, TRACE_QUEUE, span_of(one->core->name), span_of(name)),
		.name = trace_text(trace, span_of(ntff_traffic_kind_name(one->traffic))),
		.operands = trace_text(trace, span_of(bytes)),
	};
	if (one->end > (int64_t)event.begin)
		event.duration = (uint64_t)one->end - event.begin;
	trace_add(trace, event);
}

void ntff_run_event_update(struct trace *trace, const struct ntff_event *one)
{
	char name[32], text[64];
	const char *update = ntff_update_name(one->op);
	if (!one->in_window || one->time < 0)
		return;
	const char *by = one->source >= 1 && one->source <= NTFF_ENGINES
				 ? ntff_engine_name((int)one->source - 1)
			 : one->source == 6 ? "dma"
					    : "unknown";
	snprintf(name, sizeof name, "%s %u", one->is_semaphore ? "semaphore" : "event", one->id);
	snprintf(text, sizeof text, "= %" PRIu32 " by %s", one->value, by);
	trace_add(trace, (struct trace_event){
				 .begin = (uint64_t)one->time,
				 .track = trace_track(trace, TRACE_SEMAPHORE,
						      span_of(one->core->name), span_of(name)),
				 .name = trace_text(trace, span_of(update ? update : "update")),
				 .operands = trace_text(trace, span_of(text)),
			 });
}
