/*
 * rooflog site: a folder of static pages. collect.c collects all series along one first-parent
 * chain once; cmd_site.c builds each page (render/site), and files.c writes it.
 */
#pragma once

#include "cli/config/trust/trust.h"
#include "cli/context.h"
#include "cli/site/files.h"
#include "render/site/site.h"

/* What is asked about the newest commit. */
struct site_question {
	const char *against; /* GATE_AGAINST_HELP */
	struct trust_options trust;
};

/* Reads the store, judges oid as the command gate does, and finds change points. Fills *site, in
 * cli->arena. */
int site_collect(struct cli *cli, const char *oid, const struct site_question *question,
		 struct site *site, struct error *err);
/* Fills in what two commits of the site are compared by. */
void site_collect_compared(struct cli *cli, struct site *site);
/* Writes the timelines of at most `limit` series, the worst first, and their list. A run whose file
 * is gone or has no events has none: not an error. */
int site_write_timelines(struct cli *cli, struct site_files *files, struct site *site, size_t limit,
			 struct error *err);
