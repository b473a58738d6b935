/* Common to all variants of blocks.h: the choice of a variant, and names. */
#include "ingest/json/simd/blocks.h"

#include <stdatomic.h>

#include "base/system/system.h"

/* --- the choice --- */

static bool always(void)
{
	return true;
}

#if defined __x86_64__
static bool has_avx512(void)
{
	return cpu_has(PROCESSOR_AVX512);
}

static bool has_avx2(void)
{
	return cpu_has(PROCESSOR_AVX2);
}
#endif

static enum json_blocks_stop leave_all(struct json_blocks *job)
{
	job->looked_at = job->end;
	return JSON_BLOCKS_LEFT;
}

const struct json_blocks_variant json_blocks_variants[] = {
#if defined __x86_64__
	{"avx512", json_blocks_avx512, has_avx512},
	{"avx2", json_blocks_avx2, has_avx2},
#elif defined __aarch64__
	{"neon", json_blocks_neon, always},
#endif
	{"words", json_blocks_words, always},
	{"none", leave_all, always},
	{NULL, NULL, NULL},
};

static _Atomic(const struct json_blocks_variant *) in_use;

const struct json_blocks_variant *json_blocks_variant(void)
{
	const struct json_blocks_variant *variant = atomic_load(&in_use);
	if (variant)
		return variant;
	for (variant = json_blocks_variants; !variant->supported();)
		variant++;
	atomic_store(&in_use, variant);
	return variant;
}

bool json_blocks_use(const char *name)
{
	for (const struct json_blocks_variant *v = json_blocks_variants; v->name; v++)
		if (strcmp(name, v->name) == 0 && v->supported()) {
			atomic_store(&in_use, v);
			return true;
		}
	return false;
}

enum json_blocks_stop json_blocks_run(struct json_blocks *job)
{
	job->consumed = job->looked_at = job->at;
	return json_blocks_variant()->run(job);
}

/* --- names --- */

/* Precomputes the last bytes of a quoted name, right before a colon, as words. */
static void init_name(struct json_document_name *name, struct span text)
{
	char bytes[24] = "", mask[24] = "";
	name->text = text;
	name->quoted = text.len + 2;
	for (size_t k = 0; k < name->quoted && k < sizeof bytes; k++) {
		bool quote = k == 0 || k == name->quoted - 1;
		bytes[23 - k] = quote ? '"' : text.ptr[text.len - k];
		mask[23 - k] = '\xff';
	}
	for (size_t k = 0; k < 3; k++) {
		name->word[k] = word_at(bytes + 16 - 8 * k);
		name->mask[k] = word_at(mask + 16 - 8 * k);
	}
}

static void add_class(struct json_name_ends *ends, const struct json_document_name *name, int index)
{
	/* In a name of one letter the character before it is the quote. */
	char text[2] = {'"', name->text.ptr[name->text.len - 1]};
	if (name->text.len > 1)
		text[0] = name->text.ptr[name->text.len - 2];
	unsigned char class = (unsigned char)(1u << index % 8);
	ends->last[text[1] & 15] |= class;
	ends->before[text[0] & 15] |= class;
}

/* Whether all bytes are ASCII; the classes of json_name_ends are not defined for others. */
static bool is_plain(struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] >= 0x80)
			return false;
	return text.len > 0;
}

static bool fill_slots(struct json_names *names)
{
	memset(names->slots, 0, sizeof names->slots);
	for (int i = 1; i <= names->count; i++) {
		uint64_t hash = (names->names[i].word[0] & names->tail) * names->factor;
		unsigned char *slot = &names->slots[hash >> (64 - json_slot_bits)];
		if (*slot)
			return false;
		*slot = (unsigned char)i;
	}
	return true;
}

bool json_blocks_names_init(struct json_names *names, const struct span *texts, int count)
{
	if (count > json_names_limit)
		return false;
	memset(names, 0, sizeof *names);
	names->count = count;
	names->tail = ~(uint64_t)0;
	for (int i = 1; i <= count; i++) {
		if (!is_plain(texts[i - 1]))
			return false;
		init_name(&names->names[i], texts[i - 1]);
		add_class(&names->ends, &names->names[i], i);
		names->tail &= names->names[i].mask[0];
	}
	names->names[0].mask[0] = ~(uint64_t)0;
	uint64_t random = 1;
	for (int tries = 0; tries < 10000; tries++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		names->factor = random | 1;
		if (fill_slots(names))
			return true;
	}
	return false;
}

static bool is_name(const struct json_document_name *name, const char *colon)
{
	uint64_t other = 0;
	for (int k = 0; k < 3; k++)
		other |= (word_at(colon - 8 * (k + 1)) ^ name->word[k]) & name->mask[k];
	if (name->quoted <= 24)
		return !other;
	return !other && colon[-(ptrdiff_t)name->quoted] == '"' &&
	       memcmp(colon - name->text.len - 1, name->text.ptr, name->text.len) == 0;
}

static bool is_between(char c)
{
	return c == ',' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

const struct json_colon *json_blocks_record(struct json_blocks *job, const char *end,
					    const struct json_colon *colon)
{
	const struct json_names *names = job->names;
	const char *values[json_names_limit + 1], *begin = job->consumed;
	const uint32_t limit = (uint32_t)(end - job->at);
	int found = 0, distinct = 0;
	while (begin < end && is_between(*begin))
		begin++;
	if (begin == end || *begin != '{' || end - begin > json_record_limit)
		return NULL;
	for (int i = 0; i <= names->count; i++)
		values[i] = NULL;
	for (; colon->at < limit; colon++) {
		const char *at = job->at + colon->at;
		unsigned name = is_name(&names->names[colon->name], at) ? colon->name : 0;
		values[name] = at + 1;
		found += name != 0;
	}
	for (int i = 1; i <= names->count; i++)
		distinct += values[i] != NULL;
	if (found != distinct || !job->record(job->context, begin, end, values + 1))
		return NULL;
	job->consumed = end;
	return colon;
}
