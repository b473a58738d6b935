/* Runs: building, looking up, naming. */
#include "model/run/run.h"

#include "base/hash/hash.h"
#include "base/base.h"
#include "model/statistics/statistics.h"

/* Template of run_new(), copied thousands of times. */
static const struct run unknown = {
	.variant = "",
	.node = "",
	.given =
		{
#define METRIC(ID, key, title, unit, direction, role, range, formula) {NAN, PROVENANCE_UNKNOWN},
#define COMPUTED METRIC
#include "model/run/metric.def"
#undef COMPUTED
#undef METRIC
		},
	.derived =
		{
#define METRIC(ID, key, title, unit, direction, role, range, formula)
#define COMPUTED(ID, key, title, unit, direction, role, range, formula) NAN,
#include "model/run/metric.def"
#undef COMPUTED
#undef METRIC
			NAN,
		},
};

struct run *run_new(struct arena *arena)
{
	struct run *run = arena_new(arena, struct run);
	*run = unknown;
	return run;
}

void run_list_add(struct arena *arena, struct run_list *list, struct run *run)
{
	*arena_add(arena, list) = run;
}

void run_list_add_all(struct arena *arena, struct run_list *list, const struct run_list *more)
{
	for (size_t i = 0; i < more->count; i++)
		run_list_add(arena, list, more->items[i]);
}

struct value run_value(const struct run *run, enum metric metric)
{
	double derived = run->derived[metric_computed(metric)];
	if (!isnan(derived))
		return (struct value){derived, PROVENANCE_DERIVED};
	return run->given[metric];
}

double run_number(const struct run *run, enum metric metric)
{
	return run_value(run, metric).number;
}

void run_set(struct run *run, enum metric metric, double number, enum provenance provenance)
{
	if (isfinite(number))
		run->given[metric] = (struct value){number, provenance};
}

enum { first_room = 4 };

/* Lists store no capacity: they have room for 4 items and grow at every power of two. A list that
 * was allocated elsewhere must have run_list_room(). */
size_t run_list_room(size_t count)
{
	size_t room = first_room;
	while (room < count)
		room *= 2;
	return room;
}

static void *room_for_one(struct arena *arena, void *items, size_t count, size_t size)
{
	if (count == 0)
		return arena_array(arena, first_room, size);
	if (count < first_room || (count & (count - 1)))
		return items;
	size_t capacity = count;
	return arena_grow(arena, items, count, &capacity, size);
}

#define APPEND(list, count, item)                                                                  \
	do {                                                                                       \
		run->list = room_for_one(arena, run->list, run->count, sizeof *run->list);         \
		run->list[run->count++] = (item);                                                  \
	} while (0)

void run_add_engine(struct arena *arena, struct run *run, struct run_engine engine)
{
	APPEND(engines, engine_count, engine);
}

void run_add_tally(struct arena *arena, struct run *run, struct run_tally tally)
{
	APPEND(tallies, tally_count, tally);
}

void run_add_throttle(struct arena *arena, struct run *run, struct run_throttle throttle)
{
	APPEND(throttles, throttle_count, throttle);
}

void run_add_core(struct arena *arena, struct run *run, struct run_core core)
{
	APPEND(core_work, core_count, core);
}

void run_add_tensor(struct arena *arena, struct run *run, struct run_tensor tensor)
{
	APPEND(tensors, tensor_count, tensor);
}

void run_add_attribute(struct arena *arena, struct run *run, const char *key, const char *text)
{
	APPEND(attributes, attribute_count, ((struct run_attribute){key, text}));
}

void run_add_note(struct arena *arena, struct run *run, const char *category, const char *message)
{
	APPEND(notes, note_count, ((struct run_note){category, message}));
}

void run_warn(struct arena *arena, struct run *run, const char *format, ...)
{
	struct strbuf sb = {0};
	va_list args;
	va_start(args, format);
	strbuf_vaddf(&sb, format, args);
	va_end(args);
	run_add_note(arena, run, "rooflog", strbuf_into(&sb, arena));
}

void run_add_spread(struct arena *arena, struct run *run, struct run_spread spread)
{
	APPEND(spreads, spread_count, spread);
}

/* Two passes, so that it is accurate for any number of repeats. */
static double deviation_of(const double *numbers, size_t count, double mean)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += (numbers[i] - mean) * (numbers[i] - mean);
	return count > 1 ? sqrt(sum / (double)(count - 1)) : NAN;
}

void run_set_samples(struct arena *arena, struct run *run, enum metric metric,
		     const double *numbers, size_t count, enum provenance provenance)
{
	double *known = arena_array(arena, count, sizeof *known);
	double *sorted = arena_array(arena, count, sizeof *sorted);
	size_t known_count = 0;
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		if (!isnan(numbers[i])) {
			known[known_count++] = numbers[i];
			sum += numbers[i];
		}
	if (known_count == 0)
		return;
	memcpy(sorted, known, known_count * sizeof *sorted);
	qsort(sorted, known_count, sizeof *sorted, array_by_double);
	run_set(run, metric, median_of_sorted(sorted, known_count), provenance);
	if (known_count == 1)
		return;
	double mean = sum / (double)known_count;
	run_add_spread(
		arena, run,
		(struct run_spread){
			.metric = metric,
			.count = (double)known_count,
			.minimum = sorted[0],
			.median = median_of_sorted(sorted, known_count),
			.mean = mean,
			.maximum = sorted[known_count - 1],
			.deviation = deviation_of(known, known_count, mean),
			.numbers = known,
			.number_count = known_count < SPREAD_NUMBERS ? known_count : SPREAD_NUMBERS,
		});
}

struct run_spread run_spread_unknown(enum metric metric)
{
	return (struct run_spread){metric, NAN, NAN, NAN, NAN, NAN, NAN, NULL, 0};
}

static int by_name(const void *param, const void *name)
{
	return strcmp(((const struct run_param *)param)->name, name);
}

/* Index of the parameter, or the index at which it would be inserted. */
static size_t param_index(const struct run *run, const char *name)
{
	return array_lower_bound(name, run->params, run->param_count, sizeof *run->params, by_name);
}

void run_set_param(struct arena *arena, struct run *run, const char *name, const char *value)
{
	size_t at = param_index(run, name);
	if (at == run->param_count || strcmp(run->params[at].name, name) != 0) {
		APPEND(params, param_count, ((struct run_param){name, value}));
		memmove(run->params + at + 1, run->params + at,
			(run->param_count - 1 - at) * sizeof *run->params);
	}
	run->params[at] = (struct run_param){name, value};
}

int run_by_measurement(const struct run *a, const struct run *b)
{
	if (a->ingested_at != b->ingested_at)
		return a->ingested_at < b->ingested_at ? -1 : 1;
	return (a->ingest > b->ingest) - (a->ingest < b->ingest);
}

static int by_measurement(const void *a, const void *b)
{
	return run_by_measurement(*(struct run *const *)a, *(struct run *const *)b);
}

void run_sort_by_measurement(struct run **runs, size_t count)
{
	array_sort(runs, count, sizeof(struct run *), by_measurement);
}

const char *run_attribute(const struct run *run, const char *key)
{
	for (size_t i = 0; i < run->attribute_count; i++)
		if (strcmp(run->attributes[i].key, key) == 0)
			return run->attributes[i].text;
	return NULL;
}

const char *run_param(const struct run *run, const char *name)
{
	size_t at = param_index(run, name);
	bool found = at < run->param_count && strcmp(run->params[at].name, name) == 0;
	return found ? run->params[at].value : NULL;
}

const struct run_engine *run_engine(const struct run *run, const char *name)
{
	for (size_t i = 0; i < run->engine_count; i++)
		if (strcmp(run->engines[i].name, name) == 0)
			return &run->engines[i];
	return NULL;
}

bool run_is_incorrect(const struct run *run)
{
	return span_text_eq(run_attribute(run, "correctness"), "incorrect");
}

const struct run_spread *run_spread(const struct run *run, enum metric metric)
{
	for (size_t i = 0; i < run->spread_count; i++)
		if (run->spreads[i].metric == metric)
			return &run->spreads[i];
	return NULL;
}

/* The first of the metrics that the file gives; METRIC_COUNT if it gives none. */
static enum metric first_given(const struct run *run, const enum metric *metrics, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isnan(run->given[metrics[i]].number))
			return metrics[i];
	return METRIC_COUNT;
}

enum metric run_time_metric(const struct run *run)
{
	static const enum metric bases[] = {METRIC_TOTAL_TIME, METRIC_HOST_TIME};
	return first_given(run, bases, sizeof bases / sizeof *bases);
}

double run_time(const struct run *run)
{
	enum metric metric = run_time_metric(run);
	return metric == METRIC_COUNT ? NAN : run_number(run, metric);
}

enum metric run_headline(const struct run *run)
{
	static const enum metric rates[] = {METRIC_ALGORITHMIC_RATE, METRIC_ALGORITHMIC_BANDWIDTH,
					    METRIC_THROUGHPUT};
	enum metric time = run_time_metric(run);
	return time != METRIC_COUNT ? time : first_given(run, rates, sizeof rates / sizeof *rates);
}

const struct message *run_headline_message(struct arena *arena, const struct run *run)
{
	enum metric metric = run_headline(run);
	if (metric == METRIC_COUNT)
		return message_plain(MESSAGE_UNKNOWN);
	return message_of(arena,
			  metric == METRIC_HOST_TIME ? MESSAGE_HEADLINE_HOST : MESSAGE_HEADLINE,
			  message_quantity(run_number(run, metric), metric_info(metric)->unit));
}

const char *run_params_text(struct arena *arena, const struct run *run)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < run->param_count; i++)
		strbuf_addf(&sb, "%s%s=%s", i ? ", " : "", run->params[i].name,
			    run->params[i].value);
	return strbuf_into(&sb, arena);
}

/* A field of a canonical text: its length prevents ambiguity with its neighbours, whatever they
 * contain. */
static void add_field(struct strbuf *sb, const char *text)
{
	char digits[24];
	size_t at = sizeof digits, len = text ? strlen(text) : 0, rest = len;
	if (!text) {
		strbuf_add(sb, "-,", 2);
		return;
	}
	digits[--at] = ':';
	do
		digits[--at] = (char)('0' + rest % 10);
	while (rest /= 10);
	strbuf_add(sb, digits + at, sizeof digits - at);
	strbuf_add(sb, text, len);
	strbuf_addch(sb, ',');
}

/* The eight bytes of the number, lowest first; all NANs are equal, and so are both zeros. */
static void add_double(struct strbuf *sb, double number)
{
	uint64_t bits = UINT64_MAX;
	char bytes[8];
	if (!isnan(number)) {
		number = number == 0 ? 0 : number;
		memcpy(&bits, &number, sizeof bits);
	}
	for (int i = 0; i < 8; i++)
		bytes[i] = (char)(bits >> (8 * i));
	strbuf_add(sb, bytes, sizeof bytes);
}

/* Whether the tally at `at` is about the one at `index`. */
static bool is_about(const struct run *run, size_t at, size_t index)
{
	if (at <= index || at >= run->tally_count)
		return false;
	enum tally_kind kind = run->tallies[at].kind;
	return kind == TALLY_FIGURE || kind == TALLY_TEXT;
}

bool run_is_sampled(const struct run *run)
{
	for (size_t i = 0; i < run->tally_count; i++) {
		const struct run_tally *tally = &run->tallies[i];
		if ((tally->kind == TALLY_OPCODE || tally->kind == TALLY_SOURCE) &&
		    !isnan(tally->seconds))
			return false;
		if (tally->kind == TALLY_FIGURE)
			return true;
	}
	return false;
}

double run_tally_figure(const struct run *run, size_t index, const char *name)
{
	for (size_t i = index + 1; is_about(run, i, index); i++)
		if (run->tallies[i].kind == TALLY_FIGURE &&
		    span_text_eq(run->tallies[i].name, name))
			return run->tallies[i].count;
	return NAN;
}

const char *run_tally_stall(const struct run *run, size_t index, double *samples)
{
	static const char prefix[] = "stall_";
	const char *found = NULL;
	*samples = 0;
	for (size_t i = index + 1; is_about(run, i, index); i++) {
		const struct run_tally *tally = &run->tallies[i];
		if (tally->kind == TALLY_FIGURE && span_starts(span_of(tally->name), prefix) &&
		    tally->count > *samples) {
			*samples = tally->count;
			found = tally->name + strlen(prefix);
		}
	}
	return found;
}

const char *run_tally_text(const struct run *run, size_t index)
{
	for (size_t i = index + 1; is_about(run, i, index); i++)
		if (run->tallies[i].kind == TALLY_TEXT)
			return run->tallies[i].name;
	return "";
}

static void add_tallies(struct strbuf *sb, const struct run *run)
{
	for (size_t i = 0; i + run->joined_tallies < run->tally_count; i++) {
		const struct run_tally *tally = &run->tallies[i];
		strbuf_addf(sb, "tally %d ", (int)tally->kind);
		add_field(sb, tally->name);
		add_double(sb, tally->count);
		add_double(sb, tally->seconds);
		add_double(sb, tally->bytes);
		add_double(sb, tally->flops);
	}
}

static void add_spreads(struct strbuf *sb, const struct run *run)
{
	for (size_t i = 0; i < run->spread_count; i++) {
		const struct run_spread *spread = &run->spreads[i];
		const double figures[] = {spread->count, spread->minimum, spread->median,
					  spread->mean,  spread->maximum, spread->deviation};
		if (run->joined[spread->metric])
			continue;
		strbuf_addstr(sb, "spread ");
		add_field(sb, metric_info(spread->metric)->key);
		for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
			add_double(sb, figures[k]);
		for (size_t k = 0; k < spread->number_count; k++)
			add_double(sb, spread->numbers[k]);
	}
}

static void add_content(struct strbuf *sb, const struct run *run)
{
	for (size_t i = 0; i < METRIC_COUNT; i++)
		if (!isnan(run->given[i].number) && !run->joined[i]) {
			add_field(sb, metric_info((enum metric)i)->key);
			add_double(sb, run->given[i].number);
		}
	for (size_t i = 0; i < run->engine_count; i++) {
		add_field(sb, run->engines[i].name);
		add_double(sb, run->engines[i].active_time);
	}
	add_tallies(sb, run);
	add_spreads(sb, run);
	for (size_t i = 0; i < run->throttle_count; i++) {
		add_double(sb, run->throttles[i].start);
		add_double(sb, run->throttles[i].duration);
		add_double(sb, run->throttles[i].limit);
	}
	add_field(sb, run->joined_hash ? NULL : run->kernel_hash);
	for (size_t i = 0; i + run->joined_attributes < run->attribute_count; i++) {
		add_field(sb, run->attributes[i].key);
		add_field(sb, run->attributes[i].text);
	}
}

static void add_identity(struct strbuf *sb, const struct run *run)
{
	add_field(sb, run->kernel);
	add_field(sb, run->variant);
	for (size_t i = 0; i < run->param_count; i++) {
		add_field(sb, run->params[i].name);
		add_field(sb, run->params[i].value);
	}
	add_field(sb, run->dtype);
	add_field(sb, run->device);
	add_field(sb, run->instance_type);
	strbuf_addf(sb, "%d,", run->cores);
	add_field(sb, run->tool);
}

/* The id is the hash of the content followed by the identity. */
static void finish_id(struct sha256 *hash, const struct run *run, char id[65])
{
	struct strbuf sb = {0};
	add_identity(&sb, run);
	add_field(&sb, run->node);
	add_field(&sb, run->commit);
	strbuf_addf(&sb, "%d", run->dirty);
	sha256_add(hash, sb.buf, sb.len);
	sha256_hex(hash, id);
	strbuf_free(&sb);
}

void run_hashes(const struct run *run, char content[65], char id[65])
{
	struct strbuf sb = {0};
	struct sha256 hash;
	add_content(&sb, run);
	sha256_init(&hash);
	sha256_add(&hash, sb.buf, sb.len);
	strbuf_free(&sb);
	if (id) {
		struct sha256 begun = hash;
		finish_id(&begun, run, id);
	}
	if (content)
		sha256_hex(&hash, content);
}

void run_hash(const struct run *run, bool with_identity, char hex[65])
{
	run_hashes(run, with_identity ? NULL : hex, with_identity ? hex : NULL);
}

bool run_flops_agree(double a, double b)
{
	static const double wander = 0.01;
	return !(fabs(a - b) > wander * fmax(a, b));
}

/* A part of a series key. Separators in it are written as %XX, so that no two identities share a
 * key. */
static void add_key_part(struct strbuf *sb, const char *text)
{
	for (const char *c = text ? text : "?"; *c; c++)
		if (strchr("/%,=", *c) || (unsigned char)*c < 0x20)
			strbuf_addf(sb, "%%%02X", (unsigned)(unsigned char)*c);
		else
			strbuf_addch(sb, *c);
}

const char *run_series_key(struct arena *arena, const struct run *run)
{
	struct strbuf sb = {0};
	add_key_part(&sb, run->kernel);
	strbuf_addch(&sb, '/');
	add_key_part(&sb, run->variant);
	strbuf_addch(&sb, '/');
	for (size_t i = 0; i < run->param_count; i++) {
		strbuf_addstr(&sb, i ? "," : "");
		add_key_part(&sb, run->params[i].name);
		strbuf_addch(&sb, '=');
		add_key_part(&sb, run->params[i].value);
	}
	const char *const rest[] = {run->dtype, run->device, run->instance_type, run->tool};
	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
		strbuf_addch(&sb, '/');
		add_key_part(&sb, rest[i]);
	}
	strbuf_addf(&sb, "/%d", run->cores);
	return strbuf_into(&sb, arena);
}
