/* rooflog inspect: prints the contents of a native trace (NTFF) of a Neuron capture, or of a report
 * of Nsight Compute. It needs neither store nor repository. */
#include "cli/command.h"

#include <errno.h>

#include "base/text/text.h"
#include "cli/inspect/inspect.h"
#include "ingest/input/input.h"
#include "ingest/ncu/report/container.h"
#include "ingest/ntff/header/header.h"
#include "ingest/ntff/ntff.h"
#include "render/ntff/ntff.h"

struct ntff_options {
	struct ntff_dump_options dump;
	bool disasm, events;
	const char *engine, *path;
	int engine_index; /* -1: all */
	const char *from, *to;
	struct inspect_part part;
};

/* Rows per table. no_top marks an option that was not given, so that "--top 10" with --json is
 * still refused. */
static const size_t usual_top = 10, no_top = SIZE_MAX;

int inspect_write(struct strbuf *text, struct error *err)
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
		return error_set(err, ERR_USAGE, "--engine needs --disasm");
	for (int i = 0; i < NTFF_ENGINES; i++)
		if (span_text_eq(o->engine, ntff_engine_name(i)))
			o->engine_index = i;
	if (o->engine_index < 0)
		return error_set(err, ERR_USAGE,
				 "--engine \"%s\": expected tensor, scalar, gpsimd, vector or sync",
				 o->engine);
	return 0;
}

/* Reads a time of an option, in ps; `otherwise` if it was not given. */
static int parse_time(const char *option, const char *text, int64_t otherwise, int64_t *ps,
		      struct error *err)
{
	double seconds;
	*ps = otherwise;
	if (!text)
		return 0;
	if (!quantity_parse(span_of(text), UNIT_SECOND, &seconds) || !(fabs(seconds) < 1e6))
		return error_set(err, ERR_USAGE,
				 "%s \"%.80s\": expected a time since the start of the run, such "
				 "as 12.5us",
				 option, text);
	*ps = (int64_t)llround(seconds * 1e12);
	return 0;
}

static int parse_part(struct ntff_options *o, struct error *err)
{
	if (parse_time("--from", o->from, INT64_MIN, &o->part.from, err) < 0 ||
	    parse_time("--to", o->to, INT64_MAX, &o->part.to, err) < 0)
		return -1;
	if ((o->from || o->to) && !o->events)
		return error_set(err, ERR_USAGE,
				 "--%s needs --events\nhint: rooflog show FILE --opcode '*' adds "
				 "up the instructions of a part",
				 o->from ? "from" : "to");
	return o->part.to <= o->part.from ? error_set(err, ERR_USAGE, "--to must be after --from")
					  : 0;
}

static int check(struct cli *cli, void *options, struct error *err)
{
	struct ntff_options *o = options;
	bool top = o->dump.top_limit != no_top;
	if (cli->common.json + o->disasm + o->events > 1)
		return error_set(err, ERR_USAGE,
				 "--json, --disasm and --events cannot be combined");
	if ((o->disasm || o->events) && (o->dump.names || top))
		return error_set(err, ERR_USAGE, "--%s cannot be combined with --%s",
				 o->disasm ? "disasm" : "events", o->dump.names ? "paths" : "top");
	if (!top)
		o->dump.top_limit = usual_top;
	return parse_engine(o, err) < 0 ? -1 : parse_part(o, err);
}

int inspect_dump(struct cli *cli, const struct ntff_source *source,
		 const struct ntff_dump_options *o, struct error *err)
{
	struct ntff_summary summary = {
		.arena = &cli->arena, .ntff = source->ntff, .top_limit = o->top_limit};
	const struct ntff_view view = {&summary, o->name, o->names};
	struct strbuf out = {0};
	if (ntff_run_summary_read(&summary, source->bytes, err) < 0)
		return -1;
	if (cli->common.json) {
		json_write(&out, render_ntff_json(&view), false);
		strbuf_addch(&out, '\n');
	} else {
		const struct terminal terminal = cli_terminal(cli);
		cli_page(cli);
		render_ntff_text(&view, &terminal, &out);
	}
	int rc = inspect_write(&out, err);
	strbuf_free(&out);
	return rc < 0 ? -1 : 0;
}

static int print(struct cli *cli, const struct ntff_options *o, const struct ntff_source *source,
		 struct error *err)
{
	if (o->disasm)
		return inspect_disasm(cli, source, o->engine_index, err);
	if (o->events)
		return inspect_events(source, &o->part, err);
	return inspect_dump(cli, source, &o->dump, err);
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
					      "NTFF version %d is not supported, and its header "
					      "differs from that of versions 4 to 6",
					      version);
	bool known = ntff_header_is_known_version(ntff.version);
	if ((known || !(o->disasm || o->events)) && print(cli, o, &source, err) < 0)
		return -1;
	if (!known)
		return error_set(err, ERR_FORMAT,
				 "NTFF version %d is not supported (supported: 4 to 6)",
				 ntff.version);
	return EXIT_PASS;
}

static int show_report(struct cli *cli, const struct ntff_options *o, struct input *input,
		       struct error *err)
{
	if (cli->common.json || o->disasm || o->from || o->to || o->dump.names)
		return error_set(err, ERR_USAGE,
				 "a report of Nsight Compute takes only --top and --events: "
				 "--events prints JSON lines");
	return inspect_report(cli, input, o->events, o->dump.top_limit, err) < 0 ? -1 : EXIT_PASS;
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
	else if (rc == 0 && native_report_is_known(head))
		status = show_report(cli, o, input, err);
	else if (rc == 0 && !ntff_header_detect(head))
		error_set(err, ERR_FORMAT,
			  "neither an NTFF trace nor a report of Nsight Compute (wrong signature). "
			  "\"rooflog ingest\" reads other formats");
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
	{FIELD(dump.top_limit), "top", "N", "rows of each table (default: 10)",
	 .high = ntff_top_limit},
	{FIELD(disasm), "disasm", NULL,
	 "list the programs of the engines: how often and when each instruction ran"},
	{FIELD(engine), "engine", "E",
	 "with --disasm: only tensor, scalar, gpsimd, vector or sync"},
	{FIELD(events), "events", NULL,
	 "one JSON line for each instruction, DMA transfer, semaphore or event update, and clock "
	 "limit; from a report, each launch with all its metrics"},
	{FIELD(from), "from", "TIME",
	 "with --events: only what runs from this time on, since the start of the run: 12.5us"},
	{FIELD(to), "to", "TIME", "with --events: only what runs until this time"},
	{FIELD(dump.names), "paths", NULL,
	 "also show file paths of the machine that captured the trace; they may identify its "
	 "user"},
	{.kind = OPTION_END},
};

static const struct ntff_options defaults = {.dump = {.top_limit = SIZE_MAX}};

const struct command command_inspect = {
	.name = "inspect",
	.group = GROUP_OTHER,
	.summary = "show what is inside a trace or report file",
	.usage = "FILE [OPTION]...",
	.about =
		"Show what is inside a native Neuron trace (NTFF, versions 4 to 6: header, cores,\n"
		"engines, instructions, DMA, throttling) or a report of Nsight Compute (.ncu-rep:\n"
		"launches), without the vendor's tool. No store is needed.",
	.notes = "FILE may be - for standard input; .gz and .zst are unpacked. Instance ids and\n"
		 "process numbers are never shown.",
	.options = rows,
	.arguments = {{"FILE", ARGUMENT(struct ntff_options, path)}},
	.required = 1,
	.expected = "takes one FILE, or - for standard input",
	.examples = {"rooflog inspect capture.ntff",
		     "rooflog inspect capture.ntff --disasm --engine vector",
		     "rooflog inspect capture.ntff.zst --events >events.jsonl",
		     "rooflog inspect capture.ntff --events --from 10us --to 12us"},
	.options_size = sizeof(struct ntff_options),
	.defaults = &defaults,
	.check = check,
	.without_store = true,
	.without_config = true,
	.run = print_trace,
	.documents = "inspect",
	.see_also = "ingest show formats",
};
