/* What the variants of json_blocks.h share: the choice between them, and names. */
#include "ingest/json_blocks.h"

#include <stdatomic.h>
#include <string.h>

/* --- the choice --- */

static bool always(void)
{
	return true;
}

#if defined __x86_64__
static bool has_avx512(void)
{
	return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("pclmul") &&
	       __builtin_cpu_supports("bmi2");
}

static bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul") &&
	       __builtin_cpu_supports("bmi2");
}

static bool has_sse42(void)
{
	return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul");
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
	{"sse42", json_blocks_sse42, has_sse42},
	{"sse2", json_blocks_sse2, always},
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
	job->taken = job->looked_at = job->at;
	return json_blocks_variant()->run(job);
}

/* --- names --- */

static uint64_t word_at(const char *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
	return word;
}

bool json_names_init(struct json_names *names, const struct span *texts, int count)
{
	memset(names, 0, sizeof *names);
	names->count = count;
	for (int i = 0; i < count; i++) {
		struct json_name *name = &names->names[i];
		char bytes[24] = "", mask[24] = "";
		if (i == json_names_limit || texts[i].len == 0)
			return false;
		name->text = texts[i];
		name->quoted = texts[i].len + 2;
		for (size_t k = 0; k < name->quoted && k < sizeof bytes; k++) {
			bool quote = k == 0 || k == name->quoted - 1;
			bytes[23 - k] = quote ? '"' : texts[i].ptr[texts[i].len - k];
			mask[23 - k] = '\xff';
		}
		for (size_t k = 0; k < 3; k++) {
			name->word[k] = word_at(bytes + 16 - 8 * k);
			name->mask[k] = word_at(mask + 16 - 8 * k);
		}
		/* Of a name of one letter, the quote before it counts as the other one. */
		const char *behind = bytes + sizeof bytes;
		unsigned char *first = &names->first[(unsigned char)(behind[-2] * 31 + behind[-3])];
		name->next = *first;
		*first = (unsigned char)(i + 1);
	}
	return true;
}

static bool is_name(const struct json_name *name, const char *colon)
{
	uint64_t other = 0;
	for (int k = 0; k < 3; k++)
		other |= (word_at(colon - 8 * (k + 1)) ^ name->word[k]) & name->mask[k];
	return !other && (name->quoted <= 24 || (colon[-(ptrdiff_t)name->quoted] == '"' &&
						 memcmp(colon - name->text.len - 1, name->text.ptr,
							name->text.len) == 0));
}

static bool is_between(char c)
{
	return c == ',' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

bool json_blocks_record(struct json_blocks *job, const char *end, const uint32_t *colons,
			size_t count)
{
	const struct json_names *names = job->names;
	const char *values[json_names_limit] = {NULL}, *begin = job->taken;
	uint64_t repeated = 0;
	while (is_between(*begin))
		begin++;
	if (*begin != '{' || end - begin > json_record_limit)
		return false;
	for (size_t i = 0; i < count; i++) {
		const char *colon = job->at + colons[i];
		unsigned name = json_names_first(names, colon);
		while (name && !is_name(&names->names[name - 1], colon))
			name = names->names[name - 1].next;
		if (!name)
			continue;
		repeated |= values[name - 1] != NULL;
		values[name - 1] = colon + 1;
	}
	if (repeated || !job->record(job->context, begin, end, values))
		return false;
	job->taken = end;
	return true;
}
