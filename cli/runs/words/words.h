/*
 * What an argument means: a FILE, a RUN, a COMMIT or a part of SERIES.
 *
 *   1. "-" is standard input.
 *   2. "file:X", "run:X", "commit:X" and "series:X" are that kind.
 *   3. What begins with "/", "./" or "../" or ends with "/" is a FILE.
 *   4. Where a command has two sides, "A..B" are both, and "A...B" are their merge base and B.
 *   5. What has a "=" in it is a part of SERIES.
 *   6. Else it is what is found: a FILE if it has a "." or a "/" in it and exists, a RUN by 4
 * digits of its id or more, a COMMIT by the name of a baseline or by what git makes of it, SERIES
 * if a part of a stored series matches.
 *
 * Only the kinds that the command takes are looked for. What is found twice is an error that shows
 * both spellings: nothing is chosen silently. All parts of SERIES together are one pattern
 * (model/pattern), which narrows the filter.
 *
 * Never add the reading of files.
 */
#pragma once

#include "cli/command.h"
#include "cli/runs/runs.h"

enum word_kind { WORD_FILE = 1, WORD_RUN = 2, WORD_COMMIT = 4, WORD_SERIES = 8 };

struct word {
	enum word_kind kind; /* 0: to be resolved */
	const char *text;    /* as typed, without "file:" and so on */
	const char *id;      /* full, of a run or a commit */
};

/* What a command takes. */
struct words_rules {
	const char *command; /* its name, for hints */
	unsigned kinds;      /* word_kind */
	const char *does;    /* for words of other kinds: "gate judges stored runs" */
	bool sides;          /* two, which may be of different kinds */
	bool all_commits;    /* without a COMMIT: all, not HEAD or its nearest ancestor */
	/* Its configuration may be another commit's, so it is chosen later: here series have the
	 * names that the store has. */
	bool judges;
	/* What to type in place of a word that nothing is called, or NULL. May be NULL. */
	const char *(*instead)(struct arena *arena, const char *word);
};

/* The words but for those of SERIES, which the filter has. */
struct words {
	struct word *items;
	size_t count, capacity;
	const char *series;   /* the parts of SERIES so far, joined by blanks; NULL: none */
	bool from_merge_base; /* the first side is replaced by its merge base with the second */
};

/* Finds the files. All other words are to be resolved by words_resolve(). */
int words_begin(struct cli *cli, const struct words_rules *rules, const struct arguments *given,
		struct words *words, struct error *err);
size_t words_count(const struct words *words, enum word_kind kind);
/* The store is open; with the configuration loaded, series have the names of today. Finds what the
 * other words mean, and sets filter->words. */
int words_resolve(struct cli *cli, const struct words_rules *rules, struct words *words,
		  struct run_filter *filter, struct error *err);
/* For commands without FILE: opens the store, loads the configuration, resolves the words and
 * prepares the filter. */
int words_read(struct cli *cli, const struct words_rules *rules, const struct arguments *given,
	       struct words *words, struct run_filter *filter, struct error *err);
/* All words as one pattern of SERIES, which need not exist. */
int words_pattern(struct cli *cli, const struct words_rules *rules, const struct arguments *given,
		  const char **pattern, struct error *err);
/* Adds HEAD, or its nearest ancestor with runs. */
int words_choose_commit(struct cli *cli, struct words *words, struct error *err);
/* What the command could do without a repository, as a hint in a line of its own; "" for one that
 * takes no files. */
const char *words_elsewhere(const struct words_rules *rules);
/* The full id of the commit; NULL: there is none. */
const char *words_commit(const struct words *words);
