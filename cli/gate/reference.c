/* What the gate compares with: --against becomes the first commit of a first-parent chain. */

#include "base/base.h"
#include "cli/accept/accept.h"
#include "cli/gate/internal.h"

/* Replaces `oid` by the newest commit in the store on its first-parent chain, itself included. */
static int newest_known(struct cli *cli, char oid[65], struct error *err)
{
	char newest[65];
	memcpy(newest, oid, sizeof newest);
	if (runs_newest_stored(cli, newest, err) < 0)
		return -1;
	if (!newest[0] || !store_has_revision(cli->store, newest))
		return error_set(err, ERR_STORE,
				 "no ancestor of %.10s has stored runs: ingest profiles of the "
				 "branch that this is compared with",
				 oid);
	memcpy(oid, newest, sizeof newest);
	return 0;
}

/* The tip of the named branch, or of the main branch: the first name below that exists. The
 * remote's comes first, because a local main may be out of date. */
static int find_branch(struct cli *cli, const char *name, char oid[65], struct error *err)
{
	static const char *const usual[] = {"origin/HEAD", "origin/main", "origin/master", "main",
					    "master"};
	struct error ignored;
	if (name[0])
		return repository_resolve(cli->repository, name, oid, err);
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		if (repository_resolve(cli->repository, usual[i], oid, &ignored) == 0)
			return 0;
	return error_set(err, ERR_REVISION,
			 "there is no branch origin/HEAD, origin/main, origin/master, main or "
			 "master: name it, --against merge-base:BRANCH");
}

/* --against merge-base[:BRANCH]: the baseline and the acceptances come from the merge base. If it
 * was not measured, the baseline is its newest ancestor in the store, but the acceptances stay
 * those of the merge base. */
static int merge_base(struct cli *cli, const struct gate_input *input, const char *branch,
		      struct gate_reference *reference, struct error *err)
{
	char tip[65], base[65];
	const char *candidate = input->candidate.oid;
	if (cli_open_repository(cli, err) < 0 || find_branch(cli, branch, tip, err) < 0 ||
	    runs_merge_base(cli, candidate, tip, base, err) < 0)
		return -1;
	if (strcmp(base, candidate) == 0 && !input->dirty)
		return error_set(err, ERR_USAGE,
				 "%.10s is on the branch it would be merged into: use --against "
				 "nearest or window",
				 candidate);
	memcpy(reference->oid, base, sizeof reference->oid);
	memcpy(reference->base, base, sizeof reference->base);
	if (newest_known(cli, reference->oid, err) < 0)
		return -1;
	reference->inclusive = true;
	reference->description = arena_printf(&cli->arena, "the merge-base %.10s", base);
	return 0;
}

/* The history of the candidate itself: its first parents. */
static void own_ancestors(const struct gate_input *input, const char *description,
			  struct gate_reference *reference)
{
	memcpy(reference->oid, input->candidate.oid, strlen(input->candidate.oid) + 1);
	/* Uncommitted changes are compared with the commit they are based on, so that commit
	 * belongs to the history. */
	reference->inclusive = input->dirty;
	reference->description = description;
}

/* --against NAME: a named baseline or a revision, which the store must have. */
static int named(struct cli *cli, struct gate_input *input, const char *against,
		 struct gate_reference *reference, struct error *err)
{
	char resolved[65];
	if (runs_resolve_baseline(cli, against, resolved, err) < 0)
		return -1;
	if (strcmp(resolved, input->candidate.oid) == 0 && !input->dirty)
		return error_set(err, ERR_USAGE,
				 "%s is the candidate itself (%.10s): nothing would be compared",
				 against, resolved);
	if (!store_has_revision(cli->store, resolved))
		return error_set(err, ERR_STORE,
				 "commit %.10s (%s) is not in the store: no runs of it or of a "
				 "descendant were ingested",
				 resolved, against);
	memcpy(reference->oid, resolved, sizeof resolved);
	input->named = true;
	reference->inclusive = true;
	reference->description = arena_printf(&cli->arena, "%s (%.10s)", against, resolved);
	return 0;
}

/* Whether a commit is not in this repository. *err says why then, for a warning. */
static bool is_foreign(struct cli *cli, const char *oid, struct error *err)
{
	struct revision revision;
	struct error why;
	if (repository_revision(cli->repository, &cli->arena, oid, false, &revision, &why) == 0)
		return false;
	*err = why;
	return true;
}

/* Chooses the commit whose tree holds the acceptances. A change must not waive its own regression,
 * so it is never the tree of a change under review:
 *
 *   on a branch:                   the merge base with the main branch
 *   on the main branch:            the parent of the candidate
 *   --against window, uncommitted: the candidate itself, which is merged already
 *   the merge base is unknown:     none; nothing is accepted, and a warning says so */
static void own_base(struct cli *cli, const struct gate_input *input,
		     struct gate_reference *reference)
{
	const char *candidate = input->candidate.oid;
	const char *base = input->windowed || input->dirty ? candidate : input->candidate.parent;
	char tip[65], fork[65];
	struct error err;
	if (cli_open_repository(cli, &err) == 0 && find_branch(cli, "", tip, &err) == 0) {
		bool known = runs_merge_base(cli, candidate, tip, fork, &err) == 0;
		if (!known &&
		    (repository_is_shallow(cli->repository) || is_foreign(cli, candidate, &err))) {
			cli_warn(cli, "acceptances were not looked for: %s", err.text);
			return;
		}
		/* Without a common ancestor the candidate is its own main branch. */
		base = !known || strcmp(fork, candidate) == 0 ? base : fork;
	}
	memcpy(reference->base, base, strlen(base) + 1);
}

int gate_command_choose_reference(struct cli *cli, struct gate_input *input, const char *against,
				  struct gate_reference *reference, struct error *err)
{
	static const char merging[] = "merge-base";
	size_t len = sizeof merging - 1;
	*reference = (struct gate_reference){.description = ""};
	if (strcmp(against, "nearest") == 0)
		own_ancestors(input,
			      input->dirty
				      ? "the commit itself, else the nearest ancestor with data"
				      : "the nearest ancestor with data",
			      reference);
	else if (strcmp(against, "window") == 0) {
		own_ancestors(input,
			      arena_printf(&cli->arena, "the last %zu commits with data",
					   input->settings->window),
			      reference);
		input->windowed = true;
	} else if (strcmp(against, "best") == 0) {
		own_ancestors(input, "the best level on record", reference);
		input->best = true;
	} else if (strncmp(against, merging, len) == 0 &&
		   (against[len] == 0 || against[len] == ':')) {
		const char *branch = against[len] ? against + len + 1 : "";
		if (merge_base(cli, input, branch, reference, err) < 0)
			return -1;
	} else if (named(cli, input, against, reference, err) < 0)
		return -1;
	assert(reference->oid[0]);
	input->newest = reference->inclusive ? 0 : 1;
	if (!reference->base[0])
		own_base(cli, input, reference);
	return 0;
}

int gate_command_remember_bases(struct cli *cli, const struct revision *candidate,
				struct error *err)
{
	char tip[65], fork[65];
	struct error ignored;
	if (accept_remember(cli, candidate->oid, err) < 0 ||
	    accept_remember(cli, candidate->parent, err) < 0)
		return -1;
	if (find_branch(cli, "", tip, &ignored) < 0 ||
	    !runs_stored_merge_base(cli, candidate->oid, tip, fork))
		return 0;
	return accept_remember(cli, fork, err);
}
