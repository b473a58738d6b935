/*
 * Packs: exports that end with the run that fills 16 MiB. Each can be read alone, because it has
 * the commits of its runs. Commits that readers may lack are in the first one, edits and baselines
 * in the last one, however many.
 */
#pragma once

#include "db/jsonl/jsonl.h"

struct jsonl_pack {
	struct span lines; /* the export */
	struct span ids;   /* "r ID" and "c ID" lines: its runs and commits */
	size_t runs;
};
struct jsonl_pack_sink {
	int (*pack)(void *context, const struct jsonl_pack *pack, struct error *err);
	void *context;
};

struct jsonl_packs;
/* The caller ends them with jsonl_packs_free(); the arena lives as long. */
struct jsonl_packs *jsonl_packs_new(struct arena *arena, const struct jsonl_pack_sink *sink);
void jsonl_packs_free(struct jsonl_packs *packs);
/* All commits come first. `known`: readers have it, so only its runs bring it along. */
void jsonl_packs_commit(struct jsonl_packs *packs, const struct revision *commit, bool known);
/* Takes commits as unknown ones, and all else. */
struct store_taker jsonl_packs_taker(struct jsonl_packs *packs);
/* The last pack, unless there is nothing for it. */
int jsonl_packs_end(struct jsonl_packs *packs, struct error *err);
