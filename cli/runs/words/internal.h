/* What a word was found to be. */
#pragma once

#include "cli/runs/words/words.h"

struct meaning {
	bool file;
	size_t runs;
	const char *const *ids; /* as many */
	char oid[65];           /* the commit; "": it is none */
	bool by_digits;         /* the word is the beginning of its id */
	bool baseline;          /* it is called so in the store */
	char rival[65];         /* the other commit that git means; "": none */
	bool series, kernel;    /* a part of a series matches; it is the kernel */
};

struct word_finding {
	struct cli *cli;
	const struct words_rules *rules;
	const struct run **series; /* what identifies those of the store */
	size_t count;
	bool listed;
	const struct renaming_list *aliases; /* NULL: not looked up yet */
};

/* Looks for the meanings of these kinds (word_kind). */
int words_find(struct word_finding *f, const char *word, unsigned kinds, struct meaning *meaning,
	       struct error *err);
/* Whether the word is spelled as a path. */
bool words_is_path(const char *word);
/* Whether it may be a path and exists: a bare word is none. */
bool words_is_file(const char *word);

/* ERR_USAGE: what to say. Each returns -1. */
int words_refuse_several(struct cli *cli, const char *word, const struct meaning *meaning,
			 struct error *err);
int words_refuse_runs(struct cli *cli, const char *word, const struct meaning *meaning,
		      struct error *err);
int words_refuse_unknown(struct word_finding *f, const struct word *word, struct error *err);
int words_refuse_kind(struct cli *cli, const struct words_rules *rules, enum word_kind kind,
		      const char *word, struct error *err);
