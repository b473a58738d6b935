/* The pages of commits on the web. Never ask the network. */
#pragma once

#include "base/base.h"

/* What comes before the id of a commit in the URL of its page:
 * "https://github.com/owner/name/commit/". `address` is what git clones from (https, http, ssh, git
 * or user@host:path) or the URL of the project; user names and passwords in it are left out. NULL
 * if it is not such an address, and, with `known_hosts_only`, for a host that is not known to show
 * commits. */
const char *address_of_commits(struct arena *arena, const char *address, bool known_hosts_only);

/* What names the project of such an address on any host: "github.com/owner/name". NULL if it is not
 * one. */
const char *address_of_project(struct arena *arena, const char *address);

/* What comes before "A...B" in the URL of the difference of two commits, by that of their pages
 * (address_of_commits(); NULL is allowed). NULL if the host has no such pages. */
const char *address_of_diffs(struct arena *arena, const char *commits);
