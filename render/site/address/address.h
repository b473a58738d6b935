/*
 * Names of the site's pages, for links from elsewhere. They never contain names from outside: a
 * slug of harmless letters and a hash.
 *
 * Never add contents of pages.
 */
#pragma once

#include "base/base.h"

/* "attention-0123456789", the page of a kernel without folder and ending. */
const char *site_address_slug(struct arena *arena, const char *kernel);
/* The fragment of a series on the page of its kernel; `key` is run_series_key(). */
const char *site_address_anchor(struct arena *arena, const char *key);
/* "k/attention-0123456789.html#s0123456789": the page of a series, below the site's address. */
const char *site_address_of(struct arena *arena, const char *kernel, const char *key);
