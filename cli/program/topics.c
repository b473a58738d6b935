/* Topics of help. */
#include "cli/program/topics.h"

#include "cli/program/program.h"
#include "cli/runs/runs.h"

static const char arguments_text[] =
	"What counts as a FILE, RUN, COMMIT or SERIES\n"
	"\n"
	"  FILE      a file or folder, or - for standard input\n"
	"  RUN       the id of a run, or its first 4 or more digits: d0a75ab4\n"
	"  COMMIT    a git revision or a baseline: HEAD~3, main, v1.2\n"
	"  SERIES    a kernel, then anything else that must match, in any order:\n"
	"            attention, 'attention s=512', 'att* fused bf16'; parameters can\n"
	"            be compared: '* s>1', 'attention b=1 s>=128 s<1024'\n"
	"\n"
	"rooflog looks up each argument and takes it for what it finds. It considers only\n"
	"the kinds that the command accepts.\n"
	"\n"
	"  ./x  ../x  /x  x/         always a FILE\n"
	"  s=512                     always part of SERIES\n"
	"  profile.json  out/x       may be a FILE: the name has a dot or a slash\n"
	"  attention  main  d0a75    never a FILE; to name one, write ./attention\n"
	"\n"
	"Several SERIES words form one pattern, so quotes are needed only for * and ?,\n"
	"which stand for any text and any character. For two series, repeat --series.\n"
	"\n"
	"If a name has two meanings, rooflog stops with an error. Say which you mean:\n"
	"\n"
	"  file:PATH    run:ID    commit:REVISION    series:PATTERN\n"
	"\n"
	"Examples\n"
	"  rooflog show attention            the kernel, even next to a folder attention/\n"
	"  rooflog show attention/           the folder\n"
	"  rooflog show commit:attention     the branch\n"
	"  rooflog show HEAD~3 attention     the kernel at that commit\n";

static const char filters_text[] =
	"Filters select runs. All commands that take runs accept the same ones.\n";

static const char filters_rest[] =
	"A filter given twice selects runs that match either value. Different filters\n"
	"must all match. * stands for any text and ? for any character; all else, upper\n"
	"and lower case included, is literal. A filter never changes what a command\n"
	"does, only which runs it sees. If no run matches, that is an error which names\n"
	"the nearest values.\n"
	"\n"
	"Accepted by: show, compare, gate, log, report, chart, devlog, bisect, analyze,\n"
	"rm.\n"
	"\n"
	"Examples\n"
	"  rooflog log -k attention --dtype bf16\n"
	"  rooflog gate --kernel attention --kernel mlp\n"
	"  rooflog chart trend --params b=1,s=* -o trend.svg\n";

static const char output_text[] =
	"Output: -o and --as\n"
	"\n"
	"  -o FILE                   write to FILE; its extension gives the kind\n"
	"  -o KIND=FILE              write KIND to FILE\n"
	"  --as KIND                 the kind for standard output, or for -o FILE\n"
	"  --json                    the same as --as json\n"
	"\n"
	"-o may be repeated. - is standard output. All files are written or none, each\n"
	"completely, before the command ends; an existing file is replaced.\n"
	"\n"
	"Extensions\n"
	"  .md .html .json .txt      the command's own document\n"
	"  .csv .jsonl               one comparison per line\n"
	"  .xml                      junit\n"
	"  .sarif                    sarif\n"
	"  .prom                     openmetrics\n"
	"  .svg .png .pdf            chart and analyze: the picture\n"
	"\n"
	"A KIND that can be either is Markdown, or HTML if FILE ends in .html. Any other\n"
	"extension needs KIND=. Write a file name that contains = as ./a=b.\n"
	"'rooflog list kinds' lists all kinds and who reads them.\n"
	"\n"
	"gate always prints its verdict, and -o adds files. Other commands that take -o\n"
	"write FILE instead of printing.\n"
	"\n"
	"Examples\n"
	"  rooflog gate -o comment=comment.md -o junit=gate.xml\n"
	"  rooflog report --as nightly -o night.html\n"
	"  rooflog compare main HEAD --as md\n";

static const char options_text[] = "Options of all commands, before or after COMMAND\n";

static const char options_rest[] =
	"-h or --help prints the page of a command; without a command, -V or --version\n"
	"prints the version. 'rooflog list schemas NAME' prints the schema of a document.\n"
	"\n"
	"After COMMAND, only those that the command uses are accepted. -- ends the\n"
	"options. Write values as --metric mfu or --metric=mfu.\n"
	"\n"
	"Environment\n"
	"  ROOFLOG_STORE       store to use, as --store\n"
	"  XDG_CACHE_HOME      where copies of stores on servers lie (else ~/.cache)\n"
	"  ROOFLOG_WEBHOOK     URL to which notify posts\n"
	"  ROOFLOG_TOKEN       with which comment posts; in a job also GITHUB_TOKEN,\n"
	"                      GH_TOKEN, GITLAB_TOKEN, GITEA_TOKEN\n"
	"  ROOFLOG_PAGER       pager (else PAGER, else less); empty or cat: none\n"
	"  ROOFLOG_ISA         instruction set for reading JSON: avx512, avx2 ...\n"
	"  NO_COLOR            if set: no color\n"
	"  COLUMNS             width to write for\n"
	"  LC_ALL, LC_CTYPE, LANG\n"
	"                      outside UTF-8, text for people is ASCII\n"
	"  SOURCE_DATE_EPOCH   time to use instead of now, for reproducible output\n";

static const char config_text[] =
	"Configuration: .rooflog/config next to .git, in the syntax of git-config(1)\n"
	"\n"
	"  [rule \"NAME\"]     what counts as a regression, and for which series: kernel,\n"
	"                    metric, relative, absolute, at-least, at-most, noise ...\n"
	"  [gate]            defaults of all rules; false-discovery ...\n"
	"  [project]         name, url (of the repository on the web, for links),\n"
	"                    charts (base URL of pictures in comments)\n"
	"  [alias]           old kernel names and their new ones\n"
	"  [scenario \"NAME\"] groups of runs with what they add up to: series = * s=1\n"
	"  [epoch \"NAME\"]    from when on series are measured in another way: series = *\n"
	"  [run \"NAME\"]      a command that rooflog mcp may run: command = ./bench\n"
	"  [device \"NAME\"]   peaks of a device\n"
	"  [work \"GLOB\"]     FLOP and bytes of a kernel, as formulas\n"
	"  [tool \"NAME\"]     store the runs of one tool as those of another\n"
	"  [bisect] [fusion] [chart]\n"
	"                    defaults that are rarely changed\n"
	"\n"
	"Set a key for one call with -c: -c gate.noise=2% or -c project.name=kernels.\n"
	"Unknown keys are errors. 'rooflog doctor' prints what is in effect.\n"
	"\n"
	"A gate takes the configuration from the commit that it compares with, so that a\n"
	"change cannot loosen its own rules.\n";

static const char exit_status_text[] =
	"Exit status\n"
	"\n"
	"  0   success; for gate: nothing in --fail-on happened\n"
	"  1   a bad result: gate found something in --fail-on, doctor found a problem,\n"
	"      bisect --next has nothing left to measure\n"
	"  2   no result: wrong usage, or an error\n"
	"\n"
	"gate fails on the classes in --fail-on:\n"
	"\n"
	"  class         verdicts                                    default  --exit-code\n"
	"  regression    slower, slower (limit), slower (drift)      fails         1\n"
	"  missing       missing, missing (other setup), impossible  fails         5\n"
	"  suspect       unclear or slower (unconfirmed)             fails         3\n"
	"  unproven      unclear (unproven)                          fails         3\n"
	"  environment   unclear (environment)                       fails         3\n"
	"  undecided     unclear                                     passes        3\n"
	"  no-baseline   new, and no series has a baseline           passes        4\n"
	"  stale         missing (stopped)                           passes        6\n"
	"\n"
	"worse replaces slower where a metric is neither a time nor a rate.\n"
	"With --against window the default is regression and missing.\n"
	"\n"
	"  --fail-on regression              only these\n"
	"  --fail-on regression,undecided    these\n"
	"  --fail-on default,undecided       these as well\n"
	"  --fail-on any, --fail-on none     every class, or never\n"
	"  --fail-on drift                   one verdict as JSON names it: regressed,\n"
	"                                    failed, drift, incomparable, impossible, new\n"
	"  --exit-code                       the last column as status; 1 wins, then 5,\n"
	"                                    3, 4, 6\n";

static const char help_text[] =
	"usage: rooflog help [COMMAND | TOPIC]\n"
	"       rooflog COMMAND -h\n"
	"\n"
	"Explain a command or a topic. Without either: list the commands.\n"
	"\n"
	"Examples\n"
	"  rooflog help gate\n"
	"  rooflog help filters\n"
	"\n"
	"Topics\n"
	"  arguments     what counts as a FILE, RUN, COMMIT or SERIES\n"
	"  filters       select runs: --kernel, --dtype, --params ...\n"
	"  output        -o and --as: kinds of output and file names\n"
	"  options       options of all commands, and environment variables\n"
	"  config        sections and keys of .rooflog/config\n"
	"  exit-status   exit statuses, verdicts and --fail-on\n";

const struct topic topics[] = {
	{"arguments", "what counts as a FILE, RUN, COMMIT or SERIES", arguments_text, NULL, NULL},
	{"filters", "select runs: --kernel, --dtype, --params ...", filters_text,
	 run_filter_options, filters_rest},
	{"output", "-o and --as: kinds of output and file names", output_text, NULL, NULL},
	{"options", "options of all commands, and environment variables", options_text,
	 program_common_options, options_rest},
	{"config", "sections and keys of .rooflog/config", config_text, NULL, NULL},
	{"exit-status", "exit statuses, verdicts and --fail-on", exit_status_text, NULL, NULL},
	{"help", NULL, help_text, NULL, NULL},
	{.name = NULL},
};

const struct topic *topic_find(const char *name)
{
	const struct topic *topic = topics;
	while (topic->name && strcmp(topic->name, name) != 0)
		topic++;
	return topic->name ? topic : NULL;
}

void topic_page(const struct topic *topic, struct strbuf *out)
{
	strbuf_addstr(out, topic->lead);
	if (topic->rows)
		options_help(topic->rows, NULL, "", out);
	if (topic->rest)
		strbuf_addf(out, "\n%s", topic->rest);
}
