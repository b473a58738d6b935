/* Joins companions to runs: by the hash of the kernel, or by directory. */
#include "cli/ingest/ingest.h"

#include "base/hash/hash.h"

/* The part of `path` below `directory`; "" if they are equal, NULL if it is not below. */
static const char *below(const char *path, const char *directory)
{
	size_t len = strlen(directory);
	if (strcmp(directory, ".") == 0)
		return path[0] == '/' ? NULL : strcmp(path, ".") == 0 ? "" : path;
	if (strncmp(path, directory, len) != 0)
		return NULL;
	return path[len] == '/' ? path + len + 1 : path[len] == '\0' ? path + len : NULL;
}

/* The stage of tiling/<stage>.json and tiling/<stage>/autotuning.json; NULL if the file is not in
 * such a directory next to the run. */
static const char *stage_of(struct arena *arena, const struct placed_companion *placed,
			    const char *directory)
{
	const char *inside = below(placed->directory, directory);
	const char *rest = inside ? below(inside, placed->companion->directory) : NULL;
	const char *slash = strrchr(placed->path, '/');
	const char *name = slash ? slash + 1 : placed->path;
	if (!rest)
		return NULL;
	if (rest[0])
		return arena_strndup(arena, rest, strcspn(rest, "/"));
	return arena_strndup(arena, name, strcspn(name, "."));
}

/* The run's own hash decides, or else its UUID. If only a few digits of the UUID are known, the
 * NEFF must also be next to the trace or named together with it. */
static bool is_same_kernel(const struct placed_companion *placed, const struct incoming *one)
{
	const struct companion *companion = placed->companion;
	const struct run *run = one->run;
	bool chance;
	if (run->kernel_hash && !run->joined_hash)
		return strcmp(companion->kernel_hash, run->kernel_hash) == 0;
	if (!companion->uuid || !ingest_uuid_agrees(run, companion->uuid, &chance))
		return false;
	return !chance || span_text_eq(one->neff, placed->path) || (placed->named && one->named);
}

/* Figures of a symbol are of all its launches: not of those with one size alone, and not of those
 * of an overload. */
static bool is_of_launch(const struct companion *companion, const struct run *run)
{
	const char *symbol = run_param(run, "symbol");
	if (!companion->symbol)
		return true;
	return (!symbol || strcmp(symbol, companion->symbol) == 0) && !run_param(run, "grid") &&
	       !run_param(run, "block");
}

bool ingest_belongs(struct cli *cli, const struct placed_companion *placed,
		    const struct incoming *one)
{
	const struct companion *companion = placed->companion;
	const struct run *run = one->run;
	if ((companion->kernel && !span_text_eq(companion->kernel, run->kernel)) ||
	    (companion->variant && !span_text_eq(companion->variant, run->variant)) ||
	    (companion->tool && !span_text_eq(companion->tool, run->tool)) ||
	    !is_of_launch(companion, run))
		return false;
	/* Files of the same format do not complete each other. */
	if (companion->figures && one->reader == placed->reader)
		return false;
	if (companion->kernel_hash)
		return is_same_kernel(placed, one);
	if (!companion->directory)
		return strcmp(placed->directory, one->directory) == 0;
	const char *stage = stage_of(&cli->arena, placed, one->directory);
	const char *own = run_param(run, "stage");
	return stage && (!own || strcmp(own, stage) == 0);
}

/* --- the runs that a companion belongs to --- */

/* Those of a kernel may lie anywhere, all others in the companion's directory or above it. */
struct search {
	const struct ingest *ingest;
	const struct nearby *nearby; /* an index of the runs */
	const struct placed_companion *placed;
	const char *directory; /* the present one; NULL: all runs are tried */
	struct nearby_range range;
};

static void index_runs(const struct ingest *ingest, struct nearby *nearby)
{
	nearby_init(ingest->arena, nearby, ingest->run_count);
	for (size_t i = 0; i < ingest->run_count; i++)
		nearby_add(nearby, ingest->runs[i].directory);
	nearby_sort(nearby);
}

static struct search search_of(const struct ingest *ingest, const struct nearby *nearby,
			       const struct placed_companion *placed)
{
	struct search search = {.ingest = ingest, .nearby = nearby, .placed = placed};
	if (placed->companion->kernel_hash) {
		search.range = (struct nearby_range){0, nearby->count};
	} else {
		search.directory = placed->directory;
		search.range = nearby_in(nearby, placed->directory);
	}
	return search;
}

/* The next run that the companion belongs to; NULL at the end. */
static struct incoming *next_run(struct search *search)
{
	for (;;) {
		while (search->range.first < search->range.end) {
			size_t index = search->nearby->items[search->range.first++].index;
			struct incoming *one = &search->ingest->runs[index];
			if (ingest_belongs(search->ingest->cli, search->placed, one))
				return one;
		}
		if (!search->directory || !search->placed->companion->directory)
			return NULL;
		search->directory = nearby_above(search->ingest->arena, search->directory);
		if (!search->directory)
			return NULL;
		search->range = nearby_in(search->nearby, search->directory);
	}
}

/* --- facts: what runs do not know themselves --- */

/* Whether the companion joins by kernel, that is by hash or UUID. */
static bool is_of_kernel(const struct companion *companion)
{
	return companion->kernel_hash != NULL;
}

/* Adds what a NEFF states about the kernel. Its hash does not change the run's identity, because
 * the run's UUID identifies the same kernel: a trace ingested again with its NEFF remains the same
 * run. */
static void add_kernel(struct cli *cli, struct incoming *one, const struct placed_companion *placed)
{
	const struct companion *companion = placed->companion;
	struct run *run = one->run;
	bool knows_tensors = run->tensor_count > 0;
	for (size_t i = 0; !knows_tensors && i < companion->tensor_count; i++)
		run_add_tensor(&cli->arena, run, companion->tensors[i]);
	if (!run->kernel_hash) {
		run->kernel_hash = companion->kernel_hash;
		run->joined_hash = true;
	}
	one->neff = placed->path;
}

static void add_facts(struct cli *cli, struct incoming *one, const struct placed_companion *placed)
{
	const struct companion *companion = placed->companion;
	struct run *run = one->run;
	if (!run->device)
		run->device = companion->device;
	for (size_t i = 0; i < companion->value_count; i++) {
		const struct companion_value *fact = &companion->values[i];
		if (isnan(run->given[fact->metric].number)) {
			run_set(run, fact->metric, fact->value.number, fact->value.provenance);
			run->joined[fact->metric] = is_of_kernel(companion);
		}
	}
	if (is_of_kernel(companion))
		add_kernel(cli, one, placed);
}

void ingest_join_facts(struct ingest *ingest)
{
	struct nearby nearby;
	index_runs(ingest, &nearby);
	for (size_t i = 0; i < ingest->companion_count; i++) {
		const struct placed_companion *placed = &ingest->companions[i];
		struct search search = search_of(ingest, &nearby, placed);
		struct incoming *one;
		while ((one = next_run(&search)))
			add_facts(ingest->cli, one, placed);
	}
}

/* --- attributes and attributions --- */

static void add_attribute(struct cli *cli, struct run *run, const char *key, const char *text)
{
	run_add_attribute(&cli->arena, run, key, text);
	run->joined_attributes++;
}

/* The SHA-256 of the kernel's file; "" if it cannot be read again, or if git tracks it: then a
 * commit brought it, and another one may have been measured. */
static const char *digest_of(const struct ingest *ingest, const char *path)
{
	struct error ignored;
	struct sha256 hash;
	char hex[65], bytes[8192];
	size_t got = 0;
	struct input *input = strcmp(path, "-") == 0 || cli_is_brought(ingest->cli, path)
				      ? NULL
				      : input_open(path, &ignored);
	if (!input)
		return "";
	sha256_init(&hash);
	int rc;
	while ((rc = input_read(input, bytes, sizeof bytes, &got, &ignored)) == 0 && got)
		sha256_add(&hash, bytes, got);
	input_close(input);
	sha256_hex(&hash, hex);
	return rc < 0 ? "" : arena_strdup(ingest->arena, hex);
}

/* Whether the run has what another page of the same kernel says of its opcodes or lines. */
static bool has_place(const struct run *run, enum tally_kind kind)
{
	bool place = kind == TALLY_OPCODE || kind == TALLY_SOURCE;
	for (size_t i = 0; place && i < run->tally_count; i++)
		if (run->tallies[i].kind == kind)
			return true;
	return false;
}

static void add_tallies(struct cli *cli, const struct companion *companion, const char *label,
			struct run *run)
{
	bool known[TALLY_LIMIT], skip = false;
	for (int kind = 0; kind < TALLY_LIMIT; kind++)
		known[kind] = has_place(run, (enum tally_kind)kind);
	for (size_t i = 0; i < companion->tally_count; i++) {
		struct run_tally tally = companion->tallies[i];
		if (tally.kind != TALLY_FIGURE && tally.kind != TALLY_TEXT)
			skip = known[tally.kind];
		if (skip)
			continue;
		tally.name = arena_printf(&cli->arena, "%s%s", label, tally.name);
		run_add_tally(&cli->arena, run, tally);
		run->joined_tallies++;
	}
}

static void add_attributes(struct cli *cli, const struct companion *companion, const char *prefix,
			   const char *label, struct run *run)
{
	if (companion->compiler && !run_attribute(run, "compiler_version"))
		add_attribute(cli, run, "compiler_version", companion->compiler);
	for (size_t i = 0; i < companion->attribute_count; i++) {
		const struct run_attribute *attribute = &companion->attributes[i];
		const char *key = arena_printf(&cli->arena, "%s%s", prefix, attribute->key);
		/* The directory may contain the same file twice. */
		if (span_text_eq(run_attribute(run, key), attribute->text) ||
		    strcmp(key, RUN_KERNEL_DIGEST) == 0)
			continue;
		add_attribute(cli, run, key, attribute->text);
	}
	add_tallies(cli, companion, label, run);
}

/* Adds attributes and attributions. Those from a directory such as tiling/ belong to the run's
 * stage. If the run represents all stages, their names include the stage. */
static void join_attributes(struct cli *cli, const struct placed_companion *placed,
			    const struct incoming *one)
{
	const char *name = placed->companion->directory;
	if (!name || placed->companion->kernel_hash) {
		add_attributes(cli, placed->companion, "", "", one->run);
		return;
	}
	const char *stage = stage_of(&cli->arena, placed, one->directory);
	if (run_param(one->run, "stage"))
		add_attributes(cli, placed->companion, arena_printf(&cli->arena, "%s.", name), "",
			       one->run);
	else
		add_attributes(cli, placed->companion,
			       arena_printf(&cli->arena, "%s.%s.", name, stage),
			       arena_printf(&cli->arena, "%s: ", stage), one->run);
}

/* --- metrics that were measured separately --- */

static void note_difference(struct cli *cli, struct run *run, const char *path, enum metric metric,
			    double number)
{
	const struct metric_info *info = metric_info(metric);
	double own = run->given[metric].number;
	if (fabs(number - own) <= 0.01 * own)
		return;
	run_add_note(
		&cli->arena, run, "rooflog",
		arena_printf(&cli->arena,
			     "%s is %s in the profile but %s in %s; the profile's value is used",
			     info->key, quantity_text(&cli->arena, own, info->unit),
			     quantity_text(&cli->arena, number, info->unit), path));
}

/* Adds the metrics that the run did not measure itself. */
static int add_figures(struct cli *cli, const struct placed_companion *placed, struct incoming *one,
		       struct error *err)
{
	const struct run *figures = placed->companion->figures;
	struct run *run = one->run;
	for (int metric = 0; metric < METRIC_COUNT; metric++) {
		const struct value *value = &figures->given[metric];
		const struct run_spread *spread = run_spread(figures, (enum metric)metric);
		if (isnan(value->number))
			continue;
		if (!isnan(run->given[metric].number)) {
			note_difference(cli, run, placed->path, (enum metric)metric, value->number);
			continue;
		}
		/* A tool's times must all be of one kind, host or device. */
		if (metric == METRIC_TOTAL_TIME && run_time_metric(run) == METRIC_HOST_TIME) {
			run_add_note(&cli->arena, run, "rooflog",
				     arena_printf(&cli->arena,
						  "total_time in %s is ignored: this run is timed "
						  "on the host",
						  placed->path));
			continue;
		}
		run->given[metric] = *value;
		run->joined[metric] = true;
		if (spread)
			run_add_spread(&cli->arena, run, *spread);
	}
	return runs_derive(cli, run, &one->peaks, &one->hardware, err);
}

/* Metrics without a kernel can only join if there is one kernel in the directory. */
static int check_meant(struct search search, struct error *err)
{
	const struct run *first = NULL;
	const struct incoming *one;
	while ((one = next_run(&search))) {
		const struct run *run = one->run;
		if (first && (!span_text_eq(first->kernel, run->kernel) ||
			      !span_text_eq(first->variant, run->variant)))
			return error_set(err, ERR_FORMAT,
					 "%s: several kernels or variants were profiled in this "
					 "folder; add \"kernel\" and \"variant\" to the file",
					 search.placed->path);
		first = run;
	}
	return 0;
}

void ingest_place_figures(struct ingest *ingest)
{
	struct nearby nearby;
	index_runs(ingest, &nearby);
	for (size_t i = 0; i < ingest->companion_count; i++) {
		const struct placed_companion *placed = &ingest->companions[i];
		struct search search = search_of(ingest, &nearby, placed);
		struct run_list alone = {0};
		if (!placed->companion->figures || next_run(&search))
			continue;
		run_list_add(ingest->arena, &alone, placed->companion->figures);
		ingest_add_runs(ingest, placed->path, placed->reader, &alone);
	}
}

static int join_one(struct ingest *ingest, struct search search, struct error *err)
{
	const struct placed_companion *placed = search.placed;
	const struct run *figures = placed->companion->figures;
	struct incoming *one;
	const char *digest = NULL;
	if (figures && check_meant(search, err) < 0)
		return -1;
	while ((one = next_run(&search))) {
		if (one->run == figures)
			continue;
		join_attributes(ingest->cli, placed, one);
		if (is_of_kernel(placed->companion) && !digest)
			digest = digest_of(ingest, placed->path);
		if (digest && digest[0] && !run_attribute(one->run, RUN_KERNEL_DIGEST))
			add_attribute(ingest->cli, one->run, RUN_KERNEL_DIGEST, digest);
		if (figures && add_figures(ingest->cli, placed, one, err) < 0)
			return -1;
	}
	return 0;
}

int ingest_join(struct ingest *ingest, struct error *err)
{
	struct nearby nearby;
	index_runs(ingest, &nearby);
	for (size_t i = 0; i < ingest->companion_count; i++)
		if (join_one(ingest, search_of(ingest, &nearby, &ingest->companions[i]), err) < 0)
			return -1;
	return 0;
}
