/* Reads Kineto traces token by token: members by name, numbers and texts. */
#include "ingest/frameworks/kineto_trace.h"

#include "ingest/json/scan.h"

enum { dimensions = kineto_dimensions };

struct reading {
	struct json_scan *scan;
	struct kineto_visitor *visitor;
	struct kineto_event event;
	/* Buffers for texts; not zeroed. */
	char name[json_text_limit + 1], category[json_text_limit + 1], member[json_text_limit + 1];
};

/* --- values --- */

/* Reads a text into `room`. Any other value is skipped and gives an empty span. */
static int read_text(struct reading *r, char *room, struct span *text, struct error *err)
{
	struct span raw;
	bool escaped;
	int c = json_scan_peek(r->scan, err);
	*text = (struct span){room, 0};
	if (c != '"')
		return c < 0 ? -1 : json_scan_skip(r->scan, err);
	if (json_scan_text(r->scan, &raw, &escaped, err) < 0)
		return -1;
	text->len = raw.len;
	if (escaped)
		text->len = json_string_decode(raw, room);
	else
		memcpy(room, raw.ptr, raw.len);
	return 0;
}

/* Reads a number of at least 0. Any other value is skipped and leaves NAN. */
static int read_number(struct reading *r, double *number, struct error *err)
{
	struct span text;
	bool whole;
	int c = json_scan_peek(r->scan, err);
	*number = NAN;
	if (c < 0)
		return -1;
	if (c < '0' || c > '9')
		return json_scan_skip(r->scan, err);
	if (json_scan_number(r->scan, &text, &whole, err) < 0)
		return -1;
	if (!span_number(text, number))
		return json_scan_fail(r->scan, text.ptr, err,
				      "the number %.*s is beyond the range of a double",
				      text.len < 40 ? (int)text.len : 40, text.ptr);
	return 0;
}

/* Reads a time in microseconds as whole nanoseconds: absolute times have more digits than a double.
 * Any other value is skipped; *found says whether it was one. */
static int read_time(struct reading *r, uint64_t *nanoseconds, bool *found, struct error *err)
{
	struct span text;
	bool whole;
	int c = json_scan_peek(r->scan, err);
	*found = false;
	if (c < 0)
		return -1;
	if (c < '0' || c > '9')
		return json_scan_skip(r->scan, err);
	if (json_scan_number(r->scan, &text, &whole, err) < 0)
		return -1;
	struct span rest = text, before = span_cut(&rest, '.');
	uint64_t number = 0;
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] == 'e' || text.ptr[i] == 'E')
			return 0;
	for (size_t i = 0; i < before.len + 3; i++) {
		size_t after = i - before.len;
		char digit = i < before.len                 ? before.ptr[i]
			     : rest.ptr && after < rest.len ? rest.ptr[after]
							    : '0';
		if (number > (UINT64_MAX - 9) / 10)
			return 0;
		number = number * 10 + (uint64_t)(digit - '0');
	}
	*nanoseconds = number;
	*found = true;
	return 0;
}

/* Reads [x, y, z]. Any other value leaves NAN. */
static int read_dimensions(struct reading *r, double out[dimensions], struct error *err)
{
	int c = json_scan_peek(r->scan, err), rc;
	size_t count = 0;
	for (int i = 0; i < dimensions; i++)
		out[i] = NAN;
	if (c != '[')
		return c < 0 ? -1 : json_scan_skip(r->scan, err);
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	while ((rc = json_scan_next(r->scan, err)) > 0) {
		double number;
		if (read_number(r, &number, err) < 0)
			return -1;
		if (count < dimensions)
			out[count] = number;
		count++;
	}
	return rc;
}

/* 1 and the name of the next member; 0 at the end of the object; -1 and *err. */
static int next_member(struct reading *r, struct span *name, struct error *err)
{
	int rc = json_scan_next(r->scan, err);
	if (rc <= 0)
		return rc;
	if (read_text(r, r->member, name, err) < 0 || json_scan_colon(r->scan, err) < 0)
		return -1;
	return 1;
}

/* --- events --- */

static int read_arguments(struct reading *r, struct error *err)
{
	struct kineto_event *event = &r->event;
	const struct {
		const char *name;
		double *number;
	} numbers[] = {{"device", &event->device},
		       {"stream", &event->stream},
		       {"bytes", &event->bytes},
		       {"registers per thread", &event->registers},
		       {"shared memory", &event->shared},
		       {"est. achieved occupancy %", &event->occupancy}};
	struct span name;
	int c = json_scan_peek(r->scan, err), rc;
	if (c != '{')
		return c < 0 ? -1 : json_scan_skip(r->scan, err);
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	while ((rc = next_member(r, &name, err)) > 0) {
		double *number = NULL;
		for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
			if (span_is(name, numbers[i].name))
				number = numbers[i].number;
		rc = number                   ? read_number(r, number, err)
		     : span_is(name, "grid")  ? read_dimensions(r, event->grid, err)
		     : span_is(name, "block") ? read_dimensions(r, event->block, err)
					      : json_scan_skip(r->scan, err);
		if (rc < 0)
			return -1;
	}
	return rc;
}

static void clear_event(struct kineto_event *event)
{
	event->name = event->category = (struct span){NULL, 0};
	event->duration = event->device = event->registers = NAN;
	event->shared = event->occupancy = event->stream = event->bytes = NAN;
	event->has_begin = false;
	event->begin = 0;
	for (int i = 0; i < dimensions; i++)
		event->grid[i] = event->block[i] = NAN;
}

static int read_event(struct reading *r, struct error *err)
{
	struct kineto_event *event = &r->event;
	struct span name;
	int rc;
	clear_event(event);
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	while ((rc = next_member(r, &name, err)) > 0) {
		rc = span_is(name, "name")   ? read_text(r, r->name, &event->name, err)
		     : span_is(name, "cat")  ? read_text(r, r->category, &event->category, err)
		     : span_is(name, "dur")  ? read_number(r, &event->duration, err)
		     : span_is(name, "ts")   ? read_time(r, &event->begin, &event->has_begin, err)
		     : span_is(name, "args") ? read_arguments(r, err)
					     : json_scan_skip(r->scan, err);
		if (rc < 0)
			return -1;
	}
	return rc;
}

/* --- sections --- */

static int read_device(struct reading *r, struct error *err)
{
	struct span name;
	struct span text = {NULL, 0};
	double id = NAN;
	int rc;
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	while ((rc = next_member(r, &name, err)) > 0) {
		if (span_is(name, "id")) {
			rc = read_number(r, &id, err);
		} else if (span_is(name, "name")) {
			rc = read_text(r, r->name, &text, err);
		} else {
			rc = json_scan_skip(r->scan, err);
		}
		if (rc < 0)
			return -1;
	}
	if (rc == 0)
		r->visitor->device(r->visitor->context, id, text);
	return rc;
}

/* Passes the objects of a list to `record`, except null and empty objects. */
static int read_list(struct reading *r, const char *section,
		     int (*record)(struct reading *r, struct error *err), struct error *err)
{
	uint64_t index = 0;
	int c = json_scan_peek(r->scan, err), rc;
	if (c != '[')
		return c < 0 ? -1
			     : json_scan_fail(r->scan, r->scan->at, err, "%s is not a list",
					      section);
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	while ((rc = json_scan_next(r->scan, err)) > 0) {
		c = json_scan_peek(r->scan, err);
		rc = c == '{' ? record(r, err) : c < 0 ? -1 : json_scan_skip(r->scan, err);
		if (rc < 0)
			return error_prefix(err, "%s[%llu]", section, (unsigned long long)index);
		index++;
	}
	return rc;
}

static int event_record(struct reading *r, struct error *err)
{
	if (read_event(r, err) < 0)
		return -1;
	return r->visitor->event(r->visitor->context, &r->event, err);
}

static int read_document(struct reading *r, struct error *err)
{
	struct span name;
	int rc = json_scan_ensure(r->scan, 3, err);
	if (rc == 0 && r->scan->end - r->scan->at >= 3 &&
	    memcmp(r->scan->at, "\xef\xbb\xbf", 3) == 0)
		r->scan->at += 3;
	int c = json_scan_peek(r->scan, err);
	if (c != '{')
		return c < 0 ? -1
			     : json_scan_fail(r->scan, r->scan->at, err,
					      "the trace must start with '{'");
	if (json_scan_open(r->scan, err) < 0)
		return -1;
	while ((rc = next_member(r, &name, err)) > 0) {
		bool events = span_is(name, "traceEvents");
		if (events && r->visitor->has_events)
			return json_scan_fail(r->scan, r->scan->at, err, "duplicate traceEvents");
		r->visitor->has_events |= events;
		rc = events ? read_list(r, "traceEvents", event_record, err)
		     : span_is(name, "deviceProperties")
			     ? read_list(r, "deviceProperties", read_device, err)
			     : json_scan_skip(r->scan, err);
		if (rc < 0)
			return -1;
	}
	if (rc < 0)
		return -1;
	rc = json_scan_at_end(r->scan, err);
	return rc == 0 ? json_scan_fail(r->scan, r->scan->at, err,
					"trailing data after the end of the trace")
		       : (rc < 0 ? -1 : 0);
}

int kineto_trace_read(struct kineto_visitor *visitor, struct input *input, struct error *err)
{
	struct reading *r = malloc(sizeof *r);
	if (!r)
		abort();
	r->scan = json_scan_new(input, json_buffer_size);
	r->visitor = visitor;
	int rc = read_document(r, err);
	if (json_source_check(&r->scan->source, err) < 0)
		rc = -1;
	json_scan_free(r->scan);
	free(r);
	return rc;
}
