/*
 * What the readers of fusion profiles (InfiniCore's FusionScheduler) share: times in
 * milliseconds, shapes as Python writes a list, and runs named by operator pattern
 * ("add+rms_norm") with the variants "fused" and "unfused".
 *
 * All of them hold wall times of the host around a synchronised loop: host_time.
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
	int decimals;  /* the most decimals that a time in ms has; more than 9: not rounded */
	size_t failed; /* patterns whose timing failed */
};

/* Whether a file that begins with `head` is an object that has, in an object or list of its member
 * `section`, objects with a member that begins with `name`. */
bool fusion_detect(struct span head, const char *section, const char *name);
/* Parses the whole input; *err when it is no JSON object. */
int fusion_open(struct arena *arena, struct input *input, const char *tool,
		struct fusion_file *file, struct error *err);
/* Milliseconds to seconds; absent and null give NAN. */
int fusion_time(struct fusion_file *file, const struct json *node, const char *path,
		double *seconds, struct error *err);
/* A name of an operator or strategy: one line, not empty. */
int fusion_check_name(const char *name, const char *path, struct error *err);
/* "[1, 512, 4096]", exactly as Python writes a list of sizes above 0. */
int fusion_check_shape(const char *shape, const char *path, struct error *err);
/* The member, which must be an object. */
const struct json *fusion_object(const struct json *parent, const char *name, const char *path,
				 struct error *err);
/* A run with a host time; the shape may be NULL. NULL when the file has too many. */
struct run *fusion_add_run(struct fusion_file *file, const char *kernel, const char *variant,
			   const char *shape, struct error *err);
/* "cuda", "cuda:0", "cpu", "maca" ... name a backend, not a device: NULL then. The backend is kept
 * as an attribute of the run either way. */
const char *fusion_device(const char *text);
/* One line of text that is kept, or NULL. */
const char *fusion_line(struct arena *arena, const char *text);
/* Notes the resolution and hands the runs over; none is an error. */
int fusion_finish(struct fusion_file *file, struct ingest_result *result, struct error *err);

struct fusion_pattern {
	const char *name;         /* "add+rms_norm" */
	const char *shape;        /* NULL unknown */
	const struct json *fused; /* its time in ms */
	const struct json *parts; /* an object: the times of its operators alone, among others */
	const char *path;         /* of that object */
};
/* The runs "unfused" (the sum of the parts: derived) and "fused" of one pattern. A fused time that
 * is exactly the sum is an estimate of the producer. A part without a time leaves the sum out. */
int fusion_add_pattern(struct fusion_file *file, const struct fusion_pattern *pattern,
		       struct error *err);

#endif
