/* rooflog inspect --events: the records as JSON lines, in the order in which the trace is read. */
#include "cli/inspect/inspect.h"

#include "ingest/ntff/trace/trace.h"
#include "render/ntff/ntff.h"

enum { flush_size = 256 * 1024 }; /* bytes per write: few system calls, little memory */

struct printing {
	struct strbuf out;
	const struct inspect_part *part;
	bool closed; /* the reader of the pipe is gone */
};

/* If the reader of the pipe is gone, an error stops the reading of the trace; it is never shown. */
static int flush(struct printing *p, struct error *err)
{
	if (p->out.len < flush_size)
		return 0;
	int rc = inspect_write(&p->out, err);
	p->closed = rc == 1;
	return rc == 1 ? error_set(err, ERR_SYSTEM, "never read") : rc;
}

static bool is_inside(const struct printing *p, int64_t begin, int64_t end)
{
	return begin <= p->part->to && (end > p->part->from || begin >= p->part->from);
}

/* What is done with each kind of record: it is printed if it is in the part. */
#define PRINTER(kind, begin, end)                                                                  \
	static int on_##kind(void *context, const struct ntff_##kind *one, struct error *err)      \
	{                                                                                          \
		struct printing *p = context;                                                      \
		if (!is_inside(p, one->begin, one->end))                                           \
			return 0;                                                                  \
		render_ntff_##kind(&p->out, one);                                                  \
		return flush(p, err);                                                              \
	}
PRINTER(instruction, begin, end)
PRINTER(transfer, begin, end)
PRINTER(event, time, time)
PRINTER(throttle, begin, end)

int inspect_events(const struct ntff_source *source, const struct inspect_part *part,
		   struct error *err)
{
	struct printing p = {.part = part};
	struct ntff_sink sink = {&p, on_instruction, on_transfer, on_event, on_throttle};
	struct ntff_window window;
	struct ntff_counts counts;
	int rc = ntff_trace_find_window(source->ntff, source->bytes, &window, err);
	if (rc == 0)
		rc = ntff_trace_read(source->ntff, source->bytes, &window, &sink, &counts, err);
	/* Records before a malformed one are printed as well. */
	struct error second;
	if (!p.closed && inspect_write(&p.out, rc < 0 ? &second : err) < 0)
		rc = -1;
	strbuf_free(&p.out);
	return p.closed ? 0 : rc;
}
