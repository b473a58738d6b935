/* Work formulas applied to runs. */
#include "model/roofline/work_formulas.h"

#include "base/base.h"
#include "model/formula/formula.h"
#include "model/run/run.h"

struct context {
	struct arena *arena;
	const struct run *run;
};

static double element_bytes(const char *dtype)
{
	static const double bytes[DTYPE_LIMIT] = {
		[DTYPE_FP64] = 8, [DTYPE_FP64_TENSOR] = 8, [DTYPE_FP32] = 4, [DTYPE_TF32] = 4,
		[DTYPE_BF16] = 2, [DTYPE_FP16] = 2,        [DTYPE_FP8] = 1,  [DTYPE_MXFP8] = 1,
		[DTYPE_INT8] = 1, [DTYPE_FP4] = 0.5,
	};
	enum dtype known = dtype ? dtype_find(dtype) : DTYPE_LIMIT;
	return known == DTYPE_LIMIT ? NAN : bytes[known];
}

static int unknown_name(const struct context *context, struct span name, struct error *err)
{
	const struct run *run = context->run;
	struct strbuf known = {0};
	for (size_t i = 0; i < run->param_count; i++)
		strbuf_addf(&known, "%s%.40s", i ? ", " : "", run->params[i].name);
	error_set(err, ERR_USAGE, "unknown name \"%.*s\"; this run has %s%.400s",
		  (int)(name.len < 40 ? name.len : 40), name.ptr,
		  known.len ? "the parameters " : "no parameters", strbuf_text(&known));
	strbuf_free(&known);
	return -1;
}

static int number_of(const void *data, struct span name, struct formula_step *step,
		     struct error *err)
{
	const struct context *context = data;
	const char *key = arena_strndup(context->arena, name.ptr, name.len);
	const char *text = run_param(context->run, key);
	if (!text && span_is(name, "w")) {
		step->number = element_bytes(context->run->dtype);
		if (isnan(step->number))
			return error_set(err, ERR_USAGE,
					 "w (bytes per element) is undefined for dtype %.40s",
					 context->run->dtype ? context->run->dtype : "(unknown)");
		return 0;
	}
	if (!text)
		return unknown_name(context, name, err);
	if (!span_number(span_of(text), &step->number))
		return error_set(err, ERR_USAGE, "parameter %.40s is \"%.40s\", not a number", key,
				 text);
	return 0;
}

static double compute(struct arena *arena, const struct run *run, const char *formula,
		      enum metric metric, const char **fault)
{
	const struct context context = {arena, run};
	const struct formula_scope scope = {.name = number_of, .context = &context};
	struct error err;
	const char *what = metric == METRIC_ALGORITHMIC_FLOPS ? "flops" : "bytes";
	double value = NAN;
	if (!formula)
		return NAN;
	if (formula_value(formula, &scope, &value, &err) < 0) {
		*fault = arena_printf(arena, "%s = %s: %s", what, formula, err.text);
		return NAN;
	}
	if (value < 0) {
		*fault = arena_printf(arena, "%s = %s: the result is negative", what, formula);
		return NAN;
	}
	if (!metric_in_bounds(metric, value)) {
		*fault = arena_printf(arena, "%s = %s: the result is %g; expected at most %g", what,
				      formula, value, metric_info(metric)->bounds.most);
		return NAN;
	}
	return value;
}

const struct run_work *work_formulas_apply(struct arena *arena, const struct work_list *list,
					   const struct run *run)
{
	const struct work_rule *rule = NULL;
	for (size_t i = 0; i < list->count; i++)
		if (span_glob(list->items[i].kernel, run->kernel) &&
		    (!list->items[i].variant || span_glob(list->items[i].variant, run->variant)))
			rule = &list->items[i];
	if (!rule)
		return NULL;
	struct run_work *work = arena_new(arena, struct run_work);
	work->flops_formula = rule->flops;
	work->bytes_formula = rule->bytes;
	work->source = rule->source;
	work->flops = compute(arena, run, rule->flops, METRIC_ALGORITHMIC_FLOPS, &work->fault);
	const char *fault = work->fault;
	work->bytes = compute(arena, run, rule->bytes, METRIC_ALGORITHMIC_BYTES, &work->fault);
	if (fault && work->fault != fault)
		work->fault = arena_printf(arena, "%s; %s", fault, work->fault);
	return work;
}
