/*
 * What a job of GitHub Actions, GitLab CI or Gitea Actions says about itself in its environment:
 * addresses, the request that it runs for, and the token.
 *
 * Never add requests: vcs/forge sends them.
 */
#pragma once

#include "cli/context.h"
#include "vcs/forge/forge.h"

/* Fills in the members of the target that are NULL from the environment and, on GitHub and Gitea,
 * from the event that began the job (GITHUB_EVENT_PATH: what the host says, not the change); those
 * that it does not know stay NULL. The kind is that of --on (a name of forge_names), else that of
 * the job, else GitHub. ERR_USAGE for another word after --on. */
int publish_complete(struct cli *cli, const char *on, struct forge_target *target,
		     struct error *err);
/* The first line of a file with a secret, else of the first environment variable of the list that
 * is set; NULL: none. *name is where it is from. ERR_USAGE if it has blanks or is empty. */
int publish_secret(struct cli *cli, const char *path, const char *const *variables,
		   const char **secret, const char **name, struct error *err);
