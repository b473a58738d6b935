/* A tally is a hash table of names with open addressing, over a growing list of entries. */
#include "ingest/collect/tally.h"

#include "base/hash/hash.h"

static const char other[] = "(other)";

static uint64_t difference(const char *a, const char *b, size_t size)
{
	uint64_t x = 0, y = 0;
	memcpy(&x, a, size);
	memcpy(&y, b, size);
	return x ^ y;
}

/* Compares two names of this length. Short names are compared as overlapping words: the branches
 * then depend on four classes of lengths only and are well predicted. */
static bool is_same(const char *a, const char *b, size_t len)
{
	size_t half = len >> 3 << 2, last = len - 4;
	if (len > 32 || len < 4)
		return len == 0 || memcmp(a, b, len) == 0;
	if (len > 16)
		return !(difference(a, b, 8) | difference(a + 8, b + 8, 8) |
			 difference(a + len - 16, b + len - 16, 8) |
			 difference(a + len - 8, b + len - 8, 8));
	return !(difference(a, b, 4) | difference(a + half, b + half, 4) |
		 difference(a + last, b + last, 4) |
		 difference(a + last - half, b + last - half, 4));
}

static inline struct tally_entry *known(const struct tally *tally, struct span name, uint64_t hash)
{
	size_t mask = tally->slot_count - 1;
	if (tally->count == 0)
		return NULL;
	for (size_t steps = 0; steps <= tally->reach; steps++) {
		uint32_t index = tally->slots[((size_t)hash + steps) & mask];
		if (!index)
			return NULL;
		struct tally_entry *entry = &tally->entries[index - 1];
		if (entry->hash == hash && entry->name.len == name.len &&
		    is_same(entry->name.ptr, name.ptr, name.len))
			return entry;
	}
	return NULL;
}

static void *resize(void *memory, size_t count, size_t size)
{
	memory = realloc(memory, count * size);
	if (!memory)
		abort();
	return memory;
}

static void put_slot(struct tally *tally, uint64_t hash, size_t index)
{
	size_t mask = tally->slot_count - 1, steps = 0;
	assert((tally->slot_count & mask) == 0 && index < tally->slot_count);
	while (tally->slots[((size_t)hash + steps) & mask])
		steps++;
	tally->slots[((size_t)hash + steps) & mask] = (uint32_t)index + 1;
	if (tally->reach < steps)
		tally->reach = steps;
}

static void grow(struct tally *tally)
{
	tally->capacity = tally->capacity ? tally->capacity * 2 : 64;
	tally->entries = resize(tally->entries, tally->capacity, sizeof *tally->entries);
	tally->slot_count = tally->capacity * 2;
	tally->slots = resize(tally->slots, tally->slot_count, sizeof *tally->slots);
	memset(tally->slots, 0, tally->slot_count * sizeof *tally->slots);
	tally->reach = 0;
	for (size_t i = 0; i < tally->count; i++)
		put_slot(tally, tally->entries[i].hash, i);
}

static struct tally_entry *add(struct tally *tally, struct span name, uint64_t hash)
{
	if (tally->count == tally->capacity)
		grow(tally);
	tally->text_size += name.len + 16;
	put_slot(tally, hash, tally->count);
	struct tally_entry *entry = &tally->entries[tally->count++];
	name.ptr = arena_strndup(tally->arena, name.ptr, name.len);
	*entry = (struct tally_entry){name, hash, .flops = NAN};
	return entry;
}

const struct tally_entry *tally_known(const struct tally *tally, struct span name)
{
	return known(tally, name, table_hash_quickly(name));
}

/* Separate from tally_find() to keep that short enough for inlining. */
__attribute__((noinline)) static struct tally_entry *find_new(struct tally *tally, struct span name,
							      uint64_t hash)
{
	bool full = tally->count >= tally_name_limit ||
		    tally->text_size + name.len > tally_text_limit ||
		    tally->reach >= tally_reach_limit;
	if (!full || span_is(name, other))
		return add(tally, name, hash);
	tally->overflowed = true;
	return tally_find(tally, span_of(other));
}

struct tally_entry *tally_find(struct tally *tally, struct span name)
{
	uint64_t hash = table_hash_quickly(name);
	struct tally_entry *entry = known(tally, name, hash);
	return entry ? entry : find_new(tally, name, hash);
}

static int by_seconds(const void *a, const void *b)
{
	const struct run_tally *x = a, *y = b;
	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? 1 : -1;
	return strcmp(x->name, y->name);
}

static int by_bytes(const void *a, const void *b)
{
	const struct run_tally *x = a, *y = b;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* Sums all entries from tally_listed on as the last one. Unknown FLOP count as 0 unless all of them
 * are unknown. */
static size_t sum_rest(struct run_tally *out, size_t count)
{
	struct run_tally *rest = &out[tally_listed];
	if (count <= tally_listed + 1)
		return count;
	rest->name = "(rest)";
	for (size_t i = tally_listed + 1; i < count; i++) {
		rest->count += out[i].count;
		rest->seconds += out[i].seconds;
		if (!isnan(out[i].flops))
			rest->flops = (isnan(rest->flops) ? 0 : rest->flops) + out[i].flops;
	}
	return tally_listed + 1;
}

size_t tally_write(const struct tally *tally, enum tally_kind kind, double tick,
		   struct run_tally *out)
{
	bool memory = kind == TALLY_MEMORY, bytes = memory || kind == TALLY_DMA_QUEUE;
	for (size_t i = 0; i < tally->count; i++) {
		const struct tally_entry *entry = &tally->entries[i];
		out[i] = (struct run_tally){.kind = kind,
					    .name = entry->name.ptr,
					    .count = memory ? NAN : entry->count,
					    .seconds = memory ? NAN : entry->ticks * tick,
					    .bytes = bytes ? entry->bytes : NAN,
					    .flops = entry->flops};
	}
	array_sort(out, tally->count, sizeof *out, memory ? by_bytes : by_seconds);
	bool long_list = kind == TALLY_OPCODE || kind == TALLY_SOURCE;
	return long_list ? sum_rest(out, tally->count) : tally->count;
}

void tally_free(struct tally *tally)
{
	free(tally->entries);
	free(tally->slots);
	*tally = (struct tally){.arena = tally->arena};
}
