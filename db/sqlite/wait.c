/*
 * Waits for the locks of other processes.
 *
 * SQLite calls wait_once() each time that it finds a lock. A process that writes changes the
 * database, its log or its journal: with every commit, and before that as soon as its changes
 * exceed its memory. While any of them changes, waiting goes on.
 */
#include "db/sqlite/wait.h"

#include <time.h>

#include "base/system/library_sqlite.h"
#include "db/sqlite/sqlite.h"

enum {
	LONGEST_PAUSE_MS = 25,
	ANNOUNCE_AFTER_MS = 2000,
	/* A wait ends after this many times the patience, whatever progress others make. */
	PATIENCE_COUNT = 10
};

static void (*announce)(void *context, const char *path);
static void *announce_context;

void sql_announce_waits(void (*function)(void *context, const char *path), void *context)
{
	announce = function;
	announce_context = context;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Whether a file differs from what it was when this was last asked. */
static bool has_progress(struct sql_wait *wait)
{
	static const char *const suffixes[SQL_WAIT_FILES] = {"", "-wal", "-journal"};
	bool changed = false;
	for (size_t i = 0; i < SQL_WAIT_FILES; i++) {
		struct strbuf path = {0};
		struct stat now;
		strbuf_addf(&path, "%s%s", wait->file, suffixes[i]);
		if (stat(path.buf, &now) < 0)
			now = (struct stat){0};
		changed = changed || !same_file(&now, &wait->files[i]);
		wait->files[i] = now;
		strbuf_free(&path);
	}
	return changed;
}

/* 1, 2, 4 ... milliseconds: a lock is often short, and a long one is not worth many questions. */
static int pause_before(int tries)
{
	return tries < 4 ? 1 << tries : LONGEST_PAUSE_MS;
}

/* SQLite's busy handler: 0 gives up. `tries` is 0 at the beginning of a wait. */
static int wait_once(void *context, int tries)
{
	struct sql_wait *wait = context;
	int pause = pause_before(tries);
	if (tries == 0)
		wait->waited = 0;
	if (has_progress(wait) || tries == 0)
		wait->idle = 0;
	if (wait->idle >= wait->patience || wait->waited / PATIENCE_COUNT >= wait->patience)
		return 0;
	nanosleep(&(struct timespec){.tv_nsec = pause * 1000000L}, NULL);
	if (announce && wait->waited < ANNOUNCE_AFTER_MS &&
	    wait->waited + pause >= ANNOUNCE_AFTER_MS)
		announce(announce_context, wait->path);
	wait->waited += pause;
	wait->idle += pause;
	return 1;
}

void sql_wait_attach(struct sql_wait *wait, struct sqlite3 *handle)
{
	sqlite3_busy_handler(handle, wait->patience > 0 ? wait_once : NULL, wait);
}
