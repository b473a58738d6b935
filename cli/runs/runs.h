/*
 * Runs as the commands use them: loaded from the store, derived with the right
 * peaks, paired with what they are compared with, and turned into the report
 * document.
 */
#pragma once

#include "cli/config/config.h"
#include "cli/context.h"
#include "model/run/runs.h"
#include "render/report/report.h"

struct loaded_run {
	struct stored_run stored;
	struct peaks peaks;
	const struct hardware *hardware; /* NULL when only the profile gives peaks */
	size_t samples;          /* runs of the series at the commit that this one stands for */
	double fastest, slowest; /* their total times, s */
};

struct loaded_list {
	struct loaded_run *items;
	size_t count;
	size_t capacity;
};

/* The options that choose runs, the same in every command. */
struct run_filter {
	const char *kernel, *variant, *dtype, *device;
};
/* The option rows of a struct run_filter. */
extern const struct option run_filter_options[];

/* Peaks and derived metrics of one run; loads the configuration. */
int runs_derive(struct cli *cli, struct run *run, struct peaks *peaks,
		const struct hardware **hardware, struct error *err);
/* The runs of a query, newest first, with details and derived. */
int runs_load(struct cli *cli, const struct run_query *query, struct loaded_list *list,
	      struct error *err);
/* The same without engines, totals by name, windows and texts: faster, for lists of many runs. What
 * needs the throttle windows stays unknown. */
int runs_load_figures(struct cli *cli, const struct run_query *query, struct loaded_list *list,
		      struct error *err);
/* The same with throttle windows, facts in words, notes and spreads: all that verdicts need. */
int runs_load_facts(struct cli *cli, const struct run_query *query, struct loaded_list *list,
		    struct error *err);
/* The runs of a series at a commit that others may be compared with: clean, and not known to have
 * computed something wrong. May be none. */
int runs_load_baseline(struct cli *cli, const char *commit, const char *series,
		       struct loaded_list *list, struct error *err);
void runs_loaded_add(struct cli *cli, struct loaded_list *list, const struct loaded_run *loaded);
/* Takes out the runs whose result is known to be wrong, and says how many. */
void runs_drop_incorrect(struct cli *cli, struct loaded_list *list);
/* Of the runs of one commit keeps one for every series and work-tree state: the one with the median
 * total time (of an even number the faster of the middle two), so that a report never shows a lucky
 * repeat. */
void runs_median_per_series(struct cli *cli, struct loaded_list *list);

/* A run by the first digits of its id (at least 6), else the runs of a commit, as
 * runs_select_commit, one a series. ERR_STORE when none matches the query. (choose.c) */
int runs_choose(struct cli *cli, const char *what, const struct run_query *query,
		struct loaded_list *runs, struct error *err);

/* Short names for the runs side by side. */
struct short_names runs_short_names(struct arena *arena, const struct loaded_list *list);

/* The commit a command is about: `name` resolved; without one HEAD when it has runs, else its
 * newest first-parent ancestor that has. Outside a repository the newest commit with runs. */
int runs_select_commit(struct cli *cli, const char *name, char oid[65], struct error *err);
/* A revision to a full oid; a full oid that the store knows needs no repository. */
int runs_resolve_commit(struct cli *cli, const char *name, char oid[65], struct error *err);
/* The same, named baselines first. */
int runs_resolve_baseline(struct cli *cli, const char *name, char oid[65], struct error *err);
/* A commit may be newer than anything stored: git tells the way down its first parents to the first
 * commit that the store knows. Empty when there is none. */
int runs_newest_stored(struct cli *cli, char oid[65], struct error *err);
/* The stored first-parent position of a commit, -1 when it is not stored (revision_known). */
int64_t runs_known_position(void *cli, const char *oid);
/* Steps of first parents from `from` down to `to`; -1 when it is no first-parent ancestor. */
int64_t runs_steps_to(struct cli *cli, const struct revision *from, const struct revision *to);

/* The report document of some runs, each compared with what the gate compares its series with,
 * else with the nearest ancestor run of its series or, failing that, of the same work in another
 * variant. `gate` may be NULL. (document.c) */
struct document_request {
	const struct loaded_list *runs;
	const char *title;
	const struct gate_result *gate; /* may be NULL */
	size_t comparisons;             /* of the gate at most, the worst; 0: all */
	enum report_extent extent;
};
int runs_document_of(struct cli *cli, const struct document_request *request,
		     struct json **document, struct error *err);
/* The same with all comparisons. */
int runs_document(struct cli *cli, const struct loaded_list *list, const char *title,
		  const struct gate_result *gate, struct json **document, struct error *err);
