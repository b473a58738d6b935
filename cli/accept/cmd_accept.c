/* rooflog accept: adds a line for a known regression to .rooflog/accept of the work tree, or lists
 * the acceptances of a commit. It only reads the store and never commits. */
#include "cli/command.h"

#include "base/text/text.h"
#include "cli/accept/accept.h"
#include "cli/accept/file.h"
#include "cli/runs/words/words.h"
#include "render/document/document.h"
#include "render/report/report.h"
#include "render/lists/lists.h"

enum { DEFAULT_DAYS = 90 }; /* until an acceptance expires: one quarter */

/* ---- the list ---- */

/* A baseline's name counts where there is a store: without one, acceptances can still be listed. */
static int resolve(struct cli *cli, const char *commit, char oid[65], struct error *err)
{
	struct error ignored;
	if (strcmp(commit, "HEAD") != 0 && cli_open_store(cli, STORE_READ, &ignored) == 0)
		return runs_resolve_baseline(cli, commit, oid, err);
	return repository_resolve(cli->repository, commit, oid, err);
}

static int list_lines(struct cli *cli, const char *rev, bool json, struct error *err)
{
	char oid[65];
	struct acceptance_list list;
	const char *unread;
	if (resolve(cli, rev, oid, err) < 0 || accept_load(cli, oid, &list, &unread, err) < 0)
		return -1;
	if (unread)
		return error_set(err, ERR_REVISION, "%s", unread);
	struct candidate_clock candidate = {.cli = cli, .candidate = oid};
	struct acceptance_clock clock = accept_clock(&candidate);
	if (json)
		return cli_print_json(render_acceptances_json(&cli->arena, &list, &clock), err);
	if (list.count == 0) {
		cli_note(cli, "no acceptances at commit %.10s: %s has no lines", oid,
			 acceptance_path);
		return EXIT_PASS;
	}
	struct strbuf sb = {0};
	render_acceptances_text(&cli->arena, &list, &clock, cli_table_width(), &sb);
	return cli_print_built(&sb, err);
}

/* ---- a new line ---- */

struct request {
	const char *reason, *metric, *limit, *expires, *commit;
	bool retired, dry_run;
	struct arguments series; /* none: the acceptances are listed */
};

/* A field of the line: text without line breaks, blanks at its ends removed. */
static int parse_field(struct cli *cli, const char *what, const char *text, const char **field,
		       struct error *err)
{
	struct span trimmed = span_trim(span_of(text));
	if (trimmed.len == 0 || !utf8_is_line(trimmed))
		return error_set(err, ERR_USAGE, "the %s must be one line of text", what);
	*field = arena_strndup(&cli->arena, trimmed.ptr, trimmed.len);
	return 0;
}

/* The value of an environment variable, else of the first of git's settings that is set; NULL if
 * there is none. This is git's own order for authors. */
static int identity(struct cli *cli, const char *variable, const char *const names[2],
		    const char **value, struct error *err)
{
	*value = getenv(variable);
	for (size_t i = 0; i < 2 && !(*value && **value); i++)
		if (repository_setting(cli->repository, &cli->arena, names[i], value, err) < 0)
			return -1;
	if (*value && !**value)
		*value = NULL;
	return 0;
}

static int default_author(struct cli *cli, const char **author, struct error *err)
{
	static const char *const names[] = {"author.name", "user.name"};
	static const char *const mails[] = {"author.email", "user.email"};
	const char *name, *mail;
	if (identity(cli, "GIT_AUTHOR_NAME", names, &name, err) < 0 ||
	    identity(cli, "GIT_AUTHOR_EMAIL", mails, &mail, err) < 0)
		return -1;
	if (!name || !mail)
		return error_set(err, ERR_USAGE,
				 "git has no %s for the author of the acceptance: run git config "
				 "--global user.%s ...",
				 name ? "e-mail address" : "name", name ? "email" : "name");
	*author = arena_printf(&cli->arena, "%s <%s>", name, mail);
	return 0;
}

static int parse_metric(const char *text, struct acceptance *line, struct error *err)
{
	line->metric = METRIC_COUNT;
	if (!text || strcmp(text, "*") == 0)
		return 0;
	return option_metric(text, &line->metric, err);
}

/* Takes the fields from the options and fills in the defaults that do not depend on runs. */
static int parse_fields(struct cli *cli, const struct request *request, const char *pattern,
			struct acceptance *line, struct error *err)
{
	const char *author, *day;
	if (parse_field(cli, "series pattern", pattern, &line->series, err) < 0 ||
	    parse_field(cli, "reason", request->reason, &line->reason, err) < 0 ||
	    parse_metric(request->metric, line, err) < 0 || default_author(cli, &author, err) < 0 ||
	    parse_field(cli, "author", author, &line->author, err) < 0)
		return -1;
	if (strchr(line->series, '|') || line->series[0] == '#')
		return error_set(
			err, ERR_USAGE,
			"a series pattern cannot contain | or begin with #: write ? instead");
	if (strchr(line->author, '|'))
		return error_set(err, ERR_USAGE, "the author's name cannot contain |");
	line->retired = request->retired;
	line->limit = request->retired ? "retired" : request->limit;
	line->expires = request->expires;
	if (!line->expires) {
		day = document_day(&cli->arena, cli->now + (int64_t)DEFAULT_DAYS * 86400);
		line->expires = day ? day : "";
	}
	return 0;
}

/* Writes the line and parses it again: only a line that reads back as the same acceptance may enter
 * the file. */
static int check_line(struct cli *cli, struct acceptance *line, struct error *err)
{
	struct acceptance_list list;
	const char *text = acceptance_line(&cli->arena, line);
	if (acceptance_parse(&cli->arena, "the line to write", span_of(text), &list, err) < 0)
		return -1;
	if (list.count != 1 || list.items[0].retired != line->retired ||
	    strcmp(acceptance_line(&cli->arena, &list.items[0]), text) != 0 ||
	    strcmp(list.items[0].reason, line->reason) != 0)
		return error_set(err, ERR_USAGE, "not a valid acceptance: %.300s", text);
	*line = list.items[0];
	return 0;
}

/* Writes a commit by its whole id, so that it stays that commit. */
static void spell_out(struct cli *cli, struct acceptance *line)
{
	struct error ignored;
	char oid[65];
	bool found;
	if (line->expires[strspn(line->expires, "0123456789abcdefABCDEF")])
		return;
	if (accept_find_end(cli, line->expires, oid, &found, &ignored) == 0 && found &&
	    strncasecmp(oid, line->expires, strlen(line->expires)) == 0)
		line->expires = arena_strdup(&cli->arena, oid);
}

static int check_expiry(struct cli *cli, const char *oid, const struct acceptance *line,
			struct error *err)
{
	struct candidate_clock candidate = {.cli = cli, .candidate = oid};
	struct acceptance_clock clock = accept_clock(&candidate);
	switch (acceptance_standing(line, &clock)) {
	case ACCEPTANCE_VALID:
		break;
	case ACCEPTANCE_EXPIRED:
		return error_set(err, ERR_USAGE,
				 line->expiry == ACCEPTANCE_DAY
					 ? "--expires %s: this date is in the past"
					 : "--expires %s: already contained in this commit; give a "
					   "date or a later tag",
				 line->expires);
	case ACCEPTANCE_WAITING:
		cli_note(cli,
			 "%s does not exist yet: the acceptance ends once a revision with that "
			 "name is an ancestor of the tested commit",
			 line->expires);
		break;
	case ACCEPTANCE_UNCLEAR:
		cli_warn(cli,
			 "cannot determine whether %s is an ancestor of this commit; wherever that "
			 "is so, this line has no effect",
			 line->expires);
		break;
	}
	return 0;
}

/* Notes where the limit comes from, and warns about a line that has no effect or accepts too
 * little. */
static void note_measure(struct cli *cli, const struct acceptance_wish *wish, bool limit_given)
{
	const struct acceptance *line = wish->line;
	if (wish->series == 0) {
		if (!line->retired)
			cli_warn(cli, "no run at %.10s matches this line", wish->oid);
		return;
	}
	if (line->retired) {
		cli_warn(cli,
			 "%zu matching series %s still measured at %.10s: \"retired\" applies only "
			 "to series without new measurements",
			 wish->series, wish->series == 1 ? "is" : "are", wish->oid);
		return;
	}
	if (isnan(wish->worst))
		return;
	const struct metric_info *info = metric_info(line->metric);
	const char *worst = quantity_text(&cli->arena, wish->worst, info->unit);
	if (!limit_given)
		cli_note(cli, "the limit %s is %s%s, the %s%s of %zu series at %.10s", line->limit,
			 info->direction == METRIC_NEITHER ? "" : "5 % beyond ", worst,
			 wish->series > 1 ? "worst " : "", info->key, wish->series, wish->oid);
	else if (acceptance_is_worse(wish->worst, acceptance_limit(line, line->metric),
				     info->direction))
		cli_warn(cli, "%s at %.10s, %s, is already worse than the limit %s", info->key,
			 wish->oid, worst, line->limit);
}

/* Warns if one limit covers series that differ: the fastest of them could become much slower
 * unnoticed. */
static void warn_of_room(struct cli *cli, const struct acceptance_wish *wish)
{
	const struct acceptance *line = wish->line;
	if (line->retired || isnan(wish->best) || wish->best == 0 ||
	    fabs(wish->worst / wish->best - 1) < 0.05)
		return;
	const struct metric_info *info = metric_info(line->metric);
	cli_warn(cli,
		 "the matching series differ: one that is now at %s may also go up to %s; use one "
		 "line per series for tighter limits",
		 quantity_text(&cli->arena, wish->best, info->unit), line->limit);
}

static void note_edit(struct cli *cli, const struct accept_edit *edit)
{
	bool ignored = false;
	struct error none;
	for (size_t i = 0; i < edit->replaced_count; i++)
		cli_note(cli, "it %s: %s", edit->dry_run ? "would replace" : "replaces",
			 edit->replaced[i]);
	if (edit->dry_run) {
		cli_note(cli, "dry run: would be line %zu of %s", edit->number, edit->path);
		return;
	}
	cli_note(cli,
		 "added as line %zu of %s; takes effect once it is committed and merged into the "
		 "baseline branch",
		 edit->number, edit->path);
	if (repository_is_ignored(cli->repository, acceptance_path, &ignored, &none) == 0 &&
	    ignored)
		cli_warn(cli,
			 ".gitignore excludes %s: remove the .rooflog/ entry (.rooflog/.gitignore "
			 "already excludes the store), or run: git add --force %s",
			 acceptance_path, acceptance_path);
}

static int print_line(struct cli *cli, const struct accept_edit *edit, bool json, struct error *err)
{
	const struct acceptance *line = edit->line;
	if (!json)
		return cli_print_clean(
			arena_printf(&cli->arena, "%s\n", acceptance_line(&cli->arena, line)), err);
	struct acceptance numbered = *line;
	numbered.line = edit->number;
	const char *state = edit->dry_run ? "not written" : "written";
	return cli_print_json(render_acceptance_json(&cli->arena, &numbered, state), err);
}

static int accept(struct cli *cli, const struct request *request, const char *pattern,
		  struct error *err)
{
	char oid[65];
	struct acceptance line = {0};
	struct acceptance_wish wish = {
		.line = &line, .oid = oid, .metric_given = request->metric != NULL};
	struct accept_edit edit = {.line = &line, .dry_run = request->dry_run};
	if (parse_fields(cli, request, pattern, &line, err) < 0 || cli_load_config(cli, err) < 0 ||
	    resolve(cli, request->commit, oid, err) < 0 || accept_measure(cli, &wish, err) < 0)
		return -1;
	spell_out(cli, &line);
	if (check_line(cli, &line, err) < 0 || check_expiry(cli, oid, &line, err) < 0 ||
	    accept_edit(cli, &edit, err) < 0)
		return -1;
	note_measure(cli, &wish, request->limit != NULL);
	warn_of_room(cli, &wish);
	note_edit(cli, &edit);
	return print_line(cli, &edit, cli->common.json, err);
}

static int check(struct cli *cli, void *options, struct error *err)
{
	const struct request *request = options;
	size_t count = request->series.count;
	(void)cli;
	if (count == 0 && (request->reason || request->metric || request->limit ||
			   request->expires || request->retired || request->dry_run))
		return error_set(
			err, ERR_USAGE,
			"SERIES is missing\nhint: without options, accept lists the acceptances");
	if (count == 0)
		return 0;
	if (!request->reason)
		return error_set(err, ERR_USAGE,
				 "--reason is missing: state why the slowdown is accepted");
	if (request->retired && request->limit)
		return error_set(err, ERR_USAGE, "--retired and --limit cannot be combined");
	return 0;
}

static const struct words_rules rules = {
	.command = "accept", .kinds = WORD_SERIES, .does = "accept takes SERIES"};

static int accept_series(struct cli *cli, void *options, struct error *err)
{
	struct request *request = options;
	const char *pattern;
	request->commit = request->commit ? request->commit : "HEAD";
	if (!request->series.count)
		return list_lines(cli, request->commit, cli->common.json, err);
	if (words_pattern(cli, &rules, &request->series, &pattern, err) < 0)
		return -1;
	return accept(cli, request, pattern, err);
}

#define FIELD(member) OPTION_FIELD(struct request, member)
static const struct option rows[] = {
	{FIELD(reason), "reason", "TEXT", "reason, shown in every report"},
	{FIELD(limit), "limit", "VALUE", "the worst value accepted (default: 5 % worse than now)"},
	{FIELD(expires), "expires", "WHEN", "a day, a commit or tag, or never (default: 90 days)"},
	{FIELD(metric), "metric", "KEY", "a metric, or * for all (default: the one judged)"},
	{FIELD(retired), "retired", NULL, "accept that the series is no longer measured"},
	{FIELD(commit), "commit", "COMMIT",
	 "whose runs set the limit, or whose acceptances are listed (default: HEAD)"},
	{FIELD(dry_run), "dry-run", NULL, "print the line, write nothing"},
	{.kind = OPTION_END},
};

const struct command command_accept = {
	.name = "accept",
	.group = GROUP_FOLLOW_UP,
	.summary = "accept a known regression, up to a limit",
	.usage = "SERIES --reason TEXT [OPTION]...\n"
		 "[--commit COMMIT]",
	.about = "Accept a known regression, up to a limit and until a date. This adds a line to\n"
		 ".rooflog/accept. Commit it; it takes effect once it is on the branch that the\n"
		 "gate compares with. Without SERIES: list the acceptances.",
	.notes = "The author is git's user.name.",
	.options = rows,
	.arguments = {{"SERIES", ARGUMENT(struct request, series)}},
	.examples = {"rooflog accept attention s=512 --reason 'longer sequences need spilling'",
		     "rooflog accept mlp --limit 48us --expires 2027-01-31 --reason 'new compiler'",
		     "rooflog accept 'old_*' --retired --expires never --reason 'no longer built'",
		     "rooflog accept                            what is accepted, and until when"},
	.options_size = sizeof(struct request),
	.needs = NEEDS_REPOSITORY,
	.check = check,
	.run = accept_series,
	.sections = "alias",
	.documents = "acceptances",
	.see_also = "gate baseline verdicts",
};
