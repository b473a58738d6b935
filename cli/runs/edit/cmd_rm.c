/* rooflog rm: removes runs from the store, or undoes that. */
#include "cli/command.h"
#include "cli/runs/edit/edit.h"
#include "cli/runs/runs.h"
#include "cli/runs/words/words.h"

struct rm_options {
	struct edit_options edit;
	const char *commit;
	bool all_commits;
	struct run_filter filter;
	struct arguments runs;
};

/* --- which runs --- */

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

static const struct words_rules rules = {
	.command = "rm", .kinds = WORD_RUN, .does = "rm removes stored runs"};

static int choose_named(struct cli *cli, struct rm_options *o, struct store_edit *edit,
			struct error *err)
{
	struct words words;
	if (words_begin(cli, &rules, &o->runs, &words, err) < 0 ||
	    words_resolve(cli, &rules, &words, &o->filter, err) < 0)
		return -1;
	for (size_t i = 0; i < words.count; i++) {
		const struct run_query query = {.id = words.items[i].id};
		struct store_run_list found = {0};
		if (store_runs(cli->store, &cli->arena, &query, &found, err) < 0)
			return -1;
		for (size_t k = 0; k < found.count; k++)
			add(cli, edit, &found.items[k]);
	}
	return 0;
}

static int choose(struct cli *cli, struct rm_options *o, struct store_edit *edit, struct error *err)
{
	struct store_run_list found = {0};
	char oid[65] = "";
	/* Whoever names runs has their names from a list. */
	if (store_show_aliases(cli->store, true, err) < 0)
		return -1;
	if (o->runs.count)
		return choose_named(cli, o, edit, err);
	if (runs_prepare_filter(cli, &o->filter, err) < 0 ||
	    (o->commit && runs_resolve_baseline(cli, o->commit, oid, err) < 0))
		return -1;
	const struct run_query query = runs_query(&o->filter, o->commit ? oid : NULL);
	if (store_runs(cli->store, &cli->arena, &query, &found, err) < 0)
		return -1;
	for (size_t i = 0; i < found.count; i++)
		add(cli, edit, &found.items[i]);
	return edit->count ? 0 : runs_none(cli, &o->filter, oid, err);
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
	struct rm_options *o = options;
	struct store_edit edit = {
		.kind = STORE_EDIT_RM, .time = cli->now, .reason = o->edit.reason};
	if (o->edit.undo)
		return edit_command_undo(cli, &o->edit,
					 1u << STORE_EDIT_RM | 1u << STORE_EDIT_REPLACE |
						 1u << STORE_EDIT_AGAIN,
					 "no removal to undo", err);
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
	bool filtered = runs_filter_narrows(&o->filter);
	(void)cli;
	if ((o->runs.count != 0) + (o->commit != NULL) + o->all_commits + o->edit.undo != 1)
		return error_set(
			err, ERR_USAGE,
			"nothing to remove: give RUN..., --commit COMMIT, --all-commits or --undo");
	if (filtered && !o->commit && !o->all_commits)
		return error_set(err, ERR_USAGE,
				 "filters select among the runs of commits: give --commit COMMIT "
				 "or --all-commits");
	if (!filtered && o->all_commits)
		return error_set(err, ERR_USAGE,
				 "--all-commits needs a filter such as --kernel scratch; to drop "
				 "the whole store, delete its file");
	return edit_command_check(&o->edit, err);
}

#define FIELD(member) OPTION_FIELD(struct rm_options, member)
static const struct option rows[] = {
	{FIELD(commit), "commit", "COMMIT", "remove the runs of this commit that match"},
	{FIELD(all_commits), "all-commits", NULL, "remove the runs of all commits that match"},
	{FIELD(edit.reason), "reason", "TEXT", "why; 'rooflog log --view edits' shows it"},
	{FIELD(edit.dry_run), "dry-run", NULL, "show what would be removed"},
	{FIELD(edit.undo), "undo", NULL,
	 "undo the last rm or 'ingest --replace'; repeat to undo the one before"},
	{OPTION_GROUP(struct rm_options, filter, run_filter_options)},
	{.kind = OPTION_END},
};

const struct command command_rm = {
	.name = "rm",
	.group = GROUP_STORE,
	.with_next = true,
	.summary = "remove runs",
	.usage = "RUN... [--dry-run]\n"
		 "--commit COMMIT [FILTER]... [--dry-run]\n"
		 "--all-commits FILTER... [--dry-run]\n"
		 "--undo",
	.about = "Remove runs from the store. Histories and baselines follow. The store records\n"
		 "what was removed and when, so that it can be undone.",
	.examples = {"rooflog rm d0a75ab4                       one run",
		     "rooflog rm --commit HEAD --device a100-sxm-80gb",
		     "rooflog rm --all-commits --kernel scratch --dry-run",
		     "rooflog rm --undo                         bring back what was removed last"},
	.options = rows,
	.arguments = {{"RUN", ARGUMENT(struct rm_options, runs)}},
	.options_size = sizeof(struct rm_options),
	.check = check,
	.run = rm,
	.sections = "alias",
	.documents = "edits",
	.see_also = "log mv ingest",
};
