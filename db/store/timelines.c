/*
 * The timelines of a run's engines as one BLOB of the table `timelines`
 * (db/schema/0004_numbers.sql), little-endian. One record per engine that has a timeline: uint16
 * ordinal of the engine, then TIMELINE_BINS float32 from 0 to 1.
 */
#include "base/base.h"
#include "base/text/text.h"
#include "db/store/internal.h"

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

void store_timeline_set(struct run_engine *engine, const float timeline[TIMELINE_BINS])
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
	store_timeline_set(&run->engines[ordinal], timeline);
}

static void pack(struct strbuf *sb, const struct run *run)
{
	for (size_t i = 0; i < run->engine_count && i <= UINT16_MAX; i++)
		if (run->engines[i].has_timeline)
			add_record(sb, i, run->engines[i].timeline);
}

void store_timelines_seal(const struct run *run, struct run_seals *seals)
{
	struct strbuf sb = {0};
	pack(&sb, run);
	if (sb.len) {
		seal_add_integer(&seals->parts[SEAL_REST], SEAL_TAG_TIMELINES);
		seal_add_bytes(&seals->parts[SEAL_REST], false, sb.buf, sb.len);
	}
	strbuf_free(&sb);
}

int store_timelines_write(struct store *store, const struct run *run, int64_t row,
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

int store_timelines_read(struct store *store, const struct run_rows *rows, struct error *err)
{
	const struct run_rows timelines = store_run_rows_for(rows, SEAL_REST, SEAL_TAG_TIMELINES);
	return store_run_rows_read(store, &timelines, "detail/timelines", read_timelines, NULL,
				   err);
}
