/*
 * rooflog site: a folder of static pages. collect.c collects all series along one first-parent
 * chain once; cmd_site.c builds each page (render/site), and files.c writes it.
 */
#pragma once

#include "cli/config/trust/trust.h"
#include "cli/context.h"
#include "cli/site/files.h"
#include "render/site/site.h"

/* Reads the store, judges the commit, and finds changes of level. Fills *site, in cli->arena. */
int site_collect(struct cli *cli, const char *oid, const struct trust_options *trust,
		 struct site *site, struct error *err);
