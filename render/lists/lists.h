/*
 * Lists of commands: runs, attributions, named baselines, acceptances, devices, entries of any
 * kind. Rows are given by the caller; each list prints as a table and as JSON.
 *
 * `width` is the maximal width of a table in columns; 0 means unlimited.
 *
 * Never add documents with a structure of their own.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "model/run/run.h"
#include "model/run/runs.h"
#include "model/acceptance/acceptance.h"
#include "render/report/report.h"

/* Devices, in the given order. */
struct json *render_devices_json(struct arena *arena, const struct hardware *const *devices,
				 size_t count);
void render_devices_text(struct arena *arena, const struct hardware *const *devices, size_t count,
			 struct strbuf *sb);
/* Each device with all its peaks and their source. */
void render_devices_full(struct arena *arena, const struct hardware *const *devices, size_t count,
			 struct strbuf *sb);

/* One check of doctor. */
struct check_row {
	const char *topic, *text;
	bool ok;
};
struct json *render_checks_json(struct arena *arena, const struct check_row *rows, size_t count);
void render_checks_text(const struct check_row *rows, size_t count, struct strbuf *sb);

/* A library that the program was built for. */
struct version_library {
	const char *name, *version; /* version: NULL: the library is missing */
	const char *file, *package; /* which the dynamic linker looks for; Debian's */
	const char *used_for;
};
struct version_view {
	const char *version, *commit; /* commit: "": not known */
	const char *compiler, *instructions;
	const struct version_library *libraries;
	size_t count;
};
struct json *render_version_json(struct arena *arena, const struct version_view *view);
void render_version_text(const struct version_view *view, struct strbuf *sb);

/* Entries of one kind that the program knows, such as metrics. The first cell of each is its
 * name. */
struct entry_table {
	const char *schema;       /* SCHEMA(...) */
	const char *name;         /* "metrics": its member */
	const char *titles;       /* of the columns, as md_table_of() takes them */
	size_t columns;           /* how many */
	size_t shown;             /* of them in the table; the others are for single entries */
	const char *const *cells; /* row by row; NULL and "": there is nothing to say */
	size_t count;             /* of rows */
};
struct json *render_entries_json(struct arena *arena, const struct entry_table *table);
void render_entries_text(struct arena *arena, const struct entry_table *table, size_t width,
			 struct strbuf *sb);
/* Each entry with all its cells, one line each. */
void render_entries_full(const struct entry_table *table, struct strbuf *sb);

/* A named commit. */
struct baseline_row {
	const char *name, *oid;
	int64_t set_at; /* Unix seconds */
	bool pinned;
};
struct json *render_baselines_json(struct arena *arena, const struct baseline_row *rows,
				   size_t count);
void render_baselines_text(struct arena *arena, const struct baseline_row *rows, size_t count,
			   size_t width, struct strbuf *sb);

/* A run of an edit. */
struct edited_row {
	const char *id;
	const struct revision *revision;
	const struct run *run;
	const struct run *was; /* what identified its series before; NULL: the same */
	const char *effect;    /* "removed", "added" or "renamed" */
	bool removed;          /* now */
};
/* An edit of the store. */
struct edit_row {
	const char *kind; /* "rm", "mv", "replace", "again" */
	const char *by;   /* the command */
	int64_t time;     /* Unix seconds; negative: not known */
	int64_t undone_at;
	const char *reason; /* NULL: none */
	const struct edited_row *runs;
	size_t count;
};
struct json *render_edits_json(struct arena *arena, const struct edit_row *rows, size_t count,
			       bool dry_run);
/* A line per edit, effect and series. */
void render_edits_text(struct arena *arena, const struct edit_row *rows, size_t count, size_t width,
		       struct strbuf *sb);
/* The runs of one edit. */
void render_edited_runs_text(struct arena *arena, const struct edit_row *edit, size_t width,
			     struct strbuf *sb);

struct json *render_acceptances_json(struct arena *arena, const struct acceptance_list *list,
				     const struct acceptance_clock *clock);
void render_acceptances_text(struct arena *arena, const struct acceptance_list *list,
			     const struct acceptance_clock *clock, size_t width, struct strbuf *sb);
/* The same with one line only; `state`: what became of it. */
struct json *render_acceptance_json(struct arena *arena, const struct acceptance *line,
				    const char *state);

/* Stored runs, with id and revision; `metric` takes the place of the time or rate, unless it is
 * METRIC_COUNT. */
struct runs_view {
	const struct report_run *entries;
	size_t count, width;
	enum metric metric;
};
void render_runs_text(struct arena *arena, const struct runs_view *view, struct strbuf *sb);
struct json *render_runs_item(struct arena *arena, const struct report_run *entry,
			      enum metric metric);

/* What a share is of. */
enum share_of {
	SHARE_OF_WORK,         /* all instructions but those that wait */
	SHARE_OF_INSTRUCTIONS, /* all */
	SHARE_OF_LINES,        /* those with a source line: nothing else is known */
	SHARE_OF_NOTHING,      /* instructions that wait */
	/* Of runs that are sampled: of samples, or of instructions if there are none. */
	SHARE_OF_SAMPLES,
	SHARE_OF_EXECUTED,
	SHARE_OF_LINES_SAMPLES, /* no opcodes are known */
	SHARE_OF_LINES_EXECUTED,
	SHARE_LIMIT
};

/* A source line or opcode of a run. */
struct attribution {
	const struct run *run;
	const char *id; /* the stored run's */
	const struct run_tally *tally;
	double share; /* NAN unknown */
	enum share_of of;
	/* If it was sampled: its place in the run's tallies, and its samples, NAN unknown. */
	size_t index;
	double samples;
};

static inline bool attribution_is_sampled(const struct attribution *hit)
{
	return hit->of >= SHARE_OF_SAMPLES;
}

struct attribution_list {
	struct attribution *items;
	size_t count, capacity;
};
/* One executed instruction. */
struct executed {
	double begin, seconds; /* s; since the start of the execution */
	const char *core, *engine, *opcode, *operands, *source; /* "": the file names none */
};
struct executed_list {
	struct executed *items; /* the longest first */
	size_t count;
	size_t found, waiting; /* instructions that fit, of which `waiting` only wait */
};
/* `slowest` NULL: single instructions were not asked for. */
struct json *render_attributions_json(struct arena *arena, const struct attribution_list *hits,
				      const struct executed_list *slowest);
void render_attributions_slowest_text(struct arena *arena, const struct executed_list *slowest,
				      size_t width, struct strbuf *sb);
/* `naming` covers all runs that were searched. */
void render_attributions_text(struct arena *arena, const struct short_names *naming,
			      const struct attribution_list *hits, size_t width, struct strbuf *sb);

/* A file that a command wrote, or kept as it was. */
struct written_file {
	const char *path;
	bool changed;
};
struct written_list {
	struct written_file *items;
	size_t count, capacity;
};
struct json *render_written_json(struct arena *arena, const struct written_list *files,
				 bool dry_run);

/* What came into a store from others. */
struct moved_row {
	const char *store; /* its path */
	size_t runs, known, earlier, restored, commits, edits, baselines, set_aside, pushed;
};
struct json *render_moved_json(struct arena *arena, const struct moved_row *row);

/* What a store holds, and what was pruned. */
struct size_row {
	const char *store;
	int64_t bytes, runs, series, commits, numbers, removed;
	bool on_server;
	int64_t packs, packed_runs, packed_bytes; /* on the server */
	bool prunes, dry_run;
	int64_t keep, pruned_runs, pruned_series; /* keep 0: not asked for */
	int64_t samples, thinned_runs;            /* the same for repeats */
	int64_t freed;                            /* bytes; not for a dry run */
};
struct json *render_size_json(struct arena *arena, const struct size_row *row);
void render_size_text(const struct size_row *row, struct strbuf *out);

/* A run that an ingest stored, or would store (dry_run). */
struct ingested_run {
	const struct run *run;
	const char *path, *id;
	const char *state;  /* "stored", "known" or "read" */
	const char *format; /* the reader's name */
	bool added;
	struct peaks peaks;
	const struct hardware *hardware;
};
struct ingested_format {
	const char *name;
	size_t files, runs; /* runs = 0: the file describes runs of other files */
};
struct skipped_file {
	const char *path, *reason;
};
struct ingest_view {
	const struct ingested_run *runs;
	size_t run_count;
	const struct ingested_format *formats; /* in order of first appearance */
	size_t format_count;
	const struct skipped_file *skipped;
	size_t skipped_count;
	bool dry_run;
	size_t width;
};
/* A table of the runs and, if there are several formats, one of the formats. */
void render_ingest_text(struct arena *arena, const struct ingest_view *ingest, struct strbuf *sb);
struct json *render_ingest_json(struct arena *arena, const struct ingest_view *ingest);

/* What became of a comment on a request; see docs/schema/program/comment-1.schema.json. */
struct comment_row {
	const char *outcome, *number, *url, *head;
	const char *method, *request_url, *request_body; /* method NULL: no request to show */
};
struct json *render_comment_json(struct arena *arena, const struct comment_row *row, bool dry_run);
/* What became of a message; `message` NULL: there was none to send. */
struct json *render_notify_json(struct arena *arena, const char *state, const char *message,
				bool dry_run);
