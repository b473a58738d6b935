/*
 * A producer, a consumer, and a queue of full buffers between them. Both are about as fast, but
 * their speeds vary, so the queue is long. The spare buffer that was used last is filled next, so
 * that usually only a few are touched. Waking a thread takes as long as filling a tenth of a
 * buffer, so a side that has to wait waits for several buffers.
 */
#include "ingest/bytes/read_ahead.h"

#include <pthread.h>

enum { slot_count = 16, slot_size = 512 * 1024, several = 4 };

struct slot {
	char *bytes;
	size_t len;
};

struct read_ahead {
	read_ahead_source *source;
	void *context;
	char *slots;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed; /* at most one side waits for it */
	size_t wake_count;      /* number of buffers for which the other side is woken */
	struct slot queue[slot_count], spare[slot_count];
	size_t produced, released; /* running numbers; the buffers between them are in the queue */
	size_t spare_count;
	bool full, empty; /* the producer or the consumer waits for enough buffers */
	bool holds;       /* the caller uses the first buffer of the queue */
	bool ended, stopped;
	struct error failure; /* if `ended`: the reason, or none at the end of the source */
};

/* Takes a spare buffer; false if the consumer has stopped. */
static bool get_spare(struct read_ahead *ahead, struct slot *slot)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->full = ahead->spare_count == 0;
	while (ahead->full && !ahead->stopped)
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	bool wanted = !ahead->stopped;
	assert(!wanted || ahead->spare_count > 0);
	if (wanted)
		*slot = ahead->spare[--ahead->spare_count];
	pthread_mutex_unlock(&ahead->lock);
	return wanted;
}

static void add(struct read_ahead *ahead, const struct slot *slot, bool ended)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->queue[ahead->produced % slot_count] = *slot;
	assert(ahead->produced - ahead->released < slot_count);
	ahead->produced += !ended;
	ahead->ended = ended;
	if (ahead->empty && (ended || ahead->produced - ahead->released >= ahead->wake_count)) {
		ahead->empty = false;
		pthread_cond_signal(&ahead->changed);
	}
	pthread_mutex_unlock(&ahead->lock);
}

static void *work(void *context)
{
	struct read_ahead *ahead = context;
	struct slot slot;
	bool ended = false;
	while (!ended && get_spare(ahead, &slot)) {
		int rc = ahead->source(ahead->context, slot.bytes, slot_size, &slot.len,
				       &ahead->failure);
		ended = rc < 0 || slot.len == 0;
		add(ahead, &slot, ended);
	}
	return NULL;
}

static void free_all(struct read_ahead *ahead)
{
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead->slots);
	free(ahead);
}

struct read_ahead *read_ahead_start(read_ahead_source *source, void *context, bool steady)
{
	struct read_ahead *ahead = memory_allocate(1, sizeof *ahead);
	ahead->slots = memory_buffer((size_t)slot_count * slot_size);
	for (size_t i = 0; i < slot_count; i++)
		ahead->spare[ahead->spare_count++].bytes = ahead->slots + i * slot_size;
	ahead->source = source;
	ahead->context = context;
	ahead->wake_count = steady ? several : 1;
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->changed, NULL);
	if (pthread_create(&ahead->thread, NULL, work, ahead) == 0)
		return ahead;
	free_all(ahead);
	return NULL;
}

/* Returns the buffer that the caller held. Requires the lock. */
static void release(struct read_ahead *ahead)
{
	if (ahead->holds)
		ahead->spare[ahead->spare_count++] = ahead->queue[ahead->released++ % slot_count];
	if (ahead->full && ahead->spare_count >= ahead->wake_count) {
		ahead->full = false;
		pthread_cond_signal(&ahead->changed);
	}
}

int read_ahead_next(struct read_ahead *ahead, struct span *bytes, struct error *err)
{
	struct slot slot = {NULL, 0};
	pthread_mutex_lock(&ahead->lock);
	release(ahead);
	ahead->empty = ahead->produced == ahead->released && !ahead->ended;
	while (ahead->empty)
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	ahead->holds = ahead->produced != ahead->released;
	if (ahead->holds)
		slot = ahead->queue[ahead->released % slot_count];
	pthread_mutex_unlock(&ahead->lock);
	*bytes = (struct span){slot.bytes, slot.len};
	if (ahead->holds || ahead->failure.kind == ERR_NONE)
		return 0;
	*err = ahead->failure;
	return -1;
}

void read_ahead_free(struct read_ahead *ahead)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->stopped = true;
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	pthread_join(ahead->thread, NULL);
	free_all(ahead);
}
