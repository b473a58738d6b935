/* One producer, one consumer: `made` and `taken` count buffers, and what lies between is full. */
#include "ingest/read_ahead.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { slot_count = 4, slot_size = 512 * 1024 };

struct read_ahead {
	read_ahead_source *source;
	void *context;
	char *slots;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed; /* only one side can have a reason to wait */
	size_t made, taken;
	size_t lens[slot_count];
	bool holds; /* the caller looks at slot `taken` */
	bool ended, stopped;
	struct error failure; /* with `ended`: why, or nothing */
};

/* False when nobody wants more. */
static bool wait_for_room(struct read_ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	while (ahead->made - ahead->taken == slot_count && !ahead->stopped)
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	bool wanted = !ahead->stopped;
	pthread_mutex_unlock(&ahead->lock);
	return wanted;
}

static void *work(void *context)
{
	struct read_ahead *ahead = context;
	bool ended = false;
	while (!ended && wait_for_room(ahead)) {
		size_t slot = ahead->made % slot_count, got = 0;
		int rc = ahead->source(ahead->context, ahead->slots + slot * slot_size, slot_size,
				       &got, &ahead->failure);
		ended = rc < 0 || got == 0;
		pthread_mutex_lock(&ahead->lock);
		ahead->lens[slot] = got;
		ahead->made += !ended;
		ahead->ended = ended;
		pthread_cond_signal(&ahead->changed);
		pthread_mutex_unlock(&ahead->lock);
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

struct read_ahead *read_ahead_start(read_ahead_source *source, void *context)
{
	struct read_ahead *ahead = calloc(1, sizeof *ahead);
	if (!ahead || !(ahead->slots = malloc((size_t)slot_count * slot_size)))
		abort();
	ahead->source = source;
	ahead->context = context;
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->changed, NULL);
	if (pthread_create(&ahead->thread, NULL, work, ahead) == 0)
		return ahead;
	free_all(ahead);
	return NULL;
}

int read_ahead_next(struct read_ahead *ahead, struct span *bytes, struct error *err)
{
	*bytes = (struct span){NULL, 0};
	pthread_mutex_lock(&ahead->lock);
	ahead->taken += ahead->holds;
	pthread_cond_signal(&ahead->changed);
	while (ahead->made == ahead->taken && !ahead->ended)
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	ahead->holds = ahead->made != ahead->taken;
	pthread_mutex_unlock(&ahead->lock);
	if (ahead->holds) {
		size_t slot = ahead->taken % slot_count;
		*bytes = (struct span){ahead->slots + slot * slot_size, ahead->lens[slot]};
		return 0;
	}
	if (ahead->failure.kind == ERR_NONE)
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
