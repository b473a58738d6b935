/* Noise within commits: what sessions of one commit differ by. */
#include <math.h>
#include <stdlib.h>

#include "model/calibrate.h"
#include "model/detect.h"

/* One session of a commit. */
struct session {
	int64_t when;
	size_t count;
};

static const struct calibrate_run *find_run(const struct calibrate_run *runs, size_t count,
					    int64_t row)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (runs[middle].row == row)
			return &runs[middle];
		if (runs[middle].row < row)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* The commit's values by session, of logs. */
struct commit_sessions {
	struct session *items;
	double **values;
	size_t count;
};

static void add_value(struct commit_sessions *sessions, size_t room, int64_t when, double value)
{
	size_t at = 0;
	while (at < sessions->count && sessions->items[at].when != when)
		at++;
	if (at == sessions->count)
		sessions->items[sessions->count++] = (struct session){when, 0};
	if (sessions->items[at].count < room)
		sessions->values[at][sessions->items[at].count++] = value;
}

/* Adds the squared distances of the commit's sessions from their mean, and how many they tell. */
static void add_commit(struct arena *arena, const struct commit_sessions *sessions, double *squares,
		       double *freedom)
{
	double *x = arena_array(arena, sessions->count + 1, sizeof *x), mean = 0;
	for (size_t i = 0; i < sessions->count; i++) {
		x[i] = detect_location(arena, sessions->values[i], sessions->items[i].count);
		mean += x[i] / (double)sessions->count;
	}
	for (size_t i = 0; i < sessions->count; i++)
		*squares += (x[i] - mean) * (x[i] - mean);
	*freedom += (double)sessions->count - 1;
}

/* One series, and the runs whose time of ingest is known. */
struct reading {
	const struct history *history;
	const double *values;
	const struct calibrate_run *runs;
	size_t count;
};

/* The runs from..to-1 are those of one commit. */
static void read_commit(struct arena *arena, const struct reading *r, size_t from, size_t to,
			struct commit_sessions *sessions)
{
	size_t room = to - from;
	sessions->items = arena_array(arena, room, sizeof *sessions->items);
	sessions->values = arena_array(arena, room, sizeof *sessions->values);
	sessions->count = 0;
	for (size_t i = 0; i < room; i++)
		sessions->values[i] = arena_array(arena, room, sizeof **sessions->values);
	for (size_t i = from; i < to; i++) {
		const struct calibrate_run *run =
			find_run(r->runs, r->count, r->history->runs[i].row);
		if (run && r->values[i] > 0)
			add_value(sessions, room, run->when, log(r->values[i]));
	}
}

static void find_within(const struct calibration *c, struct calibrate_series *one,
			const struct calibrate_run *runs, size_t count)
{
	const struct history *history = one->history;
	struct reading reading = {history, history->values, runs, count};
	double squares = 0, freedom = 0;
	for (size_t place = 0; c->set->metrics[place] != one->metric; place++)
		reading.values += history->run_count;
	for (size_t from = 0, to; from < history->run_count; from = to) {
		struct arena scratch = {NULL, 0};
		struct commit_sessions sessions;
		to = from + 1;
		while (to < history->run_count &&
		       history->runs[to].commit == history->runs[from].commit)
			to++;
		if (to - from < 2)
			continue;
		read_commit(&scratch, &reading, from, to, &sessions);
		if (sessions.count > 1) {
			add_commit(&scratch, &sessions, &squares, &freedom);
			one->sessions++;
		}
		arena_free(&scratch);
	}
	one->within = freedom > 0 ? sqrt(squares / freedom) : NAN;
}

void calibrate_sessions(struct calibration *c, const struct calibrate_run *runs, size_t count)
{
	for (size_t i = 0; i < c->count; i++)
		find_within(c, &c->series[i], runs, count);
}
