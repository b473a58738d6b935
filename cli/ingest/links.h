/*
 * Links among the inputs. A commit, or whoever packed a folder of profiles, can bring a link that
 * leads to a file of the user; its figures and what an error quotes would be shown to everyone who
 * sees the report.
 *
 *   - A link that is found, in a folder or next to a profile, is followed within that folder only.
 *   - A path that the caller names is followed, unless the repository brought a link on the way.
 */
#pragma once

#include "cli/context.h"

/* Whether a file that was found in a folder, or below it, is a link to something outside of it. */
bool links_lead_out(const char *path, const char *folder);
/* Refuses a file next to a profile that is such a link. */
int links_check_beside(struct arena *arena, const char *path, struct error *err);
/* Refuses a path that was named, if a link in it, or where that leads, is of the repository. */
int links_check_named(struct cli *cli, const char *path, struct error *err);
