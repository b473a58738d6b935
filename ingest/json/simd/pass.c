/* Past a value, byte by byte, and the choice of a quicker way. */
#include "ingest/json/simd/pass.h"

#include "ingest/json/simd/blocks.h"

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

const char *json_pass(struct json_pass *pass, const char *p, const char *end)
{
	if (pass->depth == 0)
		p = pass_bytes(pass, p, p + 1);
	return pass_bytes(pass, json_blocks_variant()->pass(pass, p, end), end);
}
