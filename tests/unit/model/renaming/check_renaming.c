/* renaming: which series a name is of, and what the series is called then. */
#include "unit/unit.h"

#include "model/renaming/renaming.h"

#define COUNT_OF_ROWS(rows) (sizeof(rows) / sizeof *(rows))

static struct run *series_of(struct arena *arena, const char *kernel)
{
	struct run *run = run_new(arena);
	run->kernel = kernel;
	run->variant = "fused";
	run->dtype = "bf16";
	run->device = "trn2";
	run->cores = 2;
	run->tool = "neuron-profile";
	run_set_param(arena, run, "s", "512");
	run_set_param(arena, run, "note", "a=b c");
	return run;
}

START_TEST(a_name_is_exact)
{
	static const struct {
		const char *name, *kernel;
		bool fits;
	} rows[] = {
		{"attention", "attention", true},
		{"attention s=512", "attention", true},
		{"attention fused bf16 trn2 2-core s=512", "attention", true},
		{"attention (s=512, fused)", "attention", true},
		{"attention  neuron-profile", "attention", true},
		{"attention ", "attention", true},
		{"attention s=51", "attention", false},
		{"attention s=5122", "attention", false},
		{"attention s", "attention", false},
		{"attention s=", "attention", false},
		{"attention fuse", "attention", false},
		{"attention 3-core", "attention", false},
		{"att*", "attention", false},
		{"*", "attention", false},
		{"attention*", "attention", false},
		{"attentio", "attention", false},
		{"Attention", "attention", false},
		{"", "attention", false},
		{" attention", "attention", false},
		{"foo(float*, int)", "foo(float*, int)", true},
		{"foo(float*, int) s=512", "foo(float*, int)", true},
		{"foo(float*", "foo(float*, int)", false},
		{"foo(float?, int)", "foo(float*, int)", false},
		{"op[0]", "op[0]", true},
		{"op[0]", "op0", false},
		{"attention", NULL, false},
		{"attention", "", false},
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct run *run = series_of(&arena, rows[i].kernel);
		ck_assert_msg(renaming_fits(rows[i].name, run) == rows[i].fits, "%s: %s",
			      rows[i].name, rows[i].kernel);
		ck_assert_msg(renaming_fits(run_series_key(&arena, run), run) ==
				      (rows[i].kernel && *rows[i].kernel),
			      "row %zu: the key", i);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(a_new_name_is_checked_and_applied)
{
	static const struct {
		const char *to;
		const char *kernel, *variant, *s; /* kernel NULL: refused */
	} rows[] = {
		{"flash", "flash", "fused", "512"},
		{" flash ", "flash", "fused", "512"},
		{"flash two", "flash two", "fused", "512"},
		{"kernel=flash", "flash", "fused", "512"},
		{"variant=v2,s=1024", "attention", "v2", "1024"},
		{"s = 1024 , variant = v2", "attention", "v2", "1024"},
		{"kernel=a=b", "a=b", "fused", "512"},
		{"s=512,", "attention", "fused", "512"},
		{"", NULL, NULL, NULL},
		{"  ", NULL, NULL, NULL},
		{"a\nb", NULL, NULL, NULL},
		{"a\xff", NULL, NULL, NULL},
		{"variant=", NULL, NULL, NULL},
		{"=x", NULL, NULL, NULL},
		{"s=512,x", NULL, NULL, NULL},
		{"dtype=fp32", NULL, NULL, NULL},
		{"s=512,device=trn1", NULL, NULL, NULL},
		{"cores=1", NULL, NULL, NULL},
		{"tool=x", NULL, NULL, NULL},
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct run *run = series_of(&arena, "attention");
		int failed = renaming_check(rows[i].to, &err);
		ck_assert_msg((failed != 0) == (rows[i].kernel == NULL), "%s: %s", rows[i].to,
			      err.text);
		if (rows[i].kernel) {
			struct run *renamed = renaming_apply(&arena, rows[i].to, run);
			ck_assert_str_eq(renamed->kernel, rows[i].kernel);
			ck_assert_str_eq(renamed->variant, rows[i].variant);
			ck_assert_str_eq(run_param(renamed, "s"), rows[i].s);
			ck_assert_str_eq(run_param(renamed, "note"), "a=b c");
			ck_assert_str_eq(renamed->dtype, "bf16");
			ck_assert_str_eq(run->kernel, "attention");
		}
		arena_free(&arena);
	}
}
END_TEST

START_TEST(names_follow_each_other_once)
{
	static struct renaming chain[] = {{"b", "c"}, {"a", "b"}},
			       circle[] = {{"a", "b"}, {"b", "a"}};
	const struct renaming_list chained = {chain, 2, 2}, circular = {circle, 2, 2}, none = {0};
	struct arena arena = {0};
	ck_assert_str_eq(renaming_of(&arena, &chained, series_of(&arena, "a"))->kernel, "c");
	ck_assert_str_eq(renaming_of(&arena, &chained, series_of(&arena, "b"))->kernel, "c");
	ck_assert_ptr_null(renaming_of(&arena, &chained, series_of(&arena, "c")));
	ck_assert_str_eq(renaming_of(&arena, &circular, series_of(&arena, "a"))->kernel, "a");
	ck_assert_ptr_null(renaming_of(&arena, &none, series_of(&arena, "a")));
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("renaming", a_name_is_exact, a_new_name_is_checked_and_applied,
	  names_follow_each_other_once)
