/* A run of the second thread is from one message of the reader to the next: sent, stopped, taken
 * over or thrown away. Of two runs the reader may hand over one while the thread fills the other.
 */
#include "ingest/json_ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/json_log.h"

enum {
	tries_limit = 64,   /* guesses in a run */
	part_to_guess = 2,  /* of the distance, in which all of them lie */
	part_to_prove = 64, /* of the distance, after which a guess counts as right */
	level_of_items = 2
};

static const struct json_ahead_rules usual_rules = {
	.distance = 4 * 1024 * 1024,
	.log = 6 * 1024 * 1024,
	.step = 128 * 1024,
};

struct run {
	/* Told by the reader. */
	uint64_t from; /* the guess lies behind */
	uint64_t sections_seen;
	/* Found out by the thread. */
	uint64_t begin; /* the guess; 0: there is none */
	struct json_log log;
	size_t log_begin;                            /* behind the first section */
	struct json_logged_section *first, *current; /* in the log */
	/* Behind the last item that is known to be good. */
	struct mark {
		uint64_t offset, index, sections_seen;
		struct json_stream_counts counts;
		const struct json_logged_section *section;
		size_t log_used;
	} mark;
};

struct json_ahead {
	const struct json_ahead_rules *rules;
	struct json_reading *reader, *helper;
	struct json_bytes bytes;
	struct json_stream_counts counts; /* the helper's */
	bool started;                     /* there is a thread */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool working, leaving; /* under the lock */
	atomic_bool stopped;
	_Atomic uint64_t guess; /* of the run under way; UINT64_MAX: not made yet */
	struct run runs[2];
	struct run *run; /* the one sent last; NULL: it is taken over or thrown away */
	int next;
	uint64_t send_from; /* no run is sent before the reader is here */
	unsigned misses;
};

static void tell(const struct json_ahead *ahead, enum json_ahead_event event)
{
	if (ahead->rules->pause)
		ahead->rules->pause(event);
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

static void set_mark(struct json_ahead *ahead, struct run *run)
{
	const struct json_reading *r = ahead->helper;
	run->mark = (struct mark){json_scan_offset(r->scan),
				  r->index,
				  r->sections_seen,
				  ahead->counts,
				  run->current,
				  run->log.used};
}

static int helper_section(struct json_reading *r, struct error *err)
{
	struct json_ahead *ahead = r->watcher;
	struct run *run = ahead->run;
	int c = json_scan_peek(r->scan, err);
	if (c != '[' || (r->section && !r->section->fields))
		return stop(err);
	run->current = json_log_section(&run->log, r->section, r->section_name);
	return run->current ? 0 : stop(err);
}

static int helper_item(struct json_reading *r, struct error *err)
{
	struct json_ahead *ahead = r->watcher;
	struct run *run = ahead->run;
	uint64_t offset = json_scan_offset(r->scan);
	if (!r->scan->fresh)
		set_mark(ahead, run);
	if (offset < r->until)
		return 0;
	r->until = offset + ahead->rules->step;
	tell(ahead, JSON_AHEAD_LOOKS);
	if (atomic_load(&ahead->stopped) || run->log.used >= ahead->rules->log)
		return stop(err);
	return 1;
}

static int helper_record(struct json_reading *r, uint64_t offset, struct error *err)
{
	struct json_ahead *ahead = r->watcher;
	struct run *run = ahead->run;
	return json_log_record(&run->log, r, run->current, offset) ? 0 : stop(err);
}

static void read_from(struct json_ahead *ahead, struct run *run, uint64_t offset)
{
	struct json_reading *r = ahead->helper;
	struct error ignored;
	struct json_logged_section section = *run->first;
	run->begin = offset;
	run->log.used = run->log_begin;
	run->current = run->first;
	ahead->counts = (struct json_stream_counts){0};
	json_scan_move(r->scan, offset);
	r->scan->depth = level_of_items;
	r->scan->is_object[0] = 1;
	r->index = 0;
	r->sections_seen = run->sections_seen;
	r->until = 0;
	json_reading_enter(r, section.section, section.name);
	set_mark(ahead, run);
	atomic_store(&ahead->guess, offset);
	json_reading_resume(r, &ignored);
}

/* A run that ended early was probably a wrong guess, unless the reader or a full log ended it. */
static bool is_useful(const struct json_ahead *ahead, const struct run *run)
{
	return atomic_load(&ahead->stopped) || run->log.used >= ahead->rules->log ||
	       run->mark.offset - run->begin >= ahead->rules->distance / part_to_prove;
}

static void make_run(struct json_ahead *ahead, struct run *run)
{
	uint64_t offset = run->from, limit = offset + ahead->rules->distance / part_to_guess;
	for (int i = 0; i < tries_limit; i++) {
		offset = guess(ahead->helper->scan, offset, limit);
		if (!offset)
			break;
		read_from(ahead, run, offset);
		if (is_useful(ahead, run))
			return;
	}
	run->begin = 0;
	atomic_store(&ahead->guess, 0);
}

static void *work(void *context)
{
	struct json_ahead *ahead = context;
	pthread_mutex_lock(&ahead->lock);
	for (;;) {
		while (!ahead->working && !ahead->leaving)
			pthread_cond_wait(&ahead->changed, &ahead->lock);
		if (ahead->leaving)
			break;
		pthread_mutex_unlock(&ahead->lock);
		tell(ahead, JSON_AHEAD_BEGINS);
		make_run(ahead, ahead->run);
		tell(ahead, JSON_AHEAD_ENDS);
		pthread_mutex_lock(&ahead->lock);
		ahead->working = false;
		pthread_cond_signal(&ahead->changed);
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
	ahead->helper->scan->source.bytes = &ahead->bytes;
	ahead->helper->scan->source.stopped = &ahead->stopped;
	for (int i = 0; i < 2; i++) /* a step more than the rules say has to fit */
		ahead->runs[i].log = json_log_new(2 * ahead->rules->log);
	ahead->started = pthread_create(&ahead->thread, NULL, work, ahead) == 0;
	return ahead->started;
}

/* --- the reader --- */

/* Sends the thread ahead of a place in the document. */
static void send_ahead(struct json_ahead *ahead, const struct json_logged_section *section,
		       uint64_t offset)
{
	struct run *run = &ahead->runs[ahead->next];
	ahead->run = NULL;
	if (offset < ahead->send_from || offset + 2 * ahead->rules->distance > ahead->bytes.size ||
	    (section->section && !section->section->fields) || !start_thread(ahead))
		return;
	run->log.used = 0;
	run->first = json_log_section(&run->log, section->section, section->name);
	if (!run->first)
		return;
	run->log_begin = run->log.used;
	run->from = offset + ahead->rules->distance;
	run->sections_seen = ahead->reader->sections_seen;
	ahead->run = run;
	ahead->next = !ahead->next;
	atomic_store(&ahead->stopped, false);
	atomic_store(&ahead->guess, UINT64_MAX);
	pthread_mutex_lock(&ahead->lock);
	ahead->working = true;
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	tell(ahead, JSON_AHEAD_SENT);
}

static void stop_thread(struct json_ahead *ahead)
{
	atomic_store(&ahead->stopped, true);
	tell(ahead, JSON_AHEAD_STOPPING);
	pthread_mutex_lock(&ahead->lock);
	while (ahead->working)
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	pthread_mutex_unlock(&ahead->lock);
}

/* Whether the thread began in the very state that the reader is in now. */
static bool is_right(const struct run *run, const struct json_reading *r)
{
	uint64_t new_sections = run->mark.sections_seen & ~run->sections_seen;
	struct span name = run->first->name;
	return json_scan_offset(r->scan) == run->begin && !r->scan->fresh &&
	       r->section == run->first->section && r->section_name.len == name.len &&
	       memcmp(r->section_name.ptr, name.ptr, name.len) == 0 &&
	       !(new_sections & r->sections_seen);
}

static void go_on_at(struct json_reading *r, struct json_ahead *ahead, const struct mark *mark)
{
	const struct json_logged_section *in = mark->section;
	memcpy(r->section_text, in->name.ptr, in->name.len);
	json_reading_enter(r, in->section, (struct span){r->section_text, in->name.len});
	r->index = in->index + mark->index;
	if (!r->scan->source.bytes)
		json_source_use(&r->scan->source, &ahead->bytes,
				r->scan->base + (uint64_t)(r->scan->end - r->scan->buffer));
	json_scan_move(r->scan, mark->offset);
}

/* The records of a run become the reader's; meanwhile the next one is under way. */
static int take_over(struct json_ahead *ahead, struct run *run, struct error *err)
{
	struct json_reading *r = ahead->reader;
	const struct json_stream_counts before = *r->counts;
	const struct mark *mark = &run->mark;
	run->first->index = r->index;
	r->sections_seen |= mark->sections_seen;
	send_ahead(ahead, mark->section, mark->offset);
	if (json_log_replay(&run->log, mark->log_used, r, err) < 0)
		return -1;
	r->counts->not_numbers = before.not_numbers + mark->counts.not_numbers;
	r->counts->duplicates = before.duplicates + mark->counts.duplicates;
	if (mark->offset > run->begin)
		go_on_at(r, ahead, mark);
	return 0;
}

/* At or behind the place where the thread began. */
static int arrive(struct json_ahead *ahead, struct error *err)
{
	struct run *run = ahead->run;
	uint64_t offset = json_scan_offset(ahead->reader->scan);
	stop_thread(ahead);
	if (run->begin > offset) /* another guess, just before it was stopped */
		return 0;
	ahead->run = NULL;
	if (is_right(run, ahead->reader)) {
		ahead->misses = 0;
		return take_over(ahead, run, err);
	}
	ahead->send_from = offset + ahead->misses++ * ahead->rules->distance;
	return 0;
}

static int reader_item(struct json_reading *r, struct error *err)
{
	struct json_ahead *ahead = r->watcher;
	if (json_scan_offset(r->scan) < r->until)
		return 0;
	if (ahead->run && json_scan_offset(r->scan) >= atomic_load(&ahead->guess) &&
	    arrive(ahead, err) < 0)
		return -1;
	uint64_t offset = json_scan_offset(r->scan);
	const struct json_logged_section section = {r->section, 0, r->section_name};
	if (!ahead->run)
		send_ahead(ahead, &section, offset);
	uint64_t begin = ahead->run ? atomic_load(&ahead->guess) : 0;
	r->until = offset + ahead->rules->step;
	if (begin > offset && begin < r->until)
		r->until = begin;
	return 1;
}

struct json_ahead *json_ahead_new(struct json_reading *reader, struct input *input)
{
	static const struct json_watch watch = {NULL, reader_item, NULL};
	const struct json_ahead_rules *rules = reader->stream->ahead;
	struct json_bytes bytes;
	rules = rules ? rules : &usual_rules;
	if (input_threads(input) < 2 || !json_bytes_of(input, &bytes) ||
	    bytes.size <= 2 * rules->distance)
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
	stop_thread(ahead);
	pthread_mutex_lock(&ahead->lock);
	ahead->leaving = true;
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	if (ahead->started)
		pthread_join(ahead->thread, NULL);
	if (ahead->helper)
		json_reading_free(ahead->helper);
	for (int i = 0; i < 2; i++)
		json_log_free(&ahead->runs[i].log);
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead);
}
