/*
 * The folder of a site: a new one is made beside its place and renamed into it; an empty one, which
 * may be a mount point or the one that somebody stands in, is filled where it is; an old one is
 * brought up to date file by file, what has not changed is left alone, and pages that there are no
 * longer go. A folder that holds something else is refused.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "base/json/json.h"

struct site_template;

struct site_files {
	struct arena arena;         /* of its own: it outlives the pages' */
	const char *folder;         /* where the site is to be */
	const char *working;        /* where files are written now */
	const char *templates;      /* a folder of the user's; NULL: only our own */
	struct json *names;         /* of all files that are there, in the order of writing */
	const struct json *before;  /* those of the old site; NULL: there was none */
	size_t count, written;      /* files, and those that were new or had changed */
	bool incomplete;            /* nothing was there before, and not all of it is there now */
	struct site_template *read; /* the user's, read once */
	struct error unread;        /* the first of the user's that could not be read, if any */
};

int site_files_begin(struct site_files *files, struct error *err);
/* Writes the file `name` ("k/attention-0123456789.html"), unless it is there as it should be. */
int site_files_write(struct site_files *files, const char *name, struct span bytes,
		     struct error *err);
/* The same with what a template makes of the document; the user's folder comes first. */
int site_files_render(struct site_files *files, const char *template, const struct json *document,
		      const char *name, struct error *err);
/* A template's text as it is; NULL when there is none. One of the user's that cannot be read fails
 * the next page or the end. */
const char *site_files_template(struct site_files *files, const char *name);
/* Puts the site in its place. */
int site_files_end(struct site_files *files, const char *commit, struct error *err);
/* Gives the memory back; what there is of a new site that is not complete is taken away again. */
void site_files_free(struct site_files *files);
