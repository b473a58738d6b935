/*
 * rooflog site: a folder of static pages. What is known of every series along one
 * first-parent chain is collected once (collect.c); pages.c has each page made
 * (render/site) and written (files.c).
 */
#pragma once

#include "cli/context.h"
#include "cli/site/files.h"
#include "render/site/site.h"

/* Reads the store, judges, and finds the changes of level. */
int site_collect(struct cli *cli, const char *oid, struct site *site, struct error *err);
/* Writes all pages and their data; fills in the newest runs. */
int site_write(struct cli *cli, struct site_files *files, struct site *site, struct error *err);
