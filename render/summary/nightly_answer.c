/* The first lines of the nightly page: the answer, what else there is, and how much was judged. */
#include "render/summary/internal.h"

#include "render/document/document.h"
#include "render/vocabulary/vocabulary.h"

enum { PARTS = 8 };

struct parts {
	struct arena *arena;
	const struct message **items; /* in the arena, as the message refers to them */
	size_t count;
};

static struct parts parts_of(struct arena *arena)
{
	return (struct parts){arena, arena_array(arena, PARTS, sizeof(struct message *)), 0};
}

static void add_count(struct parts *parts, enum message_code code, size_t count)
{
	assert(parts->count < PARTS);
	if (count)
		parts->items[parts->count++] =
			message_of(parts->arena, code, message_integer(count));
}

static size_t unclear_of(const struct nightly *nightly)
{
	return nightly->groups[NIGHTLY_SUSPECT].count + nightly->groups[NIGHTLY_UNDECIDED].count;
}

static size_t impossible_of(const struct nightly_list *list)
{
	size_t count = 0;
	for (size_t i = 0; i < list->count; i++)
		count += list->rows[i].one->judged.verdict == VERDICT_IMPOSSIBLE;
	return count;
}

static const struct message *answer_of(struct arena *arena, const struct nightly *nightly)
{
	const struct nightly_list *newly = &nightly->groups[NIGHTLY_NEWLY];
	const size_t impossible = impossible_of(newly), unclear = unclear_of(nightly);
	if (newly->count && newly->count == impossible)
		return message_of(arena, MESSAGE_TONIGHT_IMPOSSIBLE, message_integer(impossible));
	if (newly->count)
		return message_of(arena, MESSAGE_TONIGHT_NEW, message_integer(newly->count));
	const struct message *whole = report_headline(arena, nightly->gate, REPORT_NIGHT);
	if (whole->code == MESSAGE_HEADLINE_ALL_SHORT || whole->code == MESSAGE_HEADLINE_EMPTY ||
	    whole->code == MESSAGE_HEADLINE_RECORDED_PLAIN ||
	    whole->code == MESSAGE_HEADLINE_NOTHING || whole->code == MESSAGE_HEADLINE_TOGETHER)
		return whole;
	struct parts parts = parts_of(arena);
	add_count(&parts, MESSAGE_TONIGHT_OPEN, nightly->groups[NIGHTLY_STILL].count);
	add_count(&parts, MESSAGE_COUNT_UNCLEAR, unclear);
	return parts.count ? message_of(arena, MESSAGE_TONIGHT_OTHERS,
					message_parts(parts.items, parts.count))
			   : message_plain(MESSAGE_TONIGHT_CLEAR);
}

/* What the heading and the worst series do not say; NULL: nothing. */
static const struct message *also_of(struct arena *arena, const struct nightly *nightly)
{
	const struct nightly_list *groups = nightly->groups;
	struct parts parts = parts_of(arena);
	if (groups[NIGHTLY_NEWLY].count) {
		add_count(&parts, MESSAGE_COUNT_UNCLEAR, unclear_of(nightly));
		add_count(&parts, MESSAGE_TONIGHT_OPEN, groups[NIGHTLY_STILL].count);
	}
	add_count(&parts, MESSAGE_TONIGHT_RECOVERED, groups[NIGHTLY_FIXED].count);
	add_count(&parts, MESSAGE_TONIGHT_FASTER, groups[NIGHTLY_IMPROVED].count);
	return parts.count ? message_of(arena, MESSAGE_TONIGHT_ALSO,
					message_parts(parts.items, parts.count))
			   : NULL;
}

/* "31 of 34 series judged: 2 no longer measured, 1 new": the parts add up to the others. */
static const struct message *coverage_of(struct arena *arena, const struct gate_result *gate)
{
	const size_t *counts = gate->counts;
	struct parts parts = parts_of(arena);
	const struct message *judged =
		message_of(arena, MESSAGE_NIGHT_JUDGED, message_integer(gate->judged),
			   message_integer(gate->count - gate->context), gate_noun(gate));
	add_count(&parts, MESSAGE_COUNT_STOPPED, counts[VERDICT_STALE]);
	add_count(&parts, MESSAGE_COUNT_MISSING, counts[VERDICT_MISSING]);
	add_count(&parts, MESSAGE_COUNT_OTHER_SETUP, counts[VERDICT_INCOMPARABLE]);
	add_count(&parts, MESSAGE_COUNT_NEW, counts[VERDICT_NEW]);
	add_count(&parts, MESSAGE_COUNT_NO_BASELINE, counts[VERDICT_NO_BASELINE]);
	add_count(&parts, MESSAGE_TONIGHT_AWAY, gate->input->away);
	return parts.count ? message_of(arena, MESSAGE_TONIGHT_COVERAGE, message_part(judged),
					message_parts(parts.items, parts.count))
			   : judged;
}

void summary_add_nightly_answer(struct arena *arena, struct json *out,
				const struct nightly *nightly)
{
	const struct nightly_list *groups = nightly->groups;
	const struct nightly_list *news =
		groups[NIGHTLY_NEWLY].count ? &groups[NIGHTLY_NEWLY] : &groups[NIGHTLY_SUSPECT];
	const struct message *also = also_of(arena, nightly);
	const char *answer = vocabulary_say_briefly(arena, answer_of(arena, nightly));
	const struct document_member members[] = {
		{KEY(answer), TEXT(answer)},
		{KEY(also), TEXT(vocabulary_say_briefly(arena, also)), OPTIONAL},
		{KEY(coverage_text),
		 TEXT(vocabulary_say_briefly(arena, coverage_of(arena, nightly->gate)))},
		{KEY(unclear_count), NUMBER(unclear_of(nightly))},
	};
	document_fill(arena, out, members);
	if (news->count)
		summary_nightly_fill(arena, json_set_object(arena, out, KEY(worst)),
				     &news->rows[0]);
}
