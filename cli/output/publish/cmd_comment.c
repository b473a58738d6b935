/* rooflog comment: keeps the one comment of a pull request or merge request up to date. */
#include "cli/command.h"

#include "base/system/system.h"
#include "cli/output/publish/ci.h"
#include "render/lists/lists.h"

enum { COMMENT_LIMIT = 1 << 20 }; /* bytes of the file */

struct comment_options {
	const char *file;
	const char *on, *api, *repository, *number, *head, *from, *author, *token_file;
	bool dry_run;
};

static int say(struct cli *cli, const struct forge_target *target,
	       const struct forge_result *result, struct error *err)
{
	static const struct {
		const char *before, *after; /* around the name of the request */
	} words[FORGE_OUTCOMES] = {
		[FORGE_CREATED] = {"commented on ", ""},
		[FORGE_UPDATED] = {"changed the comment on ", ""},
		[FORGE_UNCHANGED] = {"the comment on ", " says that already"},
		[FORGE_CLOSED] = {"nothing to do: ", " is not open"},
		[FORGE_MOVED] = {"nothing to do: the head of ", " is another commit"},
		[FORGE_NOWHERE] = {"nothing to do: no open request has this head", ""},
		[FORGE_READ_ONLY] = {"not written: ",
				     " is from a fork, and the token of its job can only read; "
				     "\"Pull requests from forks\" in docs/user/ci.md has two "
				     "workflows that can"},
	};
	struct arena *arena = &cli->arena;
	const struct comment_row row = {
		.outcome = forge_outcome_names[result->outcome],
		.number = result->number,
		.url = result->url,
		.head = result->head,
		.method = result->method,
		.request_url = result->request_url,
		.request_body = result->request_body,
	};
	if (cli->common.json)
		return cli_print_json(render_comment_json(arena, &row, target->dry_run), err);
	if (result->method)
		return cli_print_clean(arena_printf(arena, "%s %s\n%s\n", result->method,
						    result->request_url, result->request_body),
				       err);
	const char *request =
		result->number ? arena_printf(arena, "request %s", result->number) : "";
	const char *text = arena_printf(arena, "%s%s%s", words[result->outcome].before, request,
					words[result->outcome].after);
	if (result->outcome == FORGE_READ_ONLY) {
		cli_warn(cli, "%s", text);
		return 0;
	}
	return cli_print_clean(arena_printf(arena, "%s%s%s\n", text, result->url ? ": " : "",
					    result->url ? result->url : ""),
			       err);
}

static int comment(struct cli *cli, void *options, struct error *err)
{
	const struct comment_options *o = options;
	struct forge_target target = {
		.api = o->api,
		.repository = o->repository,
		.number = o->number,
		.head_commit = o->head,
		.head_repository = o->from,
		.author = o->author,
		.now = cli->begun / 1000000,
		.dry_run = o->dry_run,
	};
	struct forge_result result;
	struct span body;
	static const char *const none[] = {NULL};
	if (file_read(&cli->arena, o->file, COMMENT_LIMIT, &body, err) < 0)
		return -1;
	if (forge_check_body(&cli->arena, body, err) < 0)
		return error_prefix(err, "%s", o->file);
	if ((o->token_file && publish_secret(cli, o->token_file, none, &target.token,
					     &target.token_name, err) < 0) ||
	    publish_complete(cli, o->on, &target, err) < 0)
		return -1;
	if (o->dry_run && !target.token && !target.author)
		cli_warn(cli,
			 "without a token it is unknown whose comments are rooflog's: there may "
			 "be one already, which would be changed");
	if (!target.api)
		return error_set(err, ERR_USAGE,
				 "--api is missing: the base URL of the host's API, "
				 "such as https://git.example.org/api/v1");
	if (!target.repository)
		return error_set(err, ERR_USAGE, "--repo is missing: OWNER/NAME");
	if (!target.number && !(target.head_commit && target.head_repository))
		return error_set(err, ERR_USAGE,
				 "no pull request: give --number, or --head and --from; this job "
				 "is not of a pull request");
	if (forge_comment(&cli->arena, &target, body, &result, err) < 0)
		return -1;
	return say(cli, &target, &result, err) < 0 ? -1 : EXIT_PASS;
}

static int check(struct cli *cli, void *options, struct error *err)
{
	const struct comment_options *o = options;
	(void)cli;
	if (o->from && (!o->head || o->number))
		return error_set(err, ERR_USAGE,
				 "--from finds the request whose head is --head, instead of "
				 "--number");
	return 0;
}

#define FIELD(member) OPTION_FIELD(struct comment_options, member)
static const struct option rows[] = {
	{FIELD(number), "number", "N", "the pull or merge request (default: the job's)"},
	{FIELD(head), "head", "COMMIT", "its head that was measured (default: FILE's commit)"},
	{FIELD(from), "from", "OWNER/NAME", "instead of N: the request with the head from there"},
	{FIELD(repository), "repo", "OWNER/NAME", "the repository (default: the job's)"},
	{FIELD(on), "on", "HOST", "github, gitlab or gitea (default: the job's)"},
	{FIELD(api), "api", "URL", "base URL of the API (default: the job's)"},
	{FIELD(author), "author", "NAME", "the account that comments (default: the token's)"},
	{FIELD(token_file), "token-file", "FILE", "a file with the token"},
	{FIELD(dry_run), "dry-run", NULL, "print the request, write nothing"},
	{.kind = OPTION_END},
};

const struct command command_comment = {
	.name = "comment",
	.group = GROUP_PUBLISH,
	.summary = "comment on a pull request",
	.with_next = true,
	.usage = "FILE [OPTION]...",
	.about = "Post FILE, which gate -o comment=FILE wrote, or change the comment that the\n"
		 "same account posted before. Nothing is posted once the request is closed or its\n"
		 "head is another commit. FILE \"-\" is standard input.",
	.notes = "The token is that of ROOFLOG_TOKEN, else of GITHUB_TOKEN or GH_TOKEN,\n"
		 "GITLAB_TOKEN or GITEA_TOKEN in a job of that host or for its default address.\n"
		 "It is sent to the host of --api only. A token that can only read, as in jobs of\n"
		 "forks, is a warning.",
	.options = rows,
	.arguments = {{"FILE", ARGUMENT(struct comment_options, file)}},
	.required = 1,
	.takes = "one FILE",
	.examples = {"rooflog comment comment.md                in a job of the pull request",
		     "rooflog comment comment.md --repo ada/kernels --number 12 --dry-run",
		     "rooflog comment comment.md --head \"$HEAD_SHA\" --from \"$HEAD_REPOSITORY\""},
	.options_size = sizeof(struct comment_options),
	.without_store = true,
	.without_config = true,
	.check = check,
	.run = comment,
	.documents = "comment",
	.see_also = "gate notify",
};
