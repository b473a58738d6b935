/*
 * A queue of files, and threads that read files from it.
 *
 * What holds while threads run:
 *   - `next` only grows, and a thread reads every item whose index it got: when `failed` is set,
 * all items before the failed one are read or being read, so the first failure in the order of the
 *     items is always found.
 *   - An item is written by the one thread that got its index, until pthread_join().
 *   - `lock` guards `working` only; the counters of progress are atomic.
 */
#include "cli/ingest/batch.h"
#include "ingest/registry/registry.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

struct queue {
	struct batch_item *items;
	size_t count;
	uint64_t all_bytes; /* sum over all items with a known size */
	const struct batch_options *options;
	atomic_size_t next;
	atomic_bool failed;
	atomic_size_t done;
	_Atomic uint64_t bytes;
	pthread_mutex_t lock;
	pthread_cond_t finished; /* a thread has ended */
	size_t working;
};

bool ingest_batch_failed(const struct batch_item *item)
{
	bool is_unknown = !item->reader && item->err.kind == ERR_FORMAT;
	return item->was_read && item->rc < 0 && !is_unknown;
}

/* The number of threads that a file may use while others are read: its share of the bytes, or of
 * the remaining files if that is more. A pipe mostly waits for another program, so it may use all.
 */
static size_t share_of(const struct queue *queue, size_t at)
{
	assert(at < queue->count && queue->count > 0);
	size_t left = queue->count - at, threads = queue->options->threads;
	size_t by_count = left < threads ? threads / left : 1;
	uint64_t bytes = queue->items[at].bytes;
	if (bytes == 0)
		return threads;
	size_t by_bytes =
		(size_t)((double)threads * (double)bytes / (double)queue->all_bytes + 0.5);
	return by_bytes > by_count ? by_bytes : by_count;
}

static void read_item(struct queue *queue, struct batch_item *item)
{
	item->was_read = true;
	struct input *input = input_open(item->path, &item->err);
	if (!input) {
		item->rc = -1;
		return;
	}
	input_set_hints(input, queue->options->hints);
	input_set_progress(input, &queue->bytes);
	input_set_threads(input, share_of(queue, (size_t)(item - queue->items)));
	item->rc = reader_read(&item->arena, input, &item->result, &item->reader, &item->err);
	/* Messages about skipped files start with the path anyway. */
	if (ingest_batch_failed(item) && !queue->options->keep_going)
		error_prefix(&item->err, "%s", input_name(input));
	input_close(input);
}

static void read_items(struct queue *queue)
{
	for (;;) {
		/* An item that was taken is always read, so no item before the first failure is
		 * left out. */
		if (atomic_load(&queue->failed))
			return;
		size_t at = atomic_fetch_add(&queue->next, 1);
		if (at >= queue->count)
			return;
		read_item(queue, &queue->items[at]);
		atomic_fetch_add(&queue->done, 1);
		if (ingest_batch_failed(&queue->items[at]) && !queue->options->keep_going)
			atomic_store(&queue->failed, true);
	}
}

static void *work(void *context)
{
	struct queue *queue = context;
	read_items(queue);
	pthread_mutex_lock(&queue->lock);
	queue->working--;
	pthread_cond_signal(&queue->finished);
	pthread_mutex_unlock(&queue->lock);
	return NULL;
}

static void report_progress(struct queue *queue)
{
	struct batch_progress progress = {atomic_load(&queue->done), atomic_load(&queue->bytes)};
	if (queue->options->watch)
		queue->options->watch(queue->options->context, &progress);
}

/* Waits for the threads and reports progress meanwhile. */
static void watch_until_done(struct queue *queue)
{
	static const long interval = 200000000;
	pthread_mutex_lock(&queue->lock);
	while (queue->working) {
		struct timespec until;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += interval;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&queue->finished, &queue->lock, &until);
		pthread_mutex_unlock(&queue->lock);
		report_progress(queue);
		pthread_mutex_lock(&queue->lock);
	}
	pthread_mutex_unlock(&queue->lock);
	report_progress(queue);
}

void ingest_batch_read(struct batch_item *items, size_t count, const struct batch_options *options)
{
	enum { thread_limit = 64 };
	pthread_t threads[thread_limit];
	struct queue queue = {.items = items, .count = count, .options = options};
	size_t wanted = options->threads < thread_limit ? options->threads : thread_limit;
	size_t started = 0;
	for (size_t i = 0; i < count; i++)
		queue.all_bytes += items[i].bytes;
	wanted = wanted < count ? wanted : count;
	pthread_mutex_init(&queue.lock, NULL);
	pthread_cond_init(&queue.finished, NULL);
	queue.working = wanted;
	/* A single file without progress needs no thread. */
	bool alone = wanted <= 1 && !options->watch;
	while (!alone && started < wanted &&
	       pthread_create(&threads[started], NULL, work, &queue) == 0)
		started++;
	pthread_mutex_lock(&queue.lock);
	queue.working -= wanted - started;
	pthread_mutex_unlock(&queue.lock);
	if (started == 0)
		read_items(&queue);
	watch_until_done(&queue);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	pthread_cond_destroy(&queue.finished);
	pthread_mutex_destroy(&queue.lock);
}
