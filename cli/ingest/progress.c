/* The progress line. */
#include "cli/ingest/progress.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

static const int end_signals[progress_end_signals] = {SIGINT, SIGTERM, SIGHUP};
static const char wipe[] = "\r\033[K";

/* Handles SIGINT, SIGTERM and SIGHUP: erases the line, restores the default action and raises the
 * signal again, which is delivered when this handler returns. */
static void end_clean(int number)
{
	ssize_t written = write(STDERR_FILENO, wipe, sizeof wipe - 1);
	(void)written;
	raise(number);
}

/* Signals that are ignored, for example by nohup, stay ignored. */
static void catch_ends(struct progress *progress)
{
	struct sigaction clean = {.sa_handler = end_clean, .sa_flags = (int)SA_RESETHAND};
	for (int i = 0; i < progress_end_signals; i++) {
		sigaction(end_signals[i], NULL, &progress->before[i]);
		if (progress->before[i].sa_handler != SIG_IGN)
			sigaction(end_signals[i], &clean, NULL);
	}
}

struct progress ingest_progress_of(const struct cli *cli, size_t files, uint64_t bytes)
{
	struct progress progress = {.cli = cli, .files = files, .bytes = bytes};
	clock_gettime(CLOCK_MONOTONIC, &progress.began);
	return progress;
}

bool ingest_progress_wanted(const struct cli *cli)
{
	return !cli->common.quiet && isatty(STDERR_FILENO);
}

void ingest_progress_text(struct strbuf *out, const struct progress *progress,
			  const struct batch_progress *state, double seconds)
{
	double bytes = (double)state->bytes, all = (double)progress->bytes;
	double rate = seconds > 0 ? bytes / seconds : NAN;
	strbuf_addf(out, "reading %zu of %zu file%s, ", state->files, progress->files,
		    progress->files == 1 ? "" : "s");
	quantity_add(out, bytes, UNIT_BYTE);
	if (all >= bytes) {
		strbuf_addstr(out, " of ");
		quantity_add(out, all, UNIT_BYTE);
	}
	if (!(rate > 0))
		return;
	strbuf_addstr(out, ", ");
	quantity_add(out, rate, UNIT_BYTE_PER_SECOND);
	if (all > bytes) {
		strbuf_addstr(out, ", ");
		quantity_add(out, (all - bytes) / rate, UNIT_SECOND);
		strbuf_addstr(out, " left");
	}
}

void ingest_progress_show(void *context, const struct batch_progress *state)
{
	struct progress *progress = context;
	struct timespec now;
	struct strbuf sb = {0};
	clock_gettime(CLOCK_MONOTONIC, &now);
	double seconds = (double)(now.tv_sec - progress->began.tv_sec) +
			 (double)(now.tv_nsec - progress->began.tv_nsec) / 1e9;
	/* Short operations need no progress line. */
	if (seconds < 0.5)
		return;
	ingest_progress_text(&sb, progress, state, seconds);
	if (!progress->shown)
		catch_ends(progress);
	fprintf(stderr, "%s%.*s", wipe, (int)cli_columns() - 1, strbuf_text(&sb));
	fflush(stderr);
	progress->shown = true;
	strbuf_free(&sb);
}

void ingest_progress_end(struct progress *progress)
{
	if (!progress->shown)
		return;
	fputs(wipe, stderr);
	fflush(stderr);
	for (int i = 0; i < progress_end_signals; i++)
		sigaction(end_signals[i], &progress->before[i], NULL);
	progress->shown = false;
}
