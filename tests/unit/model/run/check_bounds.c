/* Numbers that no run can have. */
#include "unit/unit.h"

#include <math.h>

#include "model/run/derive.h"
#include "model/run/run.h"

START_TEST(every_metric_has_a_range)
{
	for (int i = 0; i < METRIC_COUNT; i++) {
		const struct metric_info *info = metric_info((enum metric)i);
		const struct bounds *bounds = &info->bounds;
		bool difference = i == METRIC_SERIALIZATION_GAP;
		ck_assert_msg(difference ? bounds->least == -bounds->most : bounds->least >= 0,
			      "%s", info->key);
		ck_assert_msg(bounds->least < bounds->most, "%s", info->key);
		ck_assert_msg(metric_in_bounds((enum metric)i, NAN), "%s", info->key);
		ck_assert_msg(metric_in_bounds((enum metric)i, bounds->least), "%s", info->key);
		ck_assert_msg(metric_in_bounds((enum metric)i, bounds->most), "%s", info->key);
		ck_assert_msg(!metric_in_bounds((enum metric)i, INFINITY), "%s", info->key);
		ck_assert_msg(metric_in_bounds((enum metric)i, -1e-300) == difference, "%s",
			      info->key);
	}
}
END_TEST

static struct run *new_run(struct arena *arena)
{
	struct run *run = run_new(arena);
	run->tool = "t";
	run_set(run, METRIC_TOTAL_TIME, 1e-3, PROVENANCE_MEASURED);
	return run;
}

/* The run must be refused with this message. */
static void refused(const struct run *run, const char *expected)
{
	struct error err = {ERR_NONE, ""};
	ck_assert_msg(run_check_bounds(run, &err) < 0, "not refused: %s", expected);
	ck_assert_int_eq(err.kind, ERR_FORMAT);
	ck_assert_str_eq(err.text, expected);
}

START_TEST(a_number_outside_is_named_with_its_range)
{
	static const struct {
		enum metric metric;
		double number;
		const char *message;
	} rows[] = {
		{METRIC_HBM_READ_BYTES, 1e40, "hbm_read_bytes is 1e+40 B; expected 0 to 1e+21 B"},
		{METRIC_HBM_READ_BYTES, -1, "hbm_read_bytes is -1 B; expected 0 to 1e+21 B"},
		{METRIC_TOTAL_TIME, 0, "total_time is 0 s; expected 1e-12 to 1e+07 s"},
		{METRIC_TOTAL_TIME, 9e-13, "total_time is 9e-13 s; expected 1e-12 to 1e+07 s"},
		{METRIC_HOST_TIME, 1e299, "host_time is 1e+299 s; expected 1e-12 to 1e+07 s"},
		{METRIC_MFU, 1001, "mfu is 1001; expected 0 to 1000"},
		{METRIC_GRID_SIZE, -3, "grid_size is -3; expected 0 to 1e+21"},
		{METRIC_PEAK_BANDWIDTH, 0, "peak_bandwidth is 0 B/s; expected 1 to 1e+21 B/s"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct error err;
		struct run *run = new_run(&arena);
		ck_assert(run_check_bounds(run, &err) == 0);
		run_set(run, rows[i].metric, rows[i].number, PROVENANCE_MEASURED);
		refused(run, rows[i].message);
		arena_free(&arena);
	}
}
END_TEST

/* Nothing may take no time, but the whole; and a repeat as its clock sees it. */
START_TEST(zero_is_a_time_of_parts)
{
	struct arena arena = {0};
	struct error err = {ERR_NONE, ""};
	struct run *run = new_run(&arena);
	struct run_spread spread = run_spread_unknown(METRIC_TOTAL_TIME);
	static const double repeats[] = {0, 1e-3, 2e-3};
	run_set(run, METRIC_DMA_ACTIVE_TIME, 0, PROVENANCE_MEASURED);
	spread.numbers = repeats;
	spread.number_count = 3;
	spread.minimum = 0;
	run_add_spread(&arena, run, spread);
	ck_assert_msg(run_check_bounds(run, &err) == 0, "%s", err.text);
	arena_free(&arena);
}
END_TEST

static void add_engine(struct arena *arena, struct run *run)
{
	run_add_engine(arena, run, (struct run_engine){.name = "tensor", .active_time = 1});
	run_add_engine(arena, run, (struct run_engine){.name = "dma", .active_time = -1});
}

static void add_tally(struct arena *arena, struct run *run)
{
	run_add_tally(arena, run,
		      (struct run_tally){TALLY_OPCODE, "MATMUL", 1, INFINITY, NAN, NAN});
}

static void add_throttle(struct arena *arena, struct run *run)
{
	run_add_throttle(arena, run, (struct run_throttle){.duration = 1e8, .limit = 0.5});
}

static void add_core(struct arena *arena, struct run *run)
{
	run_add_core(arena, run, (struct run_core){"sg00", 1, 2, -1e-6, NAN});
}

static void add_tensor(struct arena *arena, struct run *run)
{
	run->kernel = "gemm";
	run_add_tensor(arena, run, (struct run_tensor){.name = "q", .bytes = 1e22});
}

static void add_spread(struct arena *arena, struct run *run)
{
	struct run_spread spread = run_spread_unknown(METRIC_TOTAL_TIME);
	spread.deviation = -1;
	run_add_spread(arena, run, spread);
}

static void add_repeats(struct arena *arena, struct run *run)
{
	struct run_spread spread = run_spread_unknown(METRIC_TOTAL_TIME);
	static const double repeats[] = {1, 1e8};
	spread.numbers = repeats;
	spread.number_count = 2;
	run_add_spread(arena, run, spread);
}

START_TEST(numbers_in_lists_have_bounds_too)
{
	static const struct {
		void (*add)(struct arena *arena, struct run *run);
		const char *message;
	} rows[] = {
		{add_engine, "engine dma: active_time is -1 s; expected 0 to 1e+07 s"},
		{add_tally, "tally MATMUL: seconds is inf s; expected 0 to 1e+07 s"},
		{add_throttle, "throttle : duration is 100000000 s; expected 0 to 1e+07 s"},
		{add_core, "core sg00: flops is -1e-06 FLOP; expected 0 to 1e+21 FLOP"},
		{add_tensor, "kernel gemm: tensor q: bytes is 1e+22 B; expected 0 to 1e+21 B"},
		{add_spread, "standard deviation of total_time is -1 s; expected 0 to 1e+07 s"},
		{add_repeats, "repeat of total_time is 100000000 s; expected 0 to 1e+07 s"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct run *run = new_run(&arena);
		rows[i].add(&arena, run);
		refused(run, rows[i].message);
		arena_free(&arena);
	}
}
END_TEST

/* Both numbers are possible, their quotient is not. */
START_TEST(a_computed_number_outside_is_unknown)
{
	struct arena arena = {0};
	struct run *run = new_run(&arena);
	struct peaks peaks = {.core_flops = 1, .flops = 1, .bandwidth = 1e12, .clock = NAN};
	run_set(run, METRIC_HARDWARE_FLOPS, 1e9, PROVENANCE_MEASURED);
	run_derive(run, &peaks);
	ck_assert(run_number(run, METRIC_ACHIEVED_FLOPS) == 1e12);
	ck_assert(isnan(run_number(run, METRIC_MFU)));
	ck_assert(isnan(run_number(run, METRIC_MFU_ESTIMATED)));
	ck_assert_int_eq(run->excess.metric, METRIC_MFU);
	ck_assert(run->excess.number == 1e12 && run->excess.count == 2);
	peaks.flops = 1e12;
	run_derive(run, &peaks);
	ck_assert(run_number(run, METRIC_MFU) == 1 && run->excess.count == 0);
	arena_free(&arena);
}
END_TEST

START_TEST(a_stored_number_outside_is_unknown)
{
	struct arena arena = {0};
	struct run *run = new_run(&arena);
	struct peaks peaks = hardware_peaks_of(run, NULL);
	run_set(run, METRIC_HBM_READ_BYTES, 1e40, PROVENANCE_MEASURED);
	run_derive(run, &peaks);
	ck_assert(isnan(run_number(run, METRIC_HBM_READ_BYTES)));
	ck_assert_int_eq(run->given[METRIC_HBM_READ_BYTES].provenance, PROVENANCE_UNKNOWN);
	ck_assert_int_eq(run->excess.metric, METRIC_HBM_READ_BYTES);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("bounds", every_metric_has_a_range, a_number_outside_is_named_with_its_range,
	  zero_is_a_time_of_parts, numbers_in_lists_have_bounds_too,
	  a_computed_number_outside_is_unknown, a_stored_number_outside_is_unknown)
