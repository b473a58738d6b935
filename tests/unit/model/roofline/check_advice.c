/* model: advice that Nsight Compute wrote, among the findings. */
#include "unit/unit.h"

#include <math.h>
#include <string.h>

#include "model/roofline/roofline.h"
#include "model/run/runs.h"

/* What is written is read again; notes of older stores have no scope. */
START_TEST(notes_are_read_as_written)
{
	static const struct advice rows[] = {
		{"CPIStall", "Warps wait.", 0.3816, ADVICE_LOCAL},
		{"UncoalescedGlobalAccess", "75% (of all): many", 0.7414, ADVICE_GLOBAL},
		{"Old", "b", 0.015, ADVICE_SCOPE_UNKNOWN},
		{"None", "c", NAN, ADVICE_SCOPE_UNKNOWN},
		{"", "no name", 0.5, ADVICE_GLOBAL},
	};
	struct arena arena = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct run_note note = {advice_category, advice_write(&arena, &rows[i])};
		struct advice back;
		ck_assert(advice_read(&arena, &note, &back));
		ck_assert_str_eq(back.rule, rows[i].rule);
		ck_assert_str_eq(back.text, rows[i].text);
		ck_assert_int_eq(back.scope, rows[i].scope);
		if (isnan(rows[i].speedup))
			ck_assert_double_nan(back.speedup);
		else
			ck_assert_double_eq_tol(back.speedup, rows[i].speedup, 1e-12);
	}
	struct run_note ours = {"rooflog", "CPIStall: estimated speedup 1 % (global): a"};
	struct advice none;
	ck_assert(!advice_read(&arena, &ours, &none));
	arena_free(&arena);
}
END_TEST

static void add_note(struct arena *arena, struct run *run, struct advice advice)
{
	run_add_note(arena, run, advice_category, advice_write(arena, &advice));
}

/* Estimates of the run's time by size, then local ones, then those of unknown size. What one of our
 * rules finds as well is said once, with our number if we have one. */
START_TEST(advice_is_ranked_and_never_said_twice)
{
	static const struct {
		const char *rule;
		double gain; /* NAN: unknown */
		bool local;
	} rows[] = {
		{"ncu/UncoalescedGlobalAccess", 0.7414, false},
		{"ncu/Small", 0.02, false},
		{"ncu-issue-slots", 0.5, true},
		{"ncu/HighPipeUtilization", NAN, true},
		{"health-l2", NAN, false},
	};
	struct arena arena = {0};
	struct run *run = run_new(&arena);
	run->device = "a100-sxm-80gb";
	run_set(run, METRIC_ISSUE_ACTIVE, 0.5, PROVENANCE_MEASURED);
	run_set(run, METRIC_L2_HIT_RATE, 0.1, PROVENANCE_MEASURED);
	add_note(&arena, run, (struct advice){"Small", "a", 0.02, ADVICE_GLOBAL});
	add_note(&arena, run, (struct advice){"HighPipeUtilization", "b", 0.9886, ADVICE_LOCAL});
	add_note(&arena, run,
		 (struct advice){"IssueSlotUtilization", "each scheduler only issues one", 0.79,
				 ADVICE_LOCAL});
	add_note(&arena, run,
		 (struct advice){"UncoalescedGlobalAccess", "uncoalesced global accesses", 0.7414,
				 ADVICE_GLOBAL});
	struct finding_list list = {0};
	findings_of(&arena, run, &list);
	ck_assert_uint_eq(list.count, sizeof rows / sizeof *rows);
	for (size_t i = 0; i < list.count; i++) {
		ck_assert_str_eq(list.items[i].rule, rows[i].rule);
		ck_assert_int_eq(list.items[i].local, rows[i].local);
		if (isnan(rows[i].gain))
			ck_assert_double_nan(list.items[i].gain.fraction);
		else
			ck_assert_double_eq_tol(list.items[i].gain.fraction, rows[i].gain, 1e-12);
	}
	arena_free(&arena);
}
END_TEST

/* Our finding has no formula for the gain: the profiler's estimate of the same is its gain. */
START_TEST(an_estimate_completes_our_finding)
{
	struct arena arena = {0};
	struct run *run = run_new(&arena);
	run->device = "a100-sxm-80gb";
	run_set(run, METRIC_GLOBAL_LOAD_EFFICIENCY, 0.25, PROVENANCE_MEASURED);
	run_set(run, METRIC_GLOBAL_STORE_EFFICIENCY, 0.25, PROVENANCE_MEASURED);
	add_note(&arena, run,
		 (struct advice){"UncoalescedGlobalAccess", "uncoalesced global accesses", 0.6,
				 ADVICE_GLOBAL});
	struct finding_list list = {0};
	findings_of(&arena, run, &list);
	ck_assert_uint_eq(list.count, 2);
	ck_assert_str_eq(list.items[0].rule, "access-global-loads");
	ck_assert_double_eq_tol(list.items[0].gain.fraction, 0.6, 1e-12);
	ck_assert_str_eq(list.items[0].gain.estimated_by, "Nsight Compute");
	ck_assert_double_nan(list.items[1].gain.fraction);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("advice", notes_are_read_as_written, advice_is_ranked_and_never_said_twice,
	  an_estimate_completes_our_finding)
