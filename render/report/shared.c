/* What all comparisons of a gate share, which stands above their table once. */
#include "render/report/report.h"

#include "model/run/runs.h"
#include "render/document/document.h"
#include "render/vocabulary/vocabulary.h"

enum { TEXT_BYTES = 400 };

/* At most TEXT_BYTES of the text, in whole characters, then "…". */
static const char *cut(struct arena *arena, const char *text)
{
	if (strlen(text) <= TEXT_BYTES)
		return text;
	return arena_printf(arena, "%.*s…", (int)utf8_valid_prefix((struct span){text, TEXT_BYTES}),
			    text);
}

static bool is_same(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

void report_add_shared(struct arena *arena, struct json *out, const struct gate_result *gate)
{
	bool metric = true, limit = true, dtype = true, device = true;
	const struct comparison *first = gate->comparisons;
	if (!gate->count)
		return;
	for (size_t i = 1; i < gate->count; i++) {
		const struct comparison *one = &first[i];
		metric = metric && one->metric == first->metric;
		limit = limit && one->policy == first->policy;
		dtype = dtype && is_same(one->run->dtype, first->run->dtype);
		device = device && is_same(one->run->device, first->run->device);
	}
	const struct short_names naming = gate_short_names(arena, gate);
	const char *title = metric ? vocabulary_metric(vocabulary_spoken(), first->metric) : NULL;
	const char *rule =
		limit ? vocabulary_say(arena, policy_message(arena, first->policy)) : NULL;
	struct strbuf text = {0};
	strbuf_addstr(&text, cut(arena, short_names_common(arena, &naming)));
	if (title)
		strbuf_addf(&text, "%s%s", text.len ? vocabulary_format("; ") : "", title);
	if (rule)
		strbuf_addf(&text, vocabulary_format("%slimit: %s"),
			    text.len ? vocabulary_format("; ") : "", rule);
	const struct document_member members[] = {
		{KEY(shared_metric), TEXT(title), OPTIONAL},
		{KEY(shared_limit), TEXT(rule), OPTIONAL},
		{KEY(shared_dtype), BOOL(dtype)},
		{KEY(shared_device), BOOL(device)},
		{KEY(shared), TEXT(strbuf_into(&text, arena))},
	};
	document_fill(arena, out, members);
}
