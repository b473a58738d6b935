/*
 * The lists of a run. Each is one row of the table `details`:
 *   - the statement that adds an item, and the one that reads the items of a range of runs;
 *   - the offset of the list's length in struct run;
 *   - a function that binds an item to the parameters after run and ordinal;
 *   - a function that appends an item from the columns after the run.
 */

#include "db/store/store.h"
#include "db/store/internal.h"

/* --- rows that belong to many runs --- */

static int by_row(const void *a, const void *b)
{
	int64_t left = ((const struct run_row *)a)->run->row;
	int64_t right = ((const struct run_row *)b)->run->row;
	return (left > right) - (left < right);
}

struct run_rows store_run_rows_of(struct arena *arena, const struct run_list *list,
				  struct run_seals *seals)
{
	struct run_rows rows = {.items = arena_array(arena, list->count, sizeof *rows.items),
				.count = list->count};
	for (size_t i = 0; i < rows.count; i++)
		rows.items[i] = (struct run_row){list->items[i], seals ? &seals[i] : NULL};
	array_sort(rows.items, rows.count, sizeof *rows.items, by_row);
	return rows;
}

struct run_rows store_run_rows_for(const struct run_rows *rows, enum seal_part part, int tag)
{
	struct run_rows others = *rows;
	others.part = part;
	others.tag = tag;
	return others;
}

/* The end of the range of consecutive rowids that begins at index `first`. */
static size_t range_end(const struct run_rows *rows, size_t first)
{
	size_t end = first + 1;
	assert(first < rows->count);
	while (end < rows->count &&
	       (rows->items[end].run->row == rows->items[end - 1].run->row ||
		rows->items[end].run->row - 1 == rows->items[end - 1].run->row))
		end++;
	return end;
}

static void begin_seal(const struct run_rows *rows, const struct run_row *row, struct query *query)
{
	query->seal = row->seals ? &row->seals->parts[rows->part] : NULL;
	if (query->seal)
		seal_add_integer(query->seal, rows->tag);
}

int store_run_rows_read(struct store *store, const struct run_rows *rows, const char *statement,
			run_rows_take *take, void *context, struct error *err)
{
	for (size_t at = 0, end; at < rows->count; at = end) {
		struct query query = query_start(store->sql, statement);
		end = range_end(rows, at);
		assert(end > at);
		query_bind_integer(&query, rows->items[at].run->row);
		query_bind_integer(&query, rows->items[end - 1].run->row);
		while (query_next(&query)) {
			int64_t row = query_integer(&query);
			int columns = query.at;
			while (at < end && rows->items[at].run->row < row)
				at++;
			/* The list may contain a run more than once. */
			for (size_t i = at; i < end && rows->items[i].run->row == row; i++) {
				query.at = columns;
				begin_seal(rows, &rows->items[i], &query);
				if (take(&query, rows->items[i].run, context, err) < 0)
					return query_abandon(&query);
			}
			query.seal = NULL;
		}
		if (query_finish(&query, err) < 0)
			return -1;
	}
	return 0;
}

/* --- lists --- */

_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "stored as float32 and float64");

struct detail {
	const char *add;
	const char *read;
	size_t count; /* offset in struct run of the list's length, a size_t */
	bool fact;    /* a short list that verdicts need; see run_query.facts */
	void (*bind)(struct query *query, const struct run *run, size_t index);
	void (*append)(struct query *query, struct arena *arena, struct run *run);
};

/* The store is little-endian: reverses the bytes of each item on a big-endian machine. */
static void swap_items(unsigned char *bytes, size_t len, size_t item)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	for (size_t at = 0; at + item <= len; at += item)
		for (size_t i = 0; i < item / 2; i++) {
			unsigned char byte = bytes[at + i];
			bytes[at + i] = bytes[at + item - 1 - i];
			bytes[at + item - 1 - i] = byte;
		}
#else
	(void)bytes, (void)len, (void)item;
#endif
}

/* --- timelines of engines: one BLOB of the table `timelines` (db/schema/0004_numbers.sql),
 * little-endian, with one record per engine that has one: uint16 ordinal of the engine, then
 * TIMELINE_BINS float32 from 0 to 1 --- */

enum { NUMBER_BYTES = 4, RECORD_BYTES = 2 + TIMELINE_BINS * NUMBER_BYTES };

static void add_record(struct strbuf *sb, size_t ordinal, const float timeline[TIMELINE_BINS])
{
	unsigned char bytes[RECORD_BYTES] = {(unsigned char)ordinal, (unsigned char)(ordinal >> 8)};
	assert(ordinal <= UINT16_MAX);
	for (size_t i = 0; i < TIMELINE_BINS; i++) {
		uint32_t bits;
		memcpy(&bits, &timeline[i], sizeof bits);
		half_word_put(bytes + 2 + i * NUMBER_BYTES, bits);
	}
	strbuf_add(sb, bytes, sizeof bytes);
}

static void set_timeline(struct run_engine *engine, const float timeline[TIMELINE_BINS])
{
	bool whole = true;
	/* Comparisons with NAN are false, so a NAN is rejected, too. */
	for (size_t i = 0; i < TIMELINE_BINS; i++)
		whole = whole && timeline[i] >= 0 && timeline[i] <= 1;
	if (!whole)
		return;
	memcpy(engine->timeline, timeline, sizeof engine->timeline);
	engine->has_timeline = true;
}

static void read_record(const unsigned char bytes[RECORD_BYTES], struct run *run)
{
	size_t ordinal = (size_t)(bytes[0] | bytes[1] << 8);
	if (ordinal >= run->engine_count)
		return;
	float timeline[TIMELINE_BINS];
	for (size_t i = 0; i < TIMELINE_BINS; i++) {
		uint32_t bits = half_word_at(bytes + 2 + i * NUMBER_BYTES);
		memcpy(&timeline[i], &bits, sizeof bits);
	}
	set_timeline(&run->engines[ordinal], timeline);
}

static void pack(struct strbuf *sb, const struct run *run)
{
	for (size_t i = 0; i < run->engine_count && i <= UINT16_MAX; i++)
		if (run->engines[i].has_timeline)
			add_record(sb, i, run->engines[i].timeline);
}

static void seal_timelines(const struct run *run, struct run_seals *seals)
{
	struct strbuf sb = {0};
	pack(&sb, run);
	if (sb.len) {
		seal_add_integer(&seals->parts[SEAL_REST], SEAL_TAG_TIMELINES);
		seal_add_bytes(&seals->parts[SEAL_REST], false, sb.buf, sb.len);
	}
	strbuf_free(&sb);
}

static int write_timelines(struct store *store, const struct run *run, int64_t row,
			   struct error *err)
{
	struct strbuf sb = {0};
	int failed = 0;
	pack(&sb, run);
	if (sb.len) {
		struct query query = query_start(store->sql, "detail/timelines_add");
		query_bind_integer(&query, row);
		query_bind_bytes(&query, sb.buf, sb.len);
		failed = query_execute(&query, err);
	}
	strbuf_free(&sb);
	return failed;
}

static int read_timelines(struct query *query, struct run *run, void *context, struct error *err)
{
	size_t len;
	const unsigned char *bytes = query_bytes(query, &len);
	(void)context, (void)err;
	for (size_t at = 0; at + RECORD_BYTES <= len; at += RECORD_BYTES)
		read_record(bytes + at, run);
	return 0;
}

static int read_all_timelines(struct store *store, const struct run_rows *rows, struct error *err)
{
	const struct run_rows timelines = store_run_rows_for(rows, SEAL_REST, SEAL_TAG_TIMELINES);
	return store_run_rows_read(store, &timelines, "detail/timelines", read_timelines, NULL,
				   err);
}

/* --- lists --- */

static void bind_engine(struct query *query, const struct run *run, size_t index)
{
	const struct run_engine *engine = &run->engines[index];
	query_bind_text(query, engine->name);
	query_bind_number(query, engine->active_time);
	query_bind_bytes(query, NULL, 0); /* the timeline: see above */
}

static void append_engine(struct query *query, struct arena *arena, struct run *run)
{
	struct run_engine engine = {0};
	unsigned char bytes[sizeof engine.timeline];
	float timeline[TIMELINE_BINS];
	size_t len;
	engine.name = query_required_text(query, arena);
	engine.active_time = query_number(query);
	const void *blob = query_bytes(query, &len);
	if (len == sizeof bytes) {
		memcpy(bytes, blob, sizeof bytes);
		swap_items(bytes, sizeof bytes, sizeof(float));
		memcpy(timeline, bytes, sizeof bytes);
		set_timeline(&engine, timeline);
	}
	run_add_engine(arena, run, engine);
}

const char *store_tally_word(enum tally_kind kind)
{
	static const char *const tally_kinds[TALLY_LIMIT] = {
		[TALLY_OPCODE] = "opcode",       [TALLY_SOURCE] = "source",
		[TALLY_DMA_QUEUE] = "dma_queue", [TALLY_MEMORY] = "memory",
		[TALLY_KERNEL] = "kernel",       [TALLY_TUNING] = "tuning",
		[TALLY_FIGURE] = "figure",       [TALLY_TEXT] = "text",
	};
	return tally_kinds[kind];
}

static void bind_tally(struct query *query, const struct run *run, size_t index)
{
	const struct run_tally *tally = &run->tallies[index];
	assert(tally->kind < TALLY_LIMIT);
	query_bind_text(query, store_tally_word(tally->kind));
	query_bind_text(query, tally->name);
	query_bind_number(query, tally->count);
	query_bind_number(query, tally->seconds);
	query_bind_number(query, tally->bytes);
	query_bind_number(query, tally->flops);
}

/* Ignores a kind that this program does not know. */
static void append_tally(struct query *query, struct arena *arena, struct run *run)
{
	struct run_tally tally = {.kind = 0};
	const char *kind = query_required_text(query, arena);
	while (tally.kind < TALLY_LIMIT && strcmp(store_tally_word(tally.kind), kind) != 0)
		tally.kind++;
	tally.name = query_required_text(query, arena);
	tally.count = query_number(query);
	tally.seconds = query_number(query);
	tally.bytes = query_number(query);
	tally.flops = query_number(query);
	if (tally.kind < TALLY_LIMIT)
		run_add_tally(arena, run, tally);
}

static void bind_throttle(struct query *query, const struct run *run, size_t index)
{
	const struct run_throttle *throttle = &run->throttles[index];
	query_bind_integer(query, throttle->core);
	query_bind_text(query, throttle->type);
	query_bind_number(query, throttle->start);
	query_bind_number(query, throttle->duration);
	query_bind_number(query, throttle->limit);
}

static void append_throttle(struct query *query, struct arena *arena, struct run *run)
{
	struct run_throttle throttle;
	throttle.core = (int)query_integer_within(query, INT32_MIN, INT32_MAX);
	throttle.type = query_text(query, arena);
	throttle.start = query_number(query);
	throttle.duration = query_number(query);
	throttle.limit = query_number(query);
	run_add_throttle(arena, run, throttle);
}

static void bind_core(struct query *query, const struct run *run, size_t index)
{
	const struct run_core *core = &run->core_work[index];
	query_bind_text(query, core->name);
	query_bind_number(query, core->cycles);
	query_bind_number(query, core->instructions);
	query_bind_number(query, core->flops);
	query_bind_number(query, core->tensor_active_time);
}

static void append_core(struct query *query, struct arena *arena, struct run *run)
{
	struct run_core core;
	core.name = query_text(query, arena);
	core.cycles = query_number(query);
	core.instructions = query_number(query);
	core.flops = query_number(query);
	core.tensor_active_time = query_number(query);
	run_add_core(arena, run, core);
}

static void bind_tensor(struct query *query, const struct run *run, size_t index)
{
	const struct run_tensor *tensor = &run->tensors[index];
	query_bind_text(query, tensor->name);
	query_bind_text(query, tensor->role);
	query_bind_text(query, tensor->shape);
	query_bind_number(query, tensor->bytes);
}

static void append_tensor(struct query *query, struct arena *arena, struct run *run)
{
	struct run_tensor tensor;
	tensor.name = query_text(query, arena);
	tensor.role = query_text(query, arena);
	tensor.shape = query_text(query, arena);
	tensor.bytes = query_number(query);
	run_add_tensor(arena, run, tensor);
}

static void bind_attribute(struct query *query, const struct run *run, size_t index)
{
	query_bind_text(query, run->attributes[index].key);
	query_bind_text(query, run->attributes[index].text);
}

static void append_attribute(struct query *query, struct arena *arena, struct run *run)
{
	const char *key = query_required_text(query, arena);
	run_add_attribute(arena, run, key, query_text(query, arena));
}

static void bind_note(struct query *query, const struct run *run, size_t index)
{
	query_bind_text(query, run->notes[index].category);
	query_bind_text(query, run->notes[index].message);
}

static void append_note(struct query *query, struct arena *arena, struct run *run)
{
	const char *category = query_required_text(query, arena);
	run_add_note(arena, run, category, query_required_text(query, arena));
}

static void bind_spread(struct query *query, const struct run *run, size_t index)
{
	const struct run_spread *spread = &run->spreads[index];
	unsigned char bytes[SPREAD_NUMBERS * sizeof(double)];
	size_t len = spread->number_count * sizeof(double);
	assert(spread->number_count <= SPREAD_NUMBERS);
	query_bind_text(query, metric_info(spread->metric)->key);
	query_bind_number(query, spread->count);
	query_bind_number(query, spread->minimum);
	query_bind_number(query, spread->median);
	query_bind_number(query, spread->mean);
	query_bind_number(query, spread->maximum);
	query_bind_number(query, spread->deviation);
	if (len)
		memcpy(bytes, spread->numbers, len);
	swap_items(bytes, len, sizeof(double));
	query_bind_copy(query, len ? bytes : NULL, len);
}

/* Ignores a metric that this program does not know. */
static void append_spread(struct query *query, struct arena *arena, struct run *run)
{
	size_t len;
	const char *key = query_required_text(query, arena);
	struct run_spread spread = {.metric = metric_find(span_of(key))};
	spread.count = query_number(query);
	spread.minimum = query_number(query);
	spread.median = query_number(query);
	spread.mean = query_number(query);
	spread.maximum = query_number(query);
	spread.deviation = query_number(query);
	const void *blob = query_bytes(query, &len);
	spread.number_count = len / sizeof(double);
	if (spread.number_count > SPREAD_NUMBERS)
		spread.number_count = SPREAD_NUMBERS;
	if (spread.number_count) {
		double *numbers = arena_array(arena, spread.number_count, sizeof *numbers);
		memcpy(numbers, blob, spread.number_count * sizeof *numbers);
		swap_items((unsigned char *)numbers, spread.number_count * sizeof *numbers,
			   sizeof *numbers);
		spread.numbers = numbers;
	}
	if (spread.metric != METRIC_COUNT)
		run_add_spread(arena, run, spread);
}

/* The place of a row in the table is part of the seals of runs: append, never reorder. */
#define COUNT_OF(member) offsetof(struct run, member)
static const struct detail details[] = {
	{"detail/engine_add", "detail/engines", COUNT_OF(engine_count), false, bind_engine,
	 append_engine},
	{"detail/tally_add", "detail/tallies", COUNT_OF(tally_count), false, bind_tally,
	 append_tally},
	{"detail/throttle_add", "detail/throttles", COUNT_OF(throttle_count), true, bind_throttle,
	 append_throttle},
	{"detail/core_add", "detail/cores", COUNT_OF(core_count), false, bind_core, append_core},
	{"detail/tensor_add", "detail/tensors", COUNT_OF(tensor_count), false, bind_tensor,
	 append_tensor},
	{"detail/attribute_add", "detail/attributes", COUNT_OF(attribute_count), true,
	 bind_attribute, append_attribute},
	{"detail/note_add", "detail/notes", COUNT_OF(note_count), true, bind_note, append_note},
	{"detail/spread_add", "detail/spreads", COUNT_OF(spread_count), true, bind_spread,
	 append_spread},
};

int store_detail_write(struct store *store, const struct run *run, int64_t row, struct error *err)
{
	for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
		size_t count;
		memcpy(&count, (const char *)run + details[i].count, sizeof count);
		if (count == 0)
			continue;
		struct query query = query_start(store->sql, details[i].add);
		for (size_t ordinal = 0; ordinal < count; ordinal++) {
			query_bind_integer(&query, row);
			query_bind_integer(&query, (int64_t)ordinal);
			details[i].bind(&query, run, ordinal);
			query_run(&query);
		}
		if (query_finish(&query, err) < 0)
			return -1;
	}
	return write_timelines(store, run, row, err);
}

void store_detail_seal(const struct run *run, struct run_seals *seals)
{
	for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
		struct seal *seal = &seals->parts[details[i].fact ? SEAL_FACTS : SEAL_REST];
		size_t count;
		memcpy(&count, (const char *)run + details[i].count, sizeof count);
		for (size_t ordinal = 0; ordinal < count; ordinal++) {
			struct query dry = query_dry(seal);
			seal_add_integer(seal, SEAL_TAG_LISTS + (int64_t)i);
			details[i].bind(&dry, run, ordinal);
		}
	}
	seal_timelines(run, seals);
}

struct appending {
	const struct detail *detail;
	struct arena *arena;
};

static int append(struct query *query, struct run *run, void *context, struct error *err)
{
	const struct appending *appending = context;
	(void)err;
	appending->detail->append(query, appending->arena, run);
	return 0;
}

int store_detail_read(struct store *store, struct arena *arena, enum detail_part part,
		      const struct run_rows *rows, struct error *err)
{
	for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
		struct appending appending = {&details[i], arena};
		const struct run_rows list = store_run_rows_for(
			rows, details[i].fact ? SEAL_FACTS : SEAL_REST, SEAL_TAG_LISTS + (int)i);
		if (part & (details[i].fact ? DETAIL_FACTS : DETAIL_REST) &&
		    store_run_rows_read(store, &list, details[i].read, append, &appending, err) < 0)
			return -1;
	}
	return part & DETAIL_REST ? read_all_timelines(store, rows, err) : 0;
}
