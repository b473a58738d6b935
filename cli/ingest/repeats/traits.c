/* The traits by which runs of one series and commit are compared. */
#include "cli/ingest/repeats/repeats.h"

#include "base/hash/hash.h"
#include "base/text/text.h"
#include "ingest/reader.h"

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
static const struct trait traits[REPEAT_TRAITS];

static bool differ_in_text(const struct repeat *a, const struct repeat *b, int trait)
{
	return strcmp(a->texts[trait], b->texts[trait]) != 0;
}

/* Runs are compared by the first count that both know. */
static bool differ_in_flop(const struct repeat *a, const struct repeat *b, int trait)
{
	for (int i = REPEAT_MODEL_FLOPS; i < trait; i++)
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
	       !(span_text_eq(a->texts[REPEAT_SHAPE], b->texts[REPEAT_SHAPE]) &&
		 count_alike(a->run, b->run));
}

static const struct trait traits[REPEAT_TRAITS] = {
	[REPEAT_HASH] = {"hash", "kernel hash", hash_of, differ_in_hash, METRIC_COUNT},
	[REPEAT_MODEL_FLOPS] = {"flop", "model_flops", flop_of, differ_in_flop, METRIC_MODEL_FLOPS},
	[REPEAT_HARDWARE_FLOPS] = {"flop", "hardware_flops", flop_of, differ_in_flop,
				   METRIC_HARDWARE_FLOPS},
	[REPEAT_ALGORITHMIC_FLOPS] = {"flop", "algorithmic_flops", flop_of, differ_in_flop,
				      METRIC_ALGORITHMIC_FLOPS},
	[REPEAT_SHAPE] = {"shape", "shapes of tensors", shape_of, differ_in_text, METRIC_COUNT},
	[REPEAT_FILE] = {"file", "file name", file_of, differ_in_text, METRIC_COUNT},
	[REPEAT_FOLDER] = {"folder", "folder", folder_of, differ_in_text, METRIC_COUNT},
};

/* --- comparing --- */

static bool is_compared(int trait, const struct repeat *one)
{
	return (trait != REPEAT_FILE || one->needs & NEEDS_FILE_NAME) &&
	       (trait != REPEAT_FOLDER || one->needs & NEEDS_FOLDER_NAME);
}

void repeats_read(struct arena *arena, struct repeat *one)
{
	for (int i = 0; i < REPEAT_TRAITS && !one->known; i++)
		if (is_compared(i, one))
			one->texts[i] = traits[i].of(arena, one->run, traits[i].metric);
	one->known = true;
}

static int by_trait(const struct repeat *a, const struct repeat *b, int trait)
{
	if (traits[trait].metric == METRIC_COUNT)
		return strcmp(a->texts[trait], b->texts[trait]);
	double x = a->run->given[traits[trait].metric].number;
	double y = b->run->given[traits[trait].metric].number;
	return (x > y) - (x < y);
}

void repeats_extend(struct repeat_ends *ends, const struct repeat *one)
{
	for (int i = 0; i < REPEAT_TRAITS; i++) {
		if (!one->texts[i])
			continue;
		if (!ends->low[i] || by_trait(one, ends->low[i], i) < 0)
			ends->low[i] = one;
		if (!ends->high[i] || by_trait(one, ends->high[i], i) > 0)
			ends->high[i] = one;
	}
}

const struct repeat *repeats_unlike(const struct repeat_ends *ends, const struct repeat *one,
				    enum repeat_trait *trait)
{
	for (int i = 0; i < REPEAT_TRAITS; i++) {
		const struct repeat *low = ends->low[i], *high = ends->high[i];
		*trait = (enum repeat_trait)i;
		if (!one->texts[i] || !low)
			continue;
		if (traits[i].differ(low, one, i))
			return low;
		if (traits[i].differ(high, one, i))
			return high;
	}
	return NULL;
}

bool repeats_have_traits(const struct repeat *group, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (int trait = 0; trait < REPEAT_TRAITS; trait++)
			if (group[i].texts[trait])
				return true;
	return false;
}

const char *repeats_value(struct arena *arena, const char *word, const struct run *run)
{
	const char *value = NULL;
	for (size_t i = 0; i < REPEAT_TRAITS && !value; i++)
		if (strcmp(traits[i].word, word) == 0)
			value = traits[i].of(arena, run, traits[i].metric);
	return value;
}

const char *repeats_word(enum repeat_trait trait)
{
	assert(trait < REPEAT_TRAITS);
	return traits[trait].word;
}

const char *repeats_title(enum repeat_trait trait)
{
	assert(trait < REPEAT_TRAITS);
	return traits[trait].title;
}

const char *repeats_series_name(struct arena *arena, const struct run *run)
{
	const char *params = run_params_text(arena, run);
	bool has_variant = run->variant && run->variant[0];
	return arena_printf(arena, "%.80s%s%s%.200s", run->kernel ? run->kernel : "unknown",
			    has_variant ? " " : "", has_variant ? run->variant : "",
			    params[0] ? arena_printf(arena, " %s", params) : "");
}
