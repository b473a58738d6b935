/* The rules of a gate: configuration and acceptances, from the commit that a change is compared
 * with. */
#include "cli/accept/accept.h"
#include "cli/config/trust/trust.h"
#include "cli/gate/internal.h"
#include "render/vocabulary/vocabulary.h"

/* Loads the configuration of the base. If git does not have the base any more (a shallow clone),
 * that of the branch's tip decides, which is not the change's either. */
static int load_configuration(struct cli *cli, const struct gate_request *request,
			      const struct gate_input *input, struct gate_reference *reference,
			      struct gate_configuration *configuration, struct error *err)
{
	const char *unread;
	const struct trust_request trust = {.base = reference->base,
					    .candidate = input->candidate.oid,
					    .when = reference->when,
					    .work_tree = request->trust.work_tree};
	if (trust_load_configuration(cli, &trust, configuration, &unread, err) < 0)
		return -1;
	if (!unread)
		return 0;
	if (!reference->tip[0] || strcmp(reference->tip, reference->base) == 0)
		return error_set(err, ERR_REVISION,
				 "cannot read the configuration that applies: %s; give a file "
				 "outside the work tree with --config, or use that of the work "
				 "tree with --trust-work-tree",
				 unread);
	cli_warn(cli, "%s; configuration and acceptances are read from %.10s", unread,
		 reference->tip);
	memcpy(reference->base, reference->tip, sizeof reference->base);
	return load_configuration(cli, request, input, reference, configuration, err);
}

int gate_command_load_rules(struct cli *cli, const struct gate_request *request,
			    struct gate_input *input, struct gate_reference *reference,
			    struct error *err)
{
	struct gate_configuration *configuration =
		arena_new(&cli->arena, struct gate_configuration);
	if (load_configuration(cli, request, input, reference, configuration, err) < 0 ||
	    (request->choose_rows && request->choose_rows(cli, request->context, err) < 0))
		return -1;
	if (!reference->description)
		reference->description = arena_printf(&cli->arena, "last %zu measured commits",
						      input->settings->window);
	input->configuration = configuration;
	return 0;
}

int gate_command_load_acceptances(struct cli *cli, const struct gate_request *request,
				  const struct gate_reference *reference, struct gate_input *input,
				  struct error *err)
{
	struct acceptance_list *list = arena_new(&cli->arena, struct acceptance_list);
	struct candidate_clock *candidate = arena_new(&cli->arena, struct candidate_clock);
	struct acceptance_clock *clock = arena_new(&cli->arena, struct acceptance_clock);
	const char *unread = NULL;
	if (!request->trust.work_tree && !reference->base[0])
		return 0;
	if ((request->trust.work_tree ? accept_load_work_tree(cli, list, err)
				      : accept_load(cli, reference->base, list, &unread, err)) < 0)
		return -1;
	if (unread)
		cli_warn(cli, "acceptances were not read: %s", unread);
	*candidate =
		(struct candidate_clock){.cli = cli,
					 .candidate = input->candidate.oid,
					 .base = request->trust.work_tree ? NULL : reference->base};
	*clock = accept_clock(candidate);
	input->acceptances = list;
	input->clock = clock;
	return 0;
}

/* --- names of series --- */

static int load_of_commit(struct cli *cli, const char *oid, const struct gate_reference *reference,
			  const char *base, const char **unread, struct error *err)
{
	struct gate_configuration used = {0};
	const struct trust_request request = {
		.base = base, .candidate = oid, .when = reference->when};
	int rc = trust_load_configuration(cli, &request, &used, unread, err);
	if (used.notice)
		cli_warn(cli, "configuration: %s", vocabulary_say(&cli->arena, used.notice));
	cli->base = NULL;
	return rc;
}

/* A change of several commits is its own parent. */
static void warn_of_names(const struct cli *cli, const char *whose)
{
	if (cli->settings.aliases.count || cli->settings.tools.count)
		cli_warn(cli,
			 "no main branch found, so [alias] and [tool] are read from %s, perhaps "
			 "from the change itself: give --against merge-base:BRANCH",
			 whose);
}

int gate_command_load_names(struct cli *cli, const char *oid, const char *branch, struct error *err)
{
	struct gate_reference reference;
	const char *unread = NULL;
	if (gate_command_base_of_change(cli, oid, branch, &reference, err) < 0 ||
	    (reference.base[0] &&
	     load_of_commit(cli, oid, &reference, reference.base, &unread, err) < 0) ||
	    (unread && reference.tip[0] &&
	     load_of_commit(cli, oid, &reference, reference.tip, &unread, err) < 0))
		return -1;
	if (unread && branch)
		return error_set(err, ERR_REVISION,
				 "cannot read the configuration that applies: %s", unread);
	if (unread)
		cli_warn(cli, "%s; the configuration is read from the work tree", unread);
	if (cli_load_config(cli, err) < 0)
		return -1;
	if (!reference.tip[0])
		warn_of_names(cli, unread || !reference.base[0]
					   ? "the work tree"
					   : arena_prefix(&cli->arena, reference.base, 10));
	return 0;
}

int gate_command_load_merged(struct cli *cli, struct error *err)
{
	struct gate_reference reference;
	struct gate_configuration used = {0};
	char head[65];
	const char *unread = NULL;
	if (cli_open_repository(cli, err) < 0 ||
	    repository_resolve(cli->repository, "HEAD", head, err) < 0 ||
	    gate_command_base_of_change(cli, head, NULL, &reference, err) < 0)
		return -1;
	if (!reference.base[0])
		memcpy(reference.base, head, sizeof head);
	const struct trust_request request = {
		.base = reference.base, .candidate = head, .when = reference.when};
	if (trust_load_configuration(cli, &request, &used, &unread, err) < 0)
		return -1;
	if (unread)
		return error_set(err, ERR_REVISION,
				 "cannot read the configuration that applies: %s", unread);
	if (used.commit && !reference.tip[0])
		return error_set(err, ERR_REVISION,
				 "no main branch found, whose configuration could name commands: "
				 "run \"git symbolic-ref refs/remotes/origin/HEAD "
				 "refs/heads/NAME\", or give a --config outside of the work tree");
	if (used.notice)
		cli_warn(cli, "configuration: %s", vocabulary_say(&cli->arena, used.notice));
	return 0;
}
