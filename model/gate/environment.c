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

/* --- a change of the measurement --- */

/* Series that have something in common: all, those of one tool, or those on one machine. */
enum flock { FLOCK_ALL, FLOCK_TOOL, FLOCK_MACHINE, FLOCK_COUNT };

/* "" where it is unknown. */
static const char *flock_name(enum flock flock, const struct run *run)
{
	const char *machine =
		run->instance_type && run->instance_type[0] ? run->instance_type : run->device;
	const char *name = flock == FLOCK_TOOL ? run->tool : machine;
	return flock == FLOCK_ALL || !name ? "" : name;
}

/* How far its series moved, as a log; NAN unless all of them moved alike, in one direction. */
static double flock_step(struct arena *arena, const struct gate_result *gate, enum flock flock,
			 const char *name, bool slower, size_t *count)
{
	double *sizes = arena_array(arena, gate->count, sizeof *sizes);
	const struct gate_series *last = NULL;
	*count = 0;
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		if (one->policy->role != POLICY_PRIMARY || isnan(gate_step(one)) ||
		    strcmp(flock_name(flock, one->run), name) != 0)
			continue;
		if (!gate_is_step(one, slower))
			return NAN;
		/* The comparisons of a series are consecutive; its first one stands for it. */
		if (one->series == last)
			continue;
		last = one->series;
		sizes[(*count)++] = fabs(gate_step(one));
	}
	if (*count < GATE_LEAST_MOVED)
		return NAN;
	array_sort(sizes, *count, sizeof *sizes, array_by_double);
	double usual = sizes[*count / 2];
	bool alike = sizes[0] >= GATE_ALIKE_LEAST * usual &&
		     sizes[*count - 1] <= GATE_ALIKE_MOST * usual;
	return !alike ? NAN : slower ? usual : -usual;
}

static const struct message *proposal(struct arena *arena, enum flock flock, const char *name,
				      double step, size_t count)
{
	struct message_value text = message_text(name), number = message_integer(count);
	const struct message *series =
		flock == FLOCK_ALL    ? message_of(arena, MESSAGE_SERIES_ALL, number)
		: flock == FLOCK_TOOL ? message_of(arena, MESSAGE_SERIES_OF_TOOL, number, text)
				      : message_of(arena, MESSAGE_SERIES_ON_MACHINE, number, text);
	char *word = arena_strdup(arena, name);
	/* These separate parts of a pattern, or end a value of the configuration. */
	for (char *c = word; *c; c++)
		*c = strchr(" \t,()#;\"\\|", *c) ? '?' : *c;
	const char *pattern = flock == FLOCK_ALL ? "*" : arena_printf(arena, "* %s", word);
	return message_of(arena, MESSAGE_EPOCH_PROPOSED, message_part(series),
			  message_fraction(expm1(step)), message_text(pattern));
}

/* Proposes an epoch for series with a name in common, if all of them moved alike. */
static bool propose(struct arena *arena, struct gate_result *gate, enum flock flock,
		    const char *name)
{
	for (size_t k = 0; k < 2; k++) {
		size_t count;
		double step = flock_step(arena, gate, flock, name, k == 0, &count);
		if (isnan(step))
			continue;
		gate->environment.epoch = proposal(arena, flock, name, step, count);
		return true;
	}
	return false;
}

static bool propose_any(struct arena *arena, struct gate_result *gate, enum flock flock)
{
	enum { NAMES = 32 }; /* tools and machines are few; nothing is said of more */
	const char *seen[NAMES];
	size_t count = 0;
	for (size_t i = 0; i < gate->count && count < NAMES; i++) {
		const char *name = flock_name(flock, gate->comparisons[i].run);
		if (span_among(span_of(name), seen, count) || (flock != FLOCK_ALL && !name[0]))
			continue;
		seen[count++] = name;
		if (propose(arena, gate, flock, name))
			return true;
	}
	return false;
}

/* A pull request changes code, so none is proposed for it. */
void gate_propose_epoch(struct arena *arena, struct gate_result *gate)
{
	bool proposed = gate->input->unmerged;
	for (enum flock flock = FLOCK_ALL; flock < FLOCK_COUNT && !proposed; flock++)
		proposed = propose_any(arena, gate, flock);
}
