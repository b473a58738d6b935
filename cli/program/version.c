/* rooflog version, -V and --version: what this program is, for reports of problems. */
#include <built_from.h>
#include <built_with.h>

#include "cli/program/program.h"
#include "ingest/json/simd/blocks.h"
#include "render/lists/lists.h"

static int print_version(struct cli *cli, void *options, struct error *err)
{
	(void)options;
	struct strbuf text = {0}, names = {0};
#define LIBRARY(name, built, soname, package, function, text)                                      \
	{name, library_version(soname, function, built), soname, package, text},
	const struct version_library libraries[] = {ROOFLOG_LIBRARIES};
#undef LIBRARY
	instruction_set_list(&names);
	const struct version_view view = {
		.version = ROOFLOG_VERSION,
		.commit = ROOFLOG_COMMIT,
		.compiler = ROOFLOG_COMPILER,
		.instructions = arena_printf(&cli->arena, "%s; available: %s",
					     json_blocks_variant()->name, strbuf_text(&names)),
		.libraries = libraries,
		.count = sizeof libraries / sizeof *libraries,
	};
	strbuf_free(&names);
	if (cli->common.json)
		return cli_print_json(render_version_json(&cli->arena, &view), err);
	render_version_text(&view, &text);
	return cli_print_built(&text, err);
}

const struct command program_version = {
	.name = "version",
	.group = GROUP_OTHER,
	.summary = "print the version and what it was built from",
	.usage = "[OPTION]...",
	.about = "Print the version, the commit that it was built from, the compiler, the\n"
		 "instruction sets that JSON can be read with, and each library with its version\n"
		 "and what it is used for. -V and --version are the same.",
	.examples = {"rooflog version", "rooflog version --json"},
	.without_store = true,
	.without_config = true,
	.run = print_version,
	.documents = "version",
};
