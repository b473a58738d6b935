/* What came into a store from others, what it holds, and what was pruned. */
#include "render/lists/lists.h"

#include "base/text/text.h"
#include "render/document/document.h"

struct json *render_moved_json(struct arena *arena, const struct moved_row *row)
{
	const struct {
		const char *key;
		size_t count;
	} counts[] = {
		{KEY(runs), row->runs},           {KEY(known), row->known},
		{KEY(earlier), row->earlier},     {KEY(restored), row->restored},
		{KEY(commits), row->commits},     {KEY(edits), row->edits},
		{KEY(baselines), row->baselines}, {KEY(set_aside), row->set_aside},
		{KEY(pushed), row->pushed},
	};
	struct json *document = document_begin(arena, SCHEMA(moved));
	json_set_text(arena, document, KEY(store), row->store);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		json_set_number(arena, document, counts[i].key, (double)counts[i].count);
	return document;
}

struct figure {
	const char *key;
	int64_t number;
};

static void set_figures(struct arena *arena, struct json *object, const struct figure *figures,
			size_t count)
{
	for (size_t i = 0; i < count; i++)
		json_set_number(arena, object, figures[i].key, (double)figures[i].number);
}

struct json *render_size_json(struct arena *arena, const struct size_row *row)
{
	const struct figure held[] = {
		{KEY(bytes), row->bytes},     {KEY(runs), row->runs},
		{KEY(series), row->series},   {KEY(commits), row->commits},
		{KEY(numbers), row->numbers}, {KEY(removed), row->removed},
	};
	const struct figure packed[] = {{KEY(packs), row->packs},
					{KEY(runs), row->packed_runs},
					{KEY(bytes), row->packed_bytes}};
	const struct figure pruned[] = {{KEY(keep), row->keep},
					{KEY(runs), row->pruned_runs},
					{KEY(series), row->pruned_series},
					{KEY(samples), row->samples},
					{KEY(thinned), row->thinned_runs}};
	struct json *document = document_begin(arena, SCHEMA(size));
	json_set_text(arena, document, KEY(store), row->store);
	set_figures(arena, document, held, sizeof held / sizeof *held);
	if (row->on_server)
		set_figures(arena, json_set_object(arena, document, KEY(server)), packed,
			    sizeof packed / sizeof *packed);
	else
		json_set_text(arena, document, KEY(server), NULL);
	if (!row->prunes) {
		json_set_text(arena, document, KEY(pruned), NULL);
		return document;
	}
	struct json *object = json_set_object(arena, document, KEY(pruned));
	json_set_bool(arena, object, KEY(dry_run), row->dry_run);
	set_figures(arena, object, pruned, sizeof pruned / sizeof *pruned);
	json_set_number(arena, object, KEY(bytes), row->dry_run ? NAN : (double)row->freed);
	return document;
}

static const char *count_of(struct arena *arena, int64_t count, const char *one, const char *many)
{
	return quantity_count_text(arena, (size_t)count, one, many);
}

void render_size_text(const struct size_row *row, struct strbuf *out)
{
	struct arena arena = {0};
	strbuf_addf(out, "store    %s\n", row->store);
	strbuf_addf(out, "%-8s %s", row->on_server ? "copy" : "size",
		    quantity_text(&arena, (double)row->bytes, UNIT_BYTE));
	if (row->numbers)
		strbuf_addf(out, ", %s a number",
			    quantity_text(&arena, (double)row->bytes / (double)row->numbers,
					  UNIT_BYTE));
	if (row->on_server)
		strbuf_addf(out, "\nserver   %s in %s",
			    quantity_text(&arena, (double)row->packed_bytes, UNIT_BYTE),
			    count_of(&arena, row->packs, "pack", "packs"));
	strbuf_addf(out, "\nruns     %s of %lld series at %s",
		    quantity_text(&arena, (double)row->runs, UNIT_COUNT), (long long)row->series,
		    count_of(&arena, row->commits, "commit", "commits"));
	if (row->removed)
		strbuf_addf(out, ", and %s removed", count_of(&arena, row->removed, "run", "runs"));
	strbuf_addf(out, "\nnumbers  %s\n",
		    quantity_text(&arena, (double)row->numbers, UNIT_COUNT));
	arena_free(&arena);
}
