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
				 "no ancestor of %.10s has measurements: ingest profiles of the "
				 "target branch first",
				 oid);
	memcpy(oid, newest, sizeof newest);
	return 0;
}

static int look_up(struct cli *cli, const char *place, const char *name, char oid[65], bool *found,
		   struct error *err)
{
	return repository_branch(cli->repository, arena_printf(&cli->arena, "%s%s", place, name),
				 oid, found, err);
}

/* Where the main branch is looked for, the surest first. The remote's comes before a local one,
 * which may be out of date. The names are whole, so that no other branch or tag is taken for it. */
static const struct {
	const char *place, *names[2], *advice;
} main_branches[] = {
	{"refs/remotes/", {"origin/HEAD"}, NULL},
	{"refs/remotes/", {"origin/main", "origin/master"}, "git remote set-head origin --auto"},
	{"refs/heads/",
	 {"main", "master"},
	 "git symbolic-ref refs/remotes/origin/HEAD refs/heads/NAME"},
};

/* The tip of the main branch, if there is one. Of two usual names one may be anybody's: who can
 * push a branch can call it main where the main branch is master. */
static int find_main_branch(struct cli *cli, char oid[65], bool *known, struct error *err)
{
	*known = false;
	for (size_t i = 0; i < sizeof main_branches / sizeof *main_branches && !*known; i++) {
		const char *place = main_branches[i].place, *const *names = main_branches[i].names;
		char tips[2][65];
		bool found[2] = {false};
		for (size_t k = 0; k < 2 && names[k]; k++)
			if (look_up(cli, place, names[k], tips[k], &found[k], err) < 0)
				return -1;
		if (found[0] && found[1] && strcmp(tips[0], tips[1]) != 0)
			return error_set(err, ERR_REVISION,
					 "%s and %s both exist, so the main branch is unknown: run "
					 "\"%s\", or give --against merge-base:BRANCH",
					 names[0], names[1], main_branches[i].advice);
		*known = found[0] || found[1];
		if (*known)
			memcpy(oid, tips[found[0] ? 0 : 1], sizeof *tips);
	}
	return 0;
}

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/* The tip of the named branch. That of a remote comes before the local one, and that before the
 * origin's. A tag of that name is not taken for it, nor is a branch of the origin that is itself
 * called origin/main. */
static int find_named(struct cli *cli, const char *name, char oid[65], struct error *err)
{
	const bool whole = begins(name, "refs/heads/") || begins(name, "refs/remotes/");
	const char *const places[] = {whole ? "" : "refs/remotes/", whole ? NULL : "refs/heads/",
				      begins(name, "origin/") ? NULL : "refs/remotes/origin/"};
	bool found = false;
	if (object_id_is_full(span_of(name)))
		return repository_resolve(cli->repository, name, oid, err);
	for (size_t i = 0; i < 3 && places[i] && !found; i++)
		if (look_up(cli, places[i], name, oid, &found, err) < 0)
			return -1;
	return found ? 0
		     : error_set(err, ERR_REVISION,
				 "no local or remote branch \"%s\": fetch it, or give a full "
				 "commit id",
				 name);
}

static int find_branch(struct cli *cli, const char *name, char oid[65], struct error *err)
{
	bool known;
	if (name[0])
		return find_named(cli, name, oid, err);
	if (find_main_branch(cli, oid, &known, err) < 0)
		return -1;
	return known ? 0
		     : error_set(
			       err, ERR_REVISION,
			       "no branch origin/HEAD, origin/main, origin/master, main or master "
			       "found: name the target branch with --against merge-base:BRANCH");
}

/* The newest commit that the branch pointed to and that the candidate descends from. It may be
 * another one than the merge base: a commit of a branch that was merged never was the main
 * branch's, and its rules were not either. Where it is not known (shallow clone, no common commit),
 * the branch's tip. */
static void trusted_base(struct cli *cli, const char *candidate, const char *fork, const char *tip,
			 char base[65])
{
	struct error ignored;
	char newest[65];
	memcpy(newest, fork, strlen(fork) + 1);
	if (!fork[0] || runs_newest_contained(cli, candidate, tip, newest, &ignored) < 0)
		memcpy(newest, tip, sizeof newest);
	memcpy(base, newest, sizeof newest);
}

/* --against merge-base[:BRANCH]: the baseline and the acceptances come from the newest commit that
 * the branch pointed to and the candidate contains, which is the merge base as a rule. If that was
 * not measured, the baseline is its newest ancestor in the store, but the acceptances stay those of
 * that commit. */
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
				 "%.10s is already on the target branch: use --against nearest or "
				 "--against window",
				 candidate);
	memcpy(reference->tip, tip, sizeof reference->tip);
	trusted_base(cli, candidate, base, tip, reference->base);
	memcpy(reference->oid, reference->base, sizeof reference->oid);
	reference->when = MESSAGE_CONFIGURATION_ONCE_MERGED;
	if (newest_known(cli, reference->oid, err) < 0)
		return -1;
	reference->inclusive = reference->branched = true;
	reference->description =
		strcmp(base, reference->base) == 0
			? arena_printf(&cli->arena, "merge base %.10s", base)
			: arena_printf(&cli->arena,
				       "%.10s, the latest commit of the branch that it contains",
				       reference->base);
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
				 "%s%.10s is the commit under test itself: choose another baseline",
				 strncmp(against, resolved, 10) == 0
					 ? ""
					 : arena_printf(&cli->arena, "%.200s, ", against),
				 resolved);
	if (!store_has_revision(cli->store, resolved))
		return error_set(err, ERR_STORE,
				 "commit %.10s (%s) is not in the store: ingest its profiles, or "
				 "those of a descendant, first",
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
static int own_base(struct cli *cli, const struct gate_input *input,
		    struct gate_reference *reference, struct error *err)
{
	const char *candidate = input->candidate.oid;
	const bool merged = input->windowed || input->dirty;
	const char *base = merged ? candidate : input->candidate.parent;
	char fork[65] = "";
	struct error ignored;
	bool known;
	reference->when = merged ? MESSAGE_CONFIGURATION_ONCE_COMMITTED
				 : MESSAGE_CONFIGURATION_COMMITTED_AND_LATER;
	memcpy(reference->base, base, strlen(base) + 1);
	if (cli_open_repository(cli, &ignored) < 0)
		return 0;
	if (find_main_branch(cli, reference->tip, &known, err) < 0)
		return -1;
	if (!known)
		return 0;
	if (runs_merge_base(cli, candidate, reference->tip, fork, &ignored) < 0)
		fork[0] = '\0';
	if (strcmp(fork, candidate) == 0)
		return 0;
	trusted_base(cli, candidate, fork, reference->tip, reference->base);
	reference->when = MESSAGE_CONFIGURATION_ONCE_MERGED;
	return 0;
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
		trusted_base(cli, candidate, fork, tip, fork);
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

const char *gate_command_branch(const char *against)
{
	static const char merging[] = "merge-base";
	size_t len = sizeof merging - 1;
	if (strncmp(against, merging, len) != 0 || (against[len] && against[len] != ':'))
		return NULL;
	return against[len] ? against + len + 1 : "";
}

int gate_command_choose_reference(struct cli *cli, struct gate_input *input, const char *against,
				  struct gate_reference *reference, struct error *err)
{
	const char *branch = gate_command_branch(against);
	*reference = (struct gate_reference){.description = ""};
	if (strcmp(against, "nearest") == 0)
		own_ancestors(input,
			      input->dirty ? "the commit itself, or its nearest measured ancestor"
					   : "nearest measured ancestor",
			      reference);
	else if (strcmp(against, "window") == 0) {
		own_ancestors(input, NULL, reference);
		input->windowed = true;
	} else if (strcmp(against, "best") == 0) {
		own_ancestors(input, "best period in the history", reference);
		input->best = true;
	} else if (branch) {
		if (merge_base(cli, input, branch, reference, err) < 0)
			return -1;
	} else if (named(cli, input, against, reference, err) < 0)
		return -1;
	assert(reference->oid[0]);
	if (!reference->base[0] && own_base(cli, input, reference, err) < 0)
		return -1;
	if (!reference->branched && !input->named && keep_to_main(cli, input, reference, err) < 0)
		return -1;
	input->newest = reference->inclusive ? 0 : 1;
	input->unmerged = !input->windowed && reference->when == MESSAGE_CONFIGURATION_ONCE_MERGED;
	return 0;
}

int gate_command_base_of_change(struct cli *cli, const char *oid, const char *branch,
				struct gate_reference *reference, struct error *err)
{
	char fork[65] = "";
	struct revision candidate;
	struct error ignored;
	bool known = true;
	*reference = (struct gate_reference){.when = MESSAGE_CONFIGURATION_ONCE_MERGED};
	if ((branch ? find_branch(cli, branch, reference->tip, err)
		    : find_main_branch(cli, reference->tip, &known, err)) < 0)
		return -1;
	if (!known) {
		reference->when = MESSAGE_CONFIGURATION_COMMITTED_AND_LATER;
		if (repository_revision(cli->repository, &cli->arena, oid, false, &candidate, err) <
		    0)
			return -1;
		memcpy(reference->base, candidate.parent, strlen(candidate.parent) + 1);
		return 0;
	}
	if (strcmp(oid, reference->tip) == 0)
		return 0;
	if (runs_merge_base(cli, oid, reference->tip, fork, &ignored) < 0)
		fork[0] = '\0';
	if (strcmp(fork, oid) != 0)
		trusted_base(cli, oid, fork, reference->tip, reference->base);
	return 0;
}

int gate_command_remember_bases(struct cli *cli, const struct revision *candidate,
				struct error *err)
{
	char tip[65], fork[65], base[65];
	struct error ignored;
	bool known;
	if (trust_remember(cli, candidate->oid, err) < 0 ||
	    trust_remember(cli, candidate->parent, err) < 0)
		return -1;
	if (find_main_branch(cli, tip, &known, &ignored) < 0 || !known ||
	    !runs_stored_merge_base(cli, candidate->oid, tip, fork))
		return 0;
	trusted_base(cli, candidate->oid, fork, tip, base);
	return trust_remember(cli, base, err);
}
