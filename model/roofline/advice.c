/* The text form of advice, and which of our rules say the same. */
#include "model/roofline/advice.h"

#include "base/text/text.h"

const char advice_category[] = "ncu", advice_tool[] = "Nsight Compute";

static const char estimate[] = "estimated speedup ";
static const char *const scopes[] = {
	[ADVICE_SCOPE_UNKNOWN] = "", [ADVICE_GLOBAL] = " (global)", [ADVICE_LOCAL] = " (local)"};

const char *advice_write(struct arena *arena, const struct advice *advice)
{
	struct strbuf sb = {0};
	if (advice->rule[0])
		strbuf_addf(&sb, "%s: ", advice->rule);
	if (advice->speedup > 0)
		strbuf_addf(&sb, "%s%.4g %%%s: ", estimate, advice->speedup * 100,
			    scopes[advice->scope]);
	strbuf_addstr(&sb, advice->text);
	return strbuf_into(&sb, arena);
}

/* "74.14 % (global)" */
static bool read_estimate(struct span words, struct advice *advice)
{
	size_t end = span_find(words, " %");
	double percent;
	if (end == words.len || !span_number((struct span){words.ptr, end}, &percent))
		return false;
	struct span scope = {words.ptr + end + 2, words.len - end - 2};
	for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++)
		if (span_is(scope, scopes[i]))
			advice->scope = (enum advice_scope)i;
	advice->speedup = percent / 100;
	return true;
}

/* Cuts "WORDS: " off the text; empty if there is none. */
static struct span cut_head(struct span *rest)
{
	size_t end = span_find(*rest, ": ");
	struct span head = {rest->ptr, end < rest->len ? end : 0};
	if (end < rest->len)
		*rest = (struct span){rest->ptr + end + 2, rest->len - end - 2};
	return head;
}

bool advice_read(struct arena *arena, const struct run_note *note, struct advice *advice)
{
	if (strcmp(note->category, advice_category) != 0)
		return false;
	struct span rest = span_of(note->message), after = rest;
	*advice = (struct advice){"", "", NAN, ADVICE_SCOPE_UNKNOWN};
	struct span rule = cut_head(&after);
	if (span_starts(rule, estimate)) {
		rule.len = 0;
	} else if (rule.len && rule.len < 64) {
		advice->rule = arena_strndup(arena, rule.ptr, rule.len);
		rest = after;
	}
	struct span words = rest;
	if (span_starts(rest, estimate)) {
		struct span share = cut_head(&words);
		size_t skip = strlen(estimate);
		if (share.len > skip && read_estimate(span_from(share, skip), advice))
			rest = words;
	}
	advice->text = arena_strndup(arena, rest.ptr, rest.len);
	return true;
}

/* By words and not by name: in ncu's text output a rule has only the name of its section. */
const char *advice_counterpart(const struct advice *advice)
{
	static const struct {
		const char *words, *rule;
	} pairs[] = {
		{"only issues", "ncu-issue-slots"},
		{"achieved occupancy", "ncu-achieved-occupancy"},
		{"theoretical occupancy", "ncu-theoretical-occupancy"},
		{"tail effect", "ncu-tail"},
		{"bank conflict", "access-bank-conflicts"},
		{"uncoalesced global", "access-global"},
	};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (strstr(advice->text, pairs[i].words))
			return pairs[i].rule;
	return NULL;
}
