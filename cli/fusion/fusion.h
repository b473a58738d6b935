/*
 * The parts of "fusion": fused and unfused runs brought together, exported, and
 * what of the expected shapes is measured; strategies end to end.
 */
#ifndef CLI_FUSION_FUSION_H
#define CLI_FUSION_FUSION_H

#include "cli/context.h"
#include "cli/runs/runs.h"
#include "model/sizing/fusion.h"

/* What the options say. */
struct fusion_options {
	struct run_filter filter;
	const char *tool;   /* glob; NULL: any */
	double margin;      /* how much faster fused must be: 0.05 is 5 % */
	double noise;       /* of a time without enough repeats */
	const char *commit; /* full oid; NULL: all commits */
};

/* The same work by several variants. */
struct fusion_work {
	const struct run *run; /* any of them, for what they share */
	const char *shape;     /* the parameter "shape", else all parameters */
	struct fusion_shape sizes;
	struct fusion_time *times; /* one for each variant asked for; time NAN: not there */
};

struct fusion_works {
	struct fusion_work *items;
	size_t count;
	size_t capacity;
};

/* The works that have at least one of the variants (a NULL-terminated list), sorted by device,
 * dtype, tool, kernel and size. */
int fusion_load(struct cli *cli, const struct fusion_options *options, const char *const *variants,
		struct fusion_works *works, struct error *err);
/* Where the works of the same device, dtype and tool end, and of the same kernel if wanted. */
size_t fusion_group_end(const struct fusion_works *works, size_t start, bool by_kernel);
/* "a100-sxm-80gb, fp16 (infinicore-profile)" */
const char *fusion_group_name(struct arena *arena, const struct run *run);

enum { FUSION_SIDE_UNFUSED, FUSION_SIDE_FUSED };
extern const char *const fusion_sides[];

/* The times as profile_result.json that the scheduler loads. */
int fusion_export(struct cli *cli, const struct fusion_options *options,
		  const struct fusion_works *works, const char *path, struct error *err);
/* What "rooflog fusion --json" prints, of the commit in the options. ERR_STORE when it has no fused
 * and unfused runs that match. */
int fusion_document(struct cli *cli, const struct fusion_options *options, struct json **document,
		    struct error *err);
/* Prints what is measured of the shapes that the scheduler needs. */
int fusion_coverage(struct cli *cli, const struct fusion_options *options, bool json,
		    struct error *err);
/* Prints never_fuse, always_fuse and smart_schedule side by side. */
int fusion_strategies(struct cli *cli, const struct fusion_options *options, bool json,
		      struct error *err);

/* A time in the JSON output: value, unit, text, interval, repeats, provenance. */
void fusion_add_time(struct arena *arena, struct json *parent, const char *name,
		     const struct fusion_time *time);
/* The members device, dtype, tool. */
void fusion_add_group(struct arena *arena, struct json *object, const struct run *run);

#endif
