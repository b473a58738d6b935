/* The command table and the way in. */
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/setup/instruction_set.h"
#include "render/markup/escape.h"

const struct command commands[] = {
	{"init", "make a run store and a configuration beside .git", cmd_init},
	{"ingest", "read profiles and store them under their commit", cmd_ingest},
	{"log", "list the stored runs, newest first", cmd_log},
	{"show", "show runs: time, MFU, roofline, engines, findings", cmd_show},
	{"compare", "compare variants, devices or sizes of the same work, or two commits",
	 cmd_compare},
	{"report", "write a report of a commit as Markdown, HTML or JSON", cmd_report},
	{"site", "write the history of all kernels as static pages", cmd_site},
	{"devlog", "fill in the Performance block of a development log", cmd_devlog},
	{"chart", "draw a chart as SVG, PNG or PDF", cmd_chart},
	{"buckets", "choose bucket sizes from measured latencies", cmd_buckets},
	{"gate", "compare a commit with its baseline; fail on regressions", cmd_gate},
	{"accept", "put up with a known regression, with a ceiling", cmd_accept},
	{"bisect", "find the commit that made a series worse", cmd_bisect},
	{"calibrate", "find limits with which the gate is seldom wrong", cmd_calibrate},
	{"detect", "find changes of level in a table of series", cmd_detect},
	{"judge", "judge the last commit of series in a table", cmd_judge},
	{"fusion", "compare fused with unfused operators; feed the scheduler", cmd_fusion},
	{"ntff", "show what is in a native trace of a Neuron capture", cmd_ntff},
	{"baseline", "name commits to compare with", cmd_baseline},
	{"formats", "list the file formats that can be read", cmd_formats},
	{"devices", "list the known devices and their peaks", cmd_devices},
	{"doctor", "check the installation, the repository and the store", cmd_doctor},
	{NULL, NULL, NULL},
};

static int usage(FILE *stream, int status)
{
	fputs("usage: rooflog COMMAND [OPTION]... [ARGUMENT]...\n\n"
	      "Turns accelerator-kernel profiles into a performance history to be trusted.\n\n",
	      stream);
	for (const struct command *command = commands; command->name; command++)
		fprintf(stream, "  %-10s %s\n", command->name, command->summary);
	fputs("\n\"rooflog COMMAND --help\" tells more. Exit status: 0 pass, 1 regression,\n"
	      "2 usage or error, 3 undecided, 4 no baseline, 5 missing or incomparable series,\n"
	      "6 stale baseline.\n",
	      stream);
	return status;
}

/* The time that reports carry; SOURCE_DATE_EPOCH makes them reproducible. */
static int64_t present_time(void)
{
	const char *fixed = getenv("SOURCE_DATE_EPOCH");
	double seconds;
	if (fixed && span_number(span_of(fixed), &seconds) && seconds >= 0 && seconds < 1e12)
		return (int64_t)seconds;
	return (int64_t)time(NULL);
}

static int run_command(const struct command *command, int argc, char **argv)
{
	struct cli cli = {.now = present_time()};
	struct error err = {0};
	int status = instruction_set_choose(&err);
	if (status == 0)
		status = command->run(&cli, argc, argv, &err);
	if (status < 0) {
		fflush(stdout);
		struct strbuf clean = {0};
		terminal_text_lines(&clean, span_of(err.text));
		fprintf(stderr, "rooflog %s: %s\n", command->name, strbuf_text(&clean));
		strbuf_free(&clean);
		status = EXIT_ERROR;
	}
	cli_free(&cli);
	return status;
}

int command_main(int argc, char **argv)
{
	if (argc < 2)
		return usage(stderr, EXIT_ERROR);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
		return usage(stdout, EXIT_PASS);
	if (strcmp(argv[1], "--version") == 0) {
		puts("rooflog " ROOFLOG_VERSION);
		return EXIT_PASS;
	}
	for (const struct command *command = commands; command->name; command++)
		if (strcmp(argv[1], command->name) == 0)
			return run_command(command, argc - 1, argv + 1);
	fprintf(stderr, "rooflog: there is no command \"%s\"; \"rooflog --help\" lists them\n",
		argv[1]);
	return EXIT_ERROR;
}
