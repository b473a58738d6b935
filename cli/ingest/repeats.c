/*
 * Repeats: runs of one series and commit are repeats of one measurement. Where FLOP, the shapes of
 * tensors or the kernel's hash show that runs are of unlike work, they are refused, unless
 * --split-by makes that a parameter, so that each is of a series of its own.
 */
#include "cli/ingest/ingest.h"

#include "base/hash/hash.h"
#include "base/text/text.h"

/* --- what may distinguish runs --- */

enum { hash_digits = 12, shapes_length = 80 };

static const char *hash_of(struct arena *arena, const struct run *run, enum metric metric)
{
	(void)metric;
	const char *hash = run->kernel_hash;
	return hash && hash[0] ? arena_strndup(arena, hash, strnlen(hash, hash_digits)) : NULL;
}

static const char *flop_of(struct arena *arena, const struct run *run, enum metric metric)
{
	double flop = run->given[metric].number;
	return isnan(flop) ? NULL : quantity_text(arena, flop, UNIT_FLOP);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "128x512" for "[128 512]". */
static const char *shape_text(struct arena *arena, const char *shape)
{
	char *text = arena_strdup(arena, shape + strspn(shape, "[ "));
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
static const char *shape_of(struct arena *arena, const struct run *run, enum metric metric)
{
	(void)metric;
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
static const char *file_of(struct arena *arena, const struct run *run, enum metric metric)
{
	(void)metric;
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

static const char *folder_of(struct arena *arena, const struct run *run, enum metric metric)
{
	(void)metric;
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

/* The counts of FLOP in the order in which they are compared. */
enum {
	BY_HASH,
	BY_MODEL_FLOPS,
	BY_HARDWARE_FLOPS,
	BY_ALGORITHMIC_FLOPS,
	BY_SHAPE,
	BY_FILE,
	BY_FOLDER,
	TRAITS
};

/* A run among others of its series and commit. */
struct repeat {
	const struct run *run;
	const char *series;
	bool file_tells; /* only the name of its file says what was measured */
	bool known;      /* the texts are read */
	const char *texts[TRAITS];
};

/* One thing in which runs differ. */
struct trait {
	const char *word;  /* of --split-by, which is the name of the parameter, too */
	const char *title; /* in messages */
	/* NULL: unknown. */
	const char *(*of)(struct arena *arena, const struct run *run, enum metric metric);
	/* Of two of which it is known; NULL: repeats may differ in it. */
	bool (*differ)(const struct repeat *a, const struct repeat *b, int trait);
	enum metric metric; /* what is counted */
};
static const struct trait traits[TRAITS];

static bool differ_in_text(const struct repeat *a, const struct repeat *b, int trait)
{
	return strcmp(a->texts[trait], b->texts[trait]) != 0;
}

/* Runs are compared by the first count that both know. */
static bool differ_in_flop(const struct repeat *a, const struct repeat *b, int trait)
{
	for (int i = BY_MODEL_FLOPS; i < trait; i++)
		if (a->texts[i] && b->texts[i])
			return false;
	enum metric metric = traits[trait].metric;
	return !run_flops_agree(a->run->given[metric].number, b->run->given[metric].number);
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
static bool differ_in_hash(const struct repeat *a, const struct repeat *b, int trait)
{
	return differ_in_text(a, b, trait) &&
	       !(span_text_eq(a->texts[BY_SHAPE], b->texts[BY_SHAPE]) &&
		 count_alike(a->run, b->run));
}

static const struct trait traits[TRAITS] = {
	[BY_HASH] = {"hash", "kernel hash", hash_of, differ_in_hash, METRIC_COUNT},
	[BY_MODEL_FLOPS] = {"flop", "model_flops", flop_of, differ_in_flop, METRIC_MODEL_FLOPS},
	[BY_HARDWARE_FLOPS] = {"flop", "hardware_flops", flop_of, differ_in_flop,
			       METRIC_HARDWARE_FLOPS},
	[BY_ALGORITHMIC_FLOPS] = {"flop", "algorithmic_flops", flop_of, differ_in_flop,
				  METRIC_ALGORITHMIC_FLOPS},
	[BY_SHAPE] = {"shape", "shapes of tensors", shape_of, differ_in_text, METRIC_COUNT},
	[BY_FILE] = {"file", "file name", file_of, differ_in_text, METRIC_COUNT},
	[BY_FOLDER] = {"folder", "folder", folder_of, NULL, METRIC_COUNT},
};

/* --- --split-by --- */

/* The first trait with this word that the run has. */
static const char *value_of(struct arena *arena, const char *word, const struct run *run)
{
	const char *value = NULL;
	for (size_t i = 0; i < TRAITS && !value; i++)
		if (strcmp(traits[i].word, word) == 0)
			value = traits[i].of(arena, run, traits[i].metric);
	return value;
}

static int split_one(struct ingest *ingest, const char *word, struct run *run, struct error *err)
{
	const char *value = value_of(ingest->arena, word, run);
	if (!value)
		return error_set(err, ERR_USAGE,
				 "--split-by %s: it is not known of the run in %s; give a "
				 "parameter in --set, or another of the words",
				 word, run->source);
	if (run_param(run, word))
		return error_set(err, ERR_USAGE,
				 "--split-by %s: the run in %s has a parameter of this name "
				 "already: \"%.80s\"",
				 word, run->source, run_param(run, word));
	char *text = arena_strdup(ingest->arena, value);
	size_t len = 0;
	for (const char *c = value; *c; c++)
		if ((unsigned char)*c > ' ' && *c != 0x7f)
			text[len++] = *c;
	text[len] = '\0';
	run_set_param(ingest->arena, run, word, text);
	return 0;
}

/* --- repeats --- */

/* Before its commit is looked up, a run may have none. */
static const char *commit_of(const struct repeat *one)
{
	return one->run->commit ? one->run->commit : "";
}

static int by_place(const void *a, const void *b)
{
	const struct repeat *x = a, *y = b;
	int order = strcmp(commit_of(x), commit_of(y));
	order = order ? order : x->run->dirty - y->run->dirty;
	return order ? order : strcmp(x->series, y->series);
}

static bool is_compared(int trait, const struct repeat *one)
{
	return traits[trait].differ && (trait != BY_FILE || one->file_tells);
}

static void read_texts(struct arena *arena, struct repeat *one)
{
	for (int i = 0; i < TRAITS && !one->known; i++)
		if (is_compared(i, one))
			one->texts[i] = traits[i].of(arena, one->run, traits[i].metric);
	one->known = true;
}

/* The runs of a group with the lowest and the highest value of each trait: a run that is like both
 * is like all between them. So neither the order of the runs matters nor a run that knows less. */
struct ends {
	const struct repeat *low[TRAITS], *high[TRAITS];
};

static int by_trait(const struct repeat *a, const struct repeat *b, int trait)
{
	if (traits[trait].metric == METRIC_COUNT)
		return strcmp(a->texts[trait], b->texts[trait]);
	double x = a->run->given[traits[trait].metric].number;
	double y = b->run->given[traits[trait].metric].number;
	return (x > y) - (x < y);
}

static void extend(struct ends *ends, const struct repeat *one)
{
	for (int i = 0; i < TRAITS; i++) {
		if (!one->texts[i])
			continue;
		if (!ends->low[i] || by_trait(one, ends->low[i], i) < 0)
			ends->low[i] = one;
		if (!ends->high[i] || by_trait(one, ends->high[i], i) > 0)
			ends->high[i] = one;
	}
}

/* The run of the group that differs from this one, and the trait; NULL: all are repeats. */
static const struct repeat *unlike(const struct ends *ends, const struct repeat *one, int *trait)
{
	for (int i = 0; i < TRAITS; i++) {
		const struct repeat *low = ends->low[i], *high = ends->high[i];
		*trait = i;
		if (!one->texts[i] || !low)
			continue;
		if (traits[i].differ(low, one, i))
			return low;
		if (traits[i].differ(high, one, i))
			return high;
	}
	return NULL;
}

static const char *name_of(struct arena *arena, const struct run *run)
{
	const char *params = run_params_text(arena, run);
	return arena_printf(arena, "%.80s%s%s%.200s", run->kernel, run->variant[0] ? " " : "",
			    run->variant, params[0] ? arena_printf(arena, " %s", params) : "");
}

/* Refuses a run that differs from another one of its group. */
static int check_one(struct arena *arena, const struct ends *ends, const struct repeat *one,
		     bool stored, struct error *err)
{
	int trait;
	const struct repeat *other = unlike(ends, one, &trait);
	if (!other)
		return 0;
	const struct run *a = other->run, *b = one->run;
	const char *files = strcmp(a->source, b->source) == 0
				    ? a->source
				    : arena_printf(arena, "%s%s and %s", a->source,
						   stored ? " (stored)" : "", b->source);
	return error_set(
		err, ERR_USAGE,
		"%.400s: runs of one series (%.200s) and commit that are not repeats: %s: "
		"%.100s and %.100s; nothing is stored\n"
		"hint: tell them apart with --set variant=..., a parameter (--set NAME=VALUE) "
		"or --split-by%s; --split-by none takes them as repeats",
		files, name_of(arena, a), traits[trait].title, other->texts[trait],
		one->texts[trait], stored ? ", or replace the other with --replace" : "");
}

/* --- runs in the store --- */

static bool has_traits(const struct repeat *group, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (int trait = 0; trait < TRAITS; trait++)
			if (group[i].texts[trait])
				return true;
	return false;
}

static int check_stored(const struct ingest *ingest, const struct repeat *group, size_t count,
			struct error *err)
{
	struct store_run_list found = {0};
	struct ends ends = {0};
	const struct run_query query = {.commit = group->run->commit,
					.series = group->series,
					.clean_only = true,
					.details = true};
	/* Between two measurements of a work tree with changes the program may change. */
	if (group->run->dirty || !has_traits(group, count) ||
	    !store_has_series(ingest->cli->store, group->series))
		return 0;
	if (store_runs(ingest->cli->store, ingest->arena, &query, &found, err) < 0)
		return -1;
	struct repeat *stored = arena_array(ingest->arena, found.count + 1, sizeof *stored);
	for (size_t i = 0; i < found.count; i++) {
		stored[i] =
			(struct repeat){.run = found.items[i].run, .file_tells = group->file_tells};
		/* A run of ingest always has these texts, but a store may have been written by
		 * anyone. */
		struct run *run = found.items[i].run;
		run->variant = run->variant ? run->variant : "";
		run->source = run->source ? run->source : "";
		read_texts(ingest->arena, &stored[i]);
		extend(&ends, &stored[i]);
	}
	for (size_t i = 0; i < count; i++)
		if (check_one(ingest->arena, &ends, &group[i], true, err) < 0)
			return -1;
	return 0;
}

/* --- all groups --- */

/* The runs in the order of their places. */
static struct repeat *repeats_of(const struct ingest *ingest)
{
	struct repeat *repeats = arena_array(ingest->arena, ingest->run_count, sizeof *repeats);
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct incoming *one = &ingest->runs[i];
		repeats[i] =
			(struct repeat){.run = one->run,
					.series = ingest_series(ingest, one->run),
					.file_tells = (one->reader->needs & NEEDS_FILE_NAME) != 0};
	}
	array_sort(repeats, ingest->run_count, sizeof *repeats, by_place);
	return repeats;
}

static int check_group(const struct ingest *ingest, struct repeat *group, size_t count,
		       struct error *err)
{
	struct ends ends = {0};
	for (size_t i = 0; i < count; i++) {
		read_texts(ingest->arena, &group[i]);
		if (check_one(ingest->arena, &ends, &group[i], false, err) < 0)
			return -1;
		extend(&ends, &group[i]);
	}
	return 0;
}

static int check_groups(const struct ingest *ingest, bool with_stored, struct error *err)
{
	struct repeat *repeats = repeats_of(ingest);
	for (size_t first = 0, end; first < ingest->run_count; first = end) {
		for (end = first + 1;
		     end < ingest->run_count && by_place(&repeats[first], &repeats[end]) == 0;)
			end++;
		struct repeat *group = &repeats[first];
		size_t count = end - first;
		if (((with_stored || count > 1) && check_group(ingest, group, count, err) < 0) ||
		    (with_stored && check_stored(ingest, group, count, err) < 0))
			return -1;
	}
	return 0;
}

static bool takes_all(const struct ingest *ingest)
{
	return ingest->options->split_by && strcmp(ingest->options->split_by, "none") == 0;
}

int ingest_check_repeats(struct ingest *ingest, struct error *err)
{
	const char *word = ingest->options->split_by;
	if (takes_all(ingest))
		return 0;
	for (size_t i = 0; word && i < ingest->run_count; i++)
		if (split_one(ingest, word, ingest->runs[i].run, err) < 0)
			return -1;
	return check_groups(ingest, false, err);
}

int ingest_check_stored_repeats(struct ingest *ingest, struct error *err)
{
	struct store *store = ingest->cli->store;
	if (takes_all(ingest))
		return 0;
	/* A stored series may have got another name by [alias]. */
	if (store_show_aliases(store, true, err) < 0 ||
	    check_groups(ingest, !ingest->options->replace, err) < 0)
		return -1;
	return store_show_aliases(store, false, err);
}
