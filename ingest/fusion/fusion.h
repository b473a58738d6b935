/*
 * Shared by the readers of fusion profiles (InfiniCore's FusionScheduler). Times are in
 * milliseconds, shapes are written as Python prints a list. Runs are named by operator pattern
 * ("add+rms_norm") and have the variants "fused" and "unfused".
 *
 * All times are wall times of the host around a synchronized loop, that is host_time.
 */
#ifndef INGEST_FUSION_FUSION_H
#define INGEST_FUSION_FUSION_H

#include "base/json/json.h"
#include "base/text/quantity.h"
#include "ingest/reader.h"

struct fusion_file {
	struct arena *arena;
	const struct json *root;
	struct run_list runs;
	const char *tool;
	int decimals;  /* largest number of decimals of a time in ms; more than 9: not rounded */
	size_t failed; /* number of patterns whose timing failed */
};

/* For detectors: whether a file, whose first bytes are `head`, is an object with a member `section`
 * that contains objects with a member whose name begins with `name`. */
bool fusion_detect(struct span head, const char *section, const char *name);
/* Parses the whole input; -1 and *err if it is not a JSON object. */
int fusion_open(struct arena *arena, struct input *input, const char *tool,
		struct fusion_file *file, struct error *err);
/* Reads a time in ms as seconds; NAN if it is absent or null. -1 and *err for any other value. */
int fusion_time(struct fusion_file *file, const struct json *node, const char *path,
		double *seconds, struct error *err);
/* Checks the name of an operator or strategy: one line, not empty. */
int fusion_check_name(const char *name, const char *path, struct error *err);
/* Checks a shape: "[1, 512, 4096]", as Python prints a list of sizes above 0. */
int fusion_check_shape(const char *shape, const char *path, struct error *err);
/* A member, which must be an object; NULL and *err if it is not. */
const struct json *fusion_object(const struct json *parent, const char *name, const char *path,
				 struct error *err);
/* Adds a run with a host time; `shape` may be NULL. NULL and *err if the file has too many runs. */
struct run *fusion_add_run(struct fusion_file *file, const char *kernel, const char *variant,
			   const char *shape, struct error *err);
/* The device of a text. "cuda", "cuda:0", "cpu", "maca" ... are backends, not devices, and give
 * NULL; the run gets the backend as an attribute in any case. */
const char *fusion_device(const char *text);
/* A bounded copy of a text; NULL if it is not one line. */
const char *fusion_line(struct arena *arena, const char *text);
/* Adds a warning about the resolution and moves the runs to the result. A file without runs is an
 * error. */
int fusion_finish(struct fusion_file *file, struct ingest_result *result, struct error *err);

struct fusion_pattern {
	const char *name;         /* "add+rms_norm" */
	const char *shape;        /* NULL unknown */
	const struct json *fused; /* its time in ms */
	const struct json *parts; /* an object with the times of single operators, among others */
	const char *path;         /* of `parts`, for messages */
};
/* Adds the runs "unfused" (the sum of the parts, derived) and "fused" of a pattern. A fused time
 * that equals the sum exactly is an estimate of the producer. If a part has no time, "unfused" is
 * left out. */
int fusion_add_pattern(struct fusion_file *file, const struct fusion_pattern *pattern,
		       struct error *err);

#endif
