/*
 * Repeats: runs of one series and commit are repeats of one measurement.
 *
 * - Executions of one kernel that were captured one by one ("a_exec_2.json", "a_exec_3.json")
 * become one run, the one with the median time, with the times of all as samples.
 * - Where FLOP, the shapes of tensors or the kernel's hash show that runs are of unlike work, they
 * are refused, unless --split-by makes that a parameter, so that each is of a series of its own.
 */
#include "cli/ingest/ingest.h"

#include "base/hash/hash.h"
#include "base/text/text.h"

/* --- executions --- */

/* Splits a name at its last "_exec_<N>"; false if it has none. */
static bool cut_execution(const char *path, struct span *before, struct span *after)
{
	static const char mark[] = "_exec_";
	const char *found = NULL, *name = strrchr(path, '/');
	for (const char *at = name ? name : path; (at = strstr(at, mark)); at++)
		found = at;
	if (!found)
		return false;
	const char *end = found + strlen(mark);
	size_t digits = strspn(end, "0123456789");
	*before = (struct span){path, (size_t)(found - path)};
	*after = span_of(end + digits);
	return digits > 0;
}

/* A trace identifies its kernel by the UUID or the beginning of it. */
static bool is_same_neff(const struct run *x, const struct run *y)
{
	return span_text_eq(run_attribute(x, "uuid"), run_attribute(y, "uuid")) &&
	       span_text_eq(run_attribute(x, "uuid_start"), run_attribute(y, "uuid_start"));
}

static bool are_executions(struct cli *cli, const struct incoming *a, const struct incoming *b)
{
	struct span before[2], after[2];
	const struct run *x = a->run, *y = b->run;
	return a->reader == b->reader && cut_execution(a->path, &before[0], &after[0]) &&
	       cut_execution(b->path, &before[1], &after[1]) && span_eq(before[0], before[1]) &&
	       span_eq(after[0], after[1]) && span_text_eq(x->kernel_hash, y->kernel_hash) &&
	       is_same_neff(x, y) && span_text_eq(x->commit, y->commit) &&
	       strcmp(x->node, y->node) == 0 && !isnan(run_time(x)) &&
	       run_time_metric(x) == run_time_metric(y) && !run_spread(x, run_time_metric(x)) &&
	       !run_spread(y, run_time_metric(y)) &&
	       strcmp(run_series_key(&cli->arena, x), run_series_key(&cli->arena, y)) == 0;
}

static int by_time(const void *a, const void *b)
{
	double x = run_time(((const struct incoming *)a)->run);
	double y = run_time(((const struct incoming *)b)->run);
	return (x > y) - (x < y);
}

/* Merges `count` executions in the order of reading. If the count is even, the faster of the middle
 * two represents them, as everywhere; the spread has their true median. */
static struct incoming merge(struct cli *cli, struct incoming *items, size_t count)
{
	assert(count > 1);
	enum metric metric = run_time_metric(items[0].run);
	double *times = arena_array(&cli->arena, count, sizeof *times);
	for (size_t i = 0; i < count; i++)
		times[i] = run_time(items[i].run);
	qsort(items, count, sizeof *items, by_time);
	struct incoming chosen = items[(count - 1) / 2];
	struct value own = chosen.run->given[metric];
	run_set_samples(&cli->arena, chosen.run, metric, times, count, own.provenance);
	chosen.run->given[metric] = own;
	run_set(chosen.run, METRIC_LAUNCH_COUNT, (double)count, PROVENANCE_MEASURED);
	run_add_attribute(&cli->arena, chosen.run, "executions",
			  arena_printf(&cli->arena, "%zu", count));
	return chosen;
}

void ingest_merge(struct ingest *ingest)
{
	size_t remaining = 0;
	struct incoming *same = arena_array(ingest->arena, ingest->run_count, sizeof *same);
	for (size_t i = 0; i < ingest->run_count; i++) {
		struct span before, after;
		struct incoming first = ingest->runs[i];
		if (!first.run)
			continue;
		size_t count = 0;
		same[count++] = first;
		bool numbered = cut_execution(first.path, &before, &after);
		for (size_t j = i + 1; numbered && j < ingest->run_count; j++) {
			struct incoming *other = &ingest->runs[j];
			if (other->run && are_executions(ingest->cli, &first, other)) {
				same[count++] = *other;
				other->run = NULL;
			}
		}
		ingest->runs[remaining++] = count > 1 ? merge(ingest->cli, same, count) : first;
	}
	ingest->run_count = remaining;
}

/* --- what may distinguish runs --- */

enum { hash_digits = 12, shapes_length = 80 };

static const char *hash_of(struct arena *arena, const struct run *run)
{
	const char *hash = run->kernel_hash;
	return hash && hash[0] ? arena_strndup(arena, hash, strnlen(hash, hash_digits)) : NULL;
}

static const enum metric flop_counts[] = {METRIC_MODEL_FLOPS, METRIC_HARDWARE_FLOPS,
					  METRIC_ALGORITHMIC_FLOPS};
enum { FLOP_COUNTS = sizeof flop_counts / sizeof *flop_counts };

static const char *flop_of(struct arena *arena, const struct run *run)
{
	for (size_t i = 0; i < FLOP_COUNTS; i++)
		if (!isnan(run->given[flop_counts[i]].number))
			return quantity_text(arena, run->given[flop_counts[i]].number, UNIT_FLOP);
	return NULL;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "128x512" for "[128 512]". */
static const char *shape_text(struct arena *arena, const char *shape)
{
	char *text = arena_strndup(arena, shape + strspn(shape, "[ "), strlen(shape));
	size_t len = strcspn(text, "]");
	while (len && text[len - 1] == ' ')
		len--;
	text[len] = '\0';
	for (size_t i = 0; i < len; i++)
		text[i] = text[i] == ' ' ? 'x' : text[i];
	return text;
}

/* The shapes of the inputs and outputs, in an order of their own: "128x512+512x128>128x128". The
 * other tensors are the compiler's. */
static const char *shape_of(struct arena *arena, const struct run *run)
{
	static const char *const roles[] = {"IN", "OUT"};
	const char **shapes = arena_array(arena, run->tensor_count + 1, sizeof *shapes);
	struct strbuf sb = {0};
	for (size_t role = 0; role < 2; role++) {
		size_t count = 0;
		for (size_t i = 0; i < run->tensor_count; i++)
			if (run->tensors[i].shape && run->tensors[i].role &&
			    strcmp(run->tensors[i].role, roles[role]) == 0)
				shapes[count++] = shape_text(arena, run->tensors[i].shape);
		array_sort(shapes, count, sizeof *shapes, by_text);
		for (size_t i = 0; i < count; i++)
			strbuf_addf(&sb, "%s%s", i ? "+" : role ? ">" : "", shapes[i]);
	}
	if (sb.len > shapes_length) {
		char hex[65];
		struct sha256 hash;
		sha256_init(&hash);
		sha256_add(&hash, sb.buf, sb.len);
		sha256_hex(&hash, hex);
		strbuf_free(&sb);
		return arena_strndup(arena, hex, hash_digits);
	}
	return sb.len ? strbuf_into(&sb, arena) : NULL;
}

/* The name of the file without its directory, the number of the execution and suffixes. */
static const char *file_of(struct arena *arena, const struct run *run)
{
	static const char *const packed[] = {".gz", ".zst"};
	const char *slash = strrchr(run->source, '/');
	struct span name = span_of(slash ? slash + 1 : run->source);
	for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
		if (span_ends(name, packed[i]))
			name.len -= strlen(packed[i]);
	for (size_t i = name.len; i-- > 1;)
		if (name.ptr[i] == '.') {
			name.len = i;
			break;
		}
	size_t mark = span_find(name, "_exec_");
	return arena_strndup(arena, name.ptr, mark < name.len ? mark : name.len);
}

static const char *folder_of(struct arena *arena, const struct run *run)
{
	const char *slash = strrchr(run->source, '/');
	if (!slash)
		return NULL;
	struct span path = {run->source, (size_t)(slash - run->source)}, name = path;
	for (size_t i = 0; i < path.len; i++)
		if (path.ptr[i] == '/')
			name = (struct span){path.ptr + i + 1, path.len - i - 1};
	return name.len ? arena_strndup(arena, name.ptr, name.len) : NULL;
}

/* --- in what they differ --- */

/* Whether both are known and differ. */
static bool differ_in_text(const char *a, const char *b)
{
	return a && b && strcmp(a, b) != 0;
}

static bool differ_in_flop(struct arena *arena, const struct run *a, const struct run *b)
{
	(void)arena;
	for (size_t i = 0; i < FLOP_COUNTS; i++) {
		double x = a->given[flop_counts[i]].number, y = b->given[flop_counts[i]].number;
		if (!isnan(x) && !isnan(y))
			return !run_flops_agree(x, y);
	}
	return false;
}

static bool differ_in_shape(struct arena *arena, const struct run *a, const struct run *b)
{
	return differ_in_text(shape_of(arena, a), shape_of(arena, b));
}

/* Whether all that is counted is equal, and FLOP are. */
static bool count_alike(const struct run *a, const struct run *b)
{
	for (int metric = 0; metric < METRIC_COUNT; metric++) {
		double x = a->given[metric].number, y = b->given[metric].number;
		if (metric_info((enum metric)metric)->role == METRIC_ROLE_COUNTER && !isnan(x) &&
		    !isnan(y) && x != y)
			return false;
	}
	return a->given[METRIC_HARDWARE_FLOPS].number == b->given[METRIC_HARDWARE_FLOPS].number;
}

/* A second build of the same source can have another hash. Then it does the same work by every
 * counter. */
static bool differ_in_hash(struct arena *arena, const struct run *a, const struct run *b)
{
	const char *shape = shape_of(arena, a), *other = shape_of(arena, b);
	return differ_in_text(hash_of(arena, a), hash_of(arena, b)) &&
	       !(span_text_eq(shape, other) && count_alike(a, b));
}

static bool differ_in_file(struct arena *arena, const struct run *a, const struct run *b)
{
	return strcmp(file_of(arena, a), file_of(arena, b)) != 0;
}

/* One thing in which runs differ. */
struct trait {
	const char *word;  /* of --split-by, which is the name of the parameter, too */
	const char *title; /* in messages */
	const char *(*of)(struct arena *arena, const struct run *run); /* NULL: unknown */
	/* NULL: repeats may differ in it. */
	bool (*differ)(struct arena *arena, const struct run *a, const struct run *b);
};

static const struct trait traits[] = {
	{"hash", "kernel hash", hash_of, differ_in_hash},
	{"flop", "FLOP", flop_of, differ_in_flop},
	{"shape", "shapes of tensors", shape_of, differ_in_shape},
	{"file", "file name", file_of, differ_in_file},
	{"folder", "folder", folder_of, NULL},
};
enum { TRAITS = sizeof traits / sizeof *traits };

/* --- --split-by --- */

static int split_one(struct ingest *ingest, const struct trait *trait, struct run *run,
		     struct error *err)
{
	const char *value = trait->of(ingest->arena, run);
	if (!value)
		return error_set(err, ERR_USAGE,
				 "--split-by %s: it is not known of the run in %s; give a "
				 "parameter in --params, or another of the words",
				 trait->word, run->source);
	if (run_param(run, trait->word))
		return error_set(err, ERR_USAGE,
				 "--split-by %s: the run in %s has a parameter of this name "
				 "already: \"%.80s\"",
				 trait->word, run->source, run_param(run, trait->word));
	char *text = arena_strdup(ingest->arena, value);
	size_t len = 0;
	for (const char *c = value; *c; c++)
		if ((unsigned char)*c > ' ' && *c != 0x7f)
			text[len++] = *c;
	text[len] = '\0';
	run_set_param(ingest->arena, run, trait->word, text);
	return 0;
}

static int split(struct ingest *ingest, const char *word, struct error *err)
{
	const struct trait *trait = NULL;
	for (size_t i = 0; i < TRAITS; i++)
		if (strcmp(traits[i].word, word) == 0)
			trait = &traits[i];
	for (size_t i = 0; trait && i < ingest->run_count; i++)
		if (split_one(ingest, trait, ingest->runs[i].run, err) < 0)
			return -1;
	return 0;
}

/* --- repeats --- */

/* A run among others of its series and commit. */
struct repeat {
	const struct run *run;
	const char *series;
	bool file_tells; /* only the name of its file says what was measured */
};

static int by_place(const void *a, const void *b)
{
	const struct repeat *x = a, *y = b;
	const char *one = x->run->commit ? x->run->commit : "";
	const char *other = y->run->commit ? y->run->commit : "";
	int order = strcmp(one, other);
	return order ? order : strcmp(x->series, y->series);
}

static bool is_compared(const struct trait *trait, const struct repeat *one)
{
	return trait->differ && (trait->of != file_of || one->file_tells);
}

static const struct trait *difference(struct arena *arena, const struct repeat *a,
				      const struct run *b)
{
	for (size_t i = 0; i < TRAITS; i++)
		if (is_compared(&traits[i], a) && traits[i].differ(arena, a->run, b))
			return &traits[i];
	return NULL;
}

static const char *name_of(struct arena *arena, const struct run *run)
{
	const char *params = run_params_text(arena, run);
	return arena_printf(arena, "%.80s%s%s%.200s", run->kernel, run->variant[0] ? " " : "",
			    run->variant, params[0] ? arena_printf(arena, " %s", params) : "");
}

static int refuse(struct arena *arena, const struct trait *trait, const struct run *a,
		  const struct run *b, bool stored, struct error *err)
{
	const char *files = strcmp(a->source, b->source) == 0
				    ? a->source
				    : arena_printf(arena, "%s%s and %s", a->source,
						   stored ? " (stored)" : "", b->source);
	return error_set(err, ERR_USAGE,
			 "%.400s: runs of one series (%.200s) and commit that are not repeats: %s: "
			 "%.100s and %.100s; nothing is stored; tell them apart with --kernel, "
			 "--variant, --params or --split-by%s; --split-by none takes them as "
			 "repeats",
			 files, name_of(arena, a), trait->title, trait->of(arena, a),
			 trait->of(arena, b),
			 stored ? ", or replace the other with --replace" : "");
}

/* The runs in the order of their places. */
static struct repeat *repeats_of(const struct ingest *ingest)
{
	struct repeat *repeats = arena_array(ingest->arena, ingest->run_count, sizeof *repeats);
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct incoming *one = &ingest->runs[i];
		repeats[i] = (struct repeat){one->run, run_series_key(ingest->arena, one->run),
					     (one->reader->needs & NEEDS_FILE_NAME) != 0};
	}
	array_sort(repeats, ingest->run_count, sizeof *repeats, by_place);
	return repeats;
}

static bool takes_all(const struct ingest *ingest)
{
	return ingest->options->split_by && strcmp(ingest->options->split_by, "none") == 0;
}

int ingest_check_repeats(struct ingest *ingest, struct error *err)
{
	if (takes_all(ingest))
		return 0;
	if (ingest->options->split_by && split(ingest, ingest->options->split_by, err) < 0)
		return -1;
	const struct repeat *repeats = repeats_of(ingest);
	for (size_t first = 0, i = 1; i < ingest->run_count; i++) {
		if (by_place(&repeats[first], &repeats[i]) != 0) {
			first = i;
			continue;
		}
		const struct trait *trait =
			difference(ingest->arena, &repeats[first], repeats[i].run);
		if (trait)
			return refuse(ingest->arena, trait, repeats[first].run, repeats[i].run,
				      false, err);
	}
	return 0;
}

/* --- runs in the store --- */

static bool has_traits(struct arena *arena, const struct repeat *one)
{
	for (size_t i = 0; i < TRAITS; i++)
		if (is_compared(&traits[i], one) && traits[i].of(arena, one->run))
			return true;
	return false;
}

static int check_stored(const struct ingest *ingest, const struct repeat *one, struct error *err)
{
	struct store_run_list found = {0};
	const struct run_query query = {.commit = one->run->commit,
					.series = one->series,
					.clean_only = true,
					.details = true};
	if (store_runs(ingest->cli->store, ingest->arena, &query, &found, err) < 0)
		return -1;
	for (size_t i = 0; i < found.count; i++) {
		const struct trait *trait = difference(ingest->arena, one, found.items[i].run);
		if (trait)
			return refuse(ingest->arena, trait, found.items[i].run, one->run, true,
				      err);
	}
	return 0;
}

int ingest_check_stored_repeats(struct ingest *ingest, struct error *err)
{
	if (takes_all(ingest) || ingest->options->replace)
		return 0;
	const struct repeat *repeats = repeats_of(ingest);
	for (size_t i = 0; i < ingest->run_count; i++) {
		bool known = i && by_place(&repeats[i - 1], &repeats[i]) == 0;
		/* Between two measurements of a work tree with changes the program may change. */
		if (!known && !repeats[i].run->dirty && has_traits(ingest->arena, &repeats[i]) &&
		    store_has_series(ingest->cli->store, repeats[i].series) &&
		    check_stored(ingest, &repeats[i], err) < 0)
			return -1;
	}
	return 0;
}
