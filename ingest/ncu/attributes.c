/* Attributes, warnings and advice of a run. */
#include "ingest/ncu/run.h"

static const char *text_of(struct arena *arena, struct span text)
{
	return arena_strndup(arena, text.ptr, text.len);
}

enum { advice_size = 240 };

/* Estimates of the run's time, then those of one unit alone, then advice without an estimate. */
static int class_of(const struct ncu_rule *rule)
{
	if (isnan(rule->speedup))
		return 2;
	return rule->scope == ADVICE_LOCAL;
}

static int by_speedup(const void *a, const void *b)
{
	const struct ncu_rule *x = *(const struct ncu_rule *const *)a;
	const struct ncu_rule *y = *(const struct ncu_rule *const *)b;
	if (class_of(x) != class_of(y))
		return class_of(x) - class_of(y);
	if (x->speedup > y->speedup || x->speedup < y->speedup)
		return x->speedup > y->speedup ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* The length of a prefix of whole words, at most advice_size bytes. */
static size_t short_length(const char *text)
{
	size_t len = strlen(text);
	if (len <= advice_size)
		return len;
	for (len = advice_size; len && text[len] != ' '; len--)
		;
	return len;
}

void ncu_add_advice(struct arena *arena, struct run *run, const struct ncu_launch *launch)
{
	const struct ncu_rule *rules[ncu_rule_limit];
	size_t count = 0;
	for (const struct ncu_rule *rule = launch->rules; rule; rule = rule->next)
		if (rule->text[0])
			rules[count++] = rule;
	qsort(rules, count, sizeof *rules, by_speedup);
	for (size_t i = 0; i < count && i < ADVICE_LIMIT; i++) {
		const char *text = rules[i]->text;
		size_t len = short_length(text);
		const struct advice advice = {
			rules[i]->name,
			arena_printf(arena, "%.*s%s", (int)len, text, text[len] ? " ..." : ""),
			rules[i]->speedup / 100, rules[i]->scope};
		run_add_note(arena, run, advice_category, advice_write(arena, &advice));
	}
}

void ncu_add_facts(struct arena *arena, struct run *run, const struct ncu_launch *first,
		   const struct ncu_launch *typical)
{
	const char *symbol = text_of(arena, first->identity.symbol);
	if (strcmp(symbol, run->kernel) != 0)
		run_add_attribute(arena, run, "kernel_symbol", symbol);
	if (first->cc.len)
		run_add_attribute(arena, run, "compute_capability", text_of(arena, first->cc));
	if (first->process.len)
		run_add_attribute(arena, run, "process", text_of(arena, first->process));
	if (!isnan(first->numbers[NCU_SM_COUNT]))
		run_add_attribute(arena, run, "sm_count",
				  arena_printf(arena, "%.0f", first->numbers[NCU_SM_COUNT]));
	if (typical->bottleneck)
		run_add_attribute(arena, run, "ncu_sol_rule", typical->bottleneck);
}

static bool knows(const struct run *run, enum metric metric)
{
	return !isnan(run->given[metric].number);
}

/* If ncu reported an error, kernels after it are missing. */
static void add_failures(const struct ncu_profile *profile, struct run *run)
{
	enum { shown = 200 };
	struct strbuf sb = {0};
	for (size_t i = 0; i < profile->error_count; i++) {
		const char *text = ncu_one_line(profile->arena, profile->errors[i]);
		size_t len = utf8_valid_prefix((struct span){text, strnlen(text, shown)});
		strbuf_addf(&sb, "%s%.*s", i ? "; " : "", (int)len, text);
	}
	if (sb.len)
		run_warn(profile->arena, run, "incomplete file: Nsight Compute failed: %s", sb.buf);
	strbuf_free(&sb);
}

/* Warnings about the file. */
void ncu_add_warnings(const struct ncu_profile *profile, struct run *run)
{
	static const struct {
		enum metric metric;
		const char *name;
	} parts[] = {{METRIC_FP16_FLOPS, "fp16 instructions"},
		     {METRIC_FP32_FLOPS, "fp32 instructions"},
		     {METRIC_FP64_FLOPS, "fp64 instructions"},
		     {METRIC_TENSOR_FLOPS, "tensor operations (sm__ops_path_tensor_src_*)"}};
	struct strbuf sb = {0};
	bool any = false;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		/* An idle tensor pipe is not evidence that FLOP were counted. */
		any |= knows(run, parts[i].metric) && parts[i].metric != METRIC_TENSOR_FLOPS;
		if (!knows(run, parts[i].metric))
			strbuf_addf(&sb, "%s%s", sb.len ? ", " : "", parts[i].name);
	}
	if (any && !knows(run, METRIC_HARDWARE_FLOPS))
		run_warn(profile->arena, run, "hardware FLOP unknown; not collected: %s",
			 strbuf_text(&sb));
	strbuf_free(&sb);
	add_failures(profile, run);
}
