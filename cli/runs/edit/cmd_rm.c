/* rooflog rm: removes runs from the store, or undoes that. */
#include "cli/command.h"
#include "cli/runs/edit/edit.h"
#include "cli/runs/runs.h"

enum { LEAST_DIGITS = 6, SHOWN_IDS = 5 };

struct rm_options {
	struct edit_options edit;
	const char *commit;
	struct run_filter filter;
	struct arguments runs;
};

/* --- which runs --- */

static int refuse_several(const char *digits, const struct store_run_list *found, struct error *err)
{
	struct strbuf ids = {0};
	for (size_t i = 0; i < found->count && i < SHOWN_IDS; i++)
		strbuf_addf(&ids, "%s%.12s", i ? ", " : "", found->items[i].id);
	error_set(err, ERR_USAGE, "%s begins %zu runs: write more digits (%s%s)", digits,
		  found->count, strbuf_text(&ids), found->count > SHOWN_IDS ? " ..." : "");
	strbuf_free(&ids);
	return -1;
}

static int find_run(struct cli *cli, const char *digits, struct store_run_list *found,
		    struct error *err)
{
	const struct run_query query = {.id = digits};
	size_t len = strspn(digits, "0123456789abcdef");
	if (digits[len] || len < LEAST_DIGITS || len > 64)
		return error_set(err, ERR_USAGE,
				 "%.80s is not a run: give the first %d digits of its id or more "
				 "(\"rooflog log\" shows 8), or --commit",
				 digits, LEAST_DIGITS);
	if (store_runs(cli->store, &cli->arena, &query, found, err) < 0)
		return -1;
	if (found->count > 1)
		return refuse_several(digits, found, err);
	if (found->count == 1)
		return 0;
	return error_set(err, ERR_STORE,
			 "%s has no run whose id begins with %s; \"rooflog log --view edits\" "
			 "lists what was removed",
			 cli->common.store_path ? cli->common.store_path : "the store", digits);
}

static void add(struct cli *cli, struct store_edit *edit, const struct store_run *stored)
{
	for (size_t i = 0; i < edit->count; i++)
		if (edit->runs[i].stored.run->row == stored->run->row)
			return;
	struct store_edited_run *one =
		arena_next(&cli->arena, edit->runs, edit->count, edit->capacity);
	*one = (struct store_edited_run){
		.stored = *stored, .effect = STORE_EFFECT_REMOVED, .removed = true};
}

static int choose(struct cli *cli, const struct rm_options *o, struct store_edit *edit,
		  struct error *err)
{
	struct store_run_list found = {0};
	char oid[65];
	/* Whoever names runs has their names from a list. */
	if (store_show_aliases(cli->store, true, err) < 0)
		return -1;
	for (size_t i = 0; i < o->runs.count; i++) {
		if (find_run(cli, o->runs.items[i], &found, err) < 0)
			return -1;
		add(cli, edit, &found.items[0]);
	}
	if (!o->commit)
		return 0;
	if (runs_resolve_commit(cli, o->commit, oid, err) < 0)
		return -1;
	const struct run_query query = runs_query(&o->filter, oid);
	if (store_runs(cli->store, &cli->arena, &query, &found, err) < 0)
		return -1;
	for (size_t i = 0; i < found.count; i++)
		add(cli, edit, &found.items[i]);
	return edit->count ? 0 : runs_none(oid, err);
}

/* --- the command --- */

static int apply(struct cli *cli, struct store_edit *edit, struct error *err)
{
	if (store_show_aliases(cli->store, false, err) < 0)
		return -1;
	struct store_alteration *runs = arena_array(&cli->arena, edit->count, sizeof *runs);
	for (size_t i = 0; i < edit->count; i++)
		runs[i] = (struct store_alteration){edit->runs[i].stored.run->row,
						    STORE_EFFECT_REMOVED, NULL};
	return store_apply_edit(cli->store, edit, runs, edit->count, err);
}

static int rm(struct cli *cli, void *options, struct error *err)
{
	const struct rm_options *o = options;
	struct store_edit edit = {
		.kind = STORE_EDIT_RM, .time = cli->now, .reason = o->edit.reason};
	if (o->edit.undo)
		return edit_command_undo(cli, &o->edit,
					 1u << STORE_EDIT_RM | 1u << STORE_EDIT_REPLACE |
						 1u << STORE_EDIT_AGAIN,
					 "no run was removed that could be brought back", err);
	if (edit_command_begin(cli, &o->edit, err) < 0 || choose(cli, o, &edit, err) < 0 ||
	    (!o->edit.dry_run && apply(cli, &edit, err) < 0) ||
	    edit_command_commit(cli, &o->edit, err) < 0 ||
	    edit_command_print(cli, &o->edit, &edit, err) < 0)
		return -1;
	if (o->edit.dry_run)
		cli_note(cli, "%zu run%s would be removed; nothing was changed", edit.count,
			 edit.count == 1 ? "" : "s");
	else
		cli_note(cli, "%zu run%s removed; \"rooflog rm --undo\" brings %s back", edit.count,
			 edit.count == 1 ? "" : "s", edit.count == 1 ? "it" : "them");
	return EXIT_PASS;
}

static int check(struct cli *cli, void *options, struct error *err)
{
	const struct rm_options *o = options;
	const struct run_filter *filter = &o->filter;
	bool filtered = filter->kernel || filter->variant || filter->dtype || filter->device;
	(void)cli;
	if ((o->runs.count != 0) + (o->commit != NULL) + o->edit.undo != 1)
		return error_set(err, ERR_USAGE,
				 "give one of RUN..., --commit REV and --undo: what is to be "
				 "removed");
	if (filtered && !o->commit)
		return error_set(err, ERR_USAGE,
				 "--kernel, --variant, --dtype and --device select "
				 "runs of a commit: give --commit REV");
	return edit_command_check(&o->edit, err);
}

#define FIELD(member) OPTION_FIELD(struct rm_options, member)
static const struct option rows[] = {
	{FIELD(commit), "commit", "REV", "the runs of this commit that match"},
	{OPTION_GROUP(struct rm_options, filter, run_filter_options)},
	{FIELD(edit.reason), "reason", "WORDS", "why, for \"rooflog log --view edits\""},
	{FIELD(edit.dry_run), "dry-run", NULL, "show what would be removed"},
	{FIELD(edit.undo), "undo", NULL,
	 "undo the last rm or ingest --replace; repeated, the one before"},
	{FIELD(edit.json), "json", NULL, "the result as JSON (docs/schema/edits-1.schema.json)"},
	{.kind = OPTION_END},
};

const struct command command_rm = {
	.name = "rm",
	.group = GROUP_STORE,
	.with_next = true,
	.summary = "remove runs",
	.usage = "RUN... | --commit REV [FILTER]... | --undo",
	.about = "Removes runs: histories and verdicts are as if they had never been stored. RUN "
		 "is\n"
		 "the first digits of an id. The store keeps what was removed, when and why, so\n"
		 "that --undo can bring it back.",
	.options = rows,
	.arguments = {{"RUN", ARGUMENT(struct rm_options, runs)}},
	.examples = {"rooflog rm d0a75ab4", "rooflog rm --commit HEAD --kernel mlp --dry-run",
		     "rooflog rm --undo"},
	.options_size = sizeof(struct rm_options),
	.check = check,
	.run = rm,
};
