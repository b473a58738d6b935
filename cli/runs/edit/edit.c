/* What the commands that edit the store share. */
#include "cli/runs/edit/edit.h"

#include "base/text/text.h"
#include "cli/command.h"
#include "render/document/document.h"
#include "render/lists/lists.h"

int edit_command_check(const struct edit_options *options, struct error *err)
{
	const char *reason = options->reason;
	if (reason && options->undo)
		return error_set(err, ERR_USAGE, "--reason and --undo cannot be combined");
	if (reason && (!span_trim(span_of(reason)).len || !utf8_is_line(span_of(reason))))
		return error_set(err, ERR_USAGE, "--reason needs one line of text");
	return 0;
}

int edit_command_begin(struct cli *cli, const struct edit_options *options, struct error *err)
{
	/* It may call series otherwise. */
	if (cli_load_config(cli, err) < 0)
		return -1;
	if (options->dry_run)
		return cli_open_store(cli, STORE_READ, err);
	return cli_open_store(cli, STORE_WRITE, err) < 0 ? -1 : store_begin(cli->store, err);
}

int edit_command_commit(struct cli *cli, const struct edit_options *options, struct error *err)
{
	return options->dry_run ? 0 : store_commit(cli->store, err);
}

/* --- printing --- */

static const char *const commands_of[STORE_EDIT_KINDS] = {
	[STORE_EDIT_RM] = "rm",
	[STORE_EDIT_MV] = "mv",
	[STORE_EDIT_REPLACE] = "ingest --replace",
	[STORE_EDIT_AGAIN] = "ingest --again",
};

static struct edit_row row_of(struct arena *arena, const struct store_edit *edit)
{
	static const char *const effects[] = {
		[STORE_EFFECT_REMOVED] = "removed",
		[STORE_EFFECT_ADDED] = "added",
		[STORE_EFFECT_RENAMED] = "renamed",
	};
	struct edited_row *runs = arena_array(arena, edit->count, sizeof *runs);
	for (size_t i = 0; i < edit->count; i++) {
		const struct store_edited_run *one = &edit->runs[i];
		runs[i] = (struct edited_row){.id = one->stored.id,
					      .revision = &one->stored.revision,
					      .run = one->is ? one->is : one->stored.run,
					      .was = one->was,
					      .effect = effects[one->effect],
					      .removed = one->removed};
	}
	return (struct edit_row){.kind = store_edit_word(edit->kind),
				 .by = commands_of[edit->kind],
				 .time = edit->time,
				 .undone_at = edit->undone_at,
				 .reason = edit->reason,
				 .runs = runs,
				 .count = edit->count};
}

int edit_command_print(struct cli *cli, const struct edit_options *options,
		       const struct store_edit *edit, struct error *err)
{
	struct strbuf sb = {0};
	const struct edit_row row = row_of(&cli->arena, edit);
	if (cli->common.json)
		return cli_print_json(render_edits_json(&cli->arena, &row, 1, options->dry_run),
				      err);
	/* A renamed series may have thousands of runs. */
	if (edit->kind == STORE_EDIT_MV)
		render_edits_text(&cli->arena, &row, 1, cli_table_width(), &sb);
	else
		render_edited_runs_text(&cli->arena, &row, cli_table_width(), &sb);
	return cli_print_built(&sb, err);
}

/* Fails after the list if an edit is damaged, of which it has what is left. */
int edit_command_list(struct cli *cli, size_t limit, struct error *err)
{
	const bool json = cli->common.json;
	struct strbuf sb = {0};
	struct store_edit_list list;
	const struct store_edit *damaged = NULL;
	if (store_edits(cli->store, &cli->arena, ~0u, &list, err) < 0)
		return -1;
	size_t most = limit && limit < list.count ? limit : list.count, count = 0;
	struct edit_row *rows = arena_array(&cli->arena, most, sizeof *rows);
	for (size_t i = 0; i < most; i++) {
		struct store_edit *edit = &list.items[i];
		if (store_edit_runs(cli->store, &cli->arena, edit, err) < 0)
			return -1;
		if (edit->damage && !damaged)
			damaged = edit;
		if (edit->kind != STORE_EDIT_KINDS)
			rows[count++] = row_of(&cli->arena, edit);
	}
	if (!json && count)
		render_edits_text(&cli->arena, rows, count, cli_table_width(), &sb);
	if (!json && !list.count)
		cli_note(cli, "nothing was removed, replaced or renamed");
	if ((json ? cli_print_json(render_edits_json(&cli->arena, rows, count, false), err)
		  : cli_print_built(&sb, err)) < 0)
		return -1;
	return damaged ? store_edit_refuse(cli->store, damaged, err) : 0;
}

/* --- undoing --- */

static void note_undone(struct cli *cli, bool dry_run, const struct store_edit *edit)
{
	static const char *const back[] = {
		[STORE_EFFECT_REMOVED] = "brought back",
		[STORE_EFFECT_ADDED] = "removed",
		[STORE_EFFECT_RENAMED] = "named as before",
	};
	struct strbuf sb = {0};
	for (enum store_effect effect = STORE_EFFECT_REMOVED; effect <= STORE_EFFECT_RENAMED;
	     effect++) {
		size_t count = 0;
		for (size_t i = 0; i < edit->count; i++)
			count += edit->runs[i].effect == effect;
		if (count)
			strbuf_addf(&sb, ", %zu run%s %s", count, count == 1 ? "" : "s",
				    back[effect]);
	}
	const char *time =
		edit->time < 0 ? "an unknown time" : document_time(&cli->arena, edit->time);
	cli_note(cli, "%s: %s of %s%s%s%s%s", dry_run ? "would undo" : "undone",
		 commands_of[edit->kind], time, edit->reason ? " (" : "",
		 edit->reason ? edit->reason : "", edit->reason ? ")" : "", strbuf_text(&sb));
	strbuf_free(&sb);
}

int edit_command_undo(struct cli *cli, const struct edit_options *options, unsigned kinds,
		      const char *nothing, struct error *err)
{
	struct store_edit edit = {0};
	bool found = false;
	if (edit_command_begin(cli, options, err) < 0 ||
	    (options->dry_run ? store_last_edit(cli->store, &cli->arena, kinds, &edit, &found, err)
			      : store_undo(cli->store, &cli->arena, kinds, cli->now, &edit, &found,
					   err)) < 0)
		return -1;
	if (!found)
		return error_set(err, ERR_STORE, "%s", nothing);
	if (store_show_aliases(cli->store, true, err) < 0 ||
	    store_edit_runs(cli->store, &cli->arena, &edit, err) < 0 ||
	    edit_command_commit(cli, options, err) < 0 ||
	    edit_command_print(cli, options, &edit, err) < 0)
		return -1;
	note_undone(cli, options->dry_run, &edit);
	return EXIT_PASS;
}
