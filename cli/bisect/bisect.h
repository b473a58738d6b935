/* The parts of rooflog bisect: which change, which commits, what is believed of them. */
#ifndef CLI_BISECT_BISECT_H
#define CLI_BISECT_BISECT_H

#include "cli/runs/runs.h"
#include "model/bisect/bisect.h"
#include "model/changepoint/location_interval.h"
#include "model/changepoint/detect.h"
#include "model/verdict/series_history.h"
#include "model/commits/commit_range.h"

struct bisect_request {
	const char *pattern;    /* of series; NULL: all */
	const char *metric;     /* key; NULL: each series' own headline */
	const char *good, *bad; /* revisions; NULL: by the newest change for the worse */
	const char *commit;     /* whose history; NULL: HEAD, or where git bisect began */
	double noise;           /* relative; NAN: by the history */
	double error;           /* of one commit's side */
};

/* A change of one series, and between which commits of the chain it lies. */
struct bisect_change {
	const struct history *history;
	enum metric metric;
	bool relative; /* sessions and levels of the model are logs */
	double noise;  /* between commits; relative where `relative` is */
	struct borders borders;
	const struct revision *good, *bad;
	double effect, low, high; /* with its 95 % interval; a difference where not `relative` */
	bool worse;
	const char **others; /* series that got worse in the same range, besides this one */
	size_t other_count;
};

/* Why a commit cannot be the cause. */
enum bisect_same { BISECT_SAME_NOT, BISECT_SAME_TREE, BISECT_SAME_KERNEL };

/* The commits in question with what was measured of them. */
struct bisect_case {
	struct bisect_change change;
	struct lineage lineage;
	struct bisect_commit *commits; /* beside lineage.items */
	enum bisect_same *same;
	struct bisect *bisect;
	enum bisect_same identical; /* the code, or the kernel, is the same before and after */
	size_t without_data;
	/* What follows. */
	bool decided;    /* lineage.items[bisect->best] is it */
	size_t next;     /* bisect_none: decided, or nothing would tell more */
	size_t sessions; /* of one commit; 0: no number is enough */
	double forecast; /* sessions until it is decided; NAN unknown */
	double error;
	const char *name; /* of the series, short */
};

static const double bisect_certainty = 0.95;

/* The change to look for. *found is false when there is none, or no data of it; *why says so. */
int bisect_find_change(struct cli *cli, const struct bisect_request *request,
		       struct bisect_change *change, bool *found, const char **why,
		       struct error *err);
/* Its commits, their data, and what is to be believed. */
int bisect_load(struct cli *cli, const struct bisect_request *request,
		const struct bisect_change *change, struct bisect_case *bisect_case,
		struct error *err);
/* What was measured of the series at a commit, one value a session: in the model's unit. *hash,
 * that of the kernel where all runs have the same, may be NULL. */
int bisect_sessions_of(struct cli *cli, const struct bisect_change *change, const char *oid,
		       struct bisect_commit *commit, const char **hash, struct error *err);

/* A value of the model as the metric's number. */
double bisect_number(const struct bisect_change *change, double value);
const char *bisect_text(struct cli *cli, const struct bisect_case *bisect_case);
struct json *bisect_document(struct cli *cli, const struct bisect_case *bisect_case);

#endif
