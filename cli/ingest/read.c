/* Reads all files that the command line names. */
#include "cli/ingest/ingest.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/system/system.h"
#include "cli/ingest/folders/directory_walk.h"
#include "ingest/registry/registry.h"
#include <signal.h>
#include <time.h>

/* Shortens the reason: the list of readable formats is in the help, not repeated for each file. */
void ingest_skip(struct ingest *ingest, const char *path, const char *reason)
{
	size_t len = span_find(span_of(reason), "; \"rooflog list formats\"");
	*arena_next(ingest->arena, ingest->skipped, ingest->skipped_count,
		    ingest->skipped_capacity) =
		(struct skipped){path, arena_strndup(ingest->arena, reason, len)};
}

void ingest_add_source(struct ingest *ingest, struct source source)
{
	*arena_next(ingest->arena, ingest->sources, ingest->source_count, ingest->source_capacity) =
		source;
}

/* What a NEFF says is of the kernel whose hash it has. */
static bool has_numbers(const struct ingest_result *result)
{
	for (size_t i = 0; i < result->companions.count; i++) {
		const struct companion *companion = &result->companions.items[i];
		if (companion->figures || (companion->value_count && !companion->kernel_hash))
			return true;
	}
	return result->runs.count > 0;
}

static void add_source(struct ingest *ingest, const struct batch_item *item)
{
	const struct run_list *runs = &item->result.runs;
	bool names_commits = runs->count > 0;
	for (size_t i = 0; i < runs->count; i++)
		names_commits &= runs->items[i]->commit != NULL;
	if (item->rc < 0 || has_numbers(&item->result))
		ingest_add_source(ingest,
				  (struct source){item->path,
						  item->rc < 0 ? SOURCE_BROKEN : SOURCE_READ,
						  names_commits});
}

static void add_params(struct ingest *ingest, const char *path, const struct ingest_result *result)
{
	*arena_next(ingest->arena, ingest->params, ingest->params_count, ingest->params_capacity) =
		(struct attached_params){directory_walk_open(ingest->arena, path), path,
					 result->params, result->param_count};
}

/* Whether a device of this name and these aliases is known: it is the one that would be found. */
static bool has_device(const struct hardware_list *all, const struct hardware *device)
{
	for (size_t i = 0; i < all->count; i++)
		if (span_text_eq(all->items[i].name, device->name) &&
		    span_text_eq(all->items[i].aliases, device->aliases))
			return true;
	return false;
}

static void add_devices(struct ingest *ingest, const char *path,
			const struct hardware_list *devices)
{
	struct hardware_list *all = &ingest->cli->settings.devices;
	for (size_t i = 0; i < devices->count; i++) {
		if (has_device(all, &devices->items[i]))
			continue;
		if (all->count >= INGEST_DEVICES) {
			ingest->devices_fault = path;
			return;
		}
		*arena_add(ingest->arena, all) = devices->items[i];
	}
}

static void add_companions(struct ingest *ingest, const char *path, const struct reader *reader,
			   const struct companion_list *companions)
{
	const char *directory = directory_walk_open(ingest->arena, path);
	for (size_t i = 0; i < companions->count; i++) {
		*arena_next(ingest->arena, ingest->companions, ingest->companion_count,
			    ingest->companion_capacity) = (struct placed_companion){
			&companions->items[i], path, directory, reader, false};
	}
}

static bool has_many_kernels(const struct run_list *runs)
{
	for (size_t i = 1; i < runs->count; i++)
		if (!span_text_eq(runs->items[i]->kernel, runs->items[0]->kernel))
			return true;
	return false;
}

void ingest_add_runs(struct ingest *ingest, const char *path, const struct reader *reader,
		     const struct run_list *runs)
{
	bool many_kernels = has_many_kernels(runs);
	const char *directory = directory_walk_open(ingest->arena, path);
	for (size_t i = 0; i < runs->count; i++) {
		struct run *run = runs->items[i];
		run->source = path;
		run->ingested_at = ingest->cli->now;
		*arena_next(ingest->arena, ingest->runs, ingest->run_count, ingest->run_capacity) =
			(struct incoming){
				.run = run,
				.path = path,
				.directory = directory,
				.reader = reader,
				.many_kernels = many_kernels,
				.several_nodes = runs->count > 1 && run->node[0],
			};
	}
}

static void count_file(struct ingest *ingest, const struct reader *reader, size_t runs)
{
	size_t at = 0;
	while (at < ingest->format_count && ingest->formats[at].reader != reader)
		at++;
	if (at == ingest->format_count) {
		*arena_next(ingest->arena, ingest->formats, ingest->format_count,
			    ingest->format_capacity) = (struct format_count){.reader = reader};
	}
	ingest->formats[at].files++;
	ingest->formats[at].runs += runs;
}

void ingest_add(struct ingest *ingest, const char *path, const struct reader *reader,
		const struct ingest_result *result)
{
	ingest->files++;
	if (result->param_count)
		add_params(ingest, path, result);
	add_devices(ingest, path, &result->devices);
	ingest_add_runs(ingest, path, reader, &result->runs);
	add_companions(ingest, path, reader, &result->companions);
	count_file(ingest, reader, result->runs.count);
}

int ingest_read_input(struct ingest *ingest, struct input *input, const char *path,
		      struct error *err)
{
	struct ingest_result result = {0};
	const struct reader *reader;
	if (reader_read(ingest->arena, input, &result, &reader, err) < 0)
		return -1;
	ingest_add(ingest, path, reader, &result);
	return 0;
}

static bool is_native(struct ingest *ingest, const char *path, bool required)
{
	struct error ignored;
	bool none = strcmp(path, "-") == 0 || ingest->options->reading.hints.summary_only;
	struct input *input = none ? NULL : input_open(path, &ignored);
	bool native = input && ingest_is_native(ingest, input, path, required);
	if (input)
		input_close(input);
	return native;
}

/* Processes the result of one file; the arena adopts its memory. */
static int add_item(struct ingest *ingest, struct batch_item *item, bool required,
		    struct error *err)
{
	bool keep_going = ingest->options->keep_going;
	bool unknown = item->rc < 0 && !item->reader && item->err.kind == ERR_FORMAT;
	arena_adopt(ingest->arena, &item->arena);
	if (item->reader)
		add_source(ingest, item);
	if (item->rc == 0 && ingest_is_native_read(ingest, item, required))
		return 0;
	if (item->rc == 0) {
		size_t runs = ingest->run_count, companions = ingest->companion_count;
		ingest_add(ingest, item->path, item->reader, &item->result);
		for (size_t i = runs; i < ingest->run_count; i++)
			ingest->runs[i].named = required;
		for (size_t i = companions; i < ingest->companion_count; i++)
			ingest->companions[i].named = required;
		return 0;
	}
	if (unknown && is_native(ingest, item->path, required && !keep_going))
		return 0;
	const char *artifact = unknown ? artifact_text(ingest->arena, item->path) : NULL;
	if (artifact)
		error_set(&item->err, ERR_FORMAT, "%s", artifact);
	if (!keep_going && (required || !unknown)) {
		*err = item->err;
		if (unknown)
			error_prefix(err, "%s",
				     strcmp(item->path, "-") == 0 ? "standard input" : item->path);
		return -1;
	}
	ingest_skip(ingest, item->path, item->err.text);
	return 0;
}

/* --- which files --- */

/* Adds companions next to a file that was named. These are found, not named, so one that is a pipe
 * or a device is refused before it is opened. */
static int add_siblings(struct arena *arena, struct tree_list *list, const char *path,
			struct error *err)
{
	static const char *const names[] = {"params.json", "devices.json", "timings.json",
					    "sysinfo.csv", "roofline.csv"};
	const char *directory = directory_walk_open(arena, path);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *sibling = strcmp(directory, ".") == 0
					      ? names[i]
					      : arena_printf(arena, "%s/%s", directory, names[i]);
		if (!file_exists(sibling))
			continue;
		if (links_check_beside(arena, sibling, err) < 0 || file_check(sibling, err) < 0)
			return -1;
		*arena_add(arena, list) = (struct tree_file){.path = sibling};
	}
	return 0;
}

struct read_destination {
	const char *path;
	size_t index;
};

static int by_path(const void *a, const void *b)
{
	const struct read_destination *x = a, *y = b;
	int order = strcmp(x->path, y->path);
	return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* A canonical path of the file, to find duplicates: its directory is resolved. The file itself is
 * not, because links to one params.json apply to the runs of each directory that contains a link.
 */
static const char *canonical_path(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory =
		strcmp(path, "-") == 0 ? NULL : realpath(directory_walk_open(arena, path), NULL);
	const char *canonical = path;
	if (directory)
		canonical = arena_printf(arena, "%s/%s", directory, slash ? slash + 1 : path);
	free(directory);
	return canonical;
}

/* Removes duplicates: a companion of several profiles, or a file named twice, is read once, at its
 * first position. */
static void drop_repeated(struct arena *arena, struct tree_list *list)
{
	struct read_destination *targets = arena_array(arena, list->count + 1, sizeof *targets);
	bool *repeated = arena_array(arena, list->count + 1, sizeof *repeated);
	size_t remaining = 0;
	for (size_t i = 0; i < list->count; i++)
		targets[i] =
			(struct read_destination){canonical_path(arena, list->items[i].path), i};
	qsort(targets, list->count, sizeof *targets, by_path);
	for (size_t i = 1; i < list->count; i++)
		repeated[targets[i].index] = strcmp(targets[i].path, targets[i - 1].path) == 0;
	for (size_t i = 0; i < list->count; i++)
		if (!repeated[i])
			list->items[remaining++] = list->items[i];
	list->count = remaining;
}

static int list_files(struct ingest *ingest, const struct arguments *paths, struct tree_list *files,
		      struct error *err)
{
	struct arena *arena = ingest->arena;
	struct tree_list named = {0};
	for (size_t i = 0; i < paths->count; i++)
		if (links_check_named(ingest->cli, paths->items[i], err) < 0 ||
		    directory_walk_expand(arena, paths->items[i], &named, err) < 0)
			return -1;
	for (size_t i = 0; i < named.count; i++) {
		const struct tree_file *file = &named.items[i];
		if (file->is_passed_over) {
			ingest_skip(ingest, file->path,
				    "symbolic links are followed only to files in the folder: give "
				    "the target instead");
			ingest_add_source(ingest,
					  (struct source){.path = file->path, .kind = SOURCE_LINK});
			continue;
		}
		*arena_add(arena, files) = *file;
		if (file->is_explicit && strcmp(file->path, "-") != 0 &&
		    add_siblings(arena, files, file->path, err) < 0)
			return -1;
	}
	drop_repeated(arena, files);
	return 0;
}

/* --- progress --- */

/* One line on stderr that is overwritten, on a terminal only. While it is shown, SIGINT, SIGTERM
 * and SIGHUP erase it before they end the program. */
enum { progress_end_signals = 3 };

struct progress {
	const struct cli *cli;
	size_t files;   /* to be read */
	uint64_t bytes; /* of all files with a known size */
	struct timespec began;
	bool shown; /* the line is on the terminal */
	struct sigaction before[progress_end_signals];
};

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

/* "reading 3 of 12 files, 450.0 MB of 1.200 GB, 560.1 MB/s, 1.339 s left" */
static void add_progress(struct strbuf *out, const struct progress *progress,
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

/* A batch_watch. */
static void show_progress(void *context, const struct batch_progress *state)
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
	add_progress(&sb, progress, state, seconds);
	if (!progress->shown)
		catch_ends(progress);
	fprintf(stderr, "%s%.*s", wipe, (int)cli_columns() - 1, strbuf_text(&sb));
	fflush(stderr);
	progress->shown = true;
	strbuf_free(&sb);
}

static void end_progress(struct progress *progress)
{
	if (!progress->shown)
		return;
	fputs(wipe, stderr);
	fflush(stderr);
	for (int i = 0; i < progress_end_signals; i++)
		sigaction(end_signals[i], &progress->before[i], NULL);
	progress->shown = false;
}

/* --- all files --- */

static uint64_t bytes_of(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

static size_t default_threads(void)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	return processors > 1 ? (size_t)processors : 1;
}

int ingest_read(struct ingest *ingest, const struct arguments *paths, struct error *err)
{
	struct cli *cli = ingest->cli;
	const struct ingest_options *options = ingest->options;
	struct tree_list files = {0};
	if (list_files(ingest, paths, &files, err) < 0)
		return -1;
	struct batch_item *items = arena_array(&cli->arena, files.count + 1, sizeof *items);
	uint64_t bytes = 0;
	for (size_t i = 0; i < files.count; i++) {
		const char *path = files.items[i].path;
		items[i] = (struct batch_item){.path = path, .bytes = bytes_of(path)};
		bytes += items[i].bytes;
	}
	struct progress progress = {.cli = cli, .files = files.count, .bytes = bytes};
	clock_gettime(CLOCK_MONOTONIC, &progress.began);
	const struct batch_options batch = {
		.hints = &options->reading.hints,
		.threads = options->reading.threads ? options->reading.threads : default_threads(),
		.keep_going = options->keep_going,
		.watch = !cli->common.quiet && isatty(STDERR_FILENO) ? show_progress : NULL,
		.context = &progress,
	};
	ingest_batch_read(items, files.count, &batch);
	end_progress(&progress);
	int rc = 0;
	for (size_t i = 0; i < files.count; i++)
		if (rc == 0)
			rc = add_item(ingest, &items[i], files.items[i].is_explicit, err);
		else
			arena_free(&items[i].arena);
	return rc < 0 ? -1 : ingest_convert(ingest, err);
}
