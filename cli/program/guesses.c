/* Words that people bring along from other programs, and what is right here. */
#include "cli/program/guesses.h"

struct guess {
	const char *words, *answer;
	const char *commands; /* which have it, for an option; NULL: all */
};

static const struct guess command_guesses[] = {
	{"diff benchstat", "did you mean 'compare'?", NULL},
	{"ls history runs", "did you mean 'log'? 'list kernels' and 'list series' have the names",
	 NULL},
	{"status check test judge",
	 "did you mean 'gate'? For the installation: 'doctor'; for a plain table: 'stats judge'",
	 NULL},
	{"explain", "did you mean 'gate --explain'?", NULL},
	{"prune gc", "did you mean 'store prune'? 'rm' removes runs so that it can be undone",
	 NULL},
	{"delete remove forget undo", "did you mean 'rm'? 'rm --undo' brings runs back", NULL},
	{"rename alias", "did you mean 'mv'?", NULL},
	{"plot graph draw", "did you mean 'chart'?", NULL},
	{"pr post", "'gate -o comment=FILE' writes the text of a comment; 'comment FILE' posts it",
	 NULL},
	{"config",
	 "'help config' lists the keys, 'doctor' prints what is in effect, -c sets a key for one "
	 "call",
	 NULL},
	{"import add load", "did you mean 'ingest'? 'store import' reads what 'store export' wrote",
	 NULL},
	{"merge copy backup", "did you mean 'store merge' or 'store copy'?", NULL},
	{"roofline occupancy timeline trend", "did you mean 'chart'?", NULL},
	{"view open cat", "did you mean 'show'?", NULL},
	{"export",
	 "'store export' writes all runs; 'report -o FILE' writes for other programs: 'list "
	 "kinds'",
	 NULL},
	{"html pages web serve", "did you mean 'site'? 'report -o FILE.html' writes one page",
	 NULL},
	{"bench measure exec record profile hyperfine ncu nsys rocprof neuron-profile",
	 "'run -- PROGRAM' measures; 'ingest FILE' stores what a profiler wrote", NULL},
	{"blame", "did you mean 'bisect'?", NULL},
	{"tag pin release", "did you mean 'baseline pin'?", NULL},
	{"ntff dump disasm", "did you mean 'inspect'?", NULL},
	{"formats", "did you mean 'list formats'?", NULL},
	{"devices", "did you mean 'list devices'?", NULL},
	{"metrics", "did you mean 'list metrics'?", NULL},
	{"schema schemas", "did you mean 'list schemas'?", NULL},
	{"kernels", "did you mean 'list kernels'?", NULL},
	{"detect", "did you mean 'stats detect'?", NULL},
	{"buckets", "did you mean 'analyze buckets'?", NULL},
	{"fusion", "did you mean 'analyze fusion'?", NULL},
	{"nightly", "did you mean 'report --as nightly'?", NULL},
	{"weekly", "did you mean 'report --as weekly'?", NULL},
};

static const struct guess option_guesses[] = {
	{"v", "-V prints the version; rooflog has no verbose mode", NULL},
	{"format", "--as KIND, or the extension after -o", NULL},
	{"write", "did you mean -o KIND=FILE?", NULL},
	{"html markdown md csv svg png junit", "the extension after -o decides: -o FILE.html",
	 "gate report compare chart analyze"},
	{"base baseline", "did you mean --against?", "gate report"},
	{"colour", "did you mean --color?", NULL},
	{"limit", "did you mean -n, or --max-count?", "log"},
	{"threshold tolerance",
	 "thresholds are rules in .rooflog/config; 'calibrate' finds them; -c gate.relative=3%",
	 NULL},
	{"treat", "did you mean --fail-on?", NULL},
	{"kernel variant dtype device params cores tool",
	 "to say what a file leaves open: --set dtype=bf16,s=512", "ingest"},
	{"verbose debug", "'show --details' and 'gate --explain' show more", NULL},
	{"output o", "this command prints: write >FILE after it", "log"},
	{"output o", "the folder is the argument: rooflog site DIR", "site"},
	{"rerun-list", "-o rerun=FILE", "gate"},
	{"project url-base", "[project] name and charts; -c project.name=NAME for one call", NULL},
};

static bool has_word(const char *words, struct span word)
{
	for (struct span rest = span_of(words); rest.ptr;)
		if (span_eq(span_cut(&rest, ' '), word))
			return true;
	return false;
}

const char *guess_command(const char *name)
{
	for (size_t i = 0; i < sizeof command_guesses / sizeof *command_guesses; i++)
		if (has_word(command_guesses[i].words, span_of(name)))
			return command_guesses[i].answer;
	return NULL;
}

const char *guess_option(const char *command, struct span name)
{
	for (size_t i = 0; i < sizeof option_guesses / sizeof *option_guesses; i++) {
		const struct guess *guess = &option_guesses[i];
		if (has_word(guess->words, name) &&
		    (!guess->commands || (command && has_word(guess->commands, span_of(command)))))
			return guess->answer;
	}
	return NULL;
}
