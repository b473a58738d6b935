/* What the gate compares with: --against becomes the first commit of a first-parent chain. */

#include "base/base.h"
#include "cli/config/trust/trust.h"
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

/* The tip of the main branch: the first name below that exists. The remote's comes first, because a
 * local main may be out of date. The names are whole, so that no other branch or tag is taken for
 * the main branch, whatever it is called. */
static int find_main_branch(struct cli *cli, char oid[65], struct error *err)
{
	static const char *const usual[] = {"refs/remotes/origin/HEAD", "refs/remotes/origin/main",
					    "refs/remotes/origin/master", "refs/heads/main",
					    "refs/heads/master"};
	bool found = false;
	for (size_t i = 0; i < sizeof usual / sizeof *usual && !found; i++)
		if (repository_branch(cli->repository, usual[i], oid, &found, err) < 0)
			return -1;
	return found ? 0
		     : error_set(err, ERR_REVISION,
				 "there is no branch origin/HEAD, origin/main, origin/master, "
				 "main or master: name it, --against merge-base:BRANCH");
}

/* The tip of the named branch. A branch comes before a tag of the same name, and that of a remote
 * before a local one; anything else that names a commit is taken as git takes it. */
static int find_branch(struct cli *cli, const char *name, char oid[65], struct error *err)
{
	static const char *const places[] = {"refs/remotes/", "refs/heads/"};
	bool found = false;
	if (!name[0])
		return find_main_branch(cli, oid, err);
	for (size_t i = 0; i < 2 && !found && !object_id_is_full(span_of(name)); i++)
		if (repository_branch(cli->repository,
				      arena_printf(&cli->arena, "%s%s", places[i], name), oid,
				      &found, err) < 0)
			return -1;
	return found ? 0 : repository_resolve(cli->repository, name, oid, err);
}

/* The newest commit that the branch pointed to and that the candidate descends from. It may be
 * older than the merge base: a commit of a branch that was merged never was the main branch's, and
 * its rules were not either. Where it is not known (shallow clone, no common commit), the branch's
 * tip. */
static void trusted_base(struct cli *cli, const char *fork, const char *tip, char base[65])
{
	struct error ignored;
	if (!fork[0] || runs_first_parent_base(cli, fork, tip, base, &ignored) < 0)
		memcpy(base, tip, 65);
}

/* --against merge-base[:BRANCH]: the baseline and the acceptances come from the merge base, or the
 * newest commit before it that the branch pointed to. If that was not measured, the baseline is its
 * newest ancestor in the store, but the acceptances stay those of that commit. */
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
	memcpy(reference->tip, tip, sizeof reference->tip);
	trusted_base(cli, base, tip, reference->base);
	memcpy(reference->oid, reference->base, sizeof reference->oid);
	reference->when = MESSAGE_CONFIGURATION_ONCE_MERGED;
	if (newest_known(cli, reference->oid, err) < 0)
		return -1;
	reference->inclusive = reference->branched = true;
	reference->description =
		strcmp(base, reference->base) == 0
			? arena_printf(&cli->arena, "the merge-base %.10s", base)
			: arena_printf(&cli->arena,
				       "%.10s of the branch, before the merge-base %.10s",
				       reference->base, base);
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

/* Chooses the commit whose tree holds the configuration and the acceptances. A change must not
 * choose its own rules, so it is never the tree of a change under review:
 *
 *   on a branch:                   the newest commit of the main branch that it descends from
 *   on the main branch:            the parent of the candidate
 *   --against window, uncommitted: the candidate itself, which is merged already
 *   no common commit is known:     the tip of the main branch */
static void own_base(struct cli *cli, const struct gate_input *input,
		     struct gate_reference *reference)
{
	const char *candidate = input->candidate.oid;
	const bool merged = input->windowed || input->dirty;
	const char *base = merged ? candidate : input->candidate.parent;
	char fork[65] = "";
	struct error ignored;
	reference->when = merged ? MESSAGE_CONFIGURATION_ONCE_COMMITTED
				 : MESSAGE_CONFIGURATION_COMMITTED_AND_LATER;
	memcpy(reference->base, base, strlen(base) + 1);
	if (cli_open_repository(cli, &ignored) < 0 ||
	    find_main_branch(cli, reference->tip, &ignored) < 0)
		return;
	if (runs_merge_base(cli, candidate, reference->tip, fork, &ignored) < 0)
		fork[0] = '\0';
	if (strcmp(fork, candidate) == 0)
		return;
	trusted_base(cli, fork, reference->tip, reference->base);
	reference->when = MESSAGE_CONFIGURATION_ONCE_MERGED;
}

/* --- what a change cannot choose --- */

/* Whether any commit of the branch was measured. */
static int is_measured(struct cli *cli, const char *base, const char *tip, bool *measured,
		       struct error *err)
{
	char newest[65];
	memcpy(newest, base, sizeof newest);
	if (runs_newest_measured(cli, newest, err) < 0)
		return -1;
	if (!newest[0]) {
		memcpy(newest, tip, sizeof newest);
		if (runs_newest_measured(cli, newest, err) < 0)
			return -1;
	}
	*measured = newest[0] != '\0';
	return 0;
}

/* The commit at which the candidate's record begins where it must not be the candidate's own line;
 * "" where it may. own_base() has found the tip and the base.
 *
 *   nearest:       a change is compared with the main branch. Else the second push of a slow
 *                  change would be compared with its first.
 *   window, best:  are of the line itself, which may be a branch that lives long; but not if it has
 *                  merged newer commits of the main branch. Else a merge could choose an old commit
 *                  for its first parent. */
static int record_of_main(struct cli *cli, const struct gate_input *input,
			  const struct gate_reference *reference, char oid[65], struct error *err)
{
	const char *candidate = input->candidate.oid, *tip = reference->tip;
	bool nearest = !input->windowed && !input->best, measured = false;
	char own[65] = "", fork[65];
	struct error ignored;
	oid[0] = '\0';
	if (!tip[0] || strcmp(candidate, tip) == 0)
		return 0;
	bool meets = runs_first_parent_base(cli, candidate, tip, own, &ignored) == 0;
	bool forks = runs_merge_base(cli, candidate, tip, fork, &ignored) == 0;
	if (meets && strcmp(own, candidate) == 0)
		return 0;
	if (forks)
		trusted_base(cli, fork, tip, fork);
	if (!nearest && (!forks || (meets && strcmp(own, fork) == 0)))
		return 0;
	const char *begin = forks ? fork : tip;
	if (is_measured(cli, begin, tip, &measured, err) < 0)
		return -1;
	if (measured)
		memcpy(oid, begin, sizeof fork);
	return 0;
}

/* Lets the record of nearest, window and best begin there. */
static int keep_to_main(struct cli *cli, const struct gate_input *input,
			struct gate_reference *reference, struct error *err)
{
	char oid[65];
	if (record_of_main(cli, input, reference, oid, err) < 0)
		return -1;
	if (!oid[0])
		return 0;
	memcpy(reference->oid, oid, sizeof oid);
	if (newest_known(cli, reference->oid, err) < 0)
		return -1;
	reference->inclusive = reference->branched = true;
	if (reference->description && !input->best)
		reference->description = arena_printf(&cli->arena, "the main branch at %.10s", oid);
	return 0;
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
		own_ancestors(input, NULL, reference);
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
	if (!reference->base[0])
		own_base(cli, input, reference);
	if (!reference->branched && !input->named && keep_to_main(cli, input, reference, err) < 0)
		return -1;
	input->newest = reference->inclusive ? 0 : 1;
	return 0;
}

int gate_command_remember_bases(struct cli *cli, const struct revision *candidate,
				struct error *err)
{
	char tip[65], fork[65], base[65];
	struct error ignored;
	if (trust_remember(cli, candidate->oid, err) < 0 ||
	    trust_remember(cli, candidate->parent, err) < 0)
		return -1;
	if (find_main_branch(cli, tip, &ignored) < 0 ||
	    !runs_stored_merge_base(cli, candidate->oid, tip, fork))
		return 0;
	trusted_base(cli, fork, tip, base);
	return trust_remember(cli, base, err);
}
