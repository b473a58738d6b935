/*
 * The records of a native trace as JSON lines, one for each instruction, DMA
 * transfer, semaphore or event update and clock limit, in the order in which
 * the trace is read. docs/ntff-dump.md lists the fields. Times are whole
 * picoseconds from the start of the execution; what was before is negative.
 */
#include "cli/ntff/dump.h"

#include <inttypes.h>

#include "ingest/ntff/instruction/word.h"

enum { flush_size = 256 * 1024 };

struct printing {
	struct strbuf out;
	bool closed; /* nobody reads any more */
};

/* Ends the line. Once nobody reads, the reading is ended with an error that is not shown. */
static int end_line(struct printing *p, struct error *err)
{
	strbuf_addstr(&p->out, "}\n");
	if (p->out.len < flush_size)
		return 0;
	int rc = ntff_write_out(&p->out, err);
	p->closed = rc == 1;
	return rc == 1 ? error_set(err, ERR_SYSTEM, "nobody reads") : rc;
}

static void begin_line(struct printing *p, const char *kind, const struct ntff_core *core)
{
	strbuf_addf(&p->out, "{\"kind\":\"%s\",\"core\":", kind);
	json_string(&p->out, core->name);
	strbuf_addf(&p->out, ",\"nc\":%" PRIu64, core->nc);
}

static void add_interval(struct printing *p, int64_t begin, int64_t end, bool inside)
{
	strbuf_addf(&p->out, ",\"begin_ps\":%" PRId64 ",\"end_ps\":%" PRId64 ",\"in_window\":%s",
		    begin, end, inside ? "true" : "false");
}

static int on_instruction(void *context, const struct ntff_instruction *one, struct error *err)
{
	struct printing *p = context;
	const char *name = one->word ? ntff_opcode_name(one->word[0]) : NULL;
	begin_line(p, "instruction", one->core);
	strbuf_addf(&p->out, ",\"engine\":\"%s\"", ntff_engine_name(one->engine));
	/* Outside the program an address has no place in it. */
	if (one->word)
		strbuf_addf(&p->out, ",\"pc\":%" PRIu32 ",\"code\":%d", one->pc, one->word[0]);
	else
		strbuf_addstr(&p->out, ",\"pc\":null,\"code\":null");
	if (name)
		strbuf_addf(&p->out, ",\"opcode\":\"%s\"", name);
	else
		strbuf_addstr(&p->out, ",\"opcode\":null");
	add_interval(p, one->begin, one->end, one->kept);
	strbuf_addf(&p->out, ",\"wait_ticks\":%u,\"hint\":%u", one->wait, one->hint);
	return end_line(p, err);
}

static int on_transfer(void *context, const struct ntff_transfer *one, struct error *err)
{
	struct printing *p = context;
	uint64_t engine = one->engine + ntff_dma_engines * (one->core->nc & ~(uint64_t)1);
	begin_line(p, "dma", one->core);
	strbuf_addf(&p->out, ",\"dma_engine\":%" PRIu64 ",\"ring\":%u,\"queue\":", engine,
		    one->ring);
	if (one->queue)
		json_string(&p->out, one->queue->name);
	else
		strbuf_addstr(&p->out, "null");
	strbuf_addf(
		&p->out, ",\"class\":\"%s\",\"queue_type\":\"%s\",\"bytes\":%" PRIu32 ",\"crc\":%u",
		ntff_dma_class_name(one->class), ntff_dma_queue_type(one), one->bytes, one->crc);
	add_interval(p, one->begin, one->end, one->place != NTFF_TRANSFER_OUTSIDE);
	strbuf_addf(&p->out, ",\"left_out_by_vendor\":%s",
		    one->place == NTFF_TRANSFER_LEFT_OUT ? "true" : "false");
	return end_line(p, err);
}

static const char *update_name(unsigned op)
{
	switch (op) {
	case 0xf3:
		return "increment";
	case 0xf4:
		return "decrement";
	case 0xf9:
		return "write";
	case 0xf1:
		return "set";
	case 0x07:
		return "clear";
	default:
		return NULL;
	}
}

static int on_event(void *context, const struct ntff_event *one, struct error *err)
{
	struct printing *p = context;
	const char *update = update_name(one->op);
	begin_line(p, one->is_semaphore ? "semaphore" : "event", one->core);
	strbuf_addf(&p->out, ",\"id\":%u,\"value\":%" PRIu32 ",\"update\":", one->id, one->value);
	if (update)
		strbuf_addf(&p->out, "\"%s\"", update);
	else
		strbuf_addstr(&p->out, "null");
	strbuf_addf(&p->out, ",\"update_code\":%u,\"by\":", one->op);
	if (one->source >= 1 && one->source <= NTFF_ENGINES)
		strbuf_addf(&p->out, "\"%s\"", ntff_engine_name((int)one->source - 1));
	else
		strbuf_addstr(&p->out, one->source == 6 ? "\"dma\"" : "null");
	strbuf_addf(&p->out, ",\"by_code\":%u", one->source);
	/* Times that no clock can have meant stay unknown. */
	if (one->time > INT64_MIN / 2)
		strbuf_addf(&p->out, ",\"time_ps\":%" PRId64, one->time);
	else
		strbuf_addstr(&p->out, ",\"time_ps\":null");
	strbuf_addf(&p->out, ",\"in_window\":%s", one->kept ? "true" : "false");
	return end_line(p, err);
}

static int on_throttle(void *context, const struct ntff_throttle *one, struct error *err)
{
	struct printing *p = context;
	begin_line(p, "clock_limit", one->core);
	if (one->other)
		strbuf_addstr(&p->out, ",\"cycles\":null,\"of_cycles\":null,\"type\":null");
	else
		strbuf_addf(&p->out, ",\"cycles\":%u,\"of_cycles\":%u,\"type\":%u", one->k, one->n,
			    one->type);
	add_interval(p, one->begin, one->end, one->kept);
	return end_line(p, err);
}

int ntff_print_events(struct cli *cli, const struct ntff_dump *dump, struct error *err)
{
	struct printing p = {.closed = false};
	struct ntff_sink sink = {&p, on_instruction, on_transfer, on_event, on_throttle};
	struct ntff_window window;
	struct ntff_counts counts;
	(void)cli;
	int rc = ntff_find_window(dump->ntff, dump->bytes, &window, err);
	if (rc == 0)
		rc = ntff_read_trace(dump->ntff, dump->bytes, &window, &sink, &counts, err);
	/* What was read before the fault is shown, too. */
	struct error second;
	if (!p.closed && ntff_write_out(&p.out, rc < 0 ? &second : err) < 0)
		rc = -1;
	strbuf_free(&p.out);
	return p.closed ? 0 : rc;
}
