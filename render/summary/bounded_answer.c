/* The heading of a report of limited size, and what both sides and the noise are. */
#include "render/summary/internal.h"

#include "render/vocabulary/vocabulary.h"

enum { AGAINST_LIMIT = 200 }; /* maximal bytes of what the baseline is called */

/* "; geometric mean -0.1 %" for the judged changes of one metric; "" for several. */
static const char *mean_text(const struct bounded_gate *w)
{
	const struct gate_result *gate = w->gate;
	double sum = 0;
	size_t count = 0;
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		if (one->policy->role != POLICY_PRIMARY || !(one->judged.change > -1))
			continue;
		if (one->metric != gate->comparisons->metric || one->judged.method == METHOD_LIMIT)
			return "";
		sum += log1p(one->judged.change);
		count++;
	}
	return count < 2 ? ""
			 : arena_printf(w->arena, vocabulary_format("; geometric mean %s"),
					report_digest_change(w->arena, expm1(sum / (double)count)));
}

const char *bounded_answer(const struct bounded_gate *w)
{
	const struct gate_result *gate = w->gate;
	if (gate->judged == 0 && !bounded_is_recorded(gate))
		return bounded_nothing_compared(w);
	const struct message *answer = report_answer(w->arena, gate);
	const bool clear = answer->code == MESSAGE_HEADLINE_UNCHANGED ||
			   answer->code == MESSAGE_HEADLINE_ALL_UNCHANGED;
	return arena_printf(w->arena, "%s%s", vocabulary_say_briefly(w->arena, answer),
			    clear ? mean_text(w) : "");
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

const char *bounded_detectable(const struct bounded_gate *w)
{
	const struct gate_result *gate = w->gate;
	double *changes = arena_array(w->arena, gate->count + 1, sizeof *changes);
	size_t count = 0;
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		bool known = one->judged.method == METHOD_BASELINE &&
			     isfinite(one->judged.result.detectable);
		if (known && one->policy->role == POLICY_PRIMARY)
			changes[count++] = one->judged.result.detectable;
	}
	if (!count)
		return NULL;
	array_sort(changes, count, sizeof *changes, by_value);
	return arena_printf(
		w->arena,
		vocabulary_format("a slowdown of %s would have been seen in half of the series, of "
				  "%s in all"),
		quantity_percent_text(w->arena, changes[(count - 1) / 2]),
		quantity_percent_text(w->arena, changes[count - 1]));
}

const char *bounded_against(const struct bounded_gate *w)
{
	const char *text = w->gate->input->against;
	const char *id =
		w->gate->shared_baseline
			? strstr(text,
				 arena_prefix(w->arena,
					      w->gate->shared_baseline->baseline_revision->oid, 10))
			: NULL;
	size_t len = strlen(text);
	if (strncmp(text, "the ", 4) == 0) {
		text += 4;
		len -= 4;
	}
	if (id && id >= text)
		len = (size_t)(id - text);
	while (len && (text[len - 1] == ' ' || text[len - 1] == '('))
		len--;
	if (!len)
		return NULL;
	const bool older = w->gate->shared_baseline && w->gate->input->unmerged && !id;
	return bounded_cut(
		w->arena,
		arena_printf(w->arena, "%s%s",
			     older ? vocabulary_format("last measured before ") : "",
			     report_against(w->arena, arena_strndup(w->arena, text, len))),
		AGAINST_LIMIT);
}
