/* Chooses the events of a part, and writes their columns. */
#include "model/timeline/trace/pack.h"

#include "base/json/json.h"
#include "base/text/text.h"

/* In place of an index. */
static const uint32_t does_not_fit = UINT32_MAX;

/* Digits of the number of a word at most: a page has fewer words than 32^5. */
enum { word_digits = 5 };

/* The state of one call. */
struct packing {
	struct trace *trace;
	const struct trace_request *request;
	struct trace_packed *packed;
	uint64_t from, to;                           /* ticks of the file */
	uint64_t threshold[TRACE_KINDS];             /* longer events of a kind are kept, */
	size_t at_threshold[TRACE_KINDS];            /* and this many that are as long */
	uint32_t *name_of, *source_of, *operands_of; /* by text: 1 + index in the list */
	struct trace *words;                         /* only its texts are used */
	size_t word_bytes, text_bytes, track_bytes;  /* as the page has them */
	struct strbuf shown, escaped;                /* of the text that is measured */
};

static void add_number(struct strbuf *out, uint64_t number)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	do {
		unsigned low = number & 31;
		number >>= 5;
		strbuf_addch(out, digits[number ? low + 32 : low]);
	} while (number);
}

static uint64_t end_of(const struct trace_event *event)
{
	return event->begin + event->duration;
}

/* An event without a length is in the part if its time is. */
static bool is_inside(const struct packing *p, const struct trace_event *event)
{
	return event->begin <= p->to && (end_of(event) > p->from || event->begin >= p->from);
}

/* --- the part --- */

static uint64_t ticks_at(const struct trace *trace, double seconds, bool up)
{
	double ticks = seconds / trace->tick;
	ticks = up ? ceil(ticks - 1e-6) : floor(ticks + 1e-6);
	if (!(ticks > 0))
		return trace->origin;
	return trace->origin + (uint64_t)fmin(ticks, (double)trace_tick_limit * 2);
}

/* Removes the events whose distance from the origin has no exact double. */
static void remove_far(struct trace *trace)
{
	size_t kept = 0;
	for (size_t i = 0; i < trace->count; i++)
		if (end_of(&trace->events[i]) - trace->origin <= trace_tick_limit)
			trace->events[kept++] = trace->events[i];
	trace->more += trace->count - kept;
	trace->count = kept;
}

static void find_part(struct packing *p)
{
	struct trace *trace = p->trace;
	uint64_t last, first = UINT64_MAX;
	for (size_t i = 0; i < trace->count; i++)
		first = trace->events[i].begin < first ? trace->events[i].begin : first;
	/* Nothing that was measured lies before the start. */
	if (first < trace->origin)
		trace->origin = first;
	remove_far(trace);
	last = trace->origin;
	for (size_t i = 0; i < trace->count; i++)
		last = end_of(&trace->events[i]) > last ? end_of(&trace->events[i]) : last;
	double length = (double)(last - trace->origin);
	length = trace->length > length ? trace->length : length;
	length = fmin(length, (double)trace_tick_limit);
	p->from =
		isnan(p->request->from) ? trace->origin : ticks_at(trace, p->request->from, false);
	p->to = trace->origin + (uint64_t)length;
	if (!isnan(p->request->to) && ticks_at(trace, p->request->to, true) < p->to)
		p->to = ticks_at(trace, p->request->to, true);
	if (p->to < p->from)
		p->to = p->from;
	p->packed->tick = trace->tick;
	p->packed->origin = trace->origin;
	p->packed->from = (double)(p->from - trace->origin);
	p->packed->to = (double)(p->to - trace->origin);
	p->packed->length = length;
}

/* --- where nothing is active --- */

static int earliest_first(const void *a, const void *b)
{
	const struct trace_stretch *x = a, *y = b;
	return x->from < y->from ? -1 : x->from > y->from;
}

/* What the part has of an event that keeps an engine or a queue active; false: nothing. */
static bool busy_part(const struct packing *p, const struct trace_event *event,
		      struct trace_stretch *part)
{
	uint64_t begin = event->begin > p->from ? event->begin : p->from;
	uint64_t end = end_of(event) < p->to ? end_of(event) : p->to;
	if (event->waits || end <= begin || p->trace->tracks[event->track].kind == TRACE_SEMAPHORE)
		return false;
	*part = (struct trace_stretch){(double)(begin - p->trace->origin),
				       (double)(end - p->trace->origin)};
	return true;
}

static void note_idle(struct trace_packed *packed, double from, double to)
{
	if (!(to > from))
		return;
	packed->idle_time += to - from;
	if (to - from >= (packed->to - packed->from) / TRACE_IDLE &&
	    packed->idle_count < TRACE_IDLE)
		packed->idle[packed->idle_count++] = (struct trace_stretch){from, to};
}

static void find_idle(struct packing *p)
{
	struct trace *trace = p->trace;
	struct trace_stretch *busy = memory_allocate(trace->count + 1, sizeof *busy);
	size_t count = 0;
	double until = p->packed->from;
	for (size_t i = 0; i < trace->count; i++)
		count += busy_part(p, &trace->events[i], &busy[count]);
	array_sort(busy, count, sizeof *busy, earliest_first);
	for (size_t i = 0; i < count; i++) {
		note_idle(p->packed, until, busy[i].from);
		until = fmax(until, busy[i].to);
	}
	note_idle(p->packed, until, p->packed->to);
	free(busy);
}

/* --- what is left out --- */

static int longest_first(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x > y ? -1 : x < y;
}

/* Gives each kind what is left of the limit: engines first. */
static void choose(struct packing *p)
{
	struct trace *trace = p->trace;
	uint64_t *lengths = memory_allocate(trace->count + 1, sizeof *lengths);
	size_t room = p->request->events;
	for (int kind = 0; kind < TRACE_KINDS; kind++) {
		size_t count = 0;
		for (size_t i = 0; i < trace->count; i++) {
			const struct trace_event *event = &trace->events[i];
			if (trace->tracks[event->track].kind == (enum trace_kind)kind &&
			    is_inside(p, event))
				lengths[count++] = event->duration;
		}
		p->threshold[kind] = 0;
		p->at_threshold[kind] = SIZE_MAX;
		if (count > room) {
			array_sort(lengths, count, sizeof *lengths, longest_first);
			p->threshold[kind] = room ? lengths[room - 1] : UINT64_MAX;
			p->at_threshold[kind] = 0;
			for (size_t i = 0; i < room; i++)
				p->at_threshold[kind] += lengths[i] == p->threshold[kind];
		}
		room -= count < room ? count : room;
	}
	free(lengths);
}

static bool keep(struct packing *p, enum trace_kind kind, const struct trace_event *event)
{
	if (event->duration != p->threshold[kind])
		return event->duration > p->threshold[kind];
	if (p->at_threshold[kind] == 0)
		return false;
	p->at_threshold[kind]--;
	return true;
}

/* --- texts --- */

/* The bytes of a text in the data of a page, with its quotes and comma. */
static size_t page_bytes(struct packing *p, struct span text)
{
	strbuf_reset(&p->shown);
	strbuf_reset(&p->escaped);
	shown_text(&p->shown, text, "");
	json_string(&p->escaped, strbuf_text(&p->shown));
	size_t bytes = p->escaped.len + 1;
	/* As "\u003c". */
	for (struct span rest = strbuf_span(&p->escaped); rest.ptr;) {
		span_cut(&rest, '<');
		bytes += rest.ptr ? 5 : 0;
	}
	return bytes;
}

/* Whether a name still fits into a limit; if so, its bytes are taken. */
static bool take_text(struct packing *p, const char *text, size_t *used, size_t limit)
{
	size_t bytes = page_bytes(p, span_of(text));
	bool fits = bytes <= limit - *used;
	*used += fits ? bytes : 0;
	return fits;
}

/* The index of a text in one of the lists of the packed trace. */
static uint32_t index_in(struct packing *p, struct trace_texts *list, uint32_t *known,
			 uint32_t text)
{
	if (!text)
		return 0;
	if (!known[text] && !take_text(p, p->trace->texts[text].text, &p->text_bytes,
				       p->request->texts - p->request->texts / 4))
		known[text] = does_not_fit;
	if (!known[text]) {
		list->items[list->count] = p->trace->texts[text].text;
		known[text] = (uint32_t)list->count++;
	}
	return known[text];
}

/* The bytes that operands add to the page: words that it does not have yet, and numbers. */
static size_t operand_bytes(struct packing *p, struct span text, size_t limit)
{
	size_t bytes = word_digits;
	for (struct span rest = text; rest.ptr && bytes <= limit;) {
		struct span word = span_cut(&rest, ' ');
		bytes += word_digits;
		if (span_trim(word).len && !trace_find_text(p->words, word))
			bytes += page_bytes(p, word);
	}
	return bytes;
}

/* Adds the words of operands if they fit. */
static bool add_operands(struct packing *p, struct span text)
{
	size_t used = p->word_bytes + p->packed->operands.len, count = 0;
	size_t room = p->request->operands > used ? p->request->operands - used : 0;
	struct strbuf numbers = {0};
	if (operand_bytes(p, text, room) > room)
		return false;
	for (struct span rest = text; rest.ptr; count++) {
		struct span word = span_cut(&rest, ' ');
		size_t before = p->words->text_count;
		uint32_t number = trace_text(p->words, word);
		if (p->words->text_count > before)
			p->word_bytes += page_bytes(p, word);
		add_number(&numbers, number);
	}
	add_number(&p->packed->operands, count);
	strbuf_addspan(&p->packed->operands, strbuf_span(&numbers));
	p->packed->operand_count++;
	strbuf_free(&numbers);
	return true;
}

static uint32_t operands_index(struct packing *p, uint32_t text)
{
	const struct trace_text *one = &p->trace->texts[text];
	if (!text)
		return 0;
	if (!p->operands_of[text])
		p->operands_of[text] = add_operands(p, (struct span){one->text, one->len})
					       ? (uint32_t)p->packed->operand_count
					       : does_not_fit;
	if (p->operands_of[text] != does_not_fit)
		return p->operands_of[text];
	p->packed->without_operands++;
	return 0;
}

/* --- columns --- */

static void note_longest(struct trace_packed_track *track, const struct trace_event *event)
{
	size_t at = track->longest_count;
	if (event->waits || event->duration == 0)
		return;
	while (at > 0 && track->longest[at - 1].duration < event->duration)
		at--;
	if (at == TRACE_LONGEST)
		return;
	if (track->longest_count < TRACE_LONGEST)
		track->longest_count++;
	memmove(&track->longest[at + 1], &track->longest[at],
		(track->longest_count - 1 - at) * sizeof *track->longest);
	track->longest[at] = *event;
}

static void add_event(struct packing *p, struct trace_packed_track *track,
		      const struct trace_event *event, uint64_t *before)
{
	struct trace_column_set *columns = &track->columns;
	struct trace_packed *packed = p->packed;
	add_number(&columns->begins, event->begin - *before);
	add_number(&columns->lengths, event->duration << 1 | event->waits);
	uint32_t name = index_in(p, &packed->names, p->name_of, event->name);
	uint32_t source = index_in(p, &packed->sources, p->source_of, event->source);
	packed->without_texts += name == does_not_fit || source == does_not_fit;
	add_number(&columns->names, name == does_not_fit ? 0 : name);
	add_number(&columns->operands, operands_index(p, event->operands));
	add_number(&columns->sources, source == does_not_fit ? 0 : source);
	*before = event->begin;
	track->count++;
}

/* The events of one track, in the order of begin. */
static void pack_track(struct packing *p, struct trace_packed_track *track,
		       const struct trace_event *events, size_t count)
{
	uint64_t before = p->trace->origin, covered = p->from;
	for (size_t i = 0; i < count; i++) {
		const struct trace_event *event = &events[i];
		if (!is_inside(p, event))
			continue;
		uint64_t begin = event->begin > covered ? event->begin : covered;
		uint64_t end = end_of(event) < p->to ? end_of(event) : p->to;
		if (!event->waits && end > begin) {
			track->active += end - begin;
			covered = end;
		}
		note_longest(track, event);
		if (keep(p, track->kind, event)) {
			add_event(p, track, event, &before);
			continue;
		}
		track->left_out++;
	}
	p->packed->count += track->count;
	p->packed->left_out += track->left_out;
}

static int by_track(const void *a, const void *b)
{
	const struct trace_event *x = a, *y = b;
	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->duration != y->duration)
		return x->duration > y->duration ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* Numbers in names count as numbers: Q2 is before Q10. */
static int by_name(const char *a, const char *b)
{
	while (*a && *b) {
		if (*a >= '0' && *a <= '9' && *b >= '0' && *b <= '9') {
			size_t x = strspn(a, "0123456789"), y = strspn(b, "0123456789");
			int order = x != y ? (x < y ? -1 : 1) : memcmp(a, b, x);
			if (order)
				return order;
			a += x;
			b += y;
			continue;
		}
		if (*a != *b)
			break;
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

static int engine_rank(const char *name)
{
	static const char *const names[] = {"tensor", "vector", "scalar", "gpsimd", "sync"};
	int rank = 0;
	while (rank < 5 && strcmp(names[rank], name) != 0)
		rank++;
	return rank;
}

static int by_kind(const void *a, const void *b)
{
	const struct trace_packed_track *x = a, *y = b;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	int order = by_name(x->core, y->core);
	if (!order && x->kind == TRACE_ENGINE)
		order = engine_rank(x->name) - engine_rank(y->name);
	return order ? order : by_name(x->name, y->name);
}

/* Empties a name that does not fit. */
static void name_track(struct packing *p, struct trace_packed_track *track)
{
	size_t limit = p->request->texts / 4;
	bool has_core = take_text(p, track->core, &p->track_bytes, limit);
	bool has_name = take_text(p, track->name, &p->track_bytes, limit);
	p->packed->without_name += !has_core || !has_name;
	if (!has_core)
		track->core = "";
	if (!has_name)
		track->name = "";
}

static void pack_tracks(struct packing *p)
{
	struct trace *trace = p->trace;
	struct trace_packed *packed = p->packed;
	packed->tracks = memory_allocate(trace->track_count + 1, sizeof *packed->tracks);
	array_sort(trace->events, trace->count, sizeof *trace->events, by_track);
	for (size_t i = 0, next; i < trace->count; i = next) {
		uint32_t number = trace->events[i].track;
		const struct trace_track *from = &trace->tracks[number];
		struct trace_packed_track *track = &packed->tracks[packed->track_count];
		for (next = i; next < trace->count && trace->events[next].track == number;)
			next++;
		*track = (struct trace_packed_track){.kind = from->kind,
						     .core = trace->texts[from->core].text,
						     .name = trace->texts[from->name].text};
		pack_track(p, track, trace->events + i, next - i);
		if (track->count + track->left_out == 0)
			continue;
		name_track(p, track);
		packed->streams |=
			track->kind == TRACE_ENGINE && span_starts(span_of(track->name), "stream ");
		packed->track_count++;
	}
	array_sort(packed->tracks, packed->track_count, sizeof *packed->tracks, by_kind);
}

static struct trace_texts new_texts(size_t count)
{
	struct trace_texts texts = {memory_allocate(count, sizeof *texts.items), 1};
	texts.items[0] = "";
	return texts;
}

void trace_pack(struct trace *trace, const struct trace_request *request,
		struct trace_packed *packed)
{
	struct packing p = {.trace = trace,
			    .request = request,
			    .packed = packed,
			    .words = trace_new(trace->arena)};
	size_t texts = trace->text_count;
	*packed = (struct trace_packed){
		.trace = trace, .names = new_texts(texts), .sources = new_texts(texts)};
	assert(trace->tick > 0);
	p.name_of = memory_allocate(texts, sizeof *p.name_of);
	p.source_of = memory_allocate(texts, sizeof *p.source_of);
	p.operands_of = memory_allocate(texts, sizeof *p.operands_of);
	find_part(&p);
	find_idle(&p);
	choose(&p);
	pack_tracks(&p);
	packed->words = new_texts(p.words->text_count);
	packed->words.count = p.words->text_count;
	for (size_t i = 1; i < p.words->text_count; i++)
		packed->words.items[i] = p.words->texts[i].text;
	free(p.name_of);
	free(p.source_of);
	free(p.operands_of);
	strbuf_free(&p.shown);
	strbuf_free(&p.escaped);
}

void trace_pack_free(struct trace_packed *packed)
{
	for (size_t i = 0; i < packed->track_count; i++) {
		struct trace_column_set *columns = &packed->tracks[i].columns;
		strbuf_free(&columns->begins);
		strbuf_free(&columns->lengths);
		strbuf_free(&columns->names);
		strbuf_free(&columns->operands);
		strbuf_free(&columns->sources);
	}
	free(packed->tracks);
	free(packed->names.items);
	free(packed->sources.items);
	free(packed->words.items);
	strbuf_free(&packed->operands);
}
