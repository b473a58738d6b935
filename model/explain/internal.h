/* Shared by the files of this room: the pair of runs, and its parts. */
#pragma once

#include "model/explain/explain.h"

struct explain_list {
	struct explain_part *items;
	size_t count, capacity;
};

struct explaining {
	struct arena *arena;
	const struct run *before, *after;
	enum metric metric; /* the explained metric */
	const char *since;  /* the commit of `before` if it is not the expected one; else NULL */
	double span;        /* change of the run's time, s; NAN: unknown, or it did not change */
	int way;            /* 1: costs more now, -1: costs less, 0: unknown */
	bool gpu;
	struct explain_list inputs;      /* of the metric's formula */
	struct explain_list times;       /* parts of the time */
	struct explain_list places;      /* kernels, source lines, opcodes */
	struct explain_list counters;    /* that changed along with the metric */
	struct explain_list causes;      /* settings and versions */
	size_t compared, different;      /* deterministic counters */
	bool throttled;                  /* throttling or clocks are among the parts */
	bool environment;                /* versions are among the parts */
	const struct message *differing; /* the deterministic counter that differs most */
};

/* A part that changed by less than this share of the run's change explains nothing. */
extern const double explain_least;
/* Whether a time changed in the direction of the run's, and by enough. */
bool explain_is_telling(const struct explaining *e, double difference);

/* Both numbers of the metric and their change, without an explanation; NAN without runs. */
struct explanation explain_numbers(const struct run *before, const struct run *after,
				   enum metric metric);
/* As explain_runs(), and states since which commit. */
struct explanation explain_since(struct arena *arena, const struct run *before,
				 const struct run *after, enum metric metric, const char *since);

/* The number of the metric. Counters that Neuron's summary omits because they are zero are 0. */
double explain_number(const struct run *run, enum metric metric);
/* Sets change, seconds and text: "`name` +2.9 us", "`name` -12 %`more`"; `more` may be NULL. */
void explain_fill(const struct explaining *e, struct explain_part *part, const struct message *name,
		  const struct message *more);
/* A part that reports the change of a number, filled as above. */
void explain_add(const struct explaining *e, struct explain_list *list, struct explain_part part,
		 const struct message *name);
/* A part that has its text. */
void explain_add_part(const struct explaining *e, struct explain_list *list,
		      struct explain_part part);
/* The largest weight first, equal ones as they came. */
void explain_rank(struct explain_list *list);

/* Shortens a name to at most `most` bytes, its end if `tail`, without line breaks. */
const char *explain_clip(struct arena *arena, const char *name, size_t most, bool tail);

/* --- the parts, each in a file of its own --- */

/* The inputs of the metric's formula; whether the run's time is one of them. */
bool explain_inputs(struct explaining *e);
/* Engines, idle time, cycles and clock, throttling. */
void explain_times(struct explaining *e);
/* Source lines, opcodes, kernels of a program. */
void explain_places(struct explaining *e);
/* Counters and gauges that moved with it. */
void explain_counters(struct explaining *e);
/* Deterministic counters: how many differ. */
void explain_evidence(struct explaining *e);
/* Tunings, versions. */
void explain_causes(struct explaining *e);
