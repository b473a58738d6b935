/* Finds the runs of candidates and what they are compared with, and prints the leaderboards. */
#include "cli/query/candidates.h"

#include "model/roofline/roofline.h"
#include "model/statistics/statistics.h"
#include "render/compare/trials/leaderboard.h"

struct numbers {
	double *items;
	size_t count, capacity;
};

/* A board while it is collected. */
struct collected {
	const char *key;
	const struct run *first; /* newest run of a candidate of the series */
	const char **names;
	size_t count, capacity;
};

struct collecting {
	struct cli *cli;
	const struct loaded_list *runs; /* of all series, newest first */
	const char **keys;              /* of their series */
	struct collected *boards;
	size_t count, capacity;
};

static const char *candidate_of(const struct run *run)
{
	return run_attribute(run, RUN_CANDIDATE);
}

static const struct run *run_at(const struct collecting *c, size_t at)
{
	return c->runs->items[at].stored.run;
}

static struct collected *board_of(struct collecting *c, size_t at)
{
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->boards[i].key, c->keys[at]) == 0)
			return &c->boards[i];
	struct collected *board = arena_next(&c->cli->arena, c->boards, c->count, c->capacity);
	*board = (struct collected){.key = c->keys[at], .first = run_at(c, at)};
	return board;
}

static void collect(struct collecting *c)
{
	c->keys = arena_array(&c->cli->arena, c->runs->count + 1, sizeof *c->keys);
	for (size_t at = 0; at < c->runs->count; at++) {
		const char *name = candidate_of(run_at(c, at));
		c->keys[at] = run_series_key(&c->cli->arena, run_at(c, at));
		if (!name)
			continue;
		struct collected *board = board_of(c, at);
		size_t i = 0;
		while (i < board->count && strcmp(board->names[i], name) != 0)
			i++;
		if (i == board->count)
			*arena_next(&c->cli->arena, board->names, board->count, board->capacity) =
				name;
	}
}

/* Adds the repeats of a run, or its value if the file has only that. */
static void add_numbers(struct arena *arena, struct numbers *numbers, const struct run *run,
			enum metric metric)
{
	const struct run_spread *spread = run_spread(run, metric);
	double value = run_number(run, metric);
	if (spread && spread->number_count > 1) {
		for (size_t i = 0; i < spread->number_count; i++)
			if (spread->numbers[i] > 0)
				*arena_add(arena, numbers) = spread->numbers[i];
	} else if (value > 0) {
		*arena_add(arena, numbers) = value;
	}
}

/* --- the base --- */

static size_t find_run(const struct collecting *c, const char *key, const char *id)
{
	for (size_t at = 0; at < c->runs->count; at++)
		if (strcmp(c->keys[at], key) == 0 && !candidate_of(run_at(c, at)) &&
		    (!id || strcmp(c->runs->items[at].stored.id, id) == 0))
			return at;
	return SIZE_MAX;
}

/* The run that the first candidates started from; else the newest run without a candidate. */
static size_t find_base(const struct collecting *c, const struct collected *board)
{
	for (size_t at = c->runs->count; at-- > 0;) {
		const struct run *run = run_at(c, at);
		const char *parent = run_attribute(run, RUN_PARENT);
		if (!candidate_of(run) || !parent || strcmp(c->keys[at], board->key) != 0)
			continue;
		size_t base = find_run(c, board->key, parent);
		if (base != SIZE_MAX)
			return base;
	}
	return find_run(c, board->key, NULL);
}

/* The numbers of all runs that were stored together with the base. */
static struct numbers base_numbers(const struct collecting *c, const struct collected *board,
				   size_t base, enum metric metric)
{
	struct numbers numbers = {0};
	for (size_t at = 0; base != SIZE_MAX && at < c->runs->count; at++) {
		const struct run *run = run_at(c, at);
		if (strcmp(c->keys[at], board->key) == 0 && !candidate_of(run) &&
		    run->ingest == run_at(c, base)->ingest &&
		    span_text_eq(run->commit, run_at(c, base)->commit))
			add_numbers(&c->cli->arena, &numbers, run, metric);
	}
	return numbers;
}

/* --- a candidate --- */

/* What its runs say together. */
struct summary {
	bool incorrect, impossible, unchecked;
	size_t sessions;
	int64_t last; /* ingest of the run before, as those of a session follow each other */
	size_t begin; /* of its session's numbers */
	double lowest, highest; /* geometric means of sessions */
	struct numbers numbers, mfu;
	const char *run, *parent;
};

/* The session of the numbers since `begin` is complete. */
static void end_session(struct summary *sum)
{
	double logs = 0;
	size_t count = sum->numbers.count - sum->begin;
	for (size_t i = sum->begin; i < sum->numbers.count; i++)
		logs += log(sum->numbers.items[i]);
	sum->begin = sum->numbers.count;
	if (!count)
		return;
	/* fmin() and fmax() ignore the NAN of the first one. */
	sum->lowest = fmin(sum->lowest, exp(logs / (double)count));
	sum->highest = fmax(sum->highest, exp(logs / (double)count));
}

static void add_run(struct arena *arena, struct summary *sum, const struct loaded_run *loaded,
		    enum metric metric)
{
	const struct run *run = loaded->stored.run;
	const char *parent = run_attribute(run, RUN_PARENT);
	double mfu = run_number(run, METRIC_MFU);
	sum->incorrect |= run_is_incorrect(run);
	sum->impossible |= time_floor_is_broken(run);
	sum->unchecked |= !run_attribute(run, "correctness");
	if (sum->sessions && run->ingest != sum->last)
		end_session(sum);
	sum->sessions += sum->sessions == 0 || run->ingest != sum->last;
	sum->last = run->ingest;
	sum->run = sum->run ? sum->run : loaded->stored.id;
	sum->parent = sum->parent ? sum->parent : parent;
	add_numbers(arena, &sum->numbers, run, metric);
	if (!isnan(mfu))
		*arena_add(arena, &sum->mfu) = mfu;
}

/* Of sessions with fresh inputs if there are any, else of all. A fault of any session counts. */
static struct summary summarize(const struct collecting *c, const struct collected *board,
				const char *name, enum metric metric, bool *fresh)
{
	struct arena *arena = &c->cli->arena;
	struct summary all = {.lowest = NAN, .highest = NAN}, only = all;
	for (size_t at = 0; at < c->runs->count; at++) {
		const struct run *run = run_at(c, at);
		if (!span_text_eq(candidate_of(run), name) || strcmp(c->keys[at], board->key) != 0)
			continue;
		add_run(arena, &all, &c->runs->items[at], metric);
		if (span_text_eq(run_attribute(run, RUN_INPUTS), "fresh"))
			add_run(arena, &only, &c->runs->items[at], metric);
	}
	end_session(&all);
	end_session(&only);
	*fresh = only.sessions > 0;
	if (!*fresh)
		return all;
	only.incorrect = all.incorrect;
	only.impossible = all.impossible;
	return only;
}

static enum candidate_state state_of(const struct summary *sum, bool fresh)
{
	if (sum->incorrect)
		return CANDIDATE_INCORRECT;
	if (sum->impossible)
		return CANDIDATE_IMPOSSIBLE;
	if (sum->unchecked)
		return CANDIDATE_UNVERIFIED;
	if (!fresh)
		return CANDIDATE_CHECKED;
	return sum->sessions > 1 ? CANDIDATE_CONFIRMED : CANDIDATE_CORRECT;
}

/* --- a board --- */

static struct leaderboard leaderboard_of(const struct collecting *c,
					 const struct collected *collected)
{
	struct arena *arena = &c->cli->arena;
	const enum metric metric = run_headline(collected->first);
	size_t base = find_base(c, collected), count = collected->count;
	struct numbers from = base_numbers(c, collected, base, metric);
	struct candidate *candidates = arena_array(arena, count, sizeof *candidates);
	struct leaderboard_row *rows = arena_array(arena, count, sizeof *rows);
	bool lower = metric_info(metric)->direction != METRIC_HIGHER, fresh;
	for (size_t i = 0; i < count; i++) {
		const char *name = collected->names[i];
		struct summary sum = summarize(c, collected, name, metric, &fresh);
		candidates[i] = (struct candidate){.name = name,
						   .numbers = sum.numbers.items,
						   .count = sum.numbers.count,
						   .state = state_of(&sum, fresh),
						   .lowest = sum.lowest,
						   .highest = sum.highest};
		rows[i] = (struct leaderboard_row){
			.name = name,
			.value = median_of(sum.numbers.items, sum.numbers.count),
			.mfu = median_of(sum.mfu.items, sum.mfu.count),
			.sessions = sum.sessions,
			.run = sum.run,
			.parent = sum.parent};
	}
	candidates_rank(from.items, from.count, lower, candidates, count);
	return (struct leaderboard){.key = collected->key,
				    .metric = metric,
				    .lower_is_better = lower,
				    .base = base == SIZE_MAX ? NULL
							     : c->runs->items[base].stored.id,
				    .base_value = median_of(from.items, from.count),
				    .base_numbers = from.count,
				    .candidates = candidates,
				    .rows = rows,
				    .count = count};
}

/* All runs that the filter selects, newest first. */
static int load(struct cli *cli, const struct run_filter *filter, struct loaded_list *runs,
		struct error *err)
{
	enum { BATCH = 1024 };
	struct loaded_list batch = {0};
	struct store_cursor *cursor;
	struct run_query query = runs_query(filter, NULL);
	query.facts = true;
	if (cli_load_config(cli, err) < 0 ||
	    store_runs_start(cli->store, &cli->arena, &query, &cursor, err) < 0)
		return -1;
	int rc;
	do {
		rc = runs_load_next(cli, cursor, &cli->arena, BATCH, &batch, err);
		for (size_t i = 0; rc == 0 && i < batch.count; i++)
			runs_loaded_add(cli, runs, &batch.items[i]);
	} while (rc == 0 && batch.count);
	store_runs_end(cursor);
	return rc;
}

int cli_query_print_candidates(struct cli *cli, const struct run_filter *filter, struct error *err)
{
	struct arena *arena = &cli->arena;
	struct loaded_list runs = {0};
	struct collecting c = {.cli = cli, .runs = &runs};
	if (load(cli, filter, &runs, err) < 0)
		return -1;
	collect(&c);
	struct leaderboard *boards = arena_array(arena, c.count + 1, sizeof *boards);
	const struct run **firsts = arena_array(arena, c.count + 1, sizeof *firsts);
	for (size_t i = 0; i < c.count; i++)
		firsts[i] = c.boards[i].first;
	struct short_names names = short_names_of(arena, firsts, c.count);
	for (size_t i = 0; i < c.count; i++) {
		boards[i] = leaderboard_of(&c, &c.boards[i]);
		boards[i].name = short_names_name(arena, &names, firsts[i]);
	}
	if (cli->common.json)
		return cli_print_json(render_candidates_json(arena, boards, c.count), err);
	if (!c.count)
		cli_note(cli, "no candidates: \"rooflog run --candidate NAME\" stores them");
	struct strbuf sb = {0};
	strbuf_addstr(&sb, render_candidates_text(arena, boards, c.count, cli_table_width()));
	return cli_print_built(&sb, err);
}
