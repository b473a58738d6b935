/* The words of --fail-on: which verdicts fail a gate. */
#include "base/base.h"
#include "model/gate/internal.h"

#define BIT(verdict) (1U << VERDICT_##verdict)

static const struct {
	const char *word;
	unsigned verdicts;
} words[] = {
	{"regression", BIT(REGRESSED) | BIT(FAILED) | BIT(DRIFT)},
	{"missing", BIT(MISSING) | BIT(INCOMPARABLE) | BIT(IMPOSSIBLE)},
	{"suspect", BIT(SUSPECT)},
	{"unproven", BIT(UNPROVEN)},
	{"undecided", BIT(UNDECIDED)},
	{"environment", BIT(ENVIRONMENT)},
	{"no-baseline", BIT(NO_BASELINE)},
	{"stale", BIT(STALE)},
};
static const size_t word_count = sizeof words / sizeof *words;

bool gate_fail_on_parse(const char *text, struct policy_fail_on *list)
{
	struct span rest = span_of(text);
	struct policy_fail_on read = {.given = true};
	if (span_is(span_trim(rest), "none")) {
		*list = read;
		return true;
	}
	for (bool more = true; more;) {
		more = memchr(rest.ptr, ',', rest.len) != NULL;
		struct span word = span_trim(span_cut(&rest, ','));
		size_t at = 0;
		while (at < word_count && !span_is(word, words[at].word))
			at++;
		if (at == word_count)
			return false;
		read.verdicts |= words[at].verdicts;
	}
	*list = read;
	return true;
}

struct policy_fail_on gate_fail_on_of(const struct gate_input *input)
{
	const unsigned usual =
		BIT(REGRESSED) | BIT(FAILED) | BIT(DRIFT) | BIT(MISSING) | BIT(INCOMPARABLE) |
		BIT(IMPOSSIBLE) |
		(input->windowed ? 0 : BIT(SUSPECT) | BIT(UNPROVEN) | BIT(ENVIRONMENT));
	if (input->fail_on.given)
		return input->fail_on;
	if (input->fine_status)
		return (struct policy_fail_on){.verdicts = ~0U, .waits = input->windowed};
	if (input->settings->fail_on.given)
		return input->settings->fail_on;
	return (struct policy_fail_on){.verdicts = usual};
}

const char *gate_fail_on_word(enum verdict verdict)
{
	for (size_t i = 0; i < word_count; i++)
		if (words[i].verdicts & 1U << verdict)
			return words[i].word;
	return NULL;
}

size_t gate_fail_on_words(const struct policy_fail_on *list, const char *out[GATE_FAIL_ON_WORDS])
{
	_Static_assert(sizeof words / sizeof *words == GATE_FAIL_ON_WORDS, "room for all words");
	size_t count = 0;
	for (size_t i = 0; i < word_count; i++)
		if (list->verdicts & words[i].verdicts)
			out[count++] = words[i].word;
	return count;
}

const char *gate_fail_on_known(struct arena *arena)
{
	struct strbuf known = {0};
	for (size_t i = 0; i < word_count; i++)
		strbuf_addf(&known, "%s, ", words[i].word);
	strbuf_addstr(&known, "none");
	return strbuf_into(&known, arena);
}
