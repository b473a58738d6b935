/* The words of --fail-on: which verdicts fail a gate. */
#include "base/base.h"
#include "model/gate/internal.h"

#define BIT(verdict) (1U << VERDICT_##verdict)

static const struct {
	const char *word;
	unsigned verdicts;
	bool class;
} words[] = {
	{"regression", BIT(REGRESSED) | BIT(FAILED) | BIT(DRIFT), true},
	{"missing", BIT(MISSING) | BIT(INCOMPARABLE) | BIT(IMPOSSIBLE), true},
	{"suspect", BIT(SUSPECT), false},
	{"unproven", BIT(UNPROVEN), false},
	{"environment", BIT(ENVIRONMENT), false},
	{"undecided", BIT(SUSPECT) | BIT(ENVIRONMENT) | BIT(UNPROVEN) | BIT(UNDECIDED), true},
	{"no-baseline", BIT(NO_BASELINE), true},
	{"stale", BIT(STALE), true},
	{"regressed", BIT(REGRESSED), false},
	{"failed", BIT(FAILED), false},
	{"drift", BIT(DRIFT), false},
	{"incomparable", BIT(INCOMPARABLE), false},
	{"impossible", BIT(IMPOSSIBLE), false},
	{"new", BIT(NEW), false},
};
static const size_t word_count = sizeof words / sizeof *words;

unsigned gate_all_classes(void)
{
	unsigned all = 0;
	for (size_t i = 0; i < word_count; i++)
		all |= words[i].class ? words[i].verdicts : 0;
	return all;
}

static bool add_word(struct policy_fail_on *list, struct span word)
{
	if (span_is(word, "default"))
		return list->usual = true;
	if (span_is(word, "any")) {
		list->verdicts |= gate_all_classes();
		return true;
	}
	for (size_t i = 0; i < word_count; i++)
		if (span_is(word, words[i].word)) {
			list->verdicts |= words[i].verdicts;
			return true;
		}
	return false;
}

bool gate_fail_on_parse(const char *text, struct policy_fail_on *list)
{
	struct span rest = span_of(text);
	struct policy_fail_on read = {.given = true};
	bool none = span_is(span_trim(rest), "none");
	for (bool more = !none; more;) {
		more = memchr(rest.ptr, ',', rest.len) != NULL;
		if (!add_word(&read, span_trim(span_cut(&rest, ','))))
			return false;
	}
	*list = read;
	return true;
}

/* A list with what "default" means for this gate. */
static struct policy_fail_on complete(const struct gate_input *input, struct policy_fail_on list)
{
	const unsigned usual =
		BIT(REGRESSED) | BIT(FAILED) | BIT(DRIFT) | BIT(MISSING) | BIT(INCOMPARABLE) |
		BIT(IMPOSSIBLE) |
		(input->windowed ? 0 : BIT(SUSPECT) | BIT(UNPROVEN) | BIT(ENVIRONMENT));
	if (list.usual || !list.given)
		list.verdicts |= usual;
	return list;
}

struct policy_fail_on gate_fail_on_of(const struct gate_input *input)
{
	struct policy_fail_on list = input->settings->fail_on;
	if (input->fail_on.given)
		list = input->fail_on;
	else if (input->fine_status)
		return (struct policy_fail_on){.verdicts = gate_all_classes(),
					       .overrides = true,
					       .waits = input->windowed};
	list.overrides = input->fail_on.given;
	return complete(input, list);
}

struct policy_fail_on gate_fail_on_for(const struct gate_input *input,
				       const struct policy_fail_on *list,
				       const struct policy *policy)
{
	return list->overrides || !policy->fail_on.given ? *list : complete(input, policy->fail_on);
}

bool gate_is_let_pass(const struct gate_input *input, const struct policy *policy,
		      enum verdict verdict)
{
	const struct policy_fail_on *list = input->fail_on.given    ? &input->fail_on
					    : policy->fail_on.given ? &policy->fail_on
								    : &input->settings->fail_on;
	return list->given && !(complete(input, *list).verdicts & 1U << verdict);
}

const char *gate_fail_on_word(enum verdict verdict)
{
	for (size_t i = 0; i < word_count; i++)
		if (words[i].verdicts & 1U << verdict)
			return words[i].word;
	return NULL;
}

const char *gate_class_of(enum verdict verdict)
{
	return gate_all_classes() & 1U << verdict ? gate_fail_on_word(verdict) : NULL;
}

size_t gate_fail_on_words(const struct policy_fail_on *list, const char *out[GATE_FAIL_ON_WORDS])
{
	_Static_assert(sizeof words / sizeof *words == GATE_FAIL_ON_WORDS, "room for all words");
	unsigned covered = 0;
	size_t count = 0;
	for (size_t i = 0; i < word_count; i++)
		if (words[i].class && (list->verdicts & words[i].verdicts) == words[i].verdicts)
			covered |= words[i].verdicts;
	for (size_t i = 0; i < word_count; i++) {
		unsigned own = words[i].verdicts;
		if (words[i].class ? (list->verdicts & own) == own
				   : list->verdicts & own & ~covered)
			out[count++] = words[i].word;
	}
	return count;
}

const char *gate_fail_on_known(struct arena *arena)
{
	static const char *const others[] = {"default", "any", "none"};
	struct strbuf known = {0};
	for (size_t i = 0; i < word_count; i++)
		strbuf_addf(&known, "%s, ", words[i].word);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		strbuf_addf(&known, "%s%s", i ? ", " : "", others[i]);
	return strbuf_into(&known, arena);
}
