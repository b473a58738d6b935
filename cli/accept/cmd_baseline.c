/* rooflog baseline: names for commits to compare with. It writes only the store's table of
 * names. */
#include "cli/command.h"

#include "cli/runs/runs.h"
#include "render/lists/lists.h"

static int do_list(struct cli *cli, void *options, struct error *err)
{
	(void)options;
	struct arena *arena = &cli->arena;
	struct baseline_list baselines = {0};
	struct strbuf sb = {0};
	if (cli_open_store(cli, STORE_READ, err) < 0 ||
	    store_baselines(cli->store, arena, &baselines, err) < 0)
		return -1;
	struct baseline_row *rows = arena_array(arena, baselines.count, sizeof *rows);
	for (size_t i = 0; i < baselines.count; i++) {
		const struct baseline *one = &baselines.items[i];
		rows[i] = (struct baseline_row){one->name, one->oid, one->set_at, one->pinned};
	}
	if (cli->common.json)
		return cli_print_json(render_baselines_json(arena, rows, baselines.count), err);
	if (baselines.count == 0) {
		cli_note(cli, "no baselines yet: rooflog baseline set NAME [COMMIT]");
		return EXIT_PASS;
	}
	render_baselines_text(arena, rows, baselines.count, cli_table_width(), &sb);
	return cli_print_built(&sb, err);
}

/* Words with another meaning for "gate --against". */
static bool is_taken(const char *name)
{
	static const char *const words[] = {"nearest", "HEAD", "best", "window", "merge-base"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(name, words[i]) == 0)
			return true;
	return span_starts(span_of(name), "merge-base:");
}

static int check_name(const char *name, struct error *err)
{
	if (!name[0] || name[0] == '-' || strlen(name) > 200)
		return error_set(err, ERR_USAGE, "\"%.40s\" is not a valid baseline name", name);
	if (is_taken(name))
		return error_set(err, ERR_USAGE,
				 "\"%s\" is already a git revision or a reserved word", name);
	for (const char *c = name; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			return error_set(err, ERR_USAGE,
					 "a baseline name must be one line of text");
	return 0;
}

/* Resolves a revision to a commit, which must have clean runs to compare with. */
static int commit_with_runs(struct cli *cli, const char *rev, char oid[65], struct error *err)
{
	struct run_query query = {.commit = oid, .clean_only = true, .limit = 1};
	struct store_run_list runs = {0};
	if (cli_open_repository(cli, err) < 0 ||
	    repository_resolve(cli->repository, rev, oid, err) < 0 ||
	    cli_open_store(cli, STORE_WRITE, err) < 0 ||
	    store_runs(cli->store, &cli->arena, &query, &runs, err) < 0)
		return -1;
	if (runs.count)
		return 0;
	return error_set(err, ERR_STORE,
			 "commit %.10s has no clean measurements and cannot be a baseline; ingest "
			 "its profiles first (--commit %.10s)",
			 oid, oid);
}

/* With --json, the baseline that was set or removed. */
static int print_one(struct cli *cli, const struct baseline_row *row, struct error *err)
{
	return cli->common.json ? cli_print_json(render_baselines_json(&cli->arena, row, 1), err)
				: EXIT_PASS;
}

/* The baseline of that name; NULL if there is none. */
static const struct baseline *find(const struct baseline_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].name, name) == 0)
			return &list->items[i];
	return NULL;
}

/* A pinned release cannot be moved: it has to be removed first. Runs inside the transaction that
 * sets the name, so that two processes cannot both pass the check. */
static int check_pinned(struct cli *cli, const char *name, const char *oid, bool pin,
			struct error *err)
{
	struct baseline_list list = {0};
	if (store_baselines(cli->store, &cli->arena, &list, err) < 0)
		return -1;
	const struct baseline *one = find(&list, name);
	if (!one || !one->pinned || (pin && strcmp(one->oid, oid) == 0))
		return 0;
	return error_set(err, ERR_USAGE,
			 "%s is a pinned release (%.10s); unpin it first: rooflog baseline rm %s",
			 name, one->oid, name);
}

static int set(struct cli *cli, const char *name, const char *rev, bool pin, struct error *err)
{
	char oid[65];
	if (check_name(name, err) < 0 || commit_with_runs(cli, rev, oid, err) < 0 ||
	    store_begin(cli->store, err) < 0 || check_pinned(cli, name, oid, pin, err) < 0 ||
	    store_set_baseline(cli->store, name, oid, cli->now, pin, err) < 0 ||
	    store_commit(cli->store, err) < 0)
		return -1;
	cli_note(cli, pin ? "pinned release %s at %.10s" : "baseline %s is %.10s", name, oid);
	const struct baseline_row row = {name, oid, cli->now, pin};
	return print_one(cli, &row, err);
}

/* Pins a commit. A relative revision (HEAD~2, main@{1}) is not a lasting name: it will mean another
 * commit later. */
static int pin(struct cli *cli, const char *name, const char *commit, struct error *err)
{
	if (!commit && (strpbrk(name, "~^:@") || is_taken(name)))
		return error_set(err, ERR_USAGE,
				 "\"%s\" will mean another commit later: give the release a name "
				 "(baseline pin NAME %s)",
				 name, name);
	return set(cli, name, commit ? commit : name, true, err);
}

static int forget(struct cli *cli, const char *name, struct error *err)
{
	bool removed = false;
	struct baseline_list list = {0};
	if (cli_open_store(cli, STORE_WRITE, err) < 0 || store_begin(cli->store, err) < 0 ||
	    store_baselines(cli->store, &cli->arena, &list, err) < 0 ||
	    store_remove_baseline(cli->store, name, cli->now, &removed, err) < 0 ||
	    store_commit(cli->store, err) < 0)
		return -1;
	if (!removed)
		return error_set(err, ERR_USAGE, "no baseline named \"%s\"", name);
	cli_note(cli, "baseline %s removed", name);
	const struct baseline *one = find(&list, name);
	const struct baseline_row row = {one->name, one->oid, one->set_at, one->pinned};
	return print_one(cli, &row, err);
}

struct baseline_options {
	const char *name, *commit;
};

static int do_set(struct cli *cli, void *options, struct error *err)
{
	const struct baseline_options *o = options;
	return set(cli, o->name, o->commit ? o->commit : "HEAD", false, err);
}

static int do_pin(struct cli *cli, void *options, struct error *err)
{
	const struct baseline_options *o = options;
	return pin(cli, o->name, o->commit, err);
}

static int do_rm(struct cli *cli, void *options, struct error *err)
{
	return forget(cli, ((const struct baseline_options *)options)->name, err);
}

static const struct command verb_list = {
	.name = "baseline list",
	.summary = "list baselines",
	.options_size = sizeof(struct baseline_options),
	.without_config = true,
	.run = do_list,
};
static const struct command verb_set = {
	.name = "baseline set",
	.summary = "name a commit to compare with",
	.arguments = {{"NAME", ARGUMENT(struct baseline_options, name)},
		      {"COMMIT", ARGUMENT(struct baseline_options, commit)}},
	.required = 1,
	.takes = "NAME and perhaps COMMIT",
	.options_size = sizeof(struct baseline_options),
	.without_config = true,
	.run = do_set,
};
static const struct command verb_pin = {
	.name = "baseline pin",
	.summary = "pin a release",
	.arguments = {{"NAME", ARGUMENT(struct baseline_options, name)},
		      {"COMMIT", ARGUMENT(struct baseline_options, commit)}},
	.required = 1,
	.takes = "NAME and perhaps COMMIT",
	.options_size = sizeof(struct baseline_options),
	.without_config = true,
	.run = do_pin,
};
static const struct command verb_rm = {
	.name = "baseline rm",
	.summary = "remove a baseline",
	.arguments = {{"NAME", ARGUMENT(struct baseline_options, name)}},
	.required = 1,
	.takes = "one NAME",
	.options_size = sizeof(struct baseline_options),
	.without_config = true,
	.run = do_rm,
};

static const struct command *const verbs[] = {&verb_list, &verb_set, &verb_pin, &verb_rm, NULL};

const struct command command_baseline = {
	.name = "baseline",
	.group = GROUP_FOLLOW_UP,
	.summary = "name commits to compare with; pin releases",
	.usage = "\n"
		 "set NAME [COMMIT]\n"
		 "pin NAME [COMMIT]\n"
		 "rm NAME",
	.about = "List, set and remove baselines: names for commits to compare with. A pinned\n"
		 "baseline is a release. It stays where it is, and nightly gates look for drift\n"
		 "since the latest one.",
	.notes = "COMMIT defaults to HEAD for set, and to the tag or commit NAME for pin. It must\n"
		 "have stored runs.",
	.verbs = verbs,
	.examples = {"rooflog baseline                          list",
		     "rooflog baseline set good HEAD~3          then: rooflog gate --against good",
		     "rooflog baseline pin v1.2                 the tag v1.2 as a release"},
	.options_size = sizeof(struct baseline_options),
	.without_config = true,
	.run = do_list,
	.documents = "baselines",
	.see_also = "gate compare accept",
};
