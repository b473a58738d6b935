/* model: the seed's figures, hardware, findings, verdicts and the gate. */
#include "unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/roofline/bottleneck.h"
#include "model/run/derive.h"
#include "model/roofline/findings.h"
#include "model/gate/gate.h"
#include "model/run/hardware.h"
#include "model/run/short_names.h"
#include "render/vocabulary/vocabulary.h"

/* The MLP of the first seed document: two cores of trn2, 45.256596 us. */
static struct run *mlp(struct arena *arena)
{
	static const struct {
		enum metric metric;
		double number;
	} rows[] = {
		{METRIC_TOTAL_TIME, 45.256596e-6},
		{METRIC_HARDWARE_FLOPS, 427819008},
		{METRIC_TRANSPOSE_FLOPS, 25165824},
		{METRIC_HBM_READ_BYTES, 6553600},
		{METRIC_HBM_WRITE_BYTES, 262144},
		{METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES, 3670016},
		{METRIC_TENSOR_ACTIVE_TIME, 20.70e-6},
		{METRIC_DMA_ACTIVE_TIME, 20.46e-6},
		{METRIC_VECTOR_ACTIVE_TIME, 9.38e-6},
		{METRIC_TOTAL_ACTIVE_TIME, 40e-6},
	};
	struct run *run = run_new(arena);
	run->kernel = "mlp";
	run->variant = "nkilib";
	run->dtype = "bf16";
	run->device = "trn2";
	run->instance_type = "trn2.3xlarge";
	run->tool = "neuron-profile";
	run->cores = 2;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		run_set(run, rows[i].metric, rows[i].number, PROVENANCE_MEASURED);
	return run;
}

static struct peaks derive(struct run *run)
{
	struct peaks peaks = hardware_peaks_of(run, NULL);
	run_derive(run, &peaks);
	return peaks;
}

static void assert_four_digits(const struct run *run, enum metric metric, double expected)
{
	char a[32], b[32];
	snprintf(a, sizeof a, "%.4g", run_number(run, metric));
	snprintf(b, sizeof b, "%.4g", expected);
	ck_assert_msg(strcmp(a, b) == 0, "%s: %s, not %s", metric_info(metric)->key, a, b);
}

START_TEST(the_seed_mlp_is_reproduced)
{
	static const struct {
		enum metric metric;
		double number; /* four significant digits */
	} rows[] = {
		{METRIC_USEFUL_FLOPS, 402653184},
		{METRIC_MFU, 0.056566},
		{METRIC_HFU, 0.060102},
		{METRIC_ARITHMETIC_INTENSITY, 59.0769},
		{METRIC_MFU_MAX, 0.26893},
		{METRIC_MBU, 0.2103},
		{METRIC_RIDGE, 219.67},
		{METRIC_CORE_RIDGE, 109.84},
		{METRIC_TENSOR_OCCUPANCY, 0.4574},
		{METRIC_DMA_OCCUPANCY, 0.4521},
		{METRIC_ROOFLINE_EFFICIENCY, 0.2103},
		{METRIC_REUSE, 1.857},
	};
	struct arena arena = {0};
	struct run *run = mlp(&arena);
	struct peaks peaks = derive(run);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_four_digits(run, rows[i].metric, rows[i].number);
	ck_assert_double_eq_tol(peaks.flops, 157.2864e12, 1);
	ck_assert_double_eq_tol(peaks.bandwidth, 716e9, 1);
	struct bottleneck bottleneck = bottleneck_of(&arena, run);
	ck_assert_int_eq(bottleneck.side, BOUND_MEMORY);
	ck_assert_int_eq(bottleneck.class, BOUND_LATENCY);
	ck_assert(bottleneck.locality);
	arena_free(&arena);
}
END_TEST

/* A list that a reader allocated at once can be appended to; another array follows it in memory. */
START_TEST(lists_have_room_to_grow)
{
	for (size_t count = 1; count < 20; count++) {
		struct arena arena = {0};
		struct run *run = run_new(&arena);
		run->tallies = arena_array(&arena, run_list_room(count), sizeof *run->tallies);
		run->tally_count = count;
		char *behind = arena_alloc(&arena, 4000);
		for (size_t i = 0; i < 10; i++)
			run_add_tally(&arena, run, (struct run_tally){.name = "one", .count = 7});
		for (size_t i = 0; i < 4000; i++)
			ck_assert_int_eq(behind[i], 0);
		ck_assert_uint_eq(run->tally_count, count + 10);
		ck_assert_ptr_null(run->tallies[count - 1].name);
		ck_assert_str_eq(run->tallies[count + 9].name, "one");
		arena_free(&arena);
	}
}
END_TEST

START_TEST(unknown_stays_unknown)
{
	struct arena arena = {0};
	struct run *run = run_new(&arena);
	run->device = "trn2";
	derive(run);
	for (size_t i = 0; i < METRIC_COUNT; i++)
		if (i != METRIC_CORE_RIDGE)
			ck_assert_msg(isnan(run_number(run, (enum metric)i)), "%s is %g",
				      metric_info((enum metric)i)->key,
				      run_number(run, (enum metric)i));
	/* Without a core count the compute peak and its ratio are unknown. */
	run = mlp(&arena);
	run->cores = 0;
	derive(run);
	ck_assert(isnan(run_number(run, METRIC_MFU)));
	ck_assert(isnan(run_number(run, METRIC_RIDGE)));
	ck_assert(isnan(run_number(run, METRIC_MFU_MAX)));
	ck_assert(!isnan(run_number(run, METRIC_MBU)));
	arena_free(&arena);
}
END_TEST

START_TEST(peaks_come_from_configuration_then_profile_then_table)
{
	struct arena arena = {0};
	struct run *run = mlp(&arena);
	struct hardware own = {.name = "trn2",
			       .aliases = "",
			       .per_core = true,
			       .bandwidth = 1e9,
			       .source = "configuration",
			       .confidence = CONFIDENCE_LOW};
	for (int i = 0; i < DTYPE_LIMIT; i++)
		own.peak_flops[i] = NAN;
	struct hardware_list user = {&own, 1, 1};
	run_set(run, METRIC_PEAK_CORE_FLOPS, 5e12, PROVENANCE_REPORTED);
	struct peaks peaks = hardware_peaks_of(run, &user);
	ck_assert_double_eq(peaks.bandwidth, 1e9);
	ck_assert_str_eq(peaks.bandwidth_source, "configuration");
	ck_assert_double_eq(peaks.core_flops, 5e12);
	ck_assert_double_eq(peaks.flops, 10e12);
	ck_assert_str_eq(peaks.flops_source, "profile");
	peaks = hardware_peaks_of(mlp(&arena), NULL);
	ck_assert_ptr_nonnull(strstr(peaks.flops_source, "built-in table"));
	arena_free(&arena);
}
END_TEST

START_TEST(devices_are_found_by_instance_type)
{
	static const struct {
		const char *name, *device;
	} rows[] = {
		{"trn2.3xlarge", "trn2"},
		{"trn2u.48xlarge", "trn2u"},
		{"trn1n.32xlarge", "trn1n"},
		{"inf2.xlarge", "inf2"},
		{"trn3pds98.48xlarge", "trn3"},
		{"H100", "h100-sxm"},
		{"TRN2", "trn2"},
		{"nope", NULL},
		{"", NULL},
		{"98", NULL},
		{"trainium4", NULL},
		{"inferentia3", NULL},
		/* As drivers call them; a card that is not in the table is none of its kin. */
		{"Tesla T4", "t4"},
		{"NVIDIA A100-SXM4-40GB", "a100-sxm-40gb"},
		{"NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"},
		{"NVIDIA A100 80GB PCIe", "a100-pcie-80gb"},
		{"NVIDIA A100-PCIE-40GB", "a100-pcie-40gb"},
		{"NVIDIA A100-SXM4-80GB MIG 1g.10gb", NULL},
		{"NVIDIA H100 80GB HBM3", "h100-sxm"},
		{"NVIDIA H100 PCIe", "h100-pcie"},
		{"NVIDIA H100 NVL", "h100-nvl"},
		{"NVIDIA GH200 480GB", "gh200"},
		{"Tesla V100-SXM2-16GB", "v100-sxm2"},
		{"Tesla V100-PCIE-32GB", "v100-pcie"},
		{"NVIDIA A10G", "a10g"},
		{"NVIDIA GeForce RTX 4090", "rtx-4090"},
		{"NVIDIA GeForce RTX 4090 D", NULL},
		{"NVIDIA GeForce RTX 4090 Laptop GPU", NULL},
		{"AMD Instinct MI300X", "mi300x"},
		{"NVIDIA H20", "h20"},
		{"NVIDIA B300 SXM6 AC", "b300"},
		{"NVIDIA GB10", "gb10"},
		{"NVIDIA L20", "l20"},
		{"NVIDIA A40", "a40"},
		{"NVIDIA RTX A6000", "rtx-a6000"},
		{"NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada"},
		{"NVIDIA RTX PRO 6000 Blackwell Server Edition", "rtx-pro-6000"},
		{"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "rtx-pro-6000"},
		{"NVIDIA GeForce RTX 3080", "rtx-3080"},
		{"NVIDIA GeForce RTX 4070", "rtx-4070"},
		{"NVIDIA GeForce RTX 3060", "rtx-3060"},
		{"NVIDIA GeForce RTX 3060 Laptop GPU", "rtx-3060-laptop-gpu"},
		{"NVIDIA GeForce RTX 5070 Ti", "rtx-5070-ti"},
		{"NVIDIA GeForce GTX 1660 SUPER", "gtx-1660-super"},
		{"NVIDIA GeForce RTX 4080", "rtx-4080"},
		{"NVIDIA GeForce RTX 4080 SUPER", NULL},
		{"NVIDIA GeForce RTX 5080", "rtx-5080"},
		{"Orin", "agx-orin"},
		{"Tesla P100-PCIE-16GB", "p100-pcie"},
		{"Tesla P100-SXM2-16GB", "p100-sxm2"},
		{"NVIDIA TITAN V", "titan-v"},
		{"AMD Instinct MI300A", "mi300a"},
		{"AMD Radeon RX 7900 XTX", "rx-7900-xtx"},
		{"NVIDIA H800", NULL},
		{"AMD Radeon Graphics", NULL},
		{"NVIDIA T4 "
		 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		 "xxxx"
		 "xxxxxxxxxxxxxxxxx",
		 NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct hardware *hardware = hardware_find(NULL, rows[i].name);
		ck_assert_msg((hardware != NULL) == (rows[i].device != NULL), "%s", rows[i].name);
		if (hardware)
			ck_assert_str_eq(hardware->name, rows[i].device);
	}
}
END_TEST

START_TEST(rates_of_one_device_agree)
{
	/* Each step to half the width doubles the rate, of dense tensor operations at one clock;
	 * cards without a narrower unit do not speed up. */
	size_t count;
	const struct hardware *table = hardware_table(&count);
	for (size_t i = 0; i < count; i++) {
		const double *peak = table[i].peak_flops;
		const double wide = peak[DTYPE_FP16], narrow = peak[DTYPE_FP8];
		ck_assert_msg(!(peak[DTYPE_BF16] > wide * 1.01), "%s", table[i].name);
		ck_assert_msg(isnan(narrow) || isnan(wide) || fabs(narrow / wide - 2) < 0.04 ||
				      narrow == wide,
			      "%s: fp8 %g, fp16 %g", table[i].name, narrow, wide);
		ck_assert_msg(!(peak[DTYPE_FP64] > peak[DTYPE_FP32]), "%s", table[i].name);
		ck_assert_msg(!(peak[DTYPE_TF32] > 0.51 * wide) || wide == peak[DTYPE_TF32],
			      "%s: tf32 %g, fp16 %g", table[i].name, peak[DTYPE_TF32], wide);
		ck_assert_msg(isnan(table[i].bandwidth) ||
				      (table[i].bandwidth > 100e9 && table[i].bandwidth < 10e12),
			      "%s", table[i].name);
	}
}
END_TEST

START_TEST(the_table_agrees_with_the_profiler)
{
	/* 2 x 128 x 128 x clock is how the profiler computes the BF16 peak of a core. */
	static const struct {
		const char *name;
		double clock, ridge;
	} rows[] = {{"inf2", 2.8e9, 223.78},
		    {"trn1", 2.8e9, 223.78},
		    {"trn2", 2.4e9, 109.84},
		    {"trn3", 2.4e9, 66.76}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct hardware *h = hardware_find(NULL, rows[i].name);
		ck_assert_double_eq_tol(h->peak_flops[DTYPE_BF16] / (2 * 128 * 128 * rows[i].clock),
					1, 1e-12);
		ck_assert_double_eq_tol(h->peak_flops[DTYPE_BF16] / h->bandwidth, rows[i].ridge,
					0.005);
	}
}
END_TEST

START_TEST(dtypes_have_one_spelling)
{
	ck_assert_str_eq(dtype_normalise(span_of("BFloat16")), "bf16");
	ck_assert_str_eq(dtype_normalise(span_of("torch.float32")), "fp32");
	ck_assert_str_eq(dtype_normalise(span_of("float8_e4m3fn")), "fp8");
	ck_assert_ptr_null(dtype_normalise(span_of("bf17")));
	for (int i = 0; i < DTYPE_LIMIT; i++)
		ck_assert_int_eq(dtype_find(dtype_name((enum dtype)i)), i);
}
END_TEST

START_TEST(mismatches_are_told_and_cores_inferred)
{
	struct arena arena = {0};
	struct mismatch found[METRIC_COUNT];
	struct run *run = mlp(&arena);
	run_set(run, METRIC_MFU, 0.0565659, PROVENANCE_REPORTED);
	run_set(run, METRIC_MBU, 0.25, PROVENANCE_REPORTED);
	run->cores = 0;
	struct peaks peaks = derive(run);
	ck_assert_int_eq(run_infer_cores(run, &peaks), 2);
	run->cores = 2;
	derive(run);
	size_t count = run_mismatches(run, found);
	ck_assert_uint_eq(count, 2); /* 0.0565659 is rounded: 1.3e-6 off */
	ck_assert_int_eq(found[1].metric, METRIC_MBU);
	arena_free(&arena);
}
END_TEST

static const struct finding *finding(const struct finding_list *list, const char *rule)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].rule, rule) == 0)
			return &list->items[i];
	return NULL;
}

START_TEST(a_configured_peak_contradicts_no_file)
{
	struct arena arena = {0};
	struct mismatch found[METRIC_COUNT];
	struct finding_list list = {0};
	struct run *run = mlp(&arena);
	struct hardware own = {.name = "trn2",
			       .aliases = "",
			       .bandwidth = NAN,
			       .clock = NAN,
			       .source = "configuration"};
	struct hardware_list user = {&own, 1, 1};
	for (int i = 0; i < DTYPE_LIMIT; i++)
		own.peak_flops[i] = NAN;
	own.per_core = true;
	own.peak_flops[DTYPE_BF16] = 80e12;
	derive(run);
	run_set(run, METRIC_MFU, run_number(run, METRIC_MFU), PROVENANCE_REPORTED);
	struct peaks peaks = hardware_peaks_of(run, &user);
	run_derive(run, &peaks);
	ck_assert_double_eq_tol(run_number(run, METRIC_MFU), 0.056566 * 78.6432 / 80, 1e-6);
	ck_assert_uint_eq(run_mismatches(run, found), 0);
	findings_of(&arena, run, &list);
	for (size_t i = 0; i < list.count; i++)
		ck_assert_str_ne(list.items[i].rule, "reported-mismatch");
	arena_free(&arena);
}
END_TEST

START_TEST(a_profile_with_a_core_peak_is_per_core)
{
	struct arena arena = {0};
	struct run *run = mlp(&arena);
	struct hardware own = {.name = "trn9",
			       .aliases = "",
			       .bandwidth = 1e12,
			       .clock = NAN,
			       .source = "configuration"};
	struct hardware_list user = {&own, 1, 1};
	for (int i = 0; i < DTYPE_LIMIT; i++)
		own.peak_flops[i] = NAN;
	run->device = "trn9";
	run_set(run, METRIC_PEAK_CORE_FLOPS, 50e12, PROVENANCE_REPORTED);
	struct peaks peaks = hardware_peaks_of(run, &user);
	ck_assert_double_eq(peaks.flops, 100e12);
	ck_assert_str_eq(peaks.flops_source, "profile");
	arena_free(&arena);
}
END_TEST

START_TEST(findings_fire_at_their_thresholds)
{
	static const struct {
		const char *rule;
		enum metric metric;
		double silent, fires;
	} rows[] = {
		{"transposes", METRIC_TRANSPOSE_FLOPS, 42781900, 42781901},
		{"spills", METRIC_SPILL_RELOAD_BYTES, 1638400, 1638401},
		{"startup-dominated", METRIC_TOTAL_ACTIVE_TIME, 23e-6, 22e-6},
		{"dma-inefficient", METRIC_DMA_ACTIVE_TIME, 27.1e-6, 27.2e-6},
		{"engine-saturated", METRIC_VECTOR_ACTIVE_TIME, 40.7e-6, 40.8e-6},
		{"poor-reuse", METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES, 5452596, 5452594},
		{"low-model-flops", METRIC_MODEL_FLOPS, 213909504, 213909503},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int fires = 0; fires < 2; fires++) {
			struct arena arena = {0};
			struct finding_list list = {0};
			struct run *run = mlp(&arena);
			run_set(run, rows[i].metric, fires ? rows[i].fires : rows[i].silent,
				PROVENANCE_MEASURED);
			derive(run);
			findings_of(&arena, run, &list);
			ck_assert_msg((finding(&list, rows[i].rule) != NULL) == fires, "%s %d",
				      rows[i].rule, fires);
			arena_free(&arena);
		}
}
END_TEST

/* The times of a kernel that was compiled with every call, and of one that was not. */
START_TEST(host_time_is_explained)
{
	static const struct {
		double host, compile, device;
		const char *rule, *text;
	} rows[] = {
		{4.03986, 4.312, 45.256596e-6, "recompiled-every-call",
		 "Recompiled on every call: host time less device time is 93.69 % of the compile "
		 "time (4.312 s)"},
		{1.41e-3, NAN, 39.36e-6, "dispatch-dominates",
		 "Dispatch overhead dominates: host time is 35.82 times device time (1.410 ms "
		 "and 39.36 us)"},
		{1.41e-3, 4.312, 39.36e-6, "dispatch-dominates", NULL},
		{0.9, 1, 0.1, "recompiled-every-call", NULL},
		{0.89, 1, 0.1, "dispatch-dominates", NULL},
		{1.25, 1, NAN, "recompiled-every-call", NULL},
		{2, 0.1, 0.01, "dispatch-dominates", NULL},
		{2, 2, 1.9, NULL, NULL},
		{2, 0.1, NAN, NULL, NULL},
		{0.5, 1, 0.1, NULL, NULL},
		{0.9, 1, NAN, "recompiled-every-call", NULL},
		{0.9, NAN, NAN, NULL, NULL},
		{NAN, 1, 0.1, NULL, NULL},
	};
	static const char *const rules[] = {"recompiled-every-call", "dispatch-dominates"};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct finding_list list = {0};
		struct run *run = run_new(&arena);
		run_set(run, METRIC_HOST_TIME, rows[i].host, PROVENANCE_MEASURED);
		run_set(run, METRIC_COMPILE_TIME, rows[i].compile, PROVENANCE_MEASURED);
		run_set(run, METRIC_TOTAL_TIME, rows[i].device, PROVENANCE_MEASURED);
		derive(run);
		findings_of(&arena, run, &list);
		for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
			ck_assert_msg((finding(&list, rules[k]) != NULL) ==
					      span_text_eq(rules[k], rows[i].rule),
				      "row %zu: %s", i, rules[k]);
		if (rows[i].text)
			ck_assert_str_eq(vocabulary_say(&arena, finding(&list, rows[i].rule)->text),
					 rows[i].text);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(a_gain_is_a_formula)
{
	struct arena arena = {0};
	struct finding_list list = {0};
	struct run *run = mlp(&arena);
	run_set(run, METRIC_TRANSPOSE_FLOPS, 0.25 * 427819008, PROVENANCE_MEASURED);
	derive(run);
	findings_of(&arena, run, &list);
	const struct finding *one = finding(&list, "transposes");
	ck_assert_ptr_nonnull(one);
	ck_assert_double_eq_tol(one->gain.fraction, 0.25 * 20.70 / 45.256596, 1e-9);
	ck_assert_str_eq(vocabulary_say(&arena, one->text),
			 "Transposes account for 25.00 % of matmul FLOP (threshold 10.00 %)");
	arena_free(&arena);
}
END_TEST

START_TEST(scattered_idling_is_serialization_not_start_up)
{
	struct arena arena = {0};
	struct finding_list list = {0};
	struct run *run = mlp(&arena);
	run_set(run, METRIC_TOTAL_ACTIVE_TIME, 0.4 * 45.256596e-6, PROVENANCE_MEASURED);
	struct run_engine engine = {.name = "tensor", .active_time = 18e-6, .has_timeline = true};
	for (size_t i = 0; i < TIMELINE_BINS; i++)
		engine.timeline[i] = i % 5 < 2;
	run_add_engine(&arena, run, engine);
	derive(run);
	findings_of(&arena, run, &list);
	ck_assert_ptr_nonnull(finding(&list, "serialization"));
	ck_assert_ptr_null(finding(&list, "startup-dominated"));
	arena_free(&arena);
}
END_TEST

START_TEST(an_idle_core_is_found)
{
	struct arena arena = {0};
	struct finding_list list = {0};
	struct run *run = mlp(&arena);
	run_add_core(&arena, run, (struct run_core){"sg00", 65130, 300, 1e9, NAN});
	run_add_core(&arena, run, (struct run_core){"sg01", 19069, 149, 0, NAN});
	derive(run);
	findings_of(&arena, run, &list);
	const struct finding *one = finding(&list, "idle-core");
	ck_assert_ptr_nonnull(one);
	ck_assert_ptr_nonnull(
		strstr(vocabulary_say(&arena, one->text), "only 1 of 2 physical cores works"));
	ck_assert_ptr_nonnull(strstr(vocabulary_say(&arena, one->text), "MFU 11.31 %"));
	arena_free(&arena);
}
END_TEST

START_TEST(names_say_what_differs)
{
	struct arena arena = {0};
	struct run *one = mlp(&arena), *two = mlp(&arena);
	run_set_param(&arena, one, "b", "1");
	run_set_param(&arena, two, "b", "1");
	run_set_param(&arena, one, "s", "256");
	run_set_param(&arena, two, "s", "512");
	const struct run *const runs[] = {one, two};
	struct short_names naming = short_names_of(&arena, runs, 2);
	ck_assert_str_eq(short_names_name(&arena, &naming, one), "mlp s=256");
	ck_assert_str_eq(short_names_common(&arena, &naming), "nkilib, bf16, trn2, b=1");
	two->variant = "neuronxcc";
	run_set_param(&arena, two, "t", "7");
	naming = short_names_of(&arena, runs, 2);
	ck_assert_str_eq(short_names_name(&arena, &naming, two), "mlp neuronxcc s=512 t=7");
	naming = short_names_of(&arena, runs, 1);
	ck_assert_str_eq(short_names_name(&arena, &naming, one), "mlp nkilib bf16 b=1 s=256");
	/* What the device implies is not repeated. */
	two->device = "h100-sxm";
	two->instance_type = NULL;
	two->cores = 0;
	two->tool = "ncu";
	naming = short_names_of(&arena, runs, 2);
	ck_assert_str_eq(short_names_name(&arena, &naming, two),
			 "mlp neuronxcc h100-sxm s=512 t=7");
	two->device = one->device;
	naming = short_names_of(&arena, runs, 2);
	ck_assert_str_eq(short_names_name(&arena, &naming, two),
			 "mlp neuronxcc unknown-instance s=512 t=7");
	two->instance_type = one->instance_type;
	naming = short_names_of(&arena, runs, 2);
	ck_assert_str_eq(short_names_name(&arena, &naming, two), "mlp neuronxcc 0-core s=512 t=7");
	two->cores = one->cores;
	naming = short_names_of(&arena, runs, 2);
	ck_assert_str_eq(short_names_name(&arena, &naming, two), "mlp neuronxcc ncu s=512 t=7");
	arena_free(&arena);
}
END_TEST

START_TEST(hashes_name_content_and_identity)
{
	struct arena arena = {0};
	char a[65], b[65];
	struct run *one = mlp(&arena), *two = mlp(&arena);
	run_set_param(&arena, one, "b", "1");
	run_set_param(&arena, one, "a", "2");
	run_set_param(&arena, two, "a", "2");
	run_set_param(&arena, two, "b", "1");
	run_hash(one, true, a);
	run_hash(two, true, b);
	ck_assert_str_eq(a, b);
	two->commit = "0123";
	run_hash(one, false, a);
	run_hash(two, false, b);
	ck_assert_str_eq(a, b);
	run_hash(one, true, a);
	run_hash(two, true, b);
	ck_assert_str_ne(a, b);
	run_set(two, METRIC_TOTAL_TIME, 45.256597e-6, PROVENANCE_MEASURED);
	run_hash(one, false, a);
	run_hash(two, false, b);
	ck_assert_str_ne(a, b);
	ck_assert_str_eq(run_params_text(&arena, one), "a=2, b=1");
	ck_assert_str_eq(run_series_key(&arena, one), run_series_key(&arena, two));
	arena_free(&arena);
}
END_TEST

START_TEST(series_keys_never_collide)
{
	struct arena arena = {0};
	struct run *one = mlp(&arena), *two = mlp(&arena);
	one->kernel = "a/b";
	one->variant = "c";
	two->kernel = "a";
	two->variant = "b/c";
	ck_assert_str_ne(run_series_key(&arena, one), run_series_key(&arena, two));
	arena_free(&arena);
}
END_TEST

START_TEST(metric_keys_are_unique)
{
	for (int i = 0; i < METRIC_COUNT; i++)
		ck_assert_int_eq(metric_find(span_of(metric_info((enum metric)i)->key)), i);
	ck_assert_int_eq(metric_find(span_of("nope")), METRIC_COUNT);
}
END_TEST

START_TEST(what_a_formula_gives_has_a_place)
{
	bool taken[COMPUTED_COUNT] = {false};
	size_t count = 0;
	for (int i = 0; i < METRIC_COUNT; i++) {
		enum computed place = metric_computed((enum metric)i);
		ck_assert_msg(!metric_is_derived((enum metric)i) || place < COMPUTED_COUNT,
			      "%s starts with \"=\" and is not COMPUTED",
			      metric_info((enum metric)i)->key);
		if (place == COMPUTED_COUNT)
			continue;
		ck_assert(!taken[place]);
		taken[place] = true;
		count++;
	}
	ck_assert_uint_eq(count, COMPUTED_COUNT);
}
END_TEST

UNIT_MAIN("model", the_seed_mlp_is_reproduced, lists_have_room_to_grow, unknown_stays_unknown,
	  peaks_come_from_configuration_then_profile_then_table, devices_are_found_by_instance_type,
	  rates_of_one_device_agree, the_table_agrees_with_the_profiler, dtypes_have_one_spelling,
	  mismatches_are_told_and_cores_inferred, a_configured_peak_contradicts_no_file,
	  a_profile_with_a_core_peak_is_per_core, findings_fire_at_their_thresholds,
	  host_time_is_explained, a_gain_is_a_formula,
	  scattered_idling_is_serialization_not_start_up, an_idle_core_is_found,
	  names_say_what_differs, hashes_name_content_and_identity, series_keys_never_collide,
	  metric_keys_are_unique, what_a_formula_gives_has_a_place)
