/*
 * A part of a trace in a compact form: for each track a column of each property, as digits.
 *
 * A number is one or more digits of "A-Za-z0-9-_" (0 to 63), the lowest five bits first; a digit of
 * 32 or more says that another follows. Columns of a track, in the order of begin:
 *   begins    ticks since the begin of the event before, or since the origin
 *   lengths   2 * ticks, + 1 if the engine waits
 *   names, operands, sources: index in the list of texts of that column; 0: none
 * Operands are lists of words: for each, the number of its words and their indexes.
 *
 * If there are more events than the limit, the shortest are left out, of queues and semaphores
 * first. What is said of a track (active) counts all of them.
 *
 * Never add words for people.
 */
#pragma once

#include "model/timeline/trace/trace.h"

enum { TRACE_LONGEST = 10, TRACE_IDLE = 20 };

/* Ticks since the origin. */
struct trace_stretch {
	double from, to;
};

struct trace_request {
	double from, to; /* s since the start of the execution; NAN: all */
	size_t events;   /* how many at most */
	size_t operands; /* bytes of their words on the page; instructions beyond have none */
	size_t texts;    /* bytes of names and sources, a quarter for those of tracks, likewise */
};

struct trace_texts {
	const char **items; /* the first is "" */
	size_t count;
};

struct trace_column_set {
	struct strbuf begins, lengths, names, operands, sources;
};

struct trace_packed_track {
	enum trace_kind kind;
	const char *core, *name;
	size_t count, left_out;
	uint64_t active; /* ticks of the part in which the track was active, all events counted */
	struct trace_column_set columns;
	struct trace_event longest[TRACE_LONGEST]; /* without those that wait */
	size_t longest_count;
};

struct trace_packed {
	const struct trace *trace;
	double tick;
	uint64_t origin;
	double from, to;                   /* ticks since the origin */
	double length;                     /* of the whole execution, ticks since the origin */
	struct trace_packed_track *tracks; /* engines, queues, semaphores, each in the order of
					      their names; without events in the part: none */
	size_t track_count;
	bool streams; /* the engines are streams of a GPU, and the queues its copies */
	struct trace_texts names, sources, words;
	struct strbuf operands;
	size_t operand_count;
	size_t count, left_out;
	/* Where no engine and no queue is active for a twentieth of the part or longer, in order;
	 * all events are counted, also those left out. */
	struct trace_stretch idle[TRACE_IDLE];
	size_t idle_count;
	double idle_time;          /* ticks of the part in which none is active */
	uint64_t without_operands; /* events whose operands did not fit */
	uint64_t without_texts;    /* events whose name or source did not fit */
	size_t without_name;       /* tracks whose name did not fit */
};

/* Sorts the events of the trace; those too far from the origin leave it, and are counted.
 * The buffers belong to the result, the texts to the trace. */
void trace_pack(struct trace *trace, const struct trace_request *request,
		struct trace_packed *packed);
void trace_pack_free(struct trace_packed *packed);
