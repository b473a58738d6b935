/* rooflog notify: posts what a gate found to a channel of Slack or Teams, or to any other webhook.
 */
#include "cli/command.h"

#include "base/system/system.h"
#include "base/json/json.h"
#include "base/text/text.h"
#include "cli/output/publish/ci.h"
#include "render/document/document.h"
#include "render/lists/lists.h"

enum { BRIEF_LIMIT = 64 << 10, ROWS = 5, TEXT_LIMIT = 300 };

struct notify_options {
	const char *file, *as, *link, *url_file;
	bool unless_pass, dry_run;
};

/* What a message says, as plain text. */
struct note {
	const char *title, *commit, *link; /* link NULL: none */
	const char *rows[ROWS];
	size_t count;
	double more;
};

/* --- the brief --- */

/* A member as one line of bounded length. */
static const char *line_of(struct arena *arena, const struct json *object, const char *name)
{
	return utf8_line(arena, json_text(object, name, ""), TEXT_LIMIT);
}

/* "gemm s=512: slower, 1.000 ms -> 1.317 ms (+31.7 %)" */
static const char *row_of(struct arena *arena, const struct json *comparison)
{
	double change = json_number(comparison, KEY(change), NAN);
	const char *before = line_of(arena, comparison, KEY(baseline));
	const char *after = line_of(arena, comparison, KEY(candidate));
	return arena_printf(arena, "%s: %s%s%s%s%s%s", line_of(arena, comparison, KEY(name)),
			    line_of(arena, comparison, KEY(verdict_text)), before[0] ? ", " : "",
			    before, before[0] ? " -> " : "", after,
			    isnan(change) ? "" : arena_printf(arena, " (%+.1f %%)", 100 * change));
}

static bool is_quiet(const char *verdict)
{
	static const char *const words[] = {"unchanged", "held", "improved", "new", "accepted"};
	return span_among(span_of(verdict), words, sizeof words / sizeof *words);
}

static struct note note_of(struct arena *arena, const struct json *brief, const char *link)
{
	struct note note = {
		.title = line_of(arena, brief, KEY(answer)),
		.commit = arena_prefix(arena, line_of(arena, brief, KEY(commit)), 10),
		.link = link,
		.more = json_number(brief, KEY(more), 0),
	};
	if (!note.title[0])
		note.title = line_of(arena, brief, KEY(verdict));
	for (const struct json *one = json_first(brief, KEY(comparisons)); one; one = one->next)
		if (is_quiet(json_text(one, KEY(verdict), "")))
			continue;
		else if (note.count < ROWS)
			note.rows[note.count++] = row_of(arena, one);
		else
			note.more++;
	return note;
}

/* "and 3 more; commit 1234567890" */
static const char *tail_of(struct arena *arena, const struct note *note)
{
	return arena_printf(arena, "%scommit %s",
			    note->more > 0 ? arena_printf(arena, "and %.0f more; ", note->more)
					   : "",
			    note->commit);
}

/* --- the messages --- */

/* A text of a block that Slack shows as it is: neither formats nor links nor mentions. */
static void add_plain(struct arena *arena, struct json *blocks, const char *type, const char *text)
{
	struct json *block = json_add_object(arena, blocks);
	json_set_text(arena, block, "type", type);
	struct json *object = json_set_object(arena, block, "text");
	json_set_text(arena, object, "type", "plain_text");
	json_set_text(arena, object, "text", text);
	json_set_bool(arena, object, "emoji", false);
}

/* What notifications show, where Slack reads & < > and formats. */
static const char *fallback(struct arena *arena, const char *text)
{
	struct strbuf sb = {0};
	strbuf_addch(&sb, '`');
	for (; *text; text++)
		if (*text == '&')
			strbuf_addstr(&sb, "&amp;");
		else if (*text == '<')
			strbuf_addstr(&sb, "&lt;");
		else if (*text == '>')
			strbuf_addstr(&sb, "&gt;");
		else
			strbuf_addch(&sb, *text == '`' ? '\'' : *text);
	strbuf_addch(&sb, '`');
	return strbuf_into(&sb, arena);
}

static void add_slack_link(struct arena *arena, struct json *blocks, const char *link)
{
	struct json *block = json_add_object(arena, blocks);
	json_set_text(arena, block, "type", "actions");
	struct json *button = json_add_object(arena, json_set_array(arena, block, "elements"));
	json_set_text(arena, button, "type", "button");
	struct json *text = json_set_object(arena, button, "text");
	json_set_text(arena, text, "type", "plain_text");
	json_set_text(arena, text, "text", "Open the report");
	json_set_text(arena, button, "url", link);
}

static struct json *slack(struct arena *arena, const struct note *note)
{
	struct json *document = json_object(arena);
	json_set_text(arena, document, "text",
		      fallback(arena, arena_printf(arena, "rooflog: %s", note->title)));
	struct json *blocks = json_set_array(arena, document, "blocks");
	add_plain(arena, blocks, "section", arena_printf(arena, "rooflog: %s", note->title));
	for (size_t i = 0; i < note->count; i++)
		add_plain(arena, blocks, "section", note->rows[i]);
	add_plain(arena, blocks, "section", tail_of(arena, note));
	if (note->link)
		add_slack_link(arena, blocks, note->link);
	return document;
}

/* Runs of text of a RichTextBlock are not read as Markdown. */
static void add_block(struct arena *arena, struct json *body, const char *text, bool bold)
{
	struct json *block = json_add_object(arena, body);
	json_set_text(arena, block, "type", "RichTextBlock");
	struct json *run = json_add_object(arena, json_set_array(arena, block, "inlines"));
	json_set_text(arena, run, "type", "TextRun");
	json_set_text(arena, run, "text", text);
	if (bold)
		json_set_text(arena, run, "weight", "Bolder");
}

static struct json *teams(struct arena *arena, const struct note *note)
{
	struct json *document = json_object(arena);
	json_set_text(arena, document, "type", "message");
	struct json *attachment =
		json_add_object(arena, json_set_array(arena, document, "attachments"));
	json_set_text(arena, attachment, "contentType", "application/vnd.microsoft.card.adaptive");
	struct json *card = json_set_object(arena, attachment, "content");
	json_set_text(arena, card, "$schema", "http://adaptivecards.io/schemas/adaptive-card.json");
	json_set_text(arena, card, "type", "AdaptiveCard");
	json_set_text(arena, card, "version", "1.4");
	struct json *body = json_set_array(arena, card, "body");
	add_block(arena, body, arena_printf(arena, "rooflog: %s", note->title), true);
	for (size_t i = 0; i < note->count; i++)
		add_block(arena, body, note->rows[i], false);
	add_block(arena, body, tail_of(arena, note), false);
	if (note->link) {
		struct json *action =
			json_add_object(arena, json_set_array(arena, card, "actions"));
		json_set_text(arena, action, "type", "Action.OpenUrl");
		json_set_text(arena, action, "title", "Open the report");
		json_set_text(arena, action, "url", note->link);
	}
	return document;
}

static const char *message_of_brief(struct arena *arena, const struct notify_options *o,
				    const struct json *brief)
{
	struct strbuf sb = {0};
	const struct note note = note_of(arena, brief, o->link);
	bool is_slack = span_text_eq(o->as, "slack"), is_teams = span_text_eq(o->as, "teams");
	json_exact(&sb, is_slack ? slack(arena, &note) : is_teams ? teams(arena, &note) : brief);
	return strbuf_into(&sb, arena);
}

/* --- the command --- */

static int read_brief(struct cli *cli, const char *path, const struct json **brief,
		      struct error *err)
{
	struct span bytes;
	if (file_read(&cli->arena, path, BRIEF_LIMIT, &bytes, err) < 0)
		return -1;
	*brief = json_parse(&cli->arena, bytes, err);
	if (!*brief)
		return error_prefix(err, "%s", path);
	if (span_starts(span_of(json_text(*brief, KEY(schema), "")), "rooflog-brief/"))
		return 0;
	return error_set(err, ERR_USAGE,
			 "%s is not a brief: write it by \"rooflog gate -o brief=FILE\"", path);
}

static bool is_pass(const struct json *brief)
{
	const char *verdict = json_text(brief, KEY(verdict), "");
	return strcmp(verdict, "pass") == 0 || strcmp(verdict, "baseline recorded") == 0;
}

static int say(struct cli *cli, const struct notify_options *o, const char *state,
	       const char *message, struct error *err)
{
	struct arena *arena = &cli->arena;
	const char *text = !message ? "nothing to send: pass" : o->dry_run ? message : state;
	int failed =
		cli->common.json
			? cli_print_json(render_notify_json(arena, state, message, o->dry_run), err)
			: cli_print_clean(arena_printf(arena, "%s\n", text), err);
	return failed < 0 ? -1 : EXIT_PASS;
}

static int notify(struct cli *cli, void *options, struct error *err)
{
	static const char *const variables[] = {"ROOFLOG_WEBHOOK", NULL};
	const struct notify_options *o = options;
	const struct json *brief;
	const char *url, *name;
	if (read_brief(cli, o->file, &brief, err) < 0)
		return -1;
	if (o->unless_pass && is_pass(brief))
		return say(cli, o, "pass", NULL, err);
	const char *message = message_of_brief(&cli->arena, o, brief);
	if (o->dry_run)
		return say(cli, o, "not sent", message, err);
	if (publish_secret(cli, o->url_file, variables, &url, &name, err) < 0)
		return -1;
	if (!url)
		return error_set(err, ERR_USAGE,
				 "no webhook: set ROOFLOG_WEBHOOK to its URL, or give --url-file");
	if (forge_notify(&cli->arena, url, message, err) < 0)
		return -1;
	return say(cli, o, "sent", message, err);
}

static int check(struct cli *cli, void *options, struct error *err)
{
	const struct notify_options *o = options;
	(void)cli;
	if (o->link && (strncmp(o->link, "https://", 8) != 0 || strpbrk(o->link, "<>| \"")))
		return error_set(err, ERR_USAGE,
				 "--link %.200s is not a URL that begins with https://", o->link);
	return 0;
}

#define FIELD(member) OPTION_FIELD(struct notify_options, member)
static const struct option rows[] = {
	{FIELD(as), "as", "KIND", "slack, teams or json (default: json, FILE as it is)",
	 .choices = "slack|teams|json"},
	{FIELD(link), "link", "URL", "the page that the message links to"},
	{FIELD(unless_pass), "unless-pass", NULL, "send nothing if the verdict is a pass"},
	{FIELD(url_file), "url-file", "FILE", "a file with the URL of the webhook"},
	{FIELD(dry_run), "dry-run", NULL, "print the message, send nothing"},
	{.kind = OPTION_END},
};

const struct command command_notify = {
	.name = "notify",
	.group = GROUP_PUBLISH,
	.summary = "post a verdict to a chat",
	.usage = "FILE [OPTION]...",
	.about = "Post a verdict to the webhook whose URL is in ROOFLOG_WEBHOOK. FILE is what\n"
		 "gate -o brief=FILE wrote: the verdict, the worst series and the commit.",
	.notes = "The URL of a webhook is a secret: it is not taken from the command line, and no\n"
		 "message has more of it than the host.",
	.options = rows,
	.arguments = {{"FILE", ARGUMENT(struct notify_options, file)}},
	.required = 1,
	.takes = "one FILE",
	.examples = {"rooflog notify night.json --as slack --unless-pass",
		     "rooflog notify night.json --as teams --link https://ci.example.org/night/7",
		     "rooflog notify night.json --dry-run"},
	.options_size = sizeof(struct notify_options),
	.without_store = true,
	.without_config = true,
	.check = check,
	.run = notify,
	.documents = "notify",
	.see_also = "gate comment",
};
