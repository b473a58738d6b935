/* Gates without a store: series with a history made of numbers. */
#ifndef TESTS_UNIT_GATE_FIXTURE_H
#define TESTS_UNIT_GATE_FIXTURE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/gate/gate.h"

enum { FIXTURE_COMMITS = 200 };

struct gate_fixture {
	struct arena arena;
	struct gate_series_list list;
	struct policy policies[8];
	size_t policy_count;
	struct gate_settings settings;
	struct history_set set;
	struct policy_list list_of_policies;
	struct gate_input input;
	/* Fills in runs at older commits; NULL: they stay unknown. */
	void (*load)(struct gate_fixture *f, struct gate_older_runs *older);
	struct gate_plan plan;
	struct gate_result gate;
};

/* A chain of FIXTURE_COMMITS commits, a day apart; the candidate is the newest. */
static inline void fixture_init(struct gate_fixture *f)
{
	static const enum metric metrics[] = {METRIC_TOTAL_TIME, METRIC_ALGORITHMIC_RATE,
					      METRIC_HBM_BYTES, METRIC_SPILL_SAVE_BYTES,
					      METRIC_MFU};
	memset(f, 0, sizeof *f);
	f->settings = default_settings;
	f->policies[0] = default_policy;
	f->policy_count = 1;
	f->set.metrics = metrics;
	f->set.metric_count = sizeof metrics / sizeof *metrics;
	f->set.chain_count = FIXTURE_COMMITS;
	f->set.chain = arena_array(&f->arena, FIXTURE_COMMITS, sizeof *f->set.chain);
	for (size_t i = 0; i < FIXTURE_COMMITS; i++)
		f->set.chain[i] = (struct revision){
			.oid = arena_printf(&f->arena, "%040zx", i + 1),
			.parent = "",
			.position = (int64_t)(FIXTURE_COMMITS - i),
			.time = (int64_t)(FIXTURE_COMMITS - i) * 86400,
		};
	f->input.candidate = f->set.chain[0];
	f->input.newest = 1;
	f->input.histories = &f->set;
	f->input.settings = &f->settings;
	f->input.series = &f->list;
	f->input.policies = &f->list_of_policies;
	f->input.fine_status = true;
}

static inline struct run *fixture_run(struct gate_fixture *f, const char *kernel,
				      enum metric metric, double value, int64_t when)
{
	struct run *run = run_new(&f->arena);
	run->kernel = kernel;
	run->variant = "";
	run->device = "trn2";
	run->tool = "test";
	run->ingested_at = when;
	if (!isnan(value))
		run_set(run, metric, value, PROVENANCE_MEASURED);
	return run;
}

/* A series of one metric: record[0] is the oldest commit, the last one is the candidate's parent.
 */
static inline struct gate_series *fixture_series(struct gate_fixture *f, const char *kernel,
						 enum metric metric, const double *record,
						 size_t count)
{
	struct history *history = arena_new(&f->arena, struct history);
	double *values = arena_array(&f->arena, f->set.metric_count * (count + 1), sizeof *values);
	history->series = kernel;
	history->identity = fixture_run(f, kernel, metric, NAN, 0);
	history->run_count = count;
	history->runs = arena_array(&f->arena, count + 1, sizeof *history->runs);
	for (size_t i = 0; i < f->set.metric_count * count; i++)
		values[i] = NAN;
	for (size_t m = 0; m < f->set.metric_count; m++)
		for (size_t i = 0; i < count; i++)
			if (f->set.metrics[m] == metric)
				values[m * count + i] = record[i];
	for (size_t i = 0; i < count; i++)
		history->runs[i] = (struct history_run){(int64_t)i, (uint32_t)(count - i), false};
	history->values = values;
	f->list.items = arena_grow(&f->arena, f->list.items, f->list.count, &f->list.capacity,
				   sizeof *f->list.items);
	struct gate_series *series = &f->list.items[f->list.count++];
	*series = (struct gate_series){.key = kernel,
				       .run = history->identity,
				       .history = count ? history : NULL,
				       .baseline_age = count ? 1 : -1,
				       .baseline_revision = count ? &f->set.chain[1] : NULL};
	if (count)
		run_list_add(&f->arena, &series->baseline,
			     fixture_run(f, kernel, metric, record[count - 1], 1));
	return series;
}

static inline void fixture_candidate(struct gate_fixture *f, struct gate_series *series,
				     enum metric metric, double value, int64_t when)
{
	run_list_add(&f->arena, &series->candidate,
		     fixture_run(f, series->key, metric, value, when));
}

/* `count` values around a level, with a deviation of `noise`; the same seed gives the same. */
static inline const double *fixture_noise(struct gate_fixture *f, double level, double noise,
					  size_t count, unsigned seed)
{
	double *values = arena_array(&f->arena, count + 1, sizeof *values);
	unsigned long long state = seed * 2654435761ULL + 12345;
	for (size_t i = 0; i < count; i++) {
		double sum = 0;
		for (int k = 0; k < 12; k++) {
			state = state * 6364136223846793005ULL + 1442695040888963407ULL;
			sum += (double)(state >> 11) / 9007199254740992.0;
		}
		values[i] = level * exp(noise * (sum - 6));
	}
	return values;
}

static inline void fixture_plan(struct gate_fixture *f)
{
	f->list_of_policies = (struct policy_list){f->policies, f->policy_count, f->policy_count};
	f->plan = gate_plan(&f->arena, &f->input);
}

static inline void fixture_judge(struct gate_fixture *f)
{
	fixture_plan(f);
	for (size_t i = 0; f->load && i < f->plan.needed.count; i++)
		f->load(f, f->plan.needed.items[i]);
	f->gate = gate_run(&f->arena, &f->plan);
}

static inline const struct comparison *fixture_of(const struct gate_fixture *f, const char *kernel)
{
	for (size_t i = 0; i < f->gate.count; i++)
		if (strcmp(f->gate.comparisons[i].series->key, kernel) == 0)
			return &f->gate.comparisons[i];
	return NULL;
}

#endif
