/* The title of the nightly page: what is new, what else there is, and how much could be judged. */
#include "render/summary/internal.h"

#include "render/vocabulary/vocabulary.h"

enum { PARTS = 12 };

struct title {
	struct arena *arena;
	const struct nightly *nightly;
	const struct message **parts; /* in the arena, as the message refers to them */
	size_t count;
};

static void add(struct title *t, const struct message *part)
{
	assert(t->count < PARTS);
	t->parts[t->count++] = part;
}

/* The first comparison of the list with the verdict, and the number of those; VERDICT_LIMIT: any
 * verdict. */
static const struct comparison *first_of(const struct nightly_list *list, enum verdict verdict,
					 size_t *count)
{
	const struct comparison *first = NULL;
	*count = 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct comparison *one = list->rows[i].one;
		if (verdict != VERDICT_LIMIT && one->judged.verdict != verdict)
			continue;
		first = first ? first : one;
		++*count;
	}
	return first;
}

static void add_example(struct title *t, enum message_code code, const struct nightly_list *list,
			enum verdict verdict)
{
	size_t count;
	const struct comparison *first = first_of(list, verdict, &count);
	if (first)
		add(t, message_of(t->arena, code, message_integer(count),
				  message_part(report_example(t->arena, t->nightly->gate, first))));
}

static const struct message *since(struct title *t, const struct comparison *one)
{
	const struct message *example = report_example(t->arena, t->nightly->gate, one);
	const struct revision *commit = one->first_after;
	if (!commit)
		return example;
	return message_of(t->arena, MESSAGE_EXAMPLE_SINCE, message_part(example),
			  message_text(arena_prefix(t->arena, commit->oid, 10)));
}

/* New slowdowns, and times that are impossible. */
static void add_new(struct title *t)
{
	const struct nightly_list *newly = &t->nightly->groups[NIGHTLY_NEWLY];
	size_t impossible;
	first_of(newly, VERDICT_IMPOSSIBLE, &impossible);
	const struct comparison *first = newly->count ? newly->rows[0].one : NULL;
	add_example(t, MESSAGE_NIGHT_IMPOSSIBLE, newly, VERDICT_IMPOSSIBLE);
	if (!first || newly->count == impossible)
		add(t, message_plain(MESSAGE_NIGHT_NOTHING_NEW));
	else
		add(t, message_of(t->arena,
				  first->second == VERDICT_REGRESSED ? MESSAGE_NIGHT_CONFIRMED
								     : MESSAGE_NIGHT_NEW,
				  message_integer(newly->count - impossible),
				  message_part(since(t, first))));
}

static void add_accepted(struct title *t)
{
	const struct nightly_list *quiet = &t->nightly->groups[NIGHTLY_QUIET];
	add_example(t, MESSAGE_NIGHT_ACCEPTED, quiet, VERDICT_ACCEPTED);
}

/* A title about the whole night: a first run, or too little history for everything. */
static bool add_whole(struct title *t)
{
	const struct gate_result *gate = t->nightly->gate;
	const struct message *sentence = report_headline(t->arena, gate, REPORT_NIGHT);
	const struct message_value *values = sentence->values;
	switch (sentence->code) {
	case MESSAGE_HEADLINE_ALL_SHORT:
		add(t,
		    message_of(t->arena, MESSAGE_NIGHT_ALL_SHORT, values[0], values[1], values[3]));
		return true;
	case MESSAGE_HEADLINE_RECORDED_PLAIN:
	case MESSAGE_HEADLINE_NOTHING:
	case MESSAGE_HEADLINE_EMPTY:
		add(t, sentence);
		return true;
	case MESSAGE_HEADLINE_TOGETHER:
	case MESSAGE_HEADLINE_MISSING:
	case MESSAGE_HEADLINE_OTHER_SETUP:
	case MESSAGE_HEADLINE_STOPPED:
		add(t, sentence);
		return false;
	default:
		return false;
	}
}

const struct message *summary_nightly_title(struct arena *arena, const struct nightly *nightly)
{
	const struct gate_result *gate = nightly->gate;
	const struct nightly_list *groups = nightly->groups;
	struct title t = {arena, nightly, arena_array(arena, PARTS, sizeof *t.parts), 0};
	if (!add_whole(&t)) {
		add_new(&t);
		add_example(&t, MESSAGE_NIGHT_SUSPECT, &groups[NIGHTLY_SUSPECT], VERDICT_SUSPECT);
		add_example(&t, MESSAGE_NIGHT_UNPROVEN, &groups[NIGHTLY_SUSPECT], VERDICT_UNPROVEN);
		add_example(&t, MESSAGE_NIGHT_FIXED, &groups[NIGHTLY_FIXED], VERDICT_LIMIT);
		add_example(&t, MESSAGE_NIGHT_FASTER, &groups[NIGHTLY_IMPROVED], VERDICT_LIMIT);
		add_accepted(&t);
		add(&t, message_of(arena, MESSAGE_NIGHT_OPEN,
				   message_integer(groups[NIGHTLY_STILL].count)));
		add(&t, message_of(arena, MESSAGE_NIGHT_JUDGED, message_integer(gate->judged),
				   message_integer(gate->count - gate->context), gate_noun(gate)));
	}
	return message_of(arena, MESSAGE_NIGHT_PARTS, message_parts(t.parts, t.count));
}
