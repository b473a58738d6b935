/* The commits of a change, their measurements, and what they say. */
#include "cli/bisect/bisect.h"
#include "cli/command.h"

/* --- sessions --- */

static int by_time(const void *a, const void *b)
{
	const struct loaded_run *x = a, *y = b;
	int64_t left = x->stored.run->row, right = y->stored.run->row;
	int order = run_by_measurement(x->stored.run, y->stored.run);
	return order ? order : (left > right) - (left < right);
}

/* A run's value in the model's unit; NAN if it has none. */
static double value_of(const struct bisect_change *change, const struct run *run)
{
	double number = run_number(run, change->metric);
	if (!change->relative)
		return number;
	return number > 0 ? log(number) : NAN;
}

int bisect_command_sessions(struct cli *cli, const struct bisect_change *change, const char *oid,
			    struct bisect_commit *commit, const char **hash, struct error *err)
{
	struct loaded_list list = {0};
	if (runs_load_baseline(cli, oid, change->history->series, &list, err) < 0)
		return -1;
	double *sessions = arena_array(&cli->arena, list.count, sizeof *sessions);
	double *repeats = arena_array(&cli->arena, list.count, sizeof *repeats);
	size_t count = 0;
	const char *same = list.count ? list.items[0].stored.run->kernel_hash : NULL;
	/* Runs of the same measurement are repeats of one session: their noise is not
	 * that between sessions, so they count as one value. */
	array_sort(list.items, list.count, sizeof *list.items, by_time);
	for (size_t i = 0, next; i < list.count; i = next) {
		size_t repeat = 0;
		for (next = i; next < list.count; next++) {
			const struct run *run = list.items[next].stored.run;
			if (run_by_measurement(run, list.items[i].stored.run) != 0)
				break;
			double value = value_of(change, run);
			if (isfinite(value))
				repeats[repeat++] = value;
			same = span_text_eq(same, run->kernel_hash) ? same : NULL;
		}
		if (repeat)
			sessions[count++] = noise_location(&cli->arena, repeats, repeat);
	}
	commit->sessions = sessions;
	commit->session_count = count;
	if (hash)
		*hash = same;
	return 0;
}

/* --- commits that cannot be the cause --- */

/* Excludes the commits that changed nothing between `from` and `to`, and records why. The first
 * reason is kept. */
static void mark(struct bisect_case *c, size_t from, size_t to, enum bisect_same why)
{
	if (!bisect_exclude(c->bisect, from, to))
		return;
	for (size_t x = 0; x < c->lineage.count; x++)
		if (c->bisect->inert[x] && c->same[x] == BISECT_SAME_NOT)
			c->same[x] = why;
}

/* A commit whose tree is a parent's changed nothing against that parent. */
static int mark_trees(struct cli *cli, struct bisect_case *c, struct error *err)
{
	struct revision revision;
	for (size_t x = 0; x < c->lineage.count; x++) {
		const struct commit_range_item *commit = &c->lineage.items[x];
		for (size_t p = 0; p < commit->parent_count; p++)
			if (strcmp(c->lineage.items[commit->parents[p]].revision.tree,
				   commit->revision.tree) == 0)
				mark(c, commit->parents[p], x, BISECT_SAME_TREE);
	}
	for (size_t i = 0; i < c->lineage.outside_count; i++) {
		if (repository_revision(cli->repository, &cli->arena, c->lineage.outside[i], false,
					&revision, err) < 0)
			return -1;
		for (size_t x = 0; x < c->lineage.count; x++)
			if (strstr(c->lineage.items[x].revision.parents, revision.oid) &&
			    strcmp(c->lineage.items[x].revision.tree, revision.tree) == 0)
				mark(c, bisect_none, x, BISECT_SAME_TREE);
	}
	return 0;
}

/* Commits with the same kernel, byte by byte, have the same level, and all between them. */
static void mark_kernels(struct bisect_case *c, const char *good, const char *const *hashes)
{
	for (size_t b = 0; b < c->lineage.count; b++) {
		if (!hashes[b])
			continue;
		if (good && strcmp(good, hashes[b]) == 0)
			mark(c, bisect_none, b, BISECT_SAME_KERNEL);
		for (size_t a = 0; a < b; a++)
			if (hashes[a] && strcmp(hashes[a], hashes[b]) == 0 &&
			    bisect_is_ancestor(c->bisect, a, b))
				mark(c, a, b, BISECT_SAME_KERNEL);
	}
}

/* --- the case --- */

static int load_commits(struct cli *cli, struct bisect_case *c, const char **hashes,
			struct error *err)
{
	size_t count = c->lineage.count;
	c->commits = arena_array(&cli->arena, count, sizeof *c->commits);
	c->same = arena_array(&cli->arena, count, sizeof *c->same);
	for (size_t x = 0; x < count; x++) {
		const struct commit_range_item *commit = &c->lineage.items[x];
		c->commits[x].parents = commit->parents;
		c->commits[x].parent_count = commit->parent_count;
		if (store_has_revision(cli->store, commit->revision.oid) &&
		    bisect_command_sessions(cli, &c->change, commit->revision.oid, &c->commits[x],
					    &hashes[x], err) < 0)
			return -1;
		c->without_data += c->commits[x].session_count == 0;
	}
	return 0;
}

/* Compares the two ends. If they have the same tree or the same compiled kernel, no commit between
 * them is the cause: the difference comes from the machine or the measurement. The probabilities
 * then state only at which commit it shows, so none is excluded. */
static int compare_ends(struct cli *cli, struct bisect_case *c, const char **hashes,
			struct error *err)
{
	struct bisect_commit ignored;
	struct revision good;
	const char *hash = NULL, *oid = c->change.good->oid;
	assert(c->lineage.count > 0);
	size_t last = c->lineage.count - 1;
	if (repository_revision(cli->repository, &cli->arena, oid, false, &good, err) < 0 ||
	    (store_has_revision(cli->store, oid) &&
	     bisect_command_sessions(cli, &c->change, oid, &ignored, &hash, err) < 0))
		return -1;
	struct revision *whole = arena_array(&cli->arena, 2, sizeof *whole);
	whole[0] = good;
	whole[1] = c->lineage.items[last].revision;
	c->change.good = &whole[0];
	c->change.bad = &whole[1];
	if (strcmp(good.tree, whole[1].tree) == 0)
		c->identical = BISECT_SAME_TREE;
	else if (hash && hashes[last] && strcmp(hash, hashes[last]) == 0)
		c->identical = BISECT_SAME_KERNEL;
	if (c->identical)
		return 0;
	mark_kernels(c, hash, hashes);
	return mark_trees(cli, c, err);
}

/* Updates the probabilities and chooses what to do next: nothing if both ends are identical, the
 * cause if it is certain enough, else the commit whose measurement is expected to say most. */
static void conclude(struct cli *cli, struct bisect_case *c)
{
	bisect_update(c->bisect);
	c->next = bisect_none;
	c->forecast = NAN;
	c->sessions = bisect_sessions(c->bisect, c->error);
	if (c->identical)
		return;
	c->decided = c->bisect->cause[c->bisect->best] > bisect_certainty;
	c->forecast = c->decided ? 0 : bisect_forecast(&cli->arena, c->bisect, bisect_certainty);
	c->next = c->decided ? bisect_none : bisect_next(c->bisect);
}

int bisect_command_load_case(struct cli *cli, const struct bisect_request *request,
			     const struct bisect_change *change, struct bisect_case *c,
			     struct error *err)
{
	const struct run *one[] = {change->history->identity};
	struct short_names naming = short_names_of(&cli->arena, one, 1);
	*c = (struct bisect_case){.change = *change, .error = request->error};
	c->name = short_names_name(&cli->arena, &naming, one[0]);
	if (cli_open_repository(cli, err) < 0 ||
	    repository_between(cli->repository, &cli->arena, change->good->oid, change->bad->oid,
			       &c->lineage, err) < 0)
		return -1;
	if (c->lineage.count == 0 || c->lineage.count > BISECT_COMMITS)
		return error_set(err, ERR_REVISION,
				 "%zu commits between %.10s and %.10s; 1 to %d are supported: "
				 "narrow the range with --good and --bad",
				 c->lineage.count, change->good->oid, change->bad->oid,
				 BISECT_COMMITS);
	const char **hashes = arena_array(&cli->arena, c->lineage.count, sizeof *hashes);
	if (load_commits(cli, c, hashes, err) < 0)
		return -1;
	struct bisect_range range = {
		.commits = c->commits,
		.count = c->lineage.count,
		.before = change->borders.before,
		.after = change->borders.after,
		.count_before = (double)change->borders.count_before,
		.count_after = (double)change->borders.count_after,
		.noise = change->noise,
	};
	c->bisect = bisect_start(&cli->arena, &range);
	if (compare_ends(cli, c, hashes, err) < 0)
		return -1;
	conclude(cli, c);
	return 0;
}
