/* Tallies against a list that is searched from its begin, and the hash that they are built on. */
#include "ingest/collect/tally.h"

#include <stdio.h>
#include <string.h>

#include "base/hash/table_hash.h"
#include "tests/unit/random.h"
#include "tests/unit/unit.h"

enum { text_limit = 70 };

/* Names of all lengths over two letters: most have been seen, many differ in one byte. */
static struct span random_name(char *text)
{
	size_t len = random_below(text_limit);
	memset(text, 'a', len);
	if (len && random_below(4))
		text[random_below(len)] = 'b';
	return (struct span){text, len};
}

START_TEST(finds_names_of_all_lengths)
{
	static char seen[5000][text_limit + 1];
	static double counts[5000];
	struct arena arena = {0};
	struct tally tally = {.arena = &arena};
	size_t count = 0;
	for (int i = 0; i < 40000; i++) {
		char text[text_limit];
		struct span name = random_name(text);
		size_t at = 0;
		while (at < count && !span_is(name, seen[at]))
			at++;
		ck_assert((at < count) == (tally_known(&tally, name) != NULL));
		if (at == count)
			memcpy(seen[count++], name.ptr, name.len);
		counts[at]++;
		struct tally_entry *entry = tally_find(&tally, name);
		ck_assert_uint_eq((size_t)(entry - tally.entries), at);
		entry->count++;
	}
	ck_assert_uint_eq(tally.count, count);
	ck_assert_uint_gt(count, 1000);
	for (size_t i = 0; i < count; i++) {
		ck_assert_str_eq(tally.entries[i].name.ptr, seen[i]);
		ck_assert_uint_eq(tally.entries[i].name.len, strlen(seen[i]));
		ck_assert_double_eq(tally.entries[i].count, counts[i]);
	}
	tally_free(&tally);
	arena_free(&arena);
}
END_TEST

/* What is beyond the limit is one entry, and what was known before stays known. */
START_TEST(counts_what_is_too_much_as_other)
{
	struct arena arena = {0};
	struct tally tally = {.arena = &arena};
	char text[32];
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < tally_name_limit + 100; i++) {
			snprintf(text, sizeof text, "file_%d.py:%d", i % 7, i);
			tally_find(&tally, span_of(text))->count++;
		}
	ck_assert(tally.overflowed);
	ck_assert_uint_eq(tally.count, tally_name_limit + 1);
	for (size_t i = 0; i < tally_name_limit; i++)
		ck_assert_double_eq(tally.entries[i].count, 2);
	ck_assert_str_eq(tally.entries[tally_name_limit].name.ptr, "(other)");
	ck_assert_double_eq(tally.entries[tally_name_limit].count, 200);
	tally_free(&tally);
	arena_free(&arena);
}
END_TEST

/* Sixteen bytes with the hash of sixteen 'a': whatever the first eight of those that are mixed in
 * first, there are eight others that make up for it. */
static void make_twin(uint64_t first, char *text)
{
	const uint64_t k1 = 0x9e3779b97f4a7c15u, k2 = 0xc2b2ae3d27d4eb4fu;
	uint64_t seed = 16 * 0xd6e8feb86659fd93u, as = 0x6161616161616161u, inverse = k2;
	for (int i = 0; i < 6; i++)
		inverse *= 2 - k2 * inverse;
	uint64_t sum = (seed ^ as) * k1 + (seed ^ seed >> 29 ^ as) * k2;
	uint64_t second = (sum - (seed ^ first) * k1) * inverse ^ seed ^ seed >> 29;
	const uint32_t parts[] = {(uint32_t)(first >> 32), (uint32_t)second, (uint32_t)first,
				  (uint32_t)(second >> 32)};
	memcpy(text, parts, sizeof parts);
}

START_TEST(tells_names_of_one_hash_apart)
{
	struct arena arena = {0};
	struct tally tally = {.arena = &arena};
	struct span name = span_of("aaaaaaaaaaaaaaaa");
	tally_find(&tally, name);
	for (uint64_t i = 0; i < 20; i++) {
		char text[16];
		make_twin(i * 0x0123456789abcdefu + 1, text);
		struct span twin = {text, sizeof text};
		ck_assert_uint_eq(table_hash_quickly(twin), table_hash_quickly(name));
		ck_assert_ptr_null(tally_known(&tally, twin));
		ck_assert_uint_eq((size_t)(tally_find(&tally, twin) - tally.entries), i + 1);
	}
	tally_free(&tally);
	arena_free(&arena);
}
END_TEST

START_TEST(does_not_search_for_ever)
{
	enum { twins = 1000 };
	struct arena arena = {0};
	struct tally tally = {.arena = &arena};
	double sum = 0;
	for (int round = 0; round < 2; round++)
		for (uint64_t i = 0; i < twins; i++) {
			char text[16];
			make_twin(i * 0x0123456789abcdefu + 1, text);
			tally_find(&tally, (struct span){text, sizeof text})->count++;
		}
	ck_assert(tally.overflowed);
	ck_assert_uint_eq(tally.count, tally_reach_limit + 2);
	for (size_t i = 0; i < tally.count; i++)
		sum += tally.entries[i].count;
	ck_assert(sum == 2 * twins);
	ck_assert(tally_known(&tally, span_of("(other)"))->count ==
		  2 * (twins - tally_reach_limit - 1));
	tally_free(&tally);
	arena_free(&arena);
}
END_TEST

/* --- the hash --- */

/* How many of the names share the lowest bits of their hash with an earlier one: 65536 thrown at
 * random into 131072 places share 13962 on average, with a deviation of some 85. */
static size_t count_shared(const char *before, int width, const char *behind, bool high)
{
	static bool taken[131072];
	size_t shared = 0;
	memset(taken, 0, sizeof taken);
	for (int i = 0; i < 65536; i++) {
		char text[64];
		snprintf(text, sizeof text, "%s%0*d%s", before, width, i, behind);
		uint64_t hash = table_hash_quickly(span_of(text));
		size_t at = (size_t)(high ? hash >> 47 : hash & 131071);
		shared += taken[at];
		taken[at] = true;
	}
	return shared;
}

START_TEST(hashes_spread)
{
	static const struct {
		const char *before;
		int width;
		const char *behind;
	} rows[] = {
		{"", 1, ""},
		{"op", 1, ""},
		{"attention.py:", 1, ""},
		{"", 5, ""},
		{"", 8, ""},
		{"", 16, ""},
		{"", 20, " (same ends)"},
		{"nkilib/core/mlp/mlp_tkg.py:", 1, ""},
		{"a_", 1, "_b"},
		{"", 48, ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int high = 0; high < 2; high++) {
			size_t shared =
				count_shared(rows[i].before, rows[i].width, rows[i].behind, high);
			ck_assert_msg(shared < 14400, "row %zu, %d: %zu", i, high, shared);
		}
}
END_TEST

/* Every bit of a text counts, and its length. */
START_TEST(hashes_tell_bits_apart)
{
	for (size_t len = 0; len <= text_limit; len++) {
		char text[text_limit + 1] = "";
		uint64_t hash = table_hash_quickly((struct span){text, len});
		ck_assert(hash != table_hash_quickly((struct span){text, len + 1}));
		for (size_t bit = 0; bit < 8 * len; bit++) {
			text[bit / 8] ^= (char)(1u << bit % 8);
			ck_assert(hash != table_hash_quickly((struct span){text, len}));
			text[bit / 8] ^= (char)(1u << bit % 8);
		}
	}
}
END_TEST

UNIT_MAIN("tally", finds_names_of_all_lengths, counts_what_is_too_much_as_other,
	  tells_names_of_one_hash_apart, does_not_search_for_ever, hashes_spread,
	  hashes_tell_bits_apart)
