/* Standard output as a terminal: its width, its colors, and the pager between it and long texts. */
#include "cli/context.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system/system.h"

/* --- the pager --- */

/* While a pager runs, standard output is a pipe to it, and `terminal` what it was before. */
static struct {
	pid_t pid;
	int terminal;
} paging;

static bool is_terminal(void)
{
	return paging.pid || isatty(STDOUT_FILENO);
}

/* The user's choice comes from the environment alone: the configuration of a repository may be a
 * stranger's. NULL: no pager. */
static const char *pager_command(void)
{
	const char *own = getenv("ROOFLOG_PAGER"), *common = getenv("PAGER");
	const char *command = own ? own : common;
	char less[PATH_MAX];
	if (!command)
		return process_find("less", less) ? "less" : NULL;
	return command[0] && strcmp(command, "cat") != 0 ? command : NULL;
}

/* Sends what is left to the pager and waits until the user has read it. */
static void finish_paging(void)
{
	fflush(stdout);
	dup2(paging.terminal, STDOUT_FILENO);
	while (waitpid(paging.pid, NULL, 0) < 0 && errno == EINTR)
		;
	paging.pid = 0;
}

static void run_pager(const char *command, const int pipe_ends[2])
{
	dup2(pipe_ends[0], STDIN_FILENO);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
	/* Short texts are printed and left on the screen; escapes are colors. */
	setenv("LESS", "FRX", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

void cli_page(const struct cli *cli)
{
	const char *command = pager_command(), *terminal = getenv("TERM");
	int pipe_ends[2];
	if (paging.pid || cli->common.no_pager || !command || !isatty(STDOUT_FILENO) ||
	    (terminal && strcmp(terminal, "dumb") == 0) || pipe2(pipe_ends, O_CLOEXEC) < 0)
		return;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0)
		run_pager(command, pipe_ends);
	close(pipe_ends[0]);
	if (child > 0) {
		paging.terminal = dup(STDOUT_FILENO);
		paging.pid = child;
		dup2(pipe_ends[1], STDOUT_FILENO);
		atexit(finish_paging);
	}
	close(pipe_ends[1]);
}

/* --- colors and width --- */

bool cli_color(const struct cli *cli)
{
	if (cli->common.color && strcmp(cli->common.color, "auto") != 0)
		return strcmp(cli->common.color, "always") == 0;
	const char *no_color = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");
	return is_terminal() && !(no_color && no_color[0]) &&
	       !(terminal && strcmp(terminal, "dumb") == 0);
}

bool cli_utf8(void)
{
	static enum { UNKNOWN, NO, YES } utf8 = UNKNOWN;
	if (utf8 == UNKNOWN) {
		/* Only this locale object is asked. The program's own locale stays C, so that
		 * numbers are printed and read with a decimal point. */
		locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
		utf8 = locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0 ? YES : NO;
		if (locale)
			freelocale(locale);
	}
	return utf8 == YES;
}

/* The width that COLUMNS asks for; 0 if it is unset, empty or not a width. */
static size_t asked_columns(void)
{
	const char *columns = getenv("COLUMNS");
	double number;
	/* Below 20 columns no table fits; above 1000 the number is a mistake. */
	bool asked =
		columns && span_number(span_of(columns), &number) && number >= 20 && number <= 1000;
	return asked ? (size_t)number : 0;
}

size_t cli_columns(void)
{
	struct winsize size;
	size_t asked = asked_columns();
	if (asked)
		return asked;
	if (ioctl(paging.pid ? paging.terminal : STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
	    size.ws_col >= 20)
		return size.ws_col;
	return 80;
}

/* In a pipe a row stays one line, unless COLUMNS asks for a width. */
static bool wraps(void)
{
	return is_terminal() || asked_columns();
}

size_t cli_table_width(void)
{
	return wraps() ? cli_columns() : 0;
}

struct terminal cli_terminal(const struct cli *cli)
{
	return (struct terminal){
		.columns = cli_columns(),
		.utf8 = cli_utf8(),
		.color = cli_color(cli),
		.wraps = wraps(),
	};
}
