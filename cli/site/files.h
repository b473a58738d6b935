/*
 * The folder of a site. What happens depends on what is there:
 *
 *   nothing:        the site is written next to it and renamed, so it appears complete; the next
 *                   site removes what one that was killed left there
 *   an empty folder (perhaps a mount point or a current directory): it is filled in place
 *   an older site:  files that changed are replaced one by one, stale pages are deleted
 *   anything else:  refused
 *
 * Use: set folder and templates, site_files_begin(), write and render, site_files_end(), and
 * always site_files_free().
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "cli/context.h"

struct site_template;

struct site_files {
	struct cli *cli;
	struct arena arena;         /* separate, because it outlives those of the pages */
	const char *folder;         /* the site's final folder */
	const char *working;        /* the folder to write into: `folder` or a temporary one */
	const char *templates;      /* the user's folder; NULL: only built-in templates */
	struct json *names;         /* all files of the new site, in the order of writing */
	const struct json *before;  /* the files of the old site; NULL: there was none */
	size_t count, written;      /* all files, and the new or changed ones */
	int lock;                   /* of a temporary folder, which is in use while it is open */
	bool incomplete;            /* a new site that is not complete yet */
	struct site_template *read; /* cache of the user's templates */
	struct error unread;        /* the first failure to read a user's template */
};

/* Checks the folder and prepares `working`. */
int site_files_begin(struct site_files *files, struct error *err);
/* Writes the file `name` ("k/attention-0123456789.html"), relative to the site, unless it exists
 * with the same bytes. */
int site_files_write(struct site_files *files, const char *name, struct span bytes,
		     struct error *err);
/* The same with a template rendered over the document. Templates of the user take precedence. */
int site_files_render(struct site_files *files, const char *template, const struct json *document,
		      const char *name, struct error *err);
/* The text of a template; NULL if there is none. If a template of the user cannot be read, the next
 * page or site_files_end() fails. */
const char *site_files_template(struct site_files *files, const char *name);
/* Writes the manifest, publishes the site and deletes stale pages. */
int site_files_end(struct site_files *files, const char *commit, struct error *err);
/* The manifest: the commit and all files. */
struct json *site_files_list(struct site_files *files, const char *commit);
/* Frees the memory and deletes a new site that is not complete. */
void site_files_free(struct site_files *files);
