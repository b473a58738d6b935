/* The reader never waits for the thread: it leaves orders, of which the thread does the last one,
 * and takes what the thread has published so far. Of two logs the reader may hand over one while
 * the thread fills the other. */
#include "ingest/json/parallel.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/json/parallel_log.h"

enum {
	tries_limit = 64,   /* guesses for an order */
	part_to_guess = 2,  /* of the distance, in which all of them lie */
	part_to_prove = 64, /* of the distance, after which a guess counts as right */
	part_at_end = 16,   /* of the usual distance: the shortest */
	least_parts = 8,    /* distances of a document that is worth a thread */
	name_limit = 256,   /* of a section that is read ahead */
	misses_limit = 8,   /* from which on the reader's patience is the same */
	level_of_items = 2
};

static const struct json_ahead_rules usual_rules = {
	.distance = 2 * 1024 * 1024,
	.log = 4 * 1024 * 1024,
	.step = 64 * 1024,
};

/* What the reader asks for. */
struct order {
	unsigned id;
	bool wanted; /* false: nothing more */
	int log;
	size_t distance;
	uint64_t sections_seen;
	const struct json_section *section; /* the one that the reader is in */
	size_t name_len;
	char name[name_limit];
};

/* Behind the last item that is known to be good. */
struct mark {
	uint64_t offset, index, sections_seen;
	struct json_stream_counts counts;
	const struct json_logged_section *section; /* in the log */
	size_t log_used;
};

/* What the thread has found. */
struct found {
	unsigned id;    /* of the order */
	uint64_t begin; /* the guess; 0: there is none */
	struct mark mark;
};

struct json_ahead {
	const struct json_ahead_rules *rules;
	struct json_reading *reader, *helper;
	const struct json_bytes *bytes; /* the reader's file, or its memory */
	struct json_log logs[2];
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;

	/* Under the lock. */
	bool leaving;
	struct order order;
	struct found found;

	/* The thread's. */
	struct order current;
	struct json_stream_counts counts;
	struct json_logged_section *section; /* in the log */
	struct mark mark;
	uint64_t begin;

	atomic_bool stopped;        /* there is another order */
	_Atomic uint64_t reader_at; /* or will be, when it has handed over a log */

	/* The reader's. */
	bool started;       /* there is a thread */
	bool sent;          /* it has an order */
	uint64_t send_from; /* no order is sent before the reader is here */
	unsigned misses;    /* orders in a row of which nothing could be taken */
};

static void tell(const struct json_ahead *ahead, enum json_ahead_event event, unsigned id)
{
	if (ahead->rules->pause)
		ahead->rules->pause(event, id);
}

/* --- the thread: guessing --- */

/* Whether a record seems to follow: a quote behind which a name begins is an opening one. */
static bool is_before_record(struct json_scan *scan)
{
	struct error ignored;
	for (const char *c = ",{\""; *c; c++) {
		if (json_scan_peek(scan, &ignored) != *c)
			return false;
		scan->at++;
	}
	return json_scan_ensure(scan, 1, &ignored) == 0 &&
	       ((*scan->at >= 'a' && *scan->at <= 'z') || (*scan->at >= 'A' && *scan->at <= 'Z'));
}

/* The end of what seems to be a record with another one behind it, or 0. */
static uint64_t guess(struct json_scan *scan, uint64_t from, uint64_t limit)
{
	struct error ignored;
	json_scan_move(scan, from);
	while (json_scan_offset(scan) < limit && json_scan_ensure(scan, 1, &ignored) == 0 &&
	       scan->at < scan->end) {
		const char *brace = memchr(scan->at, '}', (size_t)(scan->end - scan->at));
		scan->at = brace ? brace + 1 : scan->end;
		uint64_t end = json_scan_offset(scan);
		if (brace && is_before_record(scan))
			return end;
	}
	return 0;
}

/* --- the thread: reading --- */

static int stop(struct error *err)
{
	return error_set(err, ERR_SYSTEM, "the reader goes on here");
}

/* False when nobody waits for it any more, or it is not what stands in the file. */
static bool publish(struct json_ahead *ahead)
{
	struct error ignored;
	bool good = json_source_check(&ahead->helper->scan->source, &ignored) == 0;
	pthread_mutex_lock(&ahead->lock);
	bool wanted = good && ahead->order.id == ahead->current.id && !ahead->leaving;
	if (wanted)
		ahead->found = (struct found){ahead->current.id, ahead->begin, ahead->mark};
	pthread_mutex_unlock(&ahead->lock);
	return wanted;
}

static struct json_log *log_of(struct json_ahead *ahead)
{
	return &ahead->logs[ahead->current.log];
}

static int helper_section(struct json_reading *r, struct error *err)
{
	struct json_ahead *ahead = r->watcher;
	int c = json_scan_peek(r->scan, err);
	if (c != '[' || (r->section && !r->section->fields))
		return stop(err);
	ahead->section = json_log_section(log_of(ahead), r->section, r->section_name);
	return ahead->section ? 0 : stop(err);
}

static int helper_item(struct json_reading *r, struct error *err)
{
	struct json_ahead *ahead = r->watcher;
	uint64_t offset = json_scan_offset(r->scan);
	if (!r->scan->fresh)
		ahead->mark = (struct mark){offset,        r->index,       r->sections_seen,
					    ahead->counts, ahead->section, log_of(ahead)->used};
	if (offset < r->until)
		return 0;
	r->until = offset + ahead->rules->step;
	tell(ahead, JSON_AHEAD_LOOKS, ahead->current.id);
	if (!publish(ahead) || log_of(ahead)->used >= ahead->rules->log)
		return stop(err);
	return 1;
}

static int helper_record(struct json_reading *r, uint64_t offset, struct error *err)
{
	struct json_ahead *ahead = r->watcher;
	return json_log_record(log_of(ahead), r, ahead->section, offset) ? 0 : stop(err);
}

/* The log may only be begun anew while nothing of it can have been taken. */
static bool read_from(struct json_ahead *ahead, uint64_t offset)
{
	struct json_reading *r = ahead->helper;
	const struct order *order = &ahead->current;
	const struct span name = {order->name, order->name_len};
	struct error ignored;
	ahead->begin = offset;
	ahead->mark = (struct mark){.offset = offset};
	tell(ahead, JSON_AHEAD_GUESSES, order->id);
	if (!publish(ahead))
		return false;
	log_of(ahead)->used = 0;
	ahead->section = json_log_section(log_of(ahead), order->section, name);
	ahead->counts = (struct json_stream_counts){0};
	json_scan_move(r->scan, offset);
	r->scan->depth = level_of_items;
	r->scan->is_object[0] = 1;
	r->index = 0;
	r->sections_seen = order->sections_seen;
	r->until = 0;
	json_reading_enter(r, order->section, name);
	if (ahead->section)
		json_reading_resume(r, &ignored);
	return publish(ahead);
}

/* What ended early was probably a wrong guess, unless a full log ended it. */
static bool is_useful(struct json_ahead *ahead)
{
	return log_of(ahead)->used >= ahead->rules->log ||
	       ahead->mark.offset - ahead->begin >= ahead->current.distance / part_to_prove;
}

static void carry_out(struct json_ahead *ahead)
{
	uint64_t from = atomic_load(&ahead->reader_at) + ahead->current.distance;
	uint64_t limit = from + ahead->current.distance / part_to_guess;
	for (int i = 0; i < tries_limit; i++) {
		from = guess(ahead->helper->scan, from, limit);
		if (!from)
			break;
		if (!read_from(ahead, from) || is_useful(ahead))
			return;
	}
	ahead->begin = 0;
	publish(ahead);
}

static void *work(void *context)
{
	struct json_ahead *ahead = context;
	pthread_mutex_lock(&ahead->lock);
	for (;;) {
		while (ahead->order.id == ahead->current.id && !ahead->leaving)
			pthread_cond_wait(&ahead->changed, &ahead->lock);
		if (ahead->leaving)
			break;
		ahead->current = ahead->order;
		atomic_store(&ahead->stopped, false);
		pthread_mutex_unlock(&ahead->lock);
		if (ahead->current.wanted) {
			tell(ahead, JSON_AHEAD_BEGINS, ahead->current.id);
			carry_out(ahead);
			tell(ahead, JSON_AHEAD_ENDS, ahead->current.id);
		}
		pthread_mutex_lock(&ahead->lock);
	}
	pthread_mutex_unlock(&ahead->lock);
	return NULL;
}

static bool start_thread(struct json_ahead *ahead)
{
	static const struct json_watch watch = {helper_section, helper_item, helper_record};
	if (ahead->started)
		return true;
	if (ahead->helper) /* it was tried */
		return false;
	ahead->helper = json_reading_new(ahead->reader->stream, NULL, &ahead->counts);
	ahead->helper->watch = &watch;
	ahead->helper->watcher = ahead;
	ahead->helper->scan->source.bytes = ahead->bytes;
	ahead->helper->scan->source.stopped = &ahead->stopped;
	for (int i = 0; i < 2; i++) /* a step more than the rules say has to fit */
		ahead->logs[i] = json_log_new(2 * ahead->rules->log);
	ahead->started = pthread_create(&ahead->thread, NULL, work, ahead) == 0;
	return ahead->started;
}

/* --- the reader --- */

/* A new order takes the place of the one before. */
static void give_order(struct json_ahead *ahead, const struct order *order)
{
	pthread_mutex_lock(&ahead->lock);
	unsigned id = ahead->order.id + 1;
	ahead->order = *order;
	ahead->order.id = id;
	atomic_store(&ahead->stopped, true);
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	ahead->sent = true;
	tell(ahead, JSON_AHEAD_SENT, id);
}

/* Towards the end of the document the thread takes half of what is left, down to what is not worth
 * it. */
static size_t distance_at(const struct json_ahead *ahead, uint64_t offset)
{
	uint64_t half = offset < ahead->bytes->size ? (ahead->bytes->size - offset) / 2 : 0;
	size_t usual = ahead->rules->distance;
	return half >= usual ? usual : half >= usual / part_at_end ? (size_t)half : 0;
}

/* Sends the thread ahead of a place in the document, behind which the reader is in this section. */
static void send_ahead(struct json_ahead *ahead, const struct json_logged_section *in,
		       uint64_t offset)
{
	size_t distance = distance_at(ahead, offset);
	if (offset < ahead->send_from || !distance || in->name.len > name_limit ||
	    (in->section && !in->section->fields) || !start_thread(ahead))
		return;
	struct order order = {
		.wanted = true,
		.log = !ahead->order.log,
		.distance = distance,
		.sections_seen = ahead->reader->sections_seen,
		.section = in->section,
		.name_len = in->name.len,
	};
	memcpy(order.name, in->name.ptr, in->name.len);
	atomic_store(&ahead->reader_at, offset);
	give_order(ahead, &order);
}

/* Whether the reader is at or behind the guess; then what was found so far is taken, and nothing
 * more is wanted. */
static bool take(struct json_ahead *ahead, uint64_t offset, struct found *found)
{
	pthread_mutex_lock(&ahead->lock);
	*found = ahead->found;
	unsigned id = ahead->order.id;
	bool arrived = ahead->sent && found->id == id && found->begin <= offset;
	if (arrived) {
		ahead->order.id++;
		ahead->order.wanted = false;
		atomic_store(&ahead->stopped, true);
	}
	pthread_mutex_unlock(&ahead->lock);
	if (found->id != id)
		found->begin = 0;
	if (!arrived)
		return false;
	ahead->sent = false;
	tell(ahead, JSON_AHEAD_STOPPING, id);
	return true;
}

/* Whether the thread began in the very state that the reader is in now. */
static bool is_right(const struct json_ahead *ahead, const struct found *found)
{
	const struct json_reading *r = ahead->reader;
	const struct order *order = &ahead->order;
	uint64_t new_sections = found->mark.sections_seen & ~order->sections_seen;
	return json_scan_offset(r->scan) == found->begin && !r->scan->fresh &&
	       r->section == order->section && r->section_name.len == order->name_len &&
	       memcmp(r->section_name.ptr, order->name, order->name_len) == 0 &&
	       !(new_sections & r->sections_seen);
}

static void go_on_at(struct json_reading *r, struct json_ahead *ahead, const struct mark *mark,
		     uint64_t index)
{
	struct span name = mark->section->name;
	memcpy(r->section_text, name.ptr, name.len);
	json_reading_enter(r, mark->section->section, (struct span){r->section_text, name.len});
	r->index = index;
	if (!r->scan->source.bytes)
		json_source_use(&r->scan->source, ahead->bytes,
				r->scan->base + (uint64_t)(r->scan->end - r->scan->buffer));
	json_scan_move(r->scan, mark->offset);
}

/* What was found becomes the reader's; meanwhile the thread is already further ahead. */
static int take_over(struct json_ahead *ahead, const struct mark *mark, struct error *err)
{
	struct json_reading *r = ahead->reader;
	const struct json_stream_counts before = *r->counts;
	struct json_log *log = &ahead->logs[ahead->order.log];
	json_log_begin(log, r->index);
	uint64_t index = mark->section->index + mark->index;
	r->sections_seen |= mark->sections_seen;
	send_ahead(ahead, mark->section, mark->offset);
	if (json_log_replay(log, mark->log_used, r, err) < 0)
		return -1;
	r->counts->not_numbers = before.not_numbers + mark->counts.not_numbers;
	r->counts->duplicates = before.duplicates + mark->counts.duplicates;
	go_on_at(r, ahead, mark, index);
	return 0;
}

static int arrive(struct json_ahead *ahead, uint64_t offset, const struct found *found,
		  struct error *err)
{
	if (!is_right(ahead, found)) {
		ahead->send_from = offset + ahead->misses * ahead->rules->distance;
		ahead->misses += ahead->misses < misses_limit;
		return 0;
	}
	ahead->misses = 0;
	return found->mark.offset > found->begin ? take_over(ahead, &found->mark, err) : 0;
}

static int reader_item(struct json_reading *r, struct error *err)
{
	struct json_ahead *ahead = r->watcher;
	uint64_t offset = json_scan_offset(r->scan);
	struct found found;
	if (offset < r->until)
		return 0;
	if (take(ahead, offset, &found) && arrive(ahead, offset, &found, err) < 0)
		return -1;
	offset = json_scan_offset(r->scan);
	atomic_store(&ahead->reader_at, offset);
	const struct json_logged_section in = {r->section, 0, r->section_name};
	if (!ahead->sent)
		send_ahead(ahead, &in, offset);
	r->until = offset + ahead->rules->step;
	if (found.begin > offset && found.begin < r->until)
		r->until = found.begin;
	return 1;
}

struct json_ahead *json_ahead_new(struct json_reading *reader, struct input *input)
{
	static const struct json_watch watch = {NULL, reader_item, NULL};
	const struct json_ahead_rules *rules = reader->stream->ahead;
	const struct json_bytes *bytes = &reader->scan->bytes;
	rules = rules ? rules : &usual_rules;
	if (input_threads(input) < 2 || bytes->size <= (uint64_t)least_parts * rules->distance)
		return NULL;
	struct json_ahead *ahead = calloc(1, sizeof *ahead);
	if (!ahead)
		abort();
	ahead->rules = rules;
	ahead->reader = reader;
	ahead->bytes = bytes;
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->changed, NULL);
	reader->watch = &watch;
	reader->watcher = ahead;
	reader->until = 0;
	return ahead;
}

void json_ahead_free(struct json_ahead *ahead)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->leaving = true;
	atomic_store(&ahead->stopped, true);
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	tell(ahead, JSON_AHEAD_STOPPING, UINT_MAX);
	if (ahead->started)
		pthread_join(ahead->thread, NULL);
	if (ahead->helper)
		json_reading_free(ahead->helper);
	for (int i = 0; i < 2; i++)
		json_log_free(&ahead->logs[i]);
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead);
}
