/* Reads the environment of CI jobs. */
#include "cli/output/publish/ci.h"

#include "base/system/system.h"

enum { SECRET_LIMIT = 4096, SECRET_VARIABLES = 3, EVENT_LIMIT = 16 << 20 };

struct job {
	const char *is; /* "true" in such a job */
	const char *api, *repository, *number, *head;
	const char *event;       /* a file with what began the job */
	const char *default_api; /* NULL: none */
	const char *tokens[SECRET_VARIABLES];
};
/* Gitea's runner sets GitHub's variables, too. */
static const struct job jobs[FORGE_KINDS] = {
	[FORGE_GITHUB] = {.is = "GITHUB_ACTIONS",
			  .api = "GITHUB_API_URL",
			  .repository = "GITHUB_REPOSITORY",
			  .event = "GITHUB_EVENT_PATH",
			  .default_api = "https://api.github.com",
			  .tokens = {"GITHUB_TOKEN", "GH_TOKEN"}},
	[FORGE_GITLAB] = {.is = "GITLAB_CI",
			  .api = "CI_API_V4_URL",
			  .repository = "CI_PROJECT_ID",
			  .number = "CI_MERGE_REQUEST_IID",
			  .head = "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA",
			  .default_api = "https://gitlab.com/api/v4",
			  .tokens = {"GITLAB_TOKEN"}},
	[FORGE_GITEA] = {.is = "GITEA_ACTIONS",
			 .api = "GITHUB_API_URL",
			 .repository = "GITHUB_REPOSITORY",
			 .event = "GITHUB_EVENT_PATH",
			 .tokens = {"GITEA_TOKEN", "GITHUB_TOKEN"}},
};

/* NULL where it is not set, or empty. */
static const char *variable(const char *name)
{
	const char *value = name ? getenv(name) : NULL;
	return value && value[0] ? value : NULL;
}

static bool is_in(enum forge_kind kind)
{
	return span_text_eq(variable(jobs[kind].is), "true");
}

static int find_kind(const char *on, enum forge_kind *kind, struct error *err)
{
	*kind = is_in(FORGE_GITEA)    ? FORGE_GITEA
		: is_in(FORGE_GITLAB) ? FORGE_GITLAB
				      : FORGE_GITHUB;
	if (!on)
		return 0;
	for (size_t i = 0; i < FORGE_KINDS; i++)
		if (strcmp(forge_names[i], on) == 0) {
			*kind = (enum forge_kind)i;
			return 0;
		}
	return error_set(err, ERR_USAGE, "--on %.40s: available: github, gitlab, gitea", on);
}

static int read_event(struct cli *cli, const char *path, struct forge_target *target,
		      struct error *err)
{
	struct span bytes;
	if (!path)
		return 0;
	if (file_read(&cli->arena, path, EVENT_LIMIT, &bytes, err) < 0)
		return -1;
	return forge_read_event(&cli->arena, bytes, target, err) < 0 ? error_prefix(err, "%s", path)
								     : 0;
}

int publish_secret(struct cli *cli, const char *path, const char *const *variables,
		   const char **secret, const char **name, struct error *err)
{
	*secret = *name = NULL;
	for (size_t i = 0; !path && !*secret && i < SECRET_VARIABLES && variables[i]; i++) {
		*secret = variable(variables[i]);
		*name = variables[i];
	}
	if (path) {
		struct span bytes;
		if (file_read(&cli->arena, path, SECRET_LIMIT, &bytes, err) < 0)
			return -1;
		struct span line = span_trim(span_cut(&bytes, '\n'));
		*secret = arena_strndup(&cli->arena, line.ptr, line.len);
		*name = path;
	}
	for (const char *c = *secret; c && *c; c++)
		if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f)
			return error_set(err, ERR_USAGE,
					 "%s: blanks or other characters that no "
					 "secret has",
					 *name);
	return !*secret || **secret ? 0 : error_set(err, ERR_USAGE, "%s is empty", *name);
}

/* A token of one host must not reach another one: the variables of a host count in its own jobs,
 * and for its default address. ROOFLOG_TOKEN counts everywhere. */
static int find_token(struct cli *cli, const struct job *job, struct forge_target *target,
		      bool has_api, struct error *err)
{
	static const char *const any[] = {"ROOFLOG_TOKEN", NULL};
	bool known = target->in_job ||
		     (job->default_api && (!has_api || strcmp(target->api, job->default_api) == 0));
	if (publish_secret(cli, NULL, any, &target->token, &target->token_name, err) < 0)
		return -1;
	return target->token || !known ? 0
				       : publish_secret(cli, NULL, job->tokens, &target->token,
							&target->token_name, err);
}

int publish_complete(struct cli *cli, const char *on, struct forge_target *target,
		     struct error *err)
{
	if (find_kind(on, &target->kind, err) < 0)
		return -1;
	const struct job *job = &jobs[target->kind];
	const char *own_api = target->api;
	bool inside = is_in(target->kind);
	if (!target->api && inside)
		target->api = variable(job->api);
	if (!target->api)
		target->api = job->default_api;
	if (!target->repository && inside)
		target->repository = variable(job->repository);
	if (!target->number && !target->head_repository && inside) {
		const char *head = target->head_commit;
		target->number = variable(job->number);
		target->head_commit = variable(job->head);
		if (read_event(cli, variable(job->event), target, err) < 0)
			return -1;
		target->head_commit = head ? head : target->head_commit;
	}
	target->in_job = inside && (!own_api || span_text_eq(own_api, variable(job->api)));
	return target->token ? 0 : find_token(cli, job, target, own_api != NULL, err);
}
