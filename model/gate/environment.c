/* Facts about the machine and its software, the kernel's hash, and the runs that have them. */

#include "model/gate/internal.h"

bool gate_is_environment_key(const char *key)
{
	static const char *const keys[] = {"compiler", "driver", "runtime", "clock_rate_khz",
					   "sm_default_clock_rate"};
	struct span name = span_of(key);
	return span_among(name, keys, sizeof keys / sizeof *keys) ||
	       (span_ends(name, "_version") && !span_is(name, "_version"));
}

const char *gate_was_otherwise(const struct run_list *before, const char *key, const char *now)
{
	const char *was = NULL;
	for (size_t i = 0; i < before->count; i++) {
		const char *text = run_attribute(before->items[i], key);
		if (text && span_text_eq(text, now))
			return NULL;
		was = was ? was : text;
	}
	return was;
}

bool gate_same_kernel(const struct gate_series *series)
{
	const char *hash = series->baseline.count ? series->baseline.items[0]->kernel_hash : NULL;
	if (!hash || !hash[0])
		return false;
	for (size_t i = 0; i < series->baseline.count; i++)
		if (!span_text_eq(series->baseline.items[i]->kernel_hash, hash))
			return false;
	for (size_t i = 0; i < series->candidate.count; i++)
		if (!span_text_eq(series->candidate.items[i]->kernel_hash, hash))
			return false;
	return true;
}

static bool have_digest(const struct run_list *runs, const char *digest)
{
	for (size_t i = 0; i < runs->count; i++)
		if (!span_text_eq(run_attribute(runs->items[i], RUN_KERNEL_DIGEST), digest))
			return false;
	return runs->count > 0;
}

const char *gate_same_digest(const struct run_list *before, const struct run_list *after)
{
	const char *digest =
		before->count ? run_attribute(before->items[0], RUN_KERNEL_DIGEST) : NULL;
	return digest && have_digest(before, digest) && have_digest(after, digest) ? digest : NULL;
}

struct gate_older_runs *gate_need_runs(struct arena *arena, struct gate_older_list *needed,
				       const struct gate_result *gate, const struct comparison *one,
				       size_t point)
{
	struct gate_older_runs *runs = arena_new(arena, struct gate_older_runs);
	runs->series = one->series;
	runs->commit = gate_revision_at(gate, one, point);
	*arena_add(arena, needed) = runs;
	return runs;
}

/* Requests the runs on both sides of the change. If the candidate itself made it, its own runs are
 * those after it. */
static void need_change(struct arena *arena, const struct gate_result *gate, struct comparison *one,
			struct gate_older_list *needed)
{
	size_t at = one->change->index, count = one->history.points.count;
	if (at == 0 || at > count)
		return;
	one->before_change = gate_need_runs(arena, needed, gate, one, at - 1);
	if (at < count)
		one->after_change = gate_need_runs(arena, needed, gate, one, at);
}

void gate_need_changes(struct arena *arena, struct gate_result *gate,
		       struct gate_older_list *needed)
{
	for (size_t i = 0; i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		one->before_change = one->after_change = NULL;
		if (one->judged.verdict == VERDICT_REGRESSED &&
		    one->judged.method == METHOD_CHANGE_POINT)
			need_change(arena, gate, one, needed);
	}
}
