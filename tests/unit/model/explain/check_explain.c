/* Why a figure moved: pairs of runs, the sentence and the cause. */
#include "unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"
#include "model/run/derive.h"
#include "model/explain/explain.h"
#include "model/gate/gate.h"
#include "render/vocabulary/vocabulary.h"

static struct arena arena;

struct sides {
	enum metric metric;
	double before, after;
};

enum { FIGURES = 10, TALLIES = 4, FACTS = 3 };

static const struct pair {
	const char *name, *tool, *device;
	struct sides figures[FIGURES]; /* NAN: that side does not know it */
	struct {
		enum tally_kind kind;
		const char *name;
		double before, after; /* seconds; 0: not there */
	} tallies[TALLIES];
	struct {
		const char *key, *before, *after;
	} facts[FACTS];
	const char *hashes[2];
	const char *note; /* of the second run */
	enum metric asked;
	const char *text; /* NULL: silent */
	const char *cause;
} pairs[] = {
	{.name = "DMA, reads, compiler",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 33.1e-6},
		     {METRIC_DMA_ACTIVE_TIME, 20e-6, 22.9e-6},
		     {METRIC_TENSOR_ACTIVE_TIME, 15e-6, 15.1e-6},
		     {METRIC_HARDWARE_FLOPS, 1e9, 1e9},
		     {METRIC_HBM_READ_BYTES, 4e6, 5e6},
		     {METRIC_HBM_WRITE_BYTES, 1e6, 1e6}},
	 .tallies = {{TALLY_SOURCE, "kernels/prof-kernel.py:33", 4e-6, 6.8e-6},
		     {TALLY_SOURCE, "kernels/prof-kernel.py:40", 4e-6, 4.1e-6},
		     {TALLY_OPCODE, "DMA_TRIGGER", 4e-6, 6.8e-6}},
	 .facts = {{"compiler_version", "2.23.6484.0+3b61", "2.24.100.0+77aa"}},
	 .asked = METRIC_COUNT,
	 .text = "+3.1 us: DMA active +2.9 us, prof-kernel.py:33 +2.8 us, HBM reads +25 % with the "
		 "same FLOP (200 -> 167 FLOP/B); compiler 2.23 -> 2.24",
	 .cause = "code"},
	{.name = "the same kernel is noise, whatever moved",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 31e-6},
		     {METRIC_DMA_ACTIVE_TIME, 20e-6, 20.95e-6},
		     {METRIC_HARDWARE_FLOPS, 1e9, 0.99e9}},
	 .hashes = {"aa", "aa"},
	 .asked = METRIC_COUNT,
	 .text = "+1 us: DMA active +950 ns. The compiled kernel is identical, byte for byte: "
		 "noise, or the "
		 "machine",
	 .cause = "noise"},
	{.name = "the same kernel under another driver",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 31e-6}},
	 .facts = {{"driver_version", "2.26.0", "2.26.5"}},
	 .hashes = {"aa", "aa"},
	 .asked = METRIC_COUNT,
	 .text = "+1 us: driver 2.26.0 -> 2.26.5. The compiled kernel is identical, byte for byte",
	 .cause = "environment"},
	{.name = "another binary of which the profile says nothing",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 31e-6}},
	 .hashes = {"aa", "bb"},
	 .asked = METRIC_COUNT,
	 .cause = "unknown"},
	{.name = "a time alone",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 60e-6}},
	 .asked = METRIC_COUNT,
	 .cause = "unknown"},
	{.name = "equal times",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 30e-6}, {METRIC_DMA_ACTIVE_TIME, 1e-6, 9e-6}},
	 .asked = METRIC_COUNT,
	 .cause = "unknown"},
	{.name = "counters that are equal but for rounding",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 32e-6},
		     {METRIC_HBM_READ_BYTES, 123456789, 123456790},
		     {METRIC_HBM_WRITE_BYTES, 5e6, 5e6},
		     {METRIC_MATMUL_COUNT, 512, 512}},
	 .asked = METRIC_COUNT,
	 .text = "None of 3 deterministic counters differs",
	 .cause = "unknown"},
	{.name = "throttling, and no counter",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 34e-6},
		     {METRIC_THROTTLE_TIME, 0, 8e-6},
		     {METRIC_HBM_READ_BYTES, 1e6, 1e6},
		     {METRIC_HARDWARE_FLOPS, 1e9, 1e9},
		     {METRIC_MATMUL_COUNT, 512, 512}},
	 .asked = METRIC_COUNT,
	 .text = "+4 us: time lost to throttling +4 us. None of 3 deterministic counters differs",
	 .cause = "environment"},
	{.name = "spills that were not there; what is absent is zero",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 36e-6},
		     {METRIC_TOTAL_ACTIVE_TIME, 29e-6, 32e-6},
		     {METRIC_HBM_READ_BYTES, 4e6, 5.5e6},
		     {METRIC_SPILL_RELOAD_BYTES, NAN, 1.5e6}},
	 .asked = METRIC_COUNT,
	 .text = "+6 us: all engines idle +3 us, HBM reads +38 %, spill reloads 0 B -> 1.50 MB",
	 .cause = "code"},
	{.name = "without the union of the engines the gap is that of the longest",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 36e-6}, {METRIC_TENSOR_ACTIVE_TIME, 20e-6, 21e-6}},
	 .asked = METRIC_COUNT,
	 .text = "+6 us: time beyond the busiest engine +5 us, tensor engine active +1 us",
	 .cause = "unknown"},
	{.name = "what moved the other way does not explain it",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 36e-6},
		     {METRIC_DMA_ACTIVE_TIME, 29e-6, 20e-6},
		     {METRIC_VECTOR_ACTIVE_TIME, 20e-6, 26e-6},
		     {METRIC_HBM_READ_BYTES, 9e6, 4e6},
		     {METRIC_TOTAL_ACTIVE_TIME, 29e-6, 35e-6}},
	 .asked = METRIC_COUNT,
	 .text = "+6 us: vector engine active +6 us. 1 of 1 deterministic counters differs, most "
		 "hbm_read_bytes 2.2x less",
	 .cause = "code"},
	{.name = "lost DMA records are no evidence",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 36e-6},
		     {METRIC_DMA_TRANSFER_COUNT, 100, 300},
		     {METRIC_DMA_TRANSFER_BYTES, 1e6, 3e6}},
	 .note = "Missing additional dynamic DMA metadata, values may be inaccurate",
	 .asked = METRIC_COUNT,
	 .cause = "unknown"},
	{.name = "a line that an edit moved is the same line",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 33e-6}, {METRIC_VECTOR_ACTIVE_TIME, 9e-6, 12e-6}},
	 .tallies = {{TALLY_SOURCE, "a.py:10", 9e-6, 0}, {TALLY_SOURCE, "a.py:12", 0, 12e-6}},
	 .asked = METRIC_COUNT,
	 .text = "+3 us: vector engine active +3 us, a.py:12 +3 us",
	 .cause = "unknown"},
	{.name = "a line that was put before others",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 33e-6}, {METRIC_VECTOR_ACTIVE_TIME, 9e-6, 12e-6}},
	 .tallies = {{TALLY_SOURCE, "a.py:9", 4e-6, 4e-6},
		     {TALLY_SOURCE, "a.py:10", 3e-6, 2.9e-6},
		     {TALLY_SOURCE, "a.py:11", 5e-6, 3e-6},
		     {TALLY_SOURCE, "a.py:12", 0, 5e-6}},
	 .asked = METRIC_COUNT,
	 .text = "+3 us: vector engine active +3 us, a.py:10 (new) +2.9 us",
	 .cause = "unknown"},
	{.name = "lines of two files are never one",
	 .figures = {{METRIC_TOTAL_TIME, 33e-6, 30e-6}, {METRIC_VECTOR_ACTIVE_TIME, 12e-6, 9e-6}},
	 .tallies = {{TALLY_SOURCE, "a.py:10", 3e-6, 0}, {TALLY_SOURCE, "b.py:10", 0, 1e-6}},
	 .asked = METRIC_COUNT,
	 .text = "-3 us: vector engine active -3 us, a.py:10 (gone) -3 us",
	 .cause = "unknown"},
	{.name = "what moved to and fro has no place",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 33e-6}, {METRIC_VECTOR_ACTIVE_TIME, 9e-6, 12e-6}},
	 .tallies = {{TALLY_SOURCE, "a.py:10", 9e-6, 3e-6}, {TALLY_SOURCE, "a.py:20", 3e-6, 12e-6}},
	 .asked = METRIC_COUNT,
	 .text = "+3 us: vector engine active +3 us",
	 .cause = "unknown"},
	{.name = "an opcode where no counter says more, and waiting is none",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 33e-6}, {METRIC_VECTOR_ACTIVE_TIME, 9e-6, 12e-6}},
	 .tallies = {{TALLY_OPCODE, "EVENT_SEMAPHORE", 9e-6, 22e-6},
		     {TALLY_OPCODE, "TENSOR_TENSOR", 3e-6, 5e-6}},
	 .asked = METRIC_COUNT,
	 .text = "+3 us: vector engine active +3 us, TENSOR_TENSOR instructions +2 us",
	 .cause = "unknown"},
	{.name = "faster: the kernel of a program that vanished",
	 .tool = "nsys",
	 .device = "h100-sxm",
	 .figures = {{METRIC_TOTAL_TIME, 3e-3, 2e-3}},
	 .tallies = {{TALLY_KERNEL, "copy", 0.9e-3, 0}, {TALLY_KERNEL, "gemm", 2.1e-3, 2e-3}},
	 .asked = METRIC_COUNT,
	 .text = "-1 ms: copy (gone) -900 us",
	 .cause = "unknown"},
	{.name = "a slower clock: as many cycles",
	 .tool = "ncu",
	 .device = "h100-sxm",
	 .figures = {{METRIC_TOTAL_TIME, 100e-6, 125e-6},
		     {METRIC_ELAPSED_CYCLES, 100e3, 100e3},
		     {METRIC_REGISTERS_PER_THREAD, 64, 64},
		     {METRIC_BLOCK_SIZE, 128, 128},
		     {METRIC_GRID_SIZE, 132, 132}},
	 .asked = METRIC_COUNT,
	 .text = "+25 us: clock -20.0 %. None of 3 deterministic counters differs",
	 .cause = "environment"},
	{.name = "registers, spills and occupancy of a GPU kernel",
	 .tool = "ncu",
	 .device = "h100-sxm",
	 .figures = {{METRIC_TOTAL_TIME, 100e-6, 150e-6},
		     {METRIC_ELAPSED_CYCLES, 150e3, 225e3},
		     {METRIC_REGISTERS_PER_THREAD, 128, 255},
		     {METRIC_SPILL_REQUESTS, 0, 18883760},
		     {METRIC_ACHIEVED_OCCUPANCY, 0.47, 0.12}},
	 .asked = METRIC_COUNT,
	 .text = "+50 us: elapsed cycles +50.0 % at the same clock, spilling requests 0 -> "
		 "18,883,760, achieved occupancy 47.0 -> 12.0 %",
	 .cause = "code"},
	{.name = "the traffic of a GPU is measured, and differs by itself",
	 .tool = "ncu",
	 .device = "h100-sxm",
	 .figures = {{METRIC_TOTAL_TIME, 100e-6, 103e-6},
		     {METRIC_HBM_READ_BYTES, 1e9, 1.01e9},
		     {METRIC_HBM_WRITE_BYTES, 1e9, 1.01e9},
		     {METRIC_L2_BYTES, 4e9, 4.02e9}},
	 .asked = METRIC_COUNT,
	 .cause = "unknown"},
	{.name = "more of it is worth words, but no change of the code",
	 .tool = "ncu",
	 .device = "h100-sxm",
	 .figures = {{METRIC_TOTAL_TIME, 100e-6, 130e-6},
		     {METRIC_HBM_READ_BYTES, 1e9, 1.4e9},
		     {METRIC_HBM_WRITE_BYTES, 1e9, 1e9}},
	 .asked = METRIC_COUNT,
	 .text = "+30 us: DRAM reads +40 %",
	 .cause = "unknown"},
	{.name = "MFU fell because the time rose, and that because of the DMA",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 40e-6},
		     {METRIC_DMA_ACTIVE_TIME, 20e-6, 29e-6},
		     {METRIC_HARDWARE_FLOPS, 1e9, 1e9}},
	 .asked = METRIC_MFU,
	 .text = "-5.3 points: time +33 %, DMA active +9 us, time beyond the busiest engine +1 us",
	 .cause = "unknown"},
	{.name = "MFU fell because there is less work",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 30e-6},
		     {METRIC_DMA_ACTIVE_TIME, 20e-6, 29e-6},
		     {METRIC_HARDWARE_FLOPS, 1e9, 0.8e9}},
	 .asked = METRIC_MFU,
	 .text = "-4.2 points: FLOP -20 %",
	 .cause = "code"},
	{.name = "a small MFU moves by a small part of a point",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 40e-6}, {METRIC_HARDWARE_FLOPS, 1e6, 1e6}},
	 .asked = METRIC_MFU,
	 .text = "-0.0053 points: time +33 %",
	 .cause = "unknown"},
	{.name = "bytes: which of them",
	 .figures = {{METRIC_HBM_READ_BYTES, 4e6, 9e6},
		     {METRIC_HBM_WRITE_BYTES, 1e6, 1.1e6},
		     {METRIC_SPILL_RELOAD_BYTES, 1e6, 6e6}},
	 .asked = METRIC_HBM_BYTES,
	 .text = "+5.1 MB: reads +5 MB, spill reloads 6.0x more",
	 .cause = "code"},
	{.name = "a call: what is not the device",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 31e-6}, {METRIC_HOST_TIME, 130e-6, 231e-6}},
	 .asked = METRIC_HOST_TIME,
	 .text = "+101 us: host overhead +100 us",
	 .cause = "unknown"},
	{.name = "a setting",
	 .tool = "triton",
	 .device = "h100-sxm",
	 .figures = {{METRIC_TOTAL_TIME, 30e-6, 40e-6}},
	 .facts = {{"configuration", "num_warps=8", "num_warps=4"}, {"uuid", "x", "y"}},
	 .asked = METRIC_COUNT,
	 .text = "+10 us: configuration num_warps=8 -> num_warps=4",
	 .cause = "unknown"},
};

static struct run *run_of(const struct pair *pair, int side)
{
	struct run *run = run_new(&arena);
	run->kernel = "k";
	run->variant = run->node = "";
	run->tool = pair->tool ? pair->tool : "neuron-profile";
	run->device = pair->device ? pair->device : "trn2";
	run->dtype = "bf16";
	run->cores = pair->tool ? 0 : 2;
	run->kernel_hash = pair->hashes[side];
	for (size_t i = 0; i < FIGURES; i++) {
		double number = side ? pair->figures[i].after : pair->figures[i].before;
		if (pair->figures[i].before != 0 || pair->figures[i].after != 0)
			run_set(run, pair->figures[i].metric, number, PROVENANCE_MEASURED);
		/* Half of the rate on both cores all that time. */
		if (pair->figures[i].metric == METRIC_THROTTLE_TIME && number > 0)
			for (int core = 0; core < 2; core++)
				run_add_throttle(
					&arena, run,
					(struct run_throttle){core, "activity_0", 0, number, 0.5});
	}
	for (size_t i = 0; i < TALLIES && pair->tallies[i].name; i++) {
		double seconds = side ? pair->tallies[i].after : pair->tallies[i].before;
		if (seconds > 0)
			run_add_tally(&arena, run,
				      (struct run_tally){pair->tallies[i].kind,
							 pair->tallies[i].name, 1, seconds, NAN,
							 NAN});
	}
	for (size_t i = 0; i < FACTS && pair->facts[i].key; i++)
		run_add_attribute(&arena, run, pair->facts[i].key,
				  side ? pair->facts[i].after : pair->facts[i].before);
	if (side && pair->note)
		run_add_note(&arena, run, "Missing Data", pair->note);
	struct peaks peaks = hardware_peaks_of(run, NULL);
	run_derive(run, &peaks);
	return run;
}

static const char *words(const struct message *message)
{
	return vocabulary_say(&arena, message);
}

START_TEST(sentences)
{
	size_t failed = 0;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		const struct pair *pair = &pairs[i];
		struct explanation found =
			explain_runs(&arena, run_of(pair, 0), run_of(pair, 1), pair->asked);
		const char *text = found.text ? words(found.text) : "(silent)";
		const char *wanted = pair->text ? pair->text : "(silent)";
		const char *cause = explain_cause_name(found.cause);
		if (strcmp(text, wanted) == 0 && strcmp(cause, pair->cause) == 0)
			continue;
		printf("%s: %s instead of %s\n  %s\ninstead of\n  %s\n", pair->name, cause,
		       pair->cause, text, wanted);
		failed++;
	}
	ck_assert_uint_eq(failed, 0);
	arena_free(&arena);
}
END_TEST

/* With the sides swapped every part has the other sign, and no new part is reported. Uses the first
 * pair, whose causes do not depend on the direction. */
START_TEST(the_other_way)
{
	const struct pair *pair = &pairs[0];
	struct explanation there =
		explain_runs(&arena, run_of(pair, 0), run_of(pair, 1), METRIC_COUNT);
	struct explanation back =
		explain_runs(&arena, run_of(pair, 1), run_of(pair, 0), METRIC_COUNT);
	ck_assert_uint_eq(there.count, back.count);
	for (size_t i = 0; i < there.count; i++) {
		ck_assert_str_eq(there.parts[i].key, back.parts[i].key);
		if (!isnan(there.parts[i].seconds))
			ck_assert_double_eq_tol(there.parts[i].seconds, -back.parts[i].seconds,
						1e-15);
		if (!isnan(there.parts[i].before))
			ck_assert_double_eq(there.parts[i].before, back.parts[i].after);
	}
	arena_free(&arena);
}
END_TEST

/* Names of any length leave the text short, and it remains valid UTF-8. */
START_TEST(long_names)
{
	char name[600];
	for (size_t i = 0; i + 2 < sizeof name; i += 2)
		memcpy(name + i, "\xc3\xa9", 3);
	name[10] = name[598 - 10] = '\n';
	name[11] = name[598 - 9] = '\t';
	for (int cut = 0; cut < 4; cut++) {
		struct pair pair = {.figures = {{METRIC_TOTAL_TIME, 1e-6, 2e-6}},
				    .facts = {{"compiler_version", name + 2 * cut, "2.24"}},
				    .asked = METRIC_COUNT};
		pair.tallies[0].kind = cut % 2 ? TALLY_KERNEL : TALLY_SOURCE;
		pair.tallies[0].name = name;
		pair.tallies[0].before = 1e-6;
		pair.tallies[0].after = 2e-6;
		struct explanation found =
			explain_runs(&arena, run_of(&pair, 0), run_of(&pair, 1), METRIC_COUNT);
		ck_assert_ptr_nonnull(found.text);
		ck_assert_uint_lt(strlen(words(found.text)), 200);
		ck_assert(utf8_is_line(span_of(words(found.text))));
	}
	arena_free(&arena);
}
END_TEST

START_TEST(nothing_to_compare)
{
	struct run *run = run_of(&pairs[0], 0);
	ck_assert_ptr_null(explain_runs(&arena, NULL, run, METRIC_COUNT).text);
	ck_assert_ptr_null(explain_runs(&arena, run, NULL, METRIC_COUNT).text);
	ck_assert_ptr_null(explain_runs(&arena, run, run_new(&arena), METRIC_COUNT).text);
	ck_assert_int_eq(explain_runs(&arena, run, run, METRIC_L2_BYTES).metric, METRIC_COUNT);
	arena_free(&arena);
}
END_TEST

static const struct pair since = {
	.figures = {{METRIC_TOTAL_TIME, 30e-6, 33.1e-6}, {METRIC_DMA_ACTIVE_TIME, 20e-6, 23e-6}}};

/* Why the only comparison of a gate moved; its older runs are those of `since`. */
static const struct explanation *explained(const struct gate_input *input, struct comparison *one,
					   size_t *loaded)
{
	struct gate_result gate = {.input = input, .comparisons = one, .count = 1, .series = 1};
	struct explain_plan plan = explain_plan(&arena, &gate);
	for (size_t i = 0; i < plan.needed.count; i++) {
		ck_assert_str_eq(plan.needed.items[i]->commit->oid, "2222222222222222");
		run_list_add(&arena, &plan.needed.items[i]->runs, run_of(&since, 0));
		*loaded += loaded != NULL;
	}
	one->why = NULL;
	explain_gate(&arena, &plan);
	return one->why;
}

/* The runs of a comparison have a reason only if they differ as what was judged. */
START_TEST(of_a_comparison)
{
	static const struct {
		const char *name;
		enum verdict verdict;
		enum verdict_method method;
		double before, after, judged; /* times, and the change that was judged */
		enum policy_role role;
		bool asked, explained;
	} rows[] = {
		{"as judged", VERDICT_REGRESSED, METHOD_BASELINE, 30e-6, 33e-6, 0.1, POLICY_PRIMARY,
		 true, true},
		{"against a level that is a little faster", VERDICT_SUSPECT, METHOD_BASELINE, 30e-6,
		 32e-6, 0.1, POLICY_PRIMARY, true, true},
		{"against a best level far back", VERDICT_DRIFT, METHOD_BASELINE, 30e-6, 31e-6, 0.2,
		 POLICY_PRIMARY, true, false},
		{"faster than last night, slower than the best", VERDICT_DRIFT, METHOD_BASELINE,
		 30e-6, 25e-6, 0.2, POLICY_PRIMARY, true, false},
		{"undecided and hardly different", VERDICT_UNDECIDED, METHOD_BASELINE, 30e-6,
		 30.1e-6, 0.0033, POLICY_PRIMARY, true, false},
		{"undecided and different", VERDICT_UNDECIDED, METHOD_BASELINE, 30e-6, 33e-6, 0.1,
		 POLICY_PRIMARY, true, true},
		{"over a limit as before", VERDICT_REGRESSED, METHOD_LIMIT, 30e-6, 30.1e-6, 2,
		 POLICY_PRIMARY, true, false},
		{"over a limit, and slower", VERDICT_REGRESSED, METHOD_LIMIT, 30e-6, 33e-6, 2,
		 POLICY_PRIMARY, true, true},
		{"unchanged", VERDICT_UNCHANGED, METHOD_BASELINE, 30e-6, 30.1e-6, 0.0033,
		 POLICY_PRIMARY, false, true},
		{"new", VERDICT_NEW, METHOD_NONE, 30e-6, 33e-6, NAN, POLICY_PRIMARY, false, false},
		{"for context", VERDICT_REGRESSED, METHOD_BASELINE, 30e-6, 33e-6, 0.1,
		 POLICY_CONTEXT, false, true},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct pair pair = {.figures = {{METRIC_TOTAL_TIME, rows[i].before, rows[i].after},
						{METRIC_DMA_ACTIVE_TIME, rows[i].before - 10e-6,
						 rows[i].after - 10e-6}}};
		struct gate_series series = {0};
		const struct gate_series_list list = {&series, 1, 1};
		struct gate_input input = {.series = &list};
		run_list_add(&arena, &series.baseline, run_of(&pair, 0));
		run_list_add(&arena, &series.candidate, run_of(&pair, 1));
		struct policy policy = {.role = rows[i].role};
		struct comparison one = {.series = &series,
					 .policy = &policy,
					 .metric = METRIC_TOTAL_TIME,
					 .judged = {.verdict = rows[i].verdict,
						    .method = rows[i].method,
						    .change = rows[i].judged}};
		const struct explanation *why = explained(&input, &one, NULL);
		const struct message *text = why ? why->text : NULL;
		ck_assert_msg(!text == !(rows[i].asked && rows[i].explained), "%s: %s",
			      rows[i].name, text ? words(text) : "(silent)");
	}
	arena_free(&arena);
}
END_TEST

/* The newest commit is as slow as the candidate: the one before it was as the level is said to be.
 */
START_TEST(since_the_level)
{
	size_t loaded = 0;
	struct revision chain[] = {{.oid = "0000000000000000"},
				   {.oid = "1111111111111111"},
				   {.oid = "2222222222222222"},
				   {.oid = "3333333333333333"}};
	struct history_set set = {.chain = chain, .chain_count = 4};
	struct history_point points[] = {
		{3, 1, false, 30e-6}, {2, 1, false, 30.2e-6}, {1, 1, false, 33e-6}};
	struct gate_series series = {.key = "k"};
	const struct gate_series_list list = {&series, 1, 1};
	struct gate_input input = {.series = &list, .histories = &set};
	struct pair newest = {.figures = {{METRIC_TOTAL_TIME, 33e-6, 33.1e-6}}};
	struct policy policy = {.role = POLICY_PRIMARY};
	run_list_add(&arena, &series.baseline, run_of(&newest, 0));
	run_list_add(&arena, &series.candidate, run_of(&since, 1));
	struct comparison one = {.series = &series,
				 .policy = &policy,
				 .metric = METRIC_TOTAL_TIME,
				 .history.points = {points, 3},
				 .judged = {.verdict = VERDICT_DRIFT,
					    .method = METHOD_BASELINE,
					    .baseline = 30e-6,
					    .candidate = 33.1e-6,
					    .change = 3.1 / 30}};
	ck_assert_str_eq(words(explained(&input, &one, &loaded)->text),
			 "+3.1 us since 2222222222: DMA active +3 us");
	ck_assert_uint_eq(loaded, 1);
	/* A limit is not the mean of any commit. */
	one.judged.method = METHOD_LIMIT;
	ck_assert_ptr_null(explained(&input, &one, &loaded)->text);
	one.judged.method = METHOD_BASELINE;
	one.judged.baseline = 20e-6;
	ck_assert_ptr_null(explained(&input, &one, &loaded));
	ck_assert_uint_eq(loaded, 1);
	arena_free(&arena);
}
END_TEST

static uint32_t next(uint32_t *state)
{
	return *state = *state * 1664525 + 1013904223;
}

/* 0, unknown, or anything of a few magnitudes. */
static double any_number(uint32_t *state)
{
	uint32_t kind = next(state) >> 28;
	return kind == 0 ? 0 : kind < 4 ? NAN : pow(10, (double)(next(state) >> 16) / 4096 - 8);
}

static struct run *any_run(uint32_t *state)
{
	static const char *const names[] = {"a.py:1", "a.py:2", "b.py:10", "MATMUL", "DRAIN", ""};
	static const char *const facts[] = {"compiler_version", "driver", "configuration", "uuid"};
	static const char *const texts[] = {"", "1.2", "1.3.4+x", "2", "x", "1.2 (y)"};
	struct pair pair = {.tool = next(state) >> 31 ? "ncu" : NULL,
			    .device = next(state) >> 31 ? "h100-sxm" : NULL};
	struct run *run = run_of(&pair, 0);
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		double number = any_number(state);
		if (!isnan(number) && next(state) >> 31)
			run_set(run, (enum metric)i, number, PROVENANCE_MEASURED);
	}
	for (uint32_t i = next(state) >> 28; i > 0; i--)
		run_add_tally(&arena, run,
			      (struct run_tally){(enum tally_kind)(next(state) >> 29) % TALLY_LIMIT,
						 names[(next(state) >> 16) % 6], 1,
						 any_number(state), NAN, NAN});
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		run_add_attribute(&arena, run, facts[i], texts[(next(state) >> 16) % 6]);
	run->kernel_hash = next(state) >> 30 ? NULL : "aa";
	struct peaks peaks = hardware_peaks_of(run, NULL);
	run_derive(run, &peaks);
	return run;
}

static size_t count_of(const char *text, const char *words)
{
	size_t count = 0;
	for (const char *at = strstr(text, words); at; at = strstr(at + 1, words))
		count++;
	return count;
}

/* For any two profiles: at most two sentences, one line, no invalid number, and every part
 * moved. */
START_TEST(any_two_runs)
{
	uint32_t state = 7;
	size_t explained = 0;
	for (int i = 0; i < 4000; i++) {
		struct run *before = any_run(&state), *after = any_run(&state);
		enum metric metric = (enum metric)(next(&state) % (METRIC_COUNT + 1));
		struct explanation found = explain_runs(&arena, before, after, metric);
		explained += found.text != NULL;
		for (size_t k = 0; k < found.count; k++) {
			ck_assert_ptr_nonnull(found.parts[k].text);
			ck_assert_msg(!(found.parts[k].before == found.parts[k].after), "%s",
				      words(found.parts[k].text));
		}
		if (found.text) {
			ck_assert_msg(count_of(words(found.text), ". ") <= 1, "%s",
				      words(found.text));
			ck_assert_msg(strlen(words(found.text)) < 400 &&
					      utf8_is_line(span_of(words(found.text))),
				      "%s", words(found.text));
			ck_assert_msg(!count_of(words(found.text), "nan") &&
					      !count_of(words(found.text), "inf") &&
					      !count_of(words(found.text), "unknown"),
				      "%s", words(found.text));
		}
		arena_free(&arena);
	}
	ck_assert_uint_gt(explained, 500);
}
END_TEST

UNIT_MAIN("explain", sentences, the_other_way, long_names, nothing_to_compare, of_a_comparison,
	  since_the_level, any_two_runs)
