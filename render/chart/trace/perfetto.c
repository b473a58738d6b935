/* Writes Perfetto's packets. Numbers of fields are those of protos/perfetto/trace/ of Perfetto. */
#include "render/chart/trace/perfetto.h"

#include "base/text/text.h"

/* Events of one track that overlap; more are left out. */
enum { LANES = 512 };

enum {
	TRACE_PACKET = 1,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_TRACK = 60,
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PARENT = 5,
	TRACK_ORDERING = 11,
	TRACK_RANK = 12,
	EVENT_CATEGORY = 3,
	EVENT_ARGUMENT = 4,
	EVENT_TYPE = 9,
	EVENT_NAME = 10,
	EVENT_TRACK = 11,
	INTERNED_CATEGORY = 1,
	INTERNED_NAME = 2,
	INTERNED_ARGUMENT = 3,
	NAMED_ID = 1,
	NAMED_NAME = 2,
	ARGUMENT_ID = 1,
	ARGUMENT_NUMBER = 3,
	ARGUMENT_TEXT = 6,
};
enum { SLICE_BEGIN = 1, SLICE_END, INSTANT };
enum { STATE_CLEARED = 1, STATE_NEEDED = 2, EXPLICIT_ORDER = 3 };
/* Ids of interned names. */
enum { ARGUMENT_OPERANDS = 1, ARGUMENT_SOURCE, ARGUMENT_START, ARGUMENT_DURATION };
enum { CATEGORY_WAIT = TRACE_KINDS + 1 };

struct writing {
	struct trace *trace;
	struct strbuf *out, packet, message, part, shown;
	struct perfetto_counts counts;
	uint64_t from, to, next_uuid;
	double nanoseconds; /* per tick */
	bool fine;          /* a tick has a fraction of a nanosecond */
	const char *title;
	struct lane {
		uint64_t uuid, end;
	} lanes[LANES];
};

/* --- protobuf --- */

static void add_varint(struct strbuf *out, uint64_t number)
{
	for (; number > 127; number >>= 7)
		strbuf_addch(out, (char)(number | 128));
	strbuf_addch(out, (char)number);
}

static void add_number(struct strbuf *out, unsigned field, uint64_t number)
{
	add_varint(out, field << 3);
	add_varint(out, number);
}

static void add_bytes(struct strbuf *out, unsigned field, struct span bytes)
{
	add_varint(out, field << 3 | 2);
	add_varint(out, bytes.len);
	strbuf_addspan(out, bytes);
}

/* What does not show is written as its code point. */
static void add_text(struct writing *w, struct strbuf *out, unsigned field, const char *text)
{
	strbuf_reset(&w->shown);
	shown_text(&w->shown, span_of(text), "");
	add_bytes(out, field, strbuf_span(&w->shown));
}

static void end_packet(struct writing *w, unsigned flags)
{
	add_number(&w->packet, PACKET_SEQUENCE, 1);
	add_number(&w->packet, PACKET_FLAGS, flags);
	add_bytes(w->out, TRACE_PACKET, strbuf_span(&w->packet));
	strbuf_reset(&w->packet);
}

/* --- names --- */

static void add_interned(struct writing *w, unsigned field, uint64_t id, const char *name)
{
	strbuf_reset(&w->part);
	add_number(&w->part, NAMED_ID, id);
	add_text(w, &w->part, NAMED_NAME, name);
	add_bytes(&w->message, field, strbuf_span(&w->part));
}

/* The first packet: texts that events name by number. */
static void add_names(struct writing *w)
{
	static const char *const categories[] = {"engine", "queue", "semaphore", "wait"};
	static const char *const arguments[] = {"operands", "source", "start_ps", "duration_ps"};
	const struct trace *trace = w->trace;
	bool *used = memory_allocate(trace->text_count, sizeof *used);
	for (size_t i = 0; i < trace->count; i++)
		used[trace->events[i].name] = true;
	strbuf_reset(&w->message);
	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
		add_interned(w, INTERNED_CATEGORY, i + 1, categories[i]);
	for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
		add_interned(w, INTERNED_ARGUMENT, i + 1, arguments[i]);
	for (size_t i = 0; i < trace->text_count; i++)
		if (used[i])
			add_interned(w, INTERNED_NAME, i + 1,
				     i ? trace->texts[i].text : "(no name)");
	free(used);
	add_bytes(&w->packet, PACKET_INTERNED, strbuf_span(&w->message));
	end_packet(w, STATE_CLEARED);
}

/* --- tracks --- */

static uint64_t add_track(struct writing *w, const char *name, uint64_t parent, uint64_t rank)
{
	uint64_t uuid = w->next_uuid++;
	strbuf_reset(&w->message);
	add_number(&w->message, TRACK_UUID, uuid);
	add_text(w, &w->message, TRACK_NAME, name);
	if (parent) {
		add_number(&w->message, TRACK_PARENT, parent);
		add_number(&w->message, TRACK_RANK, rank);
	} else {
		add_number(&w->message, TRACK_ORDERING, EXPLICIT_ORDER);
	}
	add_bytes(&w->packet, PACKET_TRACK, strbuf_span(&w->message));
	end_packet(w, STATE_NEEDED);
	return uuid;
}

/* The group of a core, added with its first track. */
static uint64_t group_of(struct writing *w, uint64_t *groups, uint32_t core)
{
	if (!groups[core])
		groups[core] = add_track(w, core ? w->trace->texts[core].text : w->title, 0, 0);
	return groups[core];
}

/* --- events --- */

static uint64_t nanoseconds_of(const struct writing *w, uint64_t ticks)
{
	return (uint64_t)llround((double)(ticks - w->trace->origin) * w->nanoseconds);
}

static uint64_t picoseconds_of(const struct writing *w, uint64_t ticks)
{
	return (uint64_t)llround((double)ticks * w->nanoseconds * 1e3);
}

static void add_argument(struct writing *w, uint64_t id, const char *text, uint64_t number)
{
	strbuf_reset(&w->part);
	add_number(&w->part, ARGUMENT_ID, id);
	if (text)
		add_text(w, &w->part, ARGUMENT_TEXT, text);
	else
		add_number(&w->part, ARGUMENT_NUMBER, number);
	add_bytes(&w->message, EVENT_ARGUMENT, strbuf_span(&w->part));
}

static void end_event(struct writing *w, uint64_t time)
{
	add_number(&w->packet, PACKET_TIMESTAMP, time);
	add_bytes(&w->packet, PACKET_EVENT, strbuf_span(&w->message));
	end_packet(w, STATE_NEEDED);
}

static void begin_event(struct writing *w, int type, uint64_t uuid)
{
	strbuf_reset(&w->message);
	add_number(&w->message, EVENT_TYPE, (uint64_t)type);
	add_number(&w->message, EVENT_TRACK, uuid);
}

static void add_event(struct writing *w, const struct trace_event *event, uint64_t uuid)
{
	const struct trace *trace = w->trace;
	enum trace_kind kind = trace->tracks[event->track].kind;
	begin_event(w, event->duration ? SLICE_BEGIN : INSTANT, uuid);
	add_number(&w->message, EVENT_NAME, event->name + 1u);
	add_number(&w->message, EVENT_CATEGORY,
		   event->waits ? (uint64_t)CATEGORY_WAIT : (uint64_t)kind + 1);
	if (event->operands)
		add_argument(w, ARGUMENT_OPERANDS, trace->texts[event->operands].text, 0);
	if (event->source)
		add_argument(w, ARGUMENT_SOURCE, trace->texts[event->source].text, 0);
	if (w->fine) {
		add_argument(w, ARGUMENT_START, NULL,
			     picoseconds_of(w, event->begin - trace->origin));
		add_argument(w, ARGUMENT_DURATION, NULL, picoseconds_of(w, event->duration));
		w->counts.rounded++;
	}
	end_event(w, nanoseconds_of(w, event->begin));
	w->counts.events++;
	if (!event->duration)
		return;
	begin_event(w, SLICE_END, uuid);
	end_event(w, nanoseconds_of(w, event->begin + event->duration));
}

/* --- the whole --- */

static int by_track(const void *a, const void *b)
{
	const struct trace_event *x = a, *y = b;
	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->duration < y->duration ? -1 : x->duration > y->duration;
}

/* The first lane that is free; one more if there is none. NULL: too many. */
static struct lane *free_lane(struct writing *w, size_t *count, uint64_t begin)
{
	for (size_t i = 0; i < *count; i++)
		if (w->lanes[i].end <= begin)
			return &w->lanes[i];
	if (*count == LANES)
		return NULL;
	w->lanes[*count] = (struct lane){0, 0};
	return &w->lanes[(*count)++];
}

/* The events of one track, in the order of begin. */
static void add_events(struct writing *w, const struct trace_event *events, size_t count,
		       uint64_t group)
{
	const struct trace_track *track = &w->trace->tracks[events->track];
	size_t lanes = 0;
	for (size_t i = 0; i < count; i++) {
		const struct trace_event *event = &events[i];
		uint64_t end = event->begin + event->duration;
		if (event->begin > w->to || end < w->from)
			continue;
		struct lane *lane = free_lane(w, &lanes, event->begin);
		if (!lane) {
			w->counts.crowded++;
			continue;
		}
		if (!lane->uuid)
			lane->uuid = add_track(w, w->trace->texts[track->name].text, group,
					       (uint64_t)track->kind << 32 | events->track);
		lane->end = end;
		add_event(w, event, lane->uuid);
	}
}

static uint64_t tick_at(const struct trace *trace, double seconds, uint64_t otherwise)
{
	double ticks = seconds / trace->tick;
	if (isnan(ticks))
		return otherwise;
	return trace->origin + (uint64_t)fmax(0, fmin(ticks, (double)trace_tick_limit));
}

struct perfetto_counts render_trace_perfetto(struct trace *trace,
					     const struct perfetto_request *request,
					     struct strbuf *out)
{
	struct writing *w = memory_allocate(1, sizeof *w);
	uint64_t *groups = memory_allocate(trace->text_count, sizeof *groups);
	w->trace = trace;
	w->out = out;
	w->title = request->title;
	w->next_uuid = 1;
	w->nanoseconds = trace->tick * 1e9;
	w->fine = fabs(w->nanoseconds - round(w->nanoseconds)) > 1e-9;
	array_sort(trace->events, trace->count, sizeof *trace->events, by_track);
	for (size_t i = 0; i < trace->count; i++)
		trace->origin = trace->events[i].begin < trace->origin ? trace->events[i].begin
								       : trace->origin;
	w->from = tick_at(trace, request->from, 0);
	w->to = tick_at(trace, request->to, UINT64_MAX);
	add_names(w);
	for (size_t i = 0, next; i < trace->count; i = next) {
		uint32_t track = trace->events[i].track;
		for (next = i; next < trace->count && trace->events[next].track == track;)
			next++;
		add_events(w, trace->events + i, next - i,
			   group_of(w, groups, trace->tracks[track].core));
	}
	struct perfetto_counts counts = w->counts;
	strbuf_free(&w->packet);
	strbuf_free(&w->message);
	strbuf_free(&w->part);
	strbuf_free(&w->shown);
	free(groups);
	free(w);
	return counts;
}
