/*
 * Native traces among the inputs. A trace is skipped if a profile of the same capture is next to
 * it, because the profile has more information. Otherwise it is read, or converted by its vendor's
 * tool. A trace that is named on the command line and can be read is always read.
 */
#include "cli/ingest/ingest.h"

#include "cli/ingest/vendor_tools.h"
#include "cli/ingest/directory_walk.h"

static void add_native(struct cli *cli, struct ingest *ingest, struct native_trace native)
{
	native.directory = directory_walk_open(&cli->arena, native.path);
	*arena_next(&cli->arena, ingest->natives, ingest->native_count, ingest->native_capacity) =
		native;
}

bool ingest_is_native(struct cli *cli, struct ingest *ingest, struct input *input, const char *path,
		      bool required)
{
	struct span head;
	struct error ignored;
	if (input_head(input, &head, &ignored) < 0 || strcmp(path, "-") == 0)
		return false;
	const struct conversion *conversion = vendor_tools_for(head, path);
	if (!conversion)
		return false;
	add_native(cli, ingest,
		   (struct native_trace){
			   .path = path, .conversion = conversion, .required = required});
	return true;
}

bool ingest_is_native_read(struct cli *cli, struct ingest *ingest, const struct batch_item *item,
			   bool required)
{
	const struct conversion *conversion = vendor_tools_of_reader(item->reader);
	if (!conversion)
		return false;
	struct ingest_result *result = arena_new(&cli->arena, struct ingest_result);
	*result = item->result;
	add_native(cli, ingest,
		   (struct native_trace){.path = item->path,
					 .conversion = conversion,
					 .required = required,
					 .reader = item->reader,
					 .result = result});
	return true;
}

/* The file's name without its directory and its last suffix. */
static struct span stem_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct span name = span_of(slash ? slash + 1 : path);
	for (size_t i = name.len; i-- > 1;)
		if (name.ptr[i] == '.')
			return (struct span){name.ptr, i};
	return name;
}

static bool lies_below(const char *directory, const char *path)
{
	size_t len = strlen(directory);
	return strcmp(directory, ".") == 0 ? path[0] != '/'
					   : strncmp(path, directory, len) == 0 &&
						     (path[len] == '\0' || path[len] == '/');
}

/* The hash in a NEFF; NULL if it cannot be read. */
static const char *table_hash_of(struct cli *cli, struct ingest *ingest, const char *neff)
{
	struct error ignored;
	const struct companion *companion = neff ? ingest_neff(cli, ingest, neff, &ignored) : NULL;
	return companion ? companion->kernel_hash : NULL;
}

/* Whether `own` is `stem` followed by nothing or a separator: "mlp" matches "mlp.json" and
 * "mlp_exec_2.json", but not "mlp2.json". */
static bool is_named_like(struct span own, struct span stem)
{
	return own.len >= stem.len && memcmp(own.ptr, stem.ptr, stem.len) == 0 &&
	       (own.len == stem.len || strchr("_-.", own.ptr[stem.len]));
}

/* Whether the profile's name matches the trace and does not match a longer name of
 * another trace. */
static bool is_namesake(const struct ingest *ingest, const struct native_trace *native,
			const struct incoming *one)
{
	struct span own = stem_of(one->path), stem = stem_of(native->path);
	if (!is_named_like(own, stem))
		return false;
	for (size_t i = 0; i < ingest->native_count; i++) {
		const struct native_trace *other = &ingest->natives[i];
		struct span rival = stem_of(other->path);
		if (other->conversion == native->conversion && rival.len > stem.len &&
		    strcmp(other->directory, native->directory) == 0 && is_named_like(own, rival))
			return false;
	}
	return true;
}

/* Whether the trace's UUID or a NEFF shows that the profile is of another kernel. */
static bool is_of_another_kernel(struct cli *cli, struct ingest *ingest,
				 const struct native_trace *native, const struct run *run)
{
	const char *uuid = run_attribute(run, "uuid");
	bool chance;
	if (native->result && uuid)
		return !ingest_uuid_agrees(native->result->runs.items[0], uuid, &chance);
	const char *neff = vendor_tools_neff(&cli->arena, native->conversion, native->path, NULL);
	const char *hash = run->kernel_hash ? table_hash_of(cli, ingest, neff) : NULL;
	return hash && strcmp(hash, run->kernel_hash) != 0;
}

/* The path of a profile by the trace's tool in its directory or below. Its name must match the
 * trace, unless the trace is the only one of its kind there. NULL if there is none. */
static const char *profile_beside(struct cli *cli, struct ingest *ingest,
				  const struct native_trace *native)
{
	size_t traces = 0;
	for (size_t i = 0; i < ingest->native_count; i++)
		traces += ingest->natives[i].conversion == native->conversion &&
			  strcmp(ingest->natives[i].directory, native->directory) == 0;
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct incoming *one = &ingest->runs[i];
		if (strcmp(one->run->tool, native->conversion->tool_class) == 0 &&
		    lies_below(native->directory, one->directory) &&
		    (traces == 1 || is_namesake(ingest, native, one)) &&
		    !is_of_another_kernel(cli, ingest, native, one->run))
			return one->path;
	}
	return NULL;
}

static void pass_on(struct cli *cli, const struct native_trace *native,
		    const struct converted *converted)
{
	struct span rest = span_of(converted->messages);
	while (rest.ptr && rest.len) {
		struct span line = span_trim(span_cut(&rest, '\n'));
		if (line.len)
			cli_note(cli, "%s: %s says: %.*s", native->path, converted->tool,
				 (int)(line.len < 400 ? line.len : 400), line.ptr);
	}
}

/* Sets the kernel hash of converted runs, because the tool's output may omit the
 * NEFF it was given. */
static void give_hash(struct cli *cli, struct ingest *ingest, size_t first, const char *neff)
{
	const char *hash = first < ingest->run_count ? table_hash_of(cli, ingest, neff) : NULL;
	for (size_t i = first; i < ingest->run_count; i++)
		if (!ingest->runs[i].run->kernel_hash)
			ingest->runs[i].run->kernel_hash = hash;
}

static int read_converted(struct cli *cli, struct ingest *ingest, const struct native_trace *native,
			  const struct converted *converted, struct error *err)
{
	const char *name = arena_printf(&cli->arena, "%s (by %s)", native->path, converted->tool);
	struct input *input = converted->file ? input_open(converted->file, err)
					      : input_of_bytes(converted->bytes);
	if (!input)
		return -1;
	size_t first = ingest->run_count;
	int rc = ingest_read_input(cli, ingest, input, name, err);
	input_close(input);
	if (rc < 0)
		return error_prefix(err, "what %s gave", converted->tool);
	give_hash(cli, ingest, first, converted->neff);
	return 0;
}

static int convert_one(struct cli *cli, struct ingest *ingest, const struct native_trace *native,
		       struct error *err)
{
	struct converted converted;
	const char *command = vendor_tools_command(&cli->arena, native->conversion, native->path);
	if (ingest->no_tools)
		return error_set(err, ERR_FORMAT, "%s; convert it with: %s",
				 native->conversion->what, command);
	if (!vendor_tools_tool(&cli->arena, native->conversion))
		return error_set(err, ERR_FORMAT, "%s, and %s is not on PATH; convert it with: %s",
				 native->conversion->what, native->conversion->tools[0], command);
	if (convert(&cli->arena, native->conversion, native->path, &converted, err) < 0)
		return error_prefix(err, "%s", native->conversion->what);
	pass_on(cli, native, &converted);
	int rc = read_converted(cli, ingest, native, &converted, err);
	vendor_tools_free(&converted);
	return rc;
}

/* Adds the runs of a trace that its reader has read. */
static int take_read(struct cli *cli, struct ingest *ingest, struct native_trace *native,
		     struct error *err)
{
	size_t first = ingest->run_count;
	if (ingest_pair(cli, ingest, native, err) < 0)
		return -1;
	ingest_take(cli, ingest, native->path, native->reader, native->result);
	for (size_t i = first; i < ingest->run_count; i++) {
		ingest->runs[i].named = native->required;
		ingest->runs[i].neff = native->neff;
	}
	return 0;
}

static int take_native(struct cli *cli, struct ingest *ingest, struct native_trace *native,
		       struct error *err)
{
	bool is_read = native->result != NULL;
	const char *beside =
		is_read && native->required ? NULL : profile_beside(cli, ingest, native);
	struct error why = {0};
	if (beside) {
		ingest_skip(cli, ingest, native->path,
			    arena_printf(&cli->arena, "%s whose profile is read from %s",
					 is_read ? "a native trace" : native->conversion->what,
					 beside));
		return 0;
	}
	if ((is_read ? take_read(cli, ingest, native, &why)
		     : convert_one(cli, ingest, native, &why)) == 0)
		return 0;
	if (is_read ? !ingest->keep_going : native->required) {
		*err = why;
		return error_prefix(err, "%s", native->path);
	}
	ingest_skip(cli, ingest, native->path, arena_strdup(&cli->arena, why.text));
	return 0;
}

int ingest_convert(struct cli *cli, struct ingest *ingest, struct error *err)
{
	for (size_t i = 0; i < ingest->native_count; i++)
		if (take_native(cli, ingest, &ingest->natives[i], err) < 0)
			return -1;
	return ingest_check_named(cli, ingest, err);
}
