/* rooflog ntff: prints the contents of a native trace (NTFF) of a Neuron capture. It needs neither
 * store nor repository. */
#include "cli/command.h"

#include <errno.h>

#include "cli/ntff/ntff.h"
#include "ingest/input/input.h"
#include "ingest/ntff/header/header.h"
#include "ingest/ntff/ntff.h"
#include "render/ntff/ntff.h"

struct ntff_options {
	struct ntff_dump_options dump;
	bool disasm, events;
	const char *engine, *path;
	int engine_index; /* -1: all */
};

/* Rows per table. no_top marks an option that was not given, so that "--top 10" with --json is
 * still refused. */
static const size_t usual_top = 10, no_top = SIZE_MAX;

int ntff_command_write(struct strbuf *text, struct error *err)
{
	bool written =
		fwrite(strbuf_text(text), 1, text->len, stdout) == text->len && fflush(stdout) == 0;
	int code = errno;
	strbuf_reset(text);
	if (written)
		return 0;
	if (code == EPIPE)
		return 1;
	errno = code;
	return error_errno(err, "cannot write to standard output");
}

static int parse_engine(struct ntff_options *o, struct error *err)
{
	o->engine_index = -1;
	if (!o->engine)
		return 0;
	if (!o->disasm)
		return error_set(err, ERR_USAGE, "--engine goes with --disasm");
	for (int i = 0; i < NTFF_ENGINES; i++)
		if (span_text_eq(o->engine, ntff_engine_name(i)))
			o->engine_index = i;
	if (o->engine_index < 0)
		return error_set(err, ERR_USAGE,
				 "--engine is tensor, scalar, gpsimd, vector or sync, not \"%s\"",
				 o->engine);
	return 0;
}

static int check(struct cli *cli, void *options, struct error *err)
{
	struct ntff_options *o = options;
	bool top = o->dump.top_limit != no_top;
	(void)cli;
	if (o->dump.json + o->disasm + o->events > 1)
		return error_set(err, ERR_USAGE,
				 "--json, --disasm and --events exclude each other");
	if ((o->disasm || o->events) && (o->dump.names || top))
		return error_set(err, ERR_USAGE, "--%s has no place for --%s",
				 o->disasm ? "disasm" : "events", o->dump.names ? "names" : "top");
	if (!top)
		o->dump.top_limit = usual_top;
	return parse_engine(o, err);
}

int ntff_command_dump(struct cli *cli, const struct ntff_source *source,
		      const struct ntff_dump_options *o, struct error *err)
{
	struct ntff_summary summary = {
		.arena = &cli->arena, .ntff = source->ntff, .top_limit = o->top_limit};
	const struct ntff_view view = {&summary, o->name, o->names};
	struct strbuf out = {0};
	if (ntff_run_summary_read(&summary, source->bytes, err) < 0)
		return -1;
	if (o->json) {
		json_write(&out, render_ntff_json(&view), false);
		strbuf_addch(&out, '\n');
	} else {
		const struct terminal terminal = cli_terminal(cli);
		render_ntff_text(&view, &terminal, &out);
	}
	int rc = ntff_command_write(&out, err);
	strbuf_free(&out);
	return rc < 0 ? -1 : 0;
}

static int print(struct cli *cli, const struct ntff_options *o, const struct ntff_source *source,
		 struct error *err)
{
	if (o->disasm)
		return ntff_command_disasm(cli, source, o->engine_index, err);
	if (o->events)
		return ntff_command_events(source, err);
	return ntff_command_dump(cli, source, &o->dump, err);
}

/* Shows a trace. If its version is unknown, only the parts of the header that look as expected are
 * shown. */
static int show(struct cli *cli, const struct ntff_options *o, struct random_access *bytes,
		struct error *err)
{
	struct ntff ntff;
	const struct ntff_source source = {&ntff, bytes};
	unsigned char version;
	if (random_access_read(bytes, 0, &version, 1, err) < 0)
		return -1;
	if (ntff_header_read(&cli->arena, bytes, &ntff, err) < 0)
		return ntff_header_is_known_version(version)
			       ? -1
			       : error_prefix(err,
					      "version %d of NTFF is unknown, and its header "
					      "is not as that of others",
					      version);
	bool known = ntff_header_is_known_version(ntff.version);
	if ((known || !(o->disasm || o->events)) && print(cli, o, &source, err) < 0)
		return -1;
	if (!known)
		return error_set(err, ERR_FORMAT,
				 "version %d of NTFF is unknown: its records are not read. "
				 "Versions 4 to 6 are known",
				 ntff.version);
	return EXIT_PASS;
}

static int read_file(struct cli *cli, struct ntff_options *o, const char *path, struct error *err)
{
	struct span head;
	struct random_access *bytes = NULL;
	struct input *input = input_open(path, err);
	int status = -1;
	if (!input)
		return -1;
	o->dump.name = input_name(input);
	int rc = input_head(input, &head, err);
	if (rc == 0 && head.len == 0)
		error_set(err, ERR_FORMAT, "the file is empty");
	else if (rc == 0 && !ntff_header_detect(head))
		error_set(err, ERR_FORMAT,
			  "this is no NTFF: it does not begin as the native trace of a Neuron "
			  "capture does. \"rooflog ingest\" recognises other formats");
	else if (rc == 0 && (bytes = random_access_open(input, err)))
		status = show(cli, o, bytes, err);
	if (status < 0)
		error_prefix(err, "%s", o->dump.name);
	random_access_close(bytes);
	input_close(input);
	return status;
}

static int print_trace(struct cli *cli, void *options, struct error *err)
{
	struct ntff_options *o = options;
	return read_file(cli, o, o->path, err);
}

#define FIELD(member) OPTION_FIELD(struct ntff_options, member)
static const struct option rows[] = {
	{FIELD(dump.json), "json", NULL, "the dump as one JSON document"},
	{FIELD(disasm), "disasm", NULL,
	 "the programs of the engines, and how often and when each instruction ran"},
	{FIELD(engine), "engine", "E",
	 "with --disasm: only tensor, scalar, gpsimd, vector or sync"},
	{FIELD(events), "events", NULL,
	 "one JSON line for each instruction, DMA transfer, semaphore or event update and clock "
	 "limit"},
	{FIELD(dump.top_limit), "top", "N",
	 "rows of the tables of opcodes, instructions and clock limits (default: 10)",
	 .high = ntff_top_limit},
	{FIELD(dump.names), "names", NULL,
	 "show the NEFF's path on the machine of the capture too; it may tell who made the trace"},
	{.kind = OPTION_END},
};

static const struct ntff_options defaults = {.dump = {.top_limit = SIZE_MAX}};

const struct command command_ntff = {
	.name = "ntff",
	.group = GROUP_OTHER,
	.summary = "show what is inside a native Neuron trace",
	.usage = "[OPTION]... FILE | -",
	.about = "Shows what is in a native trace of a Neuron capture (NTFF, versions 4 to 6), "
		 "without the vendor's tool: header, cores, engines, instructions, DMA, "
		 "throttling, and what is unknown about it. A .gz or .zst file is unpacked. The "
		 "instance's id and process number in the file are never shown.",
	.options = rows,
	.arguments = {{"FILE", ARGUMENT(struct ntff_options, path)}},
	.required = 1,
	.expected = "takes one FILE, or - for standard input",
	.examples = {"rooflog ntff profile.ntff",
		     "rooflog ntff --disasm --engine tensor profile.ntff.gz"},
	.options_size = sizeof(struct ntff_options),
	.defaults = &defaults,
	.check = check,
	.run = print_trace,
};
