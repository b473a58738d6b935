/* rooflog ntff: what is in a native trace of a Neuron capture. */
#include "cli/command.h"

#include <errno.h>
#include <stdio.h>

#include "cli/ntff/ntff.h"
#include "ingest/input/input.h"
#include "ingest/ntff/header/header.h"
#include "ingest/ntff/summary.h"
#include "render/ntff/ntff.h"

struct ntff_options {
	struct ntff_dump_options dump;
	bool disasm, events;
	const char *engine, *top;
	int engine_index;
};

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

static int take_engine(struct ntff_options *o, struct error *err)
{
	o->engine_index = -1;
	if (!o->engine)
		return 0;
	if (!o->disasm)
		return error_set(err, ERR_USAGE, "--engine goes with --disasm");
	for (int i = 0; i < NTFF_ENGINES; i++)
		if (text_eq(o->engine, ntff_engine_name(i)))
			o->engine_index = i;
	if (o->engine_index < 0)
		return error_set(err, ERR_USAGE,
				 "--engine is tensor, scalar, gpsimd, vector or sync, not \"%s\"",
				 o->engine);
	return 0;
}

static int take_top(struct ntff_options *o, struct error *err)
{
	double number;
	o->dump.top_limit = 10;
	if (!o->top)
		return 0;
	if (!span_number(span_of(o->top), &number) || number < 0 || number > ntff_top_limit ||
	    number != (double)(size_t)number)
		return error_set(err, ERR_USAGE, "--top is a number of rows, 0 to %d, not \"%s\"",
				 (int)ntff_top_limit, o->top);
	o->dump.top_limit = (size_t)number;
	return 0;
}

static int check_options(struct ntff_options *o, struct error *err)
{
	if (o->dump.json + o->disasm + o->events > 1)
		return error_set(err, ERR_USAGE,
				 "--json, --disasm and --events exclude each other");
	if ((o->disasm || o->events) && (o->dump.names || o->top))
		return error_set(err, ERR_USAGE, "--%s has no place for --%s",
				 o->disasm ? "disasm" : "events", o->dump.names ? "names" : "top");
	return take_engine(o, err) < 0 || take_top(o, err) < 0 ? -1 : 0;
}

int ntff_command_dump(struct cli *cli, const struct ntff_source *source,
		      const struct ntff_dump_options *o, struct error *err)
{
	struct ntff_summary summary = {
		.arena = &cli->arena, .ntff = source->ntff, .top_limit = o->top_limit};
	const struct ntff_view view = {&summary, o->name, o->names};
	struct strbuf out = {0};
	if (ntff_summary_read(&summary, source->bytes, err) < 0)
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

/* Of an unknown version the header is shown as far as it is as expected, and nothing else. */
static int show(struct cli *cli, const struct ntff_options *o, struct random_access *bytes,
		struct error *err)
{
	struct ntff ntff;
	const struct ntff_source source = {&ntff, bytes};
	unsigned char version;
	if (random_access_read(bytes, 0, &version, 1, err) < 0)
		return -1;
	if (ntff_read_header(&cli->arena, bytes, &ntff, err) < 0)
		return ntff_is_known_version(version)
			       ? -1
			       : error_prefix(err,
					      "version %d of NTFF is unknown, and its header "
					      "is not as that of others",
					      version);
	bool known = ntff_is_known_version(ntff.version);
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
	else if (rc == 0 && !ntff_detect(head))
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

int cmd_ntff(struct cli *cli, int argc, char **argv, struct error *err)
{
	struct ntff_options o = {.disasm = false};
	int rest;
	const struct option options[] = {
		{OPTION_FLAG, "json", NULL, "the dump as one JSON document", &o.dump.json},
		{OPTION_FLAG, "disasm", NULL,
		 "the programs of the engines, and how often and when each instruction ran",
		 &o.disasm},
		{OPTION_TEXT, "engine", "E",
		 "with --disasm: only tensor, scalar, gpsimd, vector or sync", &o.engine},
		{OPTION_FLAG, "events", NULL,
		 "one JSON line for each instruction, DMA transfer, semaphore or event update "
		 "and clock limit",
		 &o.events},
		{OPTION_TEXT, "top", "N",
		 "rows of the tables of opcodes, instructions and clock limits (default: 10)",
		 &o.top},
		{OPTION_FLAG, "names", NULL,
		 "show the NEFF's path on the machine of the capture too; it may tell who made "
		 "the trace",
		 &o.dump.names},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(
		    cli, "ntff", "[OPTION]... FILE | -",
		    "Shows what is in a native trace of a Neuron capture (NTFF, versions 4 to "
		    "6), without the vendor's tool: header, cores, engines, instructions, DMA, "
		    "throttling, and what is unknown about it. A .gz or .zst file is unpacked. The "
		    "instance's id and process number in the file are never shown.",
		    options, argc, argv, &rest, err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (rest != 1)
		return error_set(err, ERR_USAGE, "takes one FILE, or - for standard input");
	if (check_options(&o, err) < 0)
		return -1;
	return read_file(cli, &o, argv[1], err);
}
