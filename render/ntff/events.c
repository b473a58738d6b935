/*
 * The records of a native trace as JSON lines, in the order of the trace: one per instruction, DMA
 * transfer, semaphore or event update, and clock limit. docs/formats/ntff-dump.md lists the
 * fields. Times are whole picoseconds since the start of the execution; earlier times are
 * negative.
 */
#include "render/ntff/ntff.h"

static void begin_line(struct strbuf *out, const char *kind, const struct ntff_core *core)
{
	strbuf_addf(out, "{\"kind\":\"%s\",\"core\":", kind);
	json_string(out, core->name);
	strbuf_addf(out, ",\"nc\":%" PRIu64, core->nc);
}

/* A name that needs no escaping; null without one. */
static void add_name(struct strbuf *out, const char *key, const char *name)
{
	const char *quote = name ? "\"" : "";
	strbuf_addf(out, ",\"%s\":%s%s%s", key, quote, name ? name : "null", quote);
}

static void add_interval(struct strbuf *out, int64_t begin, int64_t end, bool inside)
{
	strbuf_addf(out, ",\"begin_ps\":%" PRId64 ",\"end_ps\":%" PRId64 ",\"in_window\":%s", begin,
		    end, inside ? "true" : "false");
}

void render_ntff_instruction(struct strbuf *out, const struct ntff_instruction *one)
{
	const char *name = one->word ? ntff_opcode_name(one->word[0]) : NULL;
	begin_line(out, "instruction", one->core);
	strbuf_addf(out, ",\"engine\":\"%s\"", ntff_engine_name(one->engine));
	/* An address outside the program has no position in it. */
	if (one->word)
		strbuf_addf(out, ",\"pc\":%" PRIu32 ",\"code\":%d", one->pc, one->word[0]);
	else
		strbuf_addstr(out, ",\"pc\":null,\"code\":null");
	add_name(out, "opcode", name);
	add_interval(out, one->begin, one->end, one->in_window);
	strbuf_addf(out, ",\"wait_ticks\":%u,\"hint\":%u}\n", one->wait, one->hint);
}

void render_ntff_transfer(struct strbuf *out, const struct ntff_transfer *one)
{
	uint64_t engine = one->engine + ntff_dma_engines * (one->core->nc & ~(uint64_t)1);
	begin_line(out, "dma", one->core);
	strbuf_addf(out, ",\"dma_engine\":%" PRIu64 ",\"ring\":%u,\"queue\":", engine, one->ring);
	if (one->queue)
		json_string(out, one->queue->name);
	else
		strbuf_addstr(out, "null");
	strbuf_addf(out, ",\"class\":\"%s\",\"queue_type\":\"%s\",\"bytes\":%" PRIu32 ",\"crc\":%u",
		    ntff_dma_class_name(one->class), ntff_traffic_kind_name(one->traffic),
		    one->bytes, one->crc);
	add_interval(out, one->begin, one->end, one->status != NTFF_TRANSFER_OUTSIDE);
	strbuf_addf(out, ",\"left_out_by_vendor\":%s}\n",
		    one->status == NTFF_TRANSFER_SKIPPED ? "true" : "false");
}

void render_ntff_event(struct strbuf *out, const struct ntff_event *one)
{
	const char *by = one->source >= 1 && one->source <= NTFF_ENGINES
				 ? ntff_engine_name((int)one->source - 1)
			 : one->source == 6 ? "dma"
					    : NULL;
	begin_line(out, one->is_semaphore ? "semaphore" : "event", one->core);
	strbuf_addf(out, ",\"id\":%u,\"value\":%" PRIu32 "", one->id, one->value);
	add_name(out, "update", ntff_update_name(one->op));
	strbuf_addf(out, ",\"update_code\":%u", one->op);
	add_name(out, "by", by);
	strbuf_addf(out, ",\"by_code\":%u", one->source);
	/* Times beyond the range of a clock stay unknown. */
	if (one->time > INT64_MIN / 2)
		strbuf_addf(out, ",\"time_ps\":%" PRId64, one->time);
	else
		strbuf_addstr(out, ",\"time_ps\":null");
	strbuf_addf(out, ",\"in_window\":%s}\n", one->in_window ? "true" : "false");
}

void render_ntff_throttle(struct strbuf *out, const struct ntff_throttle *one)
{
	begin_line(out, "clock_limit", one->core);
	if (one->other)
		strbuf_addstr(out, ",\"cycles\":null,\"of_cycles\":null,\"type\":null");
	else
		strbuf_addf(out, ",\"cycles\":%u,\"of_cycles\":%u,\"type\":%u", one->k, one->n,
			    one->type);
	add_interval(out, one->begin, one->end, one->in_window);
	strbuf_addstr(out, "}\n");
}
