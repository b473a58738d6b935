/* What could be gained: each formula by hand, and that bounds are bounds. */
#include "unit/unit.h"

#include <math.h>
#include <string.h>

#include "model/run/derive.h"
#include "model/roofline/findings.h"
#include "render/report/report.h"
#include "render/vocabulary/vocabulary.h"

static struct arena arena;

enum { FIGURES = 8 };

/* A kernel of 100 us on one of two cores of a trn2 (716 GB/s: 71.6 MB in that time), or on a GPU.
 */
static const struct row {
	const char *name, *rule, *device;
	struct {
		enum metric metric;
		double number;
	} given[FIGURES];
	double cores[2];     /* FLOP on each; 0, 0: not known */
	double throttled[2]; /* seconds at half rate on each core */
	double gain;         /* NAN: none */
	const char *text, *formula;
} rows[] = {
	{"transposes take their share of the tensor engine",
	 "transposes",
	 "trn2",
	 {{METRIC_HARDWARE_FLOPS, 4e8},
	  {METRIC_TRANSPOSE_FLOPS, 1e8},
	  {METRIC_TENSOR_ACTIVE_TIME, 40e-6}},
	 {0},
	 {0},
	 0.25 * 0.4,
	 "up to 10.00 % of total time",
	 "transposes 25.00 % of FLOP x tensor engine active 40.00 %"},
	{"spills take their share of the DMA",
	 "spills",
	 "trn2",
	 {{METRIC_HBM_READ_BYTES, 6e6},
	  {METRIC_HBM_WRITE_BYTES, 2e6},
	  {METRIC_SPILL_RELOAD_BYTES, 3e6},
	  {METRIC_SPILL_SAVE_BYTES, 1e6},
	  {METRIC_DMA_ACTIVE_TIME, 60e-6}},
	 {0},
	 {0},
	 0.5 * 0.6,
	 "up to 30.00 % of total time",
	 "spilled and reloaded 4.000 MB / HBM traffic 8.000 MB x DMA active 60.00 %"},
	{"what is not compulsory takes its share of the DMA",
	 "poor-reuse",
	 "trn2",
	 {{METRIC_HBM_READ_BYTES, 6e6},
	  {METRIC_HBM_WRITE_BYTES, 2e6},
	  {METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES, 2e6},
	  {METRIC_DMA_ACTIVE_TIME, 80e-6}},
	 {0},
	 {0},
	 0.75 * 0.8,
	 "up to 60.00 % of total time",
	 "bytes beyond compulsory traffic 6.000 MB / HBM traffic 8.000 MB x DMA active 80.00 %"},
	{"without a DMA, at the peak rate, which is no bound",
	 "excess-traffic",
	 "h100-sxm",
	 {{METRIC_HBM_READ_BYTES, 134e6},
	  {METRIC_HBM_WRITE_BYTES, 33.5e6},
	  {METRIC_ALGORITHMIC_BYTES, 33.5e6}},
	 {0},
	 {0},
	 134e6 / 3.35e12 / 100e-6,
	 "40.00 % of total time at the peak rate",
	 "bytes beyond the algorithmic minimum 134.0 MB / HBM traffic 167.5 MB x MBU 50.00 %"},
	{"the same bytes at the peak rate",
	 "dma-inefficient",
	 "trn2",
	 {{METRIC_HBM_READ_BYTES, 7.16e6},
	  {METRIC_HBM_WRITE_BYTES, 0},
	  {METRIC_DMA_ACTIVE_TIME, 70e-6}},
	 {0},
	 {0},
	 0.7 - 0.1,
	 "up to 60.00 % of total time",
	 "DMA active 70.00 % - MBU 10.00 %"},
	{"without traffic nothing is known of small transfers",
	 "small-dma",
	 "trn2",
	 {{METRIC_DMA_TRANSFER_BYTES, 1e6},
	  {METRIC_DMA_TRANSFER_COUNT, 1000},
	  {METRIC_DMA_ACTIVE_TIME, 70e-6}},
	 {0},
	 {0},
	 NAN,
	 NULL,
	 NULL},
	{"engines that overlap take as long as the longest",
	 "serialization",
	 "trn2",
	 {{METRIC_TOTAL_ACTIVE_TIME, 90e-6},
	  {METRIC_TENSOR_ACTIVE_TIME, 40e-6},
	  {METRIC_DMA_ACTIVE_TIME, 55e-6}},
	 {0},
	 {0},
	 0.45,
	 "up to 45.00 % of total time",
	 "(total time 100.0 us - longest active time of an engine 55.00 us) / total time"},
	{"a second core takes half of what is active",
	 "idle-core",
	 "trn2",
	 {{METRIC_TOTAL_ACTIVE_TIME, 80e-6}, {METRIC_HARDWARE_FLOPS, 1e9}},
	 {1e9, 0},
	 {0},
	 0.4,
	 "up to 40.00 % of total time",
	 "(1 - 1 / 2 cores) x active 80.00 %"},
	{"but the memory moves its bytes no faster",
	 "idle-core",
	 "trn2",
	 {{METRIC_TOTAL_ACTIVE_TIME, 100e-6},
	  {METRIC_HARDWARE_FLOPS, 1e9},
	  {METRIC_HBM_READ_BYTES, 57.28e6},
	  {METRIC_HBM_WRITE_BYTES, 0}},
	 {1e9, 0},
	 {0},
	 0.2,
	 "up to 20.00 % of total time",
	 "1 - MBU 80.00 %"},
	{"all wait for the core that was throttled most",
	 "throttled",
	 "trn2",
	 {{METRIC_TENSOR_ACTIVE_TIME, 40e-6}},
	 {0},
	 {10e-6, 40e-6},
	 0.2,
	 "up to 20.00 % of total time",
	 "sum of (1 - limit) x duration on the most throttled core, 20.00 us / total time 100.0 "
	 "us"},
	{"FLOP beyond the model's",
	 "low-model-flops",
	 "trn2",
	 {{METRIC_MODEL_FLOPS, 1e8},
	  {METRIC_HARDWARE_FLOPS, 4e8},
	  {METRIC_TENSOR_ACTIVE_TIME, 60e-6}},
	 {0},
	 {0},
	 0.75 * 0.6,
	 "up to 45.00 % of total time",
	 "75.00 % of FLOP beyond the model x tensor engine active 60.00 %"},
	{"of the call",
	 "dispatch-dominates",
	 "trn2",
	 {{METRIC_HOST_TIME, 1e-3}},
	 {0},
	 {0},
	 0.9,
	 "up to 90.00 % of host time",
	 "(host time 1.000 ms - device time 100.0 us) / host time"},
	{"compiling on every call",
	 "recompiled-every-call",
	 "trn2",
	 {{METRIC_HOST_TIME, 1e-3}, {METRIC_COMPILE_TIME, 0.8e-3}},
	 {0},
	 {0},
	 0.8,
	 "up to 80.00 % of host time",
	 "compile time 800.0 us / host time 1.000 ms"},
	{"compiling beside a device that works",
	 "recompiled-every-call",
	 "trn2",
	 {{METRIC_HOST_TIME, 1e-3}, {METRIC_COMPILE_TIME, 0.95e-3}},
	 {0},
	 {0},
	 0.9,
	 "up to 90.00 % of host time",
	 "(host time 1.000 ms - device time 100.0 us) / host time"},
	{"the busiest unit has its work to do",
	 "ncu-theoretical-occupancy",
	 "h100-sxm",
	 {{METRIC_THEORETICAL_OCCUPANCY, 0.25},
	  {METRIC_SM_THROUGHPUT, 0.4},
	  {METRIC_MEMORY_THROUGHPUT, 0.55}},
	 {0},
	 {0},
	 0.45,
	 "up to 45.00 % of total time",
	 "1 - the larger of SM and memory throughput 55.00 %"},
};

static struct run *run_of(const struct row *row)
{
	struct run *run = run_new(&arena);
	run->kernel = "k";
	run->variant = run->node = "";
	run->device = row->device;
	run->dtype = "bf16";
	bool neuron = strcmp(row->device, "trn2") == 0;
	run->tool = neuron ? "neuron-profile" : "ncu";
	run->cores = neuron ? 2 : 0;
	run_set(run, METRIC_TOTAL_TIME, 100e-6, PROVENANCE_MEASURED);
	for (size_t i = 0; i < FIGURES && row->given[i].metric; i++)
		run_set(run, row->given[i].metric, row->given[i].number, PROVENANCE_MEASURED);
	for (int core = 0; core < 2; core++) {
		if (row->cores[0] + row->cores[1] > 0)
			run_add_core(&arena, run,
				     (struct run_core){"sg", 1e5, 100, row->cores[core], NAN});
		if (row->throttled[core] > 0)
			run_add_throttle(&arena, run,
					 (struct run_throttle){core, "activity_0", 0,
							       row->throttled[core], 0.5});
	}
	struct peaks peaks = hardware_peaks_of(run, NULL);
	run_derive(run, &peaks);
	return run;
}

static const struct finding *find(const struct finding_list *list, const char *rule)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].rule, rule) == 0)
			return &list->items[i];
	return NULL;
}

static void check_row(const struct row *row)
{
	struct finding_list list = {0};
	findings_of(&arena, run_of(row), &list);
	const struct finding *one = find(&list, row->rule);
	ck_assert_msg(one != NULL, "%s: %s does not fire", row->name, row->rule);
	if (isnan(row->gain)) {
		ck_assert_double_nan(one->gain.fraction);
		ck_assert_ptr_null(one->gain.formula);
		return;
	}
	ck_assert_msg(fabs(one->gain.fraction - row->gain) < 1e-9, "%s: %.9f", row->name,
		      one->gain.fraction);
	ck_assert_str_eq(vocabulary_say(&arena, one->gain.formula), row->formula);
	struct json *object = json_object(&arena);
	report_add_gain(&arena, object, one);
	ck_assert_str_eq(json_text(object, "gain", ""), row->text);
}

START_TEST(formulas)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check_row(&rows[i]);
	arena_free(&arena);
}
END_TEST

START_TEST(three_of_them)
{
	struct run *run = run_of(&rows[2]);
	const struct finding *best[OPPORTUNITIES];
	struct finding_list list = {0};
	run_set(run, METRIC_HARDWARE_FLOPS, 4e8, PROVENANCE_MEASURED);
	run_set(run, METRIC_TRANSPOSE_FLOPS, 1e8, PROVENANCE_MEASURED);
	run_set(run, METRIC_TENSOR_ACTIVE_TIME, 40e-6, PROVENANCE_MEASURED);
	run_set(run, METRIC_SPILL_RELOAD_BYTES, 3e6, PROVENANCE_MEASURED);
	run_add_note(&arena, run, "Missing Data", "this is a simulation");
	struct peaks peaks = hardware_peaks_of(run, NULL);
	run_derive(run, &peaks);
	findings_of(&arena, run, &list);
	ck_assert_str_eq(list.items[0].rule, "simulation");
	ck_assert_uint_eq(findings_opportunities(&list, best), 3);
	ck_assert_str_eq(best[0]->rule, "dma-inefficient");
	ck_assert_str_eq(best[1]->rule, "poor-reuse");
	ck_assert_str_eq(best[2]->rule, "spills");
	ck_assert_uint_eq(findings_opportunities(&(struct finding_list){0}, best), 0);
	arena_free(&arena);
}
END_TEST

START_TEST(a_title_is_an_opportunity_once)
{
	struct row row = {.device = "h100-sxm",
			  .given = {{METRIC_WAVES_PER_SM, 0.5},
				    {METRIC_SM_THROUGHPUT, 0.3},
				    {METRIC_MEMORY_THROUGHPUT, 0.2}}};
	const struct finding *best[OPPORTUNITIES];
	struct finding_list list = {0};
	findings_of(&arena, run_of(&row), &list);
	ck_assert_ptr_nonnull(find(&list, "ncu-sol-small-grid"));
	ck_assert_ptr_nonnull(find(&list, "health-waves"));
	ck_assert_uint_eq(findings_opportunities(&list, best), 1);
	ck_assert_int_eq(best[0]->title->code, MESSAGE_TITLE_FILL_GPU);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("gains", formulas, three_of_them, a_title_is_an_opportunity_once)
