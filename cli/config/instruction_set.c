/* Chooses a variant of ingest/json/simd/blocks.h by its name. */
#include "cli/config/instruction_set.h"

#include "ingest/json/simd/blocks.h"

void instruction_set_list(struct strbuf *out)
{
	const char *between = "";
	for (const struct json_blocks_variant *v = json_blocks_variants; v->name; v++) {
		if (!v->supported())
			continue;
		strbuf_addf(out, "%s%s", between, v->name);
		between = ", ";
	}
}

int instruction_set_choose(struct error *err)
{
	const char *name = getenv("ROOFLOG_ISA");
	if (!name || !*name || json_blocks_use(name))
		return 0;
	struct strbuf names = {0};
	instruction_set_list(&names);
	error_set(err, ERR_USAGE, "ROOFLOG_ISA \"%.40s\" is not supported; this machine has %s",
		  name, strbuf_text(&names));
	strbuf_free(&names);
	return -1;
}
