/*
 * Runs as the commands use them: loaded from the store, derived with the right peaks, paired with
 * what they are compared with, and turned into the report document. All memory belongs to
 * cli->arena. The command has opened the store: by NEEDS_STORE, or by cli_open_store().
 *
 * What the loaders read of a run, from the least to the most:
 *
 *   runs_load_figures()  numbers and identity: lists of many runs
 *   runs_load_facts()    + throttle windows, attributes, notes, spreads: verdicts
 *   runs_load()          + engines, totals by name, timelines, texts: everything of a run
 *
 * Never add output.
 */
#pragma once

#include "cli/config/config.h"
#include "cli/context.h"
#include "model/pattern/pattern.h"
#include "model/run/runs.h"
#include "render/report/report.h"

struct loaded_run {
	struct store_run stored;
	struct peaks peaks;
	const struct hardware *hardware; /* NULL if only the profile gives peaks */
	size_t samples;          /* runs of the series at the commit that this one represents */
	double fastest, slowest; /* total times of these runs in seconds; NAN if unknown */
};

struct loaded_list {
	struct loaded_run *items;
	size_t count;
	size_t capacity;
};

/* The options that select runs, the same in every command, and the SERIES among the arguments. Each
 * list selects what any of its items matches; an empty one selects all. (selection.c) */
struct run_filter {
	struct text_list kernel, variant, dtype, device, tool, params, series;
	const char *words; /* the SERIES of the command line as one pattern; NULL: none */
	const struct series_pattern *patterns; /* of `series`, then of `words`, once prepared */
};
/* The option rows of a struct run_filter. */
extern const struct option run_filter_options[];
/* Checks the filter and finds what its patterns name among the series of the store, which is open,
 * and their aliases. Loads the configuration first. Without it, the kernel of a pattern may end at
 * any separator. */
int runs_prepare_filter(struct cli *cli, struct run_filter *filter, struct error *err);
/* NULL selects all. */
bool runs_filter_wants(const struct run_filter *filter, const struct run *run);
/* Whether it selects at all. */
bool runs_filter_narrows(const struct run_filter *filter);
/* The runs that a filter selects at a commit (full oid). NULL: all runs, all commits. */
struct run_query runs_query(const struct run_filter *filter, const char *commit);

/* Computes the peaks and derived metrics of one run. Loads the configuration first. */
int runs_derive(struct cli *cli, struct run *run, struct peaks *peaks,
		const struct hardware **hardware, struct error *err);
/* Appends the runs of a query, newest first, with details and derived metrics. Uncommitted tries of
 * candidates are left out, here and below, unless the query has an id: only runs_load_next() and
 * runs_load_figures() give them, as figures do not say what is one. */
int runs_load(struct cli *cli, const struct run_query *query, struct loaded_list *list,
	      struct error *err);
/* The same without engines, totals by name, throttle windows and texts. Metrics that need throttle
 * windows stay unknown. */
int runs_load_figures(struct cli *cli, const struct run_query *query, struct loaded_list *list,
		      struct error *err);
/* The same with throttle windows, attributes, notes and spreads: everything that verdicts need. */
int runs_load_facts(struct cli *cli, const struct run_query *query, struct loaded_list *list,
		    struct error *err);
/* Appends runs as the store has them. To be completed by runs_derive_all(), once the configuration
 * is known. */
int runs_read(struct cli *cli, const struct run_query *query, struct loaded_list *list,
	      struct error *err);
/* Derives the runs of a list from index `first` on. */
int runs_derive_all(struct cli *cli, struct loaded_list *list, size_t first, struct error *err);
/* The next runs of store_runs_start(), at most `most`, in the given arena; none at the end. */
int runs_load_next(struct cli *cli, struct store_cursor *cursor, struct arena *arena, size_t most,
		   struct loaded_list *list, struct error *err);
/* The runs of a series at a commit that may serve as a baseline: clean, and not known to be
 * incorrect. There may be none. */
int runs_load_baseline(struct cli *cli, const char *commit, const char *series,
		       struct loaded_list *list, struct error *err);
/* Appends a copy of one run. */
void runs_loaded_add(struct cli *cli, struct loaded_list *list, const struct loaded_run *loaded);
/* Removes the runs that are known to be incorrect, and notes how many. */
void runs_drop_incorrect(struct cli *cli, struct loaded_list *list);
/* Makes the values of runs unknown whose time no hardware can reach: a record leaves them out.
 * (impossible.c) */
int runs_drop_impossible(struct cli *cli, struct history_set *set, struct error *err);
/* Marks the runs whose time is a leap that neither another measurement nor another commit confirms:
 * the gate leaves them out of its records. (unproven.c) */
int runs_mark_unproven(struct cli *cli, struct history_set *set, struct error *err);
/* Keeps one run per series and work-tree state, for a list of one commit's runs: the one with the
 * median total time (of an even number, the faster of the middle two), so that a report never shows
 * a lucky repeat. */
void runs_median_per_series(struct cli *cli, struct loaded_list *list);

/* Completes the runs of runs_load_facts(), once. */
int runs_load_details(struct cli *cli, const struct loaded_list *list, struct error *err);
/* ERR_STORE: no run of the commit, or of the files that were read, matches; it names what is there.
 * "": no run at all matches. Returns -1. */
int runs_none(struct cli *cli, const struct run_filter *filter, const char *oid, struct error *err);
/* The same unless the filter selects any run at all. */
int runs_require(struct cli *cli, const struct run_filter *filter, struct error *err);

/* The runs of the list alone. */
const struct run **runs_of(struct arena *arena, const struct loaded_list *list);

/* Chooses the commit of a command: `name`, a baseline or a revision, if given; else HEAD if it has
 * runs, or its newest first-parent ancestor with runs, with a note. Outside a repository, the
 * newest commit with runs.
 */
int runs_select_commit(struct cli *cli, const char *name, char oid[65], struct error *err);
/* Resolves a revision to a full id. Full ids that the store has need no repository. */
int runs_resolve_commit(struct cli *cli, const char *name, char oid[65], struct error *err);
/* The same for names of baselines as well, which take precedence. */
int runs_resolve_baseline(struct cli *cli, const char *name, char oid[65], struct error *err);
/* Replaces `oid` by the newest commit in the store on its first-parent chain, itself included; ""
 * if there is none. Asks git only if the commit itself is not in the store. */
int runs_newest_stored(struct cli *cli, char oid[65], struct error *err);
/* Replaces `oid` by the newest commit with runs on its first-parent chain, itself included; "" if
 * there is none. */
int runs_newest_measured(struct cli *cli, char oid[65], struct error *err);
/* The stored first-parent position of a commit, -1 when it is not stored (revision_known). */
int64_t runs_known_position(void *cli, const char *oid);
/* Number of first-parent steps from `from` to `to`; -1 if `to` is not a first-parent ancestor. */
int64_t runs_steps_to(struct cli *cli, const struct revision *from, const struct revision *to);

/* The releases, sorted: tags that match [project] releases, and pinned baselines. What cannot be
 * read is missing, and a warning says so. The configuration is loaded. (releases.c) */
void runs_releases(struct cli *cli, struct release_list *list);
/* The same for whoever must not miss one: fails if the tags or baselines cannot be read. The
 * configuration is loaded. */
int runs_releases_all(struct cli *cli, struct release_list *list, struct error *err);

/* How commits are related: answered by the store if it has enough commits, else by git.
 * (ancestry.c) Like repository_merge_base() and repository_is_ancestor(); the caller has opened the
 * repository. */
int runs_merge_base(struct cli *cli, const char *one, const char *two, char base[65],
		    struct error *err);
int runs_is_ancestor(struct cli *cli, const char *ancestor, const char *oid, bool *yes,
		     struct error *err);
/* The newest commit that is on the first-parent chains of both. */
int runs_first_parent_base(struct cli *cli, const char *one, const char *two, char base[65],
			   struct error *err);
/* The newest commit of the first-parent chain of `tip` that is `oid` or an ancestor of it. `base`
 * is their merge base. Fails if no commit of the chain is known to be one. */
int runs_newest_contained(struct cli *cli, const char *oid, const char *tip, char base[65],
			  struct error *err);
/* Whether a commit other than this one was ever measured, without changes of the work tree. So was
 * what cannot be read. */
bool runs_any_other(struct cli *cli, const char *oid);
/* The merge base if the store alone knows it. False if git would have to be asked, or there is
 * none. */
bool runs_stored_merge_base(struct cli *cli, const char *one, const char *two, char base[65]);

/* A run as an entry of a report, without a baseline. */
struct report_run runs_entry(const struct loaded_run *loaded);
/* The report document of some runs. Each run is compared with the first of these that exists: the
 * gate's baseline of its series, the nearest ancestor run of its series, the nearest ancestor run
 * of the same work in another variant. (document.c) */
struct document_request {
	const struct loaded_list *runs;
	bool lacks_details; /* of runs_load_facts(): their details are read when they are added */
	const char *title;
	const struct gate_result *gate; /* may be NULL */
	/* As in struct report. */
	size_t comparisons;
	size_t kept_runs;
	enum report_extent extent;
	bool by_shape;
	bool links; /* commits have pages: what cli_commit_url() finds */
};
int runs_document_of(struct cli *cli, const struct document_request *request,
		     struct json **document, struct error *err);
/* The same with all comparisons. */
int runs_document(struct cli *cli, const struct loaded_list *list, const char *title,
		  const struct gate_result *gate, struct json **document, struct error *err);
