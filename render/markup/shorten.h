/*
 * Words that are too wide for a column of a table. They lose their middle, but never so that two of
 * them look alike: then the cut moves, and where no cut distinguishes them they are folded.
 */
#pragma once

#include "base/base.h"

struct md_shortening {
	size_t width; /* of the column */
	size_t tail;  /* columns of a word that stay after the dots */
	bool folds;   /* words are broken into lines instead */
};

/* Chooses how the words of `count` texts, each `stride` after the one before, are shortened to this
 * width. */
struct md_shortening md_shortening_of(const char *const *texts, size_t count, size_t stride,
				      size_t width);
/* The text with all its words shortened, or with blanks where they may be broken. */
const char *md_shortened(struct arena *arena, const struct md_shortening *shortening,
			 const char *text);
