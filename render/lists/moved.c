/* What came into a store from others. */
#include "render/lists/lists.h"

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
