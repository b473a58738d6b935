/* Cuts what a store gives into packs. */
#include "db/jsonl/packs.h"

enum { PACK_BYTES = 16 << 20 };

struct packed_commit {
	struct revision revision;
	bool known;
	size_t pack; /* the number of the latest pack that got it; 0: none */
};

struct jsonl_packs {
	struct arena *arena;
	const struct jsonl_pack_sink *sink;
	struct packed_commit *commits; /* by id, once they are sorted */
	size_t count, capacity;
	bool sorted;
	size_t number; /* of the pack that is being made, from 1 */
	struct strbuf lines, ids;
	struct jsonl_writer part; /* of its lines, all but the commits */
};

static void begin_pack(struct jsonl_packs *packs)
{
	strbuf_reset(&packs->lines);
	strbuf_reset(&packs->ids);
	packs->part = jsonl_begin(&packs->lines, NULL, false);
	packs->number++;
}

struct jsonl_packs *jsonl_packs_new(struct arena *arena, const struct jsonl_pack_sink *sink)
{
	struct jsonl_packs *packs = arena_new(arena, struct jsonl_packs);
	*packs = (struct jsonl_packs){.arena = arena, .sink = sink};
	begin_pack(packs);
	return packs;
}

void jsonl_packs_free(struct jsonl_packs *packs)
{
	strbuf_free(&packs->lines);
	strbuf_free(&packs->ids);
}

/* --- commits --- */

static const char *kept(struct jsonl_packs *packs, const char *text)
{
	return text ? arena_strdup(packs->arena, text) : NULL;
}

void jsonl_packs_commit(struct jsonl_packs *packs, const struct revision *commit, bool known)
{
	struct packed_commit *own =
		arena_next(packs->arena, packs->commits, packs->count, packs->capacity);
	*own = (struct packed_commit){.revision = {.oid = kept(packs, commit->oid),
						   .tree = kept(packs, commit->tree),
						   .patch_id = kept(packs, commit->patch_id),
						   .parent = kept(packs, commit->parent),
						   .parents = kept(packs, commit->parents),
						   .position = commit->position,
						   .time = commit->time,
						   .subject = kept(packs, commit->subject)},
				      .known = known};
	assert(!packs->sorted);
}

static int by_id(const void *a, const void *b)
{
	const struct packed_commit *x = a, *y = b;
	return strcmp(x->revision.oid, y->revision.oid);
}

static struct packed_commit *commit_of(struct jsonl_packs *packs, const char *oid)
{
	const struct packed_commit wanted = {.revision = {.oid = oid}};
	if (!packs->sorted)
		array_sort(packs->commits, packs->count, sizeof *packs->commits, by_id);
	packs->sorted = true;
	return packs->count ? bsearch(&wanted, packs->commits, packs->count, sizeof *packs->commits,
				      by_id)
			    : NULL;
}

static void write_commits(struct jsonl_packs *packs, struct jsonl_writer *writer)
{
	const struct store_taker taker = jsonl_taker(writer);
	struct error ignored;
	for (size_t i = 0; i < packs->count; i++) {
		const struct packed_commit *own = &packs->commits[i];
		if (own->pack != packs->number && (own->known || packs->number > 1))
			continue;
		taker.commit(taker.context, &own->revision, &ignored);
		strbuf_addf(&packs->ids, "c %s\n", own->revision.oid);
	}
}

/* --- packs --- */

static int end_pack(struct jsonl_packs *packs, struct error *err)
{
	struct strbuf text = {0};
	struct jsonl_writer writer = jsonl_begin(&text, NULL, true);
	int failed = 0;
	write_commits(packs, &writer);
	jsonl_append(&writer, &packs->part);
	const struct jsonl_amount *amount = &writer.amount;
	if (amount->commits + amount->runs + amount->edits + amount->baselines) {
		jsonl_end(&writer);
		const struct jsonl_pack pack = {strbuf_span(&text), strbuf_span(&packs->ids),
						amount->runs};
		failed = packs->sink->pack(packs->sink->context, &pack, err);
	}
	strbuf_free(&text);
	return failed;
}

static int take_commit(void *context, const struct revision *commit, struct error *err)
{
	(void)err;
	jsonl_packs_commit(context, commit, false);
	return 0;
}

static int take_run(void *context, const struct exchanged_run *given, struct error *err)
{
	struct jsonl_packs *packs = context;
	const struct store_taker taker = jsonl_taker(&packs->part);
	struct packed_commit *own = commit_of(packs, given->run->commit);
	if (!own)
		return error_set(err, ERR_STORE, "run %.10s has no commit", given->id);
	own->pack = packs->number;
	strbuf_addf(&packs->ids, "r %s\n", given->id);
	taker.run(taker.context, given, err);
	if (packs->lines.len < PACK_BYTES)
		return 0;
	if (end_pack(packs, err) < 0)
		return -1;
	begin_pack(packs);
	return 0;
}

static int take_edit(void *context, const struct exchanged_edit *edit, struct error *err)
{
	struct jsonl_packs *packs = context;
	const struct store_taker taker = jsonl_taker(&packs->part);
	return taker.edit(taker.context, edit, err);
}

static int take_baseline(void *context, const struct baseline *baseline, struct error *err)
{
	struct jsonl_packs *packs = context;
	const struct store_taker taker = jsonl_taker(&packs->part);
	return taker.baseline(taker.context, baseline, err);
}

struct store_taker jsonl_packs_taker(struct jsonl_packs *packs)
{
	return (struct store_taker){take_commit, take_run, take_edit, take_baseline, packs};
}

int jsonl_packs_end(struct jsonl_packs *packs, struct error *err)
{
	return end_pack(packs, err);
}
