/* rooflog mv: renames series, so that their history continues under the new name. */
#include "base/text/text.h"
#include "cli/command.h"
#include "cli/config/config.h"
#include "cli/runs/edit/edit.h"
#include "cli/runs/runs.h"
#include "model/renaming/renaming.h"

enum { SHOWN_KERNELS = 5 };

struct mv_options {
	struct edit_options edit;
	const char *series, *name;
};

/* The series that are renamed, and what they are called then. */
struct moving {
	struct store_series *series;
	const struct run **names;
	size_t count;
};

/* --- which series --- */

/* Names kernels that begin with what was typed; else the most similar one. */
static int refuse_name(const char *typed, const struct store_series_list *list, struct error *err)
{
	struct strbuf names = {0};
	struct similar similar = similar_to(span_of(typed));
	size_t shown = 0;
	const char *last = "";
	for (size_t i = 0; i < list->count; i++) {
		const char *kernel = list->items[i].identity->kernel;
		if (!list->items[i].used || !kernel)
			continue;
		similar_offer(&similar, kernel);
		if (!typed[0] || strncmp(kernel, typed, strlen(typed)) != 0 ||
		    strcmp(kernel, last) == 0 || shown == SHOWN_KERNELS)
			continue;
		strbuf_addf(&names, "%s%.200s", shown++ ? ", " : "", kernel);
		last = kernel;
	}
	if (shown)
		error_set(err, ERR_STORE, "no series named \"%.200s\"; kernels that begin so: %s",
			  typed, strbuf_text(&names));
	else if (similar.word)
		error_set(err, ERR_STORE, "no series named \"%.200s\"; did you mean %.200s?", typed,
			  similar.word);
	else
		error_set(err, ERR_STORE,
			  "no series named \"%.200s\"; \"rooflog log --view series\" lists them",
			  typed);
	strbuf_free(&names);
	return -1;
}

static bool fits(const char *name, const struct store_series *one)
{
	return one->used && (renaming_fits(name, one->identity) ||
			     (one->stored && renaming_fits(name, one->stored)));
}

static int choose(struct cli *cli, const struct mv_options *o, struct moving *moving,
		  struct error *err)
{
	struct store_series_list list;
	struct arena *arena = &cli->arena;
	bool any = false;
	/* Whoever names a series has its name from a list. */
	if (store_show_aliases(cli->store, true, err) < 0 ||
	    store_series_all(cli->store, arena, &list, err) < 0)
		return -1;
	moving->series = arena_array(arena, list.count, sizeof *moving->series);
	moving->names = arena_array(arena, list.count, sizeof *moving->names);
	for (size_t i = 0; i < list.count; i++) {
		const struct store_series *one = &list.items[i];
		if (!fits(o->series, one))
			continue;
		const struct run *name = renaming_apply(arena, o->name, one->identity);
		const struct run *stored = one->stored ? one->stored : one->identity;
		any = true;
		if (strcmp(run_series_key(arena, name), run_series_key(arena, stored)) == 0)
			continue;
		moving->series[moving->count] = *one;
		moving->names[moving->count++] = name;
	}
	if (!any)
		return refuse_name(o->series, &list, err);
	if (!moving->count)
		return error_set(err, ERR_USAGE, "\"%.200s\" already has this name", o->series);
	return 0;
}

/* --- the edit --- */

static int foresee(struct cli *cli, const struct moving *moving, struct store_edit *edit,
		   struct error *err)
{
	return store_foresee_rename(cli->store, &cli->arena, edit, moving->series, moving->names,
				    moving->count, err);
}

static int apply(struct cli *cli, const struct moving *moving, struct store_edit *edit,
		 struct error *err)
{
	if (store_show_aliases(cli->store, false, err) < 0 ||
	    store_rename(cli->store, edit, moving->series, moving->names, moving->count, err) < 0)
		return -1;
	return store_edit_runs(cli->store, &cli->arena, edit, err);
}

/* As git-config(1) quotes subsections and values. */
static void add_quoted(struct strbuf *sb, const char *text)
{
	strbuf_addch(sb, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			strbuf_addch(sb, '\\');
		strbuf_addch(sb, *text);
	}
	strbuf_addch(sb, '"');
}

static void conclude(const struct cli *cli, const struct mv_options *o,
		     const struct store_edit *edit, size_t series)
{
	if (o->edit.dry_run) {
		cli_note(cli, "%zu run%s of %zu series would be renamed; nothing was changed",
			 edit->count, edit->count == 1 ? "" : "s", series);
		return;
	}
	cli_note(cli, "%zu run%s of %zu series renamed; \"rooflog mv --undo\" undoes it",
		 edit->count, edit->count == 1 ? "" : "s", series);
	struct strbuf line = {0};
	strbuf_addstr(&line, "[alias ");
	add_quoted(&line, o->series);
	strbuf_addstr(&line, "] as = ");
	if (strpbrk(o->name, "#;\"\\"))
		add_quoted(&line, o->name);
	else
		strbuf_addstr(&line, o->name);
	cli_note(cli, "files that still have the old name need this in .rooflog/config: %s",
		 strbuf_text(&line));
	strbuf_free(&line);
}

static int mv(struct cli *cli, void *options, struct error *err)
{
	const struct mv_options *o = options;
	struct moving moving = {0};
	struct store_edit edit = {
		.kind = STORE_EDIT_MV, .time = cli->now, .reason = o->edit.reason};
	if (o->edit.undo)
		return edit_command_undo(cli, &o->edit, 1u << STORE_EDIT_MV, "no renaming to undo",
					 err);
	if (edit_command_begin(cli, &o->edit, err) < 0 || choose(cli, o, &moving, err) < 0 ||
	    (o->edit.dry_run ? foresee : apply)(cli, &moving, &edit, err) < 0 ||
	    edit_command_commit(cli, &o->edit, err) < 0 ||
	    edit_command_print(cli, &o->edit, &edit, err) < 0)
		return -1;
	conclude(cli, o, &edit, moving.count);
	return EXIT_PASS;
}

static int check(struct cli *cli, void *options, struct error *err)
{
	const struct mv_options *o = options;
	(void)cli;
	if (o->edit.undo ? o->series != NULL : o->name == NULL)
		return error_set(err, ERR_USAGE,
				 "give the series and its new name, or --undo alone");
	if (!o->edit.undo && renaming_check(o->name, err) < 0)
		return error_prefix(err, "\"%.200s\"", o->name);
	return edit_command_check(&o->edit, err);
}

#define FIELD(member) OPTION_FIELD(struct mv_options, member)
static const struct option rows[] = {
	{FIELD(edit.reason), "reason", "TEXT", "why; 'rooflog log --view edits' shows it"},
	{FIELD(edit.dry_run), "dry-run", NULL, "show which series would be renamed"},
	{FIELD(edit.undo), "undo", NULL, "undo the last mv; repeat to undo the one before"},
	{.kind = OPTION_END},
};

const struct command command_mv = {
	.name = "mv",
	.group = GROUP_STORE,
	.summary = "rename series",
	.usage = "SERIES NEW [--dry-run]\n"
		 "--undo",
	.about = "Rename series, so that their history continues under the new name. SERIES is a\n"
		 "kernel, or a name as tables print it. NEW, the last argument, is a kernel name\n"
		 "or the parts that change: variant=v2,s=512.",
	.notes = "Profiles that still carry the old name need a line in [alias], which mv prints.",
	.examples = {"rooflog mv flash_fwd attention            rename a kernel",
		     "rooflog mv 'attention old' variant=v1     rename a variant",
		     "rooflog mv --dry-run flash_fwd attention"},
	.options = rows,
	.arguments = {{"SERIES", ARGUMENT(struct mv_options, series)},
		      {"NEW", ARGUMENT(struct mv_options, name)}},
	.options_size = sizeof(struct mv_options),
	.check = check,
	.run = mv,
	.sections = "alias",
	.documents = "edits",
	.see_also = "log rm",
};
