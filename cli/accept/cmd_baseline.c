/* rooflog baseline: names for commits to compare with. It writes only the store's table of
 * names. */
#include "cli/command.h"

#include "cli/runs/runs.h"
#include "render/lists/lists.h"

static int list(struct cli *cli, bool json, struct error *err)
{
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
	if (json)
		return cli_print_json(render_baselines_json(arena, rows, baselines.count), err);
	if (baselines.count == 0) {
		cli_note(cli, "no baseline is named yet: rooflog baseline set NAME [REV]");
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
		return error_set(err, ERR_USAGE, "\"%.40s\" is no name for a baseline", name);
	if (is_taken(name))
		return error_set(err, ERR_USAGE, "\"%s\" already means something else", name);
	for (const char *c = name; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			return error_set(err, ERR_USAGE, "a baseline's name is one line of text");
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
			 "commit %.10s has no stored clean runs, so nothing could be compared with "
			 "it; ingest its profiles first (--commit %.10s)",
			 oid, oid);
}

/* A pinned release cannot be moved: it has to be removed first. Runs inside the transaction that
 * sets the name, so that two processes cannot both pass the check. */
static int check_pinned(struct cli *cli, const char *name, const char *oid, bool pin,
			struct error *err)
{
	struct baseline_list list = {0};
	if (store_baselines(cli->store, &cli->arena, &list, err) < 0)
		return -1;
	for (size_t i = 0; i < list.count; i++) {
		const struct baseline *one = &list.items[i];
		if (strcmp(one->name, name) != 0 || !one->pinned ||
		    (pin && strcmp(one->oid, oid) == 0))
			continue;
		return error_set(err, ERR_USAGE,
				 "%s is a pinned release (%.10s); unpin it first: rooflog baseline "
				 "remove %s",
				 name, one->oid, name);
	}
	return 0;
}

static int set(struct cli *cli, const char *name, const char *rev, bool pin, struct error *err)
{
	char oid[65];
	if (check_name(name, err) < 0 || commit_with_runs(cli, rev, oid, err) < 0 ||
	    store_begin(cli->store, err) < 0 || check_pinned(cli, name, oid, pin, err) < 0 ||
	    store_set_baseline(cli->store, name, oid, cli->now, pin, err) < 0 ||
	    store_commit(cli->store, err) < 0)
		return -1;
	cli_note(cli, pin ? "release %s is pinned at %.10s" : "baseline %s is %.10s", name, oid);
	return EXIT_PASS;
}

/* Pins a commit. A relative revision (HEAD~2, main@{1}) is not a lasting name: it will mean another
 * commit later. */
static int pin(struct cli *cli, const char *rev, const char *name, struct error *err)
{
	if (!name && (strpbrk(rev, "~^:@") || is_taken(rev)))
		return error_set(err, ERR_USAGE,
				 "\"%s\" will mean another commit later: give the release a name "
				 "(baseline pin %s NAME)",
				 rev, rev);
	return set(cli, name ? name : rev, rev, true, err);
}

static int forget(struct cli *cli, const char *name, struct error *err)
{
	bool removed = false;
	if (cli_open_store(cli, STORE_WRITE, err) < 0 || store_begin(cli->store, err) < 0 ||
	    store_remove_baseline(cli->store, name, &removed, err) < 0 ||
	    store_commit(cli->store, err) < 0)
		return -1;
	if (!removed)
		return error_set(err, ERR_USAGE, "there is no baseline \"%s\"", name);
	cli_note(cli, "baseline %s is gone", name);
	return EXIT_PASS;
}

struct baseline_options {
	bool json;
	struct arguments arguments; /* the verb and what it takes; none: list */
};

static int baseline(struct cli *cli, void *options, struct error *err)
{
	const struct baseline_options *o = options;
	char **words = o->arguments.items;
	size_t count = o->arguments.count;
	const char *verb = count ? words[0] : "list";
	const char *last = count == 3 ? words[2] : NULL;
	if (strcmp(verb, "list") == 0 && count <= 1)
		return list(cli, o->json, err);
	if (o->json)
		return error_set(err, ERR_USAGE, "--json is for list, not for %s", verb);
	if (strcmp(verb, "set") == 0 && (count == 2 || count == 3))
		return set(cli, words[1], last ? last : "HEAD", false, err);
	if (strcmp(verb, "pin") == 0 && (count == 2 || count == 3))
		return pin(cli, words[1], last, err);
	if (strcmp(verb, "remove") == 0 && count == 2)
		return forget(cli, words[1], err);
	return error_set(err, ERR_USAGE,
			 "expected: set NAME [REV], pin REV [NAME], list, or remove NAME");
}

#define FIELD(member) OPTION_FIELD(struct baseline_options, member)
static const struct option rows[] = {
	{FIELD(json), "json", NULL, "the list as JSON"},
	{.kind = OPTION_END},
};

const struct command command_baseline = {
	.name = "baseline",
	.group = GROUP_FOLLOW_UP,
	.summary = "name commits to compare with; pin releases",
	.usage = "set NAME [REV] | pin REV [NAME] | list | remove NAME",
	.about =
		"Names commits so that \"gate --against NAME\" compares with them. A pinned one is "
		"a\nrelease, which stays where it is. For set, REV is HEAD when it is left out, "
		"and "
		"for pin\nNAME is REV as it is written; the commit must have stored runs.",
	.options = rows,
	.arguments = {{"VERB", ARGUMENT(struct baseline_options, arguments)}},
	.examples = {"rooflog baseline set stable v1.0", "rooflog baseline pin v1.0",
		     "rooflog baseline list --json"},
	.options_size = sizeof(struct baseline_options),
	.run = baseline,
};
