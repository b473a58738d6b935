/* Past a value, byte by byte, and the choice of a quicker way. */
#include "ingest/json_pass.h"

#include <string.h>

#include "ingest/json_blocks.h"

static const char *pass_bytes(struct json_pass *pass, const char *p, const char *end)
{
	for (; p < end; p++) {
		bool escaped = pass->escaped;
		pass->escaped = *p == '\\' && !escaped;
		if (*p == '"')
			pass->in_string ^= !escaped;
		else if (pass->in_string)
			continue;
		else if ((*p | 0x20) == '{')
			pass->depth++;
		else if ((*p | 0x20) == '}' && --pass->depth == 0)
			return p + 1;
	}
	return end;
}

static const char *pass_none(struct json_pass *pass, const char *p, const char *end)
{
	(void)pass, (void)end;
	return p;
}

static const struct {
	const char *name; /* of the variant of json_blocks.h */
	const char *(*blocks)(struct json_pass *pass, const char *p, const char *end);
} ways[] = {
#if defined __x86_64__
	{"avx512", json_pass_avx512}, {"avx2", json_pass_avx2},
	{"sse42", json_pass_sse42},   {"sse2", json_pass_sse2},
#elif defined __aarch64__
	{"neon", json_pass_neon},
#endif
	{"words", json_pass_words},   {"none", pass_none},
};

const char *json_pass(struct json_pass *pass, const char *p, const char *end)
{
	size_t i = 0;
	while (strcmp(ways[i].name, json_blocks_variant()->name) != 0)
		i++;
	if (pass->depth == 0)
		p = pass_bytes(pass, p, p + 1);
	return pass_bytes(pass, ways[i].blocks(pass, p, end), end);
}
