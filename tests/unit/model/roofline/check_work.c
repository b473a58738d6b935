/* The work of kernels by formulas over their parameters. */
#include "unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/system/file.h"
#include "cli/config/settings.h"
#include "model/run/derive.h"
#include "model/roofline/work_formulas.h"

static struct run *mla_run(struct arena *arena, const char *kernel, const char *s)
{
	static const char *const params[][2] = {{"b", "32"},       {"t", "4096"}, {"h", "128"},
						{"d", "128"},      {"k", "512"},  {"p", "64"},
						{"layout", "bhsd"}};
	struct run *run = run_new(arena);
	run->kernel = kernel;
	run->device = "rtx-5090";
	run->dtype = "bf16";
	run->tool = "annotation";
	for (size_t i = 0; i < sizeof params / sizeof *params; i++)
		run_set_param(arena, run, params[i][0], params[i][1]);
	run_set_param(arena, run, "s", s);
	return run;
}

static void read_works(struct arena *arena, const char *path, struct work_list *works)
{
	struct error err;
	struct span bytes;
	struct settings settings = {.loaded = false};
	ck_assert_msg(file_read(arena, path, 1 << 20, &bytes, &err) == 0, "%s", err.text);
	ck_assert_msg(config_parse(arena, path, bytes, &settings.file, &err) == 0, "%s", err.text);
	ck_assert_msg(settings_read(arena, &settings, &err) == 0, "%s", err.text);
	*works = settings.works;
}

/* Times that were published for an RTX 5090, b = 32, t = 4096, bf16; the rest by hand:
 * FlashMLA, s = 1: 2 * 32 * 128 * 1 * 4096 * (2 * 512 + 64) = 36507222016 FLOP,
 * 2 * (32 * 128 * 1 * 1088 + 32 * 4096 * 576) = 159907840 B;
 * FlashAttention, s = 1: 2 * 32 * 128 * 4096 * 320 = 10737418240 FLOP,
 * 2 * 32 * 128 * 4097 * 320 = 10740039680 B. */
START_TEST(published_kernels_by_their_formulas)
{
	static const struct {
		const char *kernel, *s;
		double time, flops, bytes, tflops, gbps;
	} rows[] = {
		{"FlashMLA", "1", 419e-6, 36507222016, 159907840, 87.1294, 381.641},
		{"FlashMLA", "16", 5161e-6, 584115552256, 293601280, 113.1787, 56.8885},
		{"FlashAttention", "1", 6781e-6, 10737418240, 10740039680, 1.583456, 1583.843},
		{"FlashAttention", "16", 6727e-6, 171798691840, 10779361280, 25.53868, 1602.402},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct work_list works = {0};
		read_works(&arena, "docs/examples/mla-work.config", &works);
		struct run *run = mla_run(&arena, rows[i].kernel, rows[i].s);
		run_set(run, METRIC_TOTAL_TIME, rows[i].time, PROVENANCE_MEASURED);
		run->work = work_formulas_apply(&arena, &works, run);
		ck_assert_ptr_nonnull(run->work);
		ck_assert_ptr_null(run->work->fault);
		struct peaks peaks = hardware_peaks_of(run, NULL);
		run_derive(run, &peaks);
		ck_assert_double_eq(run_number(run, METRIC_ALGORITHMIC_FLOPS), rows[i].flops);
		ck_assert_double_eq(run_number(run, METRIC_ALGORITHMIC_BYTES), rows[i].bytes);
		ck_assert_int_eq(run_value(run, METRIC_ALGORITHMIC_FLOPS).provenance,
				 PROVENANCE_DERIVED);
		ck_assert_double_eq_tol(run_number(run, METRIC_ALGORITHMIC_RATE) / 1e12,
					rows[i].tflops, rows[i].tflops * 1e-5);
		ck_assert_double_eq_tol(run_number(run, METRIC_ALGORITHMIC_BANDWIDTH) / 1e9,
					rows[i].gbps, rows[i].gbps * 1e-5);
		ck_assert_double_eq_tol(run_number(run, METRIC_MFU_ALGORITHMIC),
					rows[i].tflops / 209.5, 1e-3);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(the_last_rule_that_fits_counts)
{
	static const struct work_rule rules[] = {
		{"a", "mla*", NULL, "1", NULL, "c:1"},
		{"b", "mla*", "v2", "2*q", "-1", "c:2"},
		{"c", "mla*", "v3", "layout", "w*b", "c:3"},
		{"d", "gemm", NULL, "w", NULL, "c:4"},
	};
	static const struct {
		const char *kernel, *variant, *dtype, *source;
		double flops, bytes;
		const char *fault;
	} rows[] = {
		{"other", "", "bf16", NULL, NAN, NAN, NULL},
		{"mla_var6", "", "bf16", "c:1", 1, NAN, NULL},
		{"mla_var6", "v2", "bf16", "c:2", NAN, NAN,
		 "flops = 2*q: at 3: unknown name \"q\"; this run has the parameters b, d, h, k, "
		 "layout, p, s, t; bytes = -1: the result is negative"},
		{"mla_var6", "v3", "fp8", "c:3", NAN, 32,
		 "flops = layout: at 1: parameter layout is \"bhsd\", not a number"},
		{"mla_var6", "v3", "fp4", "c:3", NAN, 16, NULL},
		{"gemm", "", NULL, "c:4", NAN, NAN,
		 "flops = w: at 1: w (bytes per element) is undefined for dtype (unknown)"},
		{"gemm", "", "fp64", "c:4", 8, NAN, NULL},
	};
	const struct work_list list = {(struct work_rule *)rules, 4, 4};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct run *run = mla_run(&arena, rows[i].kernel, "1");
		run->variant = rows[i].variant;
		run->dtype = rows[i].dtype;
		const struct run_work *work = work_formulas_apply(&arena, &list, run);
		ck_assert_msg((work != NULL) == (rows[i].source != NULL), "row %zu", i);
		if (work) {
			ck_assert_str_eq(work->source, rows[i].source);
			ck_assert(isnan(rows[i].flops) ? isnan(work->flops)
						       : work->flops == rows[i].flops);
			ck_assert(isnan(rows[i].bytes) ? isnan(work->bytes)
						       : work->bytes == rows[i].bytes);
			if (rows[i].fault)
				ck_assert_str_eq(work->fault, rows[i].fault);
		}
		run_set_param(&arena, run, "w", "100");
		if (work && strcmp(run->kernel, "gemm") == 0)
			ck_assert(work_formulas_apply(&arena, &list, run)->flops == 100);
		arena_free(&arena);
	}
}
END_TEST

/* A file's own figure is never replaced. */
START_TEST(what_the_file_states_wins)
{
	struct arena arena = {0};
	struct work_rule rule = {"a", "*", NULL, "10", "20", "c:1"};
	const struct work_list list = {&rule, 1, 1};
	struct run *run = mla_run(&arena, "mla", "1");
	run_set(run, METRIC_ALGORITHMIC_FLOPS, 3, PROVENANCE_REPORTED);
	run->work = work_formulas_apply(&arena, &list, run);
	struct peaks peaks = hardware_peaks_of(run, NULL);
	run_derive(run, &peaks);
	ck_assert(run_number(run, METRIC_ALGORITHMIC_FLOPS) == 3);
	ck_assert_int_eq(run_value(run, METRIC_ALGORITHMIC_FLOPS).provenance, PROVENANCE_REPORTED);
	ck_assert(run_number(run, METRIC_ALGORITHMIC_BYTES) == 20);
	ck_assert(run_number(run, METRIC_ALGORITHMIC_INTENSITY) == 0.15);
	arena_free(&arena);
}
END_TEST

START_TEST(sections_are_checked)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"[work \"a\"]\n\tflops = 2*(b\n",
		 "c:2: [work \"a\"] flops = 2*(b: at 5: expected )"},
		{"[work \"a\"]\n\tflop = 2\n",
		 "c:2: [work \"a\"] flop = 2: unknown key; available: "
		 "flops, bytes, kernel, variant"},
		{"[work \"a\"]\n\tflops = b c\n",
		 "c:2: [work \"a\"] flops = b c: at 3: expected an operator or the end of the "
		 "formula"},
		{"[work \"a\"]\n\tflops = 2*b\n\tvariant = v*\n[work \"x\"]\nkernel = y\n", NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct settings settings = {.loaded = false};
		struct error err = {ERR_NONE, ""};
		ck_assert_int_eq(
			config_parse(&arena, "c", span_of(rows[i].text), &settings.file, &err), 0);
		int rc = settings_read(&arena, &settings, &err);
		ck_assert_msg((rc < 0) == (rows[i].message != NULL), "row %zu: %s", i, err.text);
		if (rows[i].message)
			ck_assert_str_eq(err.text, rows[i].message);
		else
			ck_assert_str_eq(settings.works.items[1].kernel, "y");
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("work", published_kernels_by_their_formulas, the_last_rule_that_fits_counts,
	  what_the_file_states_wins, sections_are_checked)
