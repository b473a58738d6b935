/* Totals by name in a hash table, intervals joined while they come in order and sorted otherwise.
 */
#include "bench/peers/json/answer.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { parts = 256, kept = 50, slot_count = 16384, line_limit = 8192 };

struct total {
	char *name;
	size_t length;
	uint64_t count, time, bytes;
};

struct totals {
	struct total *items;
	size_t count, room;
	uint32_t slots[slot_count]; /* 1 + index, 0 free */
};

struct interval {
	uint64_t start, end;
};

struct engine {
	char name[64];
	struct interval *items;
	size_t count, room;
	bool unsorted;
};

static struct totals opcodes, sources, queues;
static struct engine engines[16];
static size_t engine_count;
static double total_time;

static void *grow(void *items, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return items;
	*room = *room ? *room * 2 : 64;
	items = realloc(items, *room * size);
	if (!items)
		abort();
	return items;
}

/* --- names --- */

static bool is(struct text text, const char *name)
{
	return strlen(name) == text.length && memcmp(name, text.start, text.length) == 0;
}

enum section section_of(const char *name, size_t length)
{
	static const char *const names[] = {"", "summary", "instruction", "dma", "active_time"};
	for (int i = SECTION_SUMMARY; i <= SECTION_ACTIVE; i++)
		if (is((struct text){name, length}, names[i]))
			return (enum section)i;
	return SECTION_NONE;
}

enum member member_of(enum section section, const char *name, size_t length)
{
	static const struct {
		const char *name;
		enum member member;
	} known[][5] = {
		[SECTION_NONE] = {{NULL, MEMBER_NONE}},
		[SECTION_SUMMARY] = {{"total_time", MEMBER_TOTAL}},
		[SECTION_INSTRUCTION] = {{"opcode", MEMBER_NAME},
					 {"duration", MEMBER_DURATION},
					 {"nki_source_location", MEMBER_SOURCE}},
		[SECTION_DMA] = {{"timestamp", MEMBER_START},
				 {"duration", MEMBER_DURATION},
				 {"queue_type", MEMBER_NAME},
				 {"transfer_size", MEMBER_BYTES}},
		[SECTION_ACTIVE] = {{"engine", MEMBER_NAME},
				    {"start_ts", MEMBER_START},
				    {"end_ts", MEMBER_END}},
	};
	for (size_t i = 0; known[section][i].name; i++)
		if (is((struct text){name, length}, known[section][i].name))
			return known[section][i].member;
	return MEMBER_NONE;
}

/* --- totals --- */

static struct total *total_of(struct totals *totals, struct text name)
{
	uint64_t hash = 14695981039346656037u;
	for (size_t i = 0; i < name.length; i++)
		hash = (hash ^ (unsigned char)name.start[i]) * 1099511628211u;
	size_t slot = hash % slot_count;
	for (; totals->slots[slot]; slot = (slot + 1) % slot_count) {
		struct total *total = &totals->items[totals->slots[slot] - 1];
		if (total->length == name.length &&
		    memcmp(total->name, name.start, name.length) == 0)
			return total;
	}
	if (totals->count == slot_count / 2)
		abort();
	totals->items = (struct total *)grow(totals->items, totals->count, &totals->room,
					     sizeof *totals->items);
	struct total *total = &totals->items[totals->count++];
	*total = (struct total){strndup(name.start, name.length), name.length, 0, 0, 0};
	totals->slots[slot] = (uint32_t)totals->count;
	return total;
}

static void add_total(struct totals *totals, struct text name, const struct record *record)
{
	struct total *total = total_of(totals, name);
	total->count++;
	total->time += record->duration;
	total->bytes += record->bytes;
}

/* --- intervals --- */

static struct engine *engine_of(struct text name)
{
	for (size_t i = 0; i < engine_count; i++)
		if (is(name, engines[i].name))
			return &engines[i];
	if (engine_count == sizeof engines / sizeof *engines || name.length >= sizeof engines->name)
		abort();
	memcpy(engines[engine_count].name, name.start, name.length);
	return &engines[engine_count++];
}

static void add_interval(struct text name, uint64_t start, uint64_t end)
{
	struct engine *engine = engine_of(name);
	struct interval *last = engine->count ? &engine->items[engine->count - 1] : NULL;
	if (last && start >= last->start && start <= last->end) {
		last->end = end > last->end ? end : last->end;
		return;
	}
	if (last && start < last->start)
		engine->unsorted = true;
	engine->items = (struct interval *)grow(engine->items, engine->count, &engine->room,
						sizeof *engine->items);
	engine->items[engine->count++] = (struct interval){start, end};
}

static int by_start(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;
	return (x->start > y->start) - (x->start < y->start);
}

static void make_disjoint(struct engine *engine)
{
	size_t last = 0;
	if (!engine->unsorted)
		return;
	qsort(engine->items, engine->count, sizeof *engine->items, by_start);
	for (size_t i = 1; i < engine->count; i++) {
		if (engine->items[i].start > engine->items[last].end)
			engine->items[++last] = engine->items[i];
		else if (engine->items[i].end > engine->items[last].end)
			engine->items[last].end = engine->items[i].end;
	}
	engine->count = last + 1;
}

void add_record(enum section section, const struct record *record)
{
	static const struct text dma = {"dma", 3};
	switch (section) {
	case SECTION_SUMMARY:
		total_time = record->total_time;
		break;
	case SECTION_INSTRUCTION:
		add_total(&opcodes, record->name, record);
		if (record->source.length)
			add_total(&sources, record->source, record);
		break;
	case SECTION_DMA:
		add_interval(dma, record->start, record->start + record->duration);
		add_total(&queues, record->name, record);
		break;
	case SECTION_ACTIVE:
		add_interval(record->name, record->start, record->end);
		break;
	case SECTION_NONE:
		break;
	}
}

/* --- the answer: lines, sorted --- */

static char **lines;
static size_t line_count, line_room;

static void add_line(const char *text)
{
	lines = (char **)grow(lines, line_count, &line_room, sizeof *lines);
	lines[line_count++] = strdup(text);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int by_time(const void *a, const void *b)
{
	const struct total *x = a, *y = b;
	return x->time != y->time ? (x->time < y->time ? 1 : -1) : strcmp(x->name, y->name);
}

static void tell_longest(const char *kind, struct totals *totals)
{
	char line[line_limit];
	size_t shown = totals->count <= kept + 1 ? totals->count : kept;
	struct total rest = {0};
	if (totals->count)
		qsort(totals->items, totals->count, sizeof *totals->items, by_time);
	for (size_t i = 0; i < totals->count; i++) {
		const struct total *total = &totals->items[i];
		if (i >= shown) {
			rest.count += total->count;
			rest.time += total->time;
			continue;
		}
		snprintf(line, sizeof line, "%s %s %" PRIu64 " %" PRIu64, kind, total->name,
			 total->count, total->time);
		add_line(line);
	}
	snprintf(line, sizeof line, "%s (rest) %" PRIu64 " %" PRIu64, kind, rest.count, rest.time);
	if (rest.count)
		add_line(line);
}

static void tell_queues(void)
{
	char line[line_limit];
	for (size_t i = 0; i < queues.count; i++) {
		const struct total *total = &queues.items[i];
		snprintf(line, sizeof line, "queue %s %" PRIu64 " %" PRIu64 " %" PRIu64,
			 total->name, total->count, total->time, total->bytes);
		add_line(line);
	}
}

static void tell_timeline(const struct engine *engine)
{
	char line[line_limit];
	double busy[parts] = {0}, width = total_time * 1e9 / parts;
	for (size_t i = 0; i < engine->count; i++) {
		double start = (double)engine->items[i].start, end = (double)engine->items[i].end;
		for (size_t part = (size_t)(start / width); part < parts && start < end; part++) {
			double edge = (double)(part + 1) * width, to = edge < end ? edge : end;
			busy[part] += to - start;
			start = to;
		}
	}
	int length = snprintf(line, sizeof line, "timeline %s", engine->name);
	for (size_t i = 0; i < parts; i++)
		length += snprintf(line + length, sizeof line - (size_t)length, " %ld",
				   lround(busy[i] / width * 10000));
	add_line(line);
}

int print_answer(void)
{
	char line[line_limit];
	tell_longest("opcode", &opcodes);
	tell_longest("source", &sources);
	tell_queues();
	for (size_t i = 0; i < engine_count; i++) {
		struct engine *engine = &engines[i];
		uint64_t active = 0;
		make_disjoint(engine);
		for (size_t j = 0; j < engine->count; j++)
			active += engine->items[j].end - engine->items[j].start;
		snprintf(line, sizeof line, "engine %s %" PRIu64, engine->name, active);
		add_line(line);
		tell_timeline(engine);
	}
	if (line_count)
		qsort(lines, line_count, sizeof *lines, by_text);
	for (size_t i = 0; i < line_count; i++)
		puts(lines[i]);
	return fflush(stdout) == 0 ? 0 : 1;
}
