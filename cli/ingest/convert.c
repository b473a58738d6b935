/*
 * Native traces among the inputs. A trace is skipped if a profile of the same capture is next to
 * it, because the profile has more information. Otherwise it is read, or converted by its vendor's
 * tool. A trace that is named on the command line and can be read is always read.
 */
#include "cli/ingest/ingest.h"

#include "cli/ingest/vendor_tools/vendor_tools.h"
#include "cli/ingest/folders/directory_walk.h"
#include "ingest/reader.h"
#include "ingest/registry/registry.h"

static void add_native(struct ingest *ingest, struct native_trace native)
{
	native.directory = directory_walk_open(ingest->arena, native.path);
	*arena_next(ingest->arena, ingest->natives, ingest->native_count, ingest->native_capacity) =
		native;
}

bool ingest_is_native(struct ingest *ingest, struct input *input, const char *path, bool required)
{
	struct span head;
	struct error ignored;
	if (input_head(input, &head, &ignored) < 0 || strcmp(path, "-") == 0)
		return false;
	const struct conversion *conversion = vendor_tools_for(head, path);
	if (!conversion)
		return false;
	ingest_add_source(ingest, (struct source){.path = path});
	add_native(ingest, (struct native_trace){
				   .path = path, .conversion = conversion, .required = required});
	return true;
}

bool ingest_is_native_read(struct ingest *ingest, const struct batch_item *item, bool required)
{
	const struct conversion *conversion = vendor_tools_of_reader(item->reader);
	if (!conversion)
		return false;
	struct ingest_result *result = arena_new(ingest->arena, struct ingest_result);
	*result = item->result;
	add_native(ingest, (struct native_trace){.path = item->path,
						 .conversion = conversion,
						 .required = required,
						 .reader = item->reader,
						 .result = result});
	return true;
}

/*
 * --- NEFFs of traces ---
 *
 * A trace has the UUID of its NEFF; in older versions it is cut at the first zero byte. It verifies
 * that a NEFF next to a trace, or named together with it, is the right one.
 */

/* Two hexadecimal digits per byte. A shorter UUID may match another kernel by chance. */
enum { identifying_digits = 8 };

/* The UUID of the run's NEFF, or the known beginning of it; NULL if nothing is known. */
static const char *uuid_of(const struct run *run, bool *whole)
{
	const char *uuid = run_attribute(run, "uuid");
	*whole = uuid != NULL;
	return uuid ? uuid : run_attribute(run, "uuid_start");
}

bool ingest_uuid_agrees(const struct run *run, const char *uuid, bool *chance)
{
	bool whole;
	const char *own = uuid_of(run, &whole);
	*chance = own && strlen(own) < identifying_digits;
	if (!own)
		return false;
	return whole ? strcmp(own, uuid) == 0 : strncmp(own, uuid, strlen(own)) == 0;
}

static const struct companion *find_neff(const struct ingest *ingest, const char *path)
{
	for (size_t i = 0; i < ingest->companion_count; i++)
		if (ingest->companions[i].reader == &neff_reader &&
		    strcmp(ingest->companions[i].path, path) == 0)
			return ingest->companions[i].companion;
	return NULL;
}

/* Reads the file only if it is a NEFF: a different file of that name was not requested. */
static int read_neff(struct ingest *ingest, const char *path, struct error *err)
{
	struct ingest_result result = {0};
	struct span head;
	struct input *input =
		links_check_beside(ingest->arena, path, err) < 0 ? NULL : input_open(path, err);
	if (!input)
		return -1;
	int rc = input_head(input, &head, err);
	if (rc == 0 && !neff_reader.detect(head))
		rc = error_set(err, ERR_FORMAT, "not a NEFF");
	if (rc == 0)
		rc = reader_read_as(&neff_reader, ingest->arena, input, &result, err);
	input_close(input);
	if (rc == 0)
		ingest_add(ingest, path, &neff_reader, &result);
	return rc;
}

/* The NEFF at a path, which is read unless it was before. NULL and *err if it is not a NEFF or
 * cannot be read. */
static const struct companion *neff_at(struct ingest *ingest, const char *path, struct error *err)
{
	const struct companion *known = find_neff(ingest, path);
	if (known || read_neff(ingest, path, err) < 0)
		return known;
	return find_neff(ingest, path);
}

/* "2128843d..." for a partial UUID. */
static const char *uuid_text(struct cli *cli, const struct run *run)
{
	bool whole;
	const char *uuid = uuid_of(run, &whole);
	return arena_printf(&cli->arena, "%s%s", uuid, whole ? "" : "...");
}

/* Whether the trace's directory contains other traces of this kind. */
static bool has_company(const struct ingest *ingest, const struct native_trace *native)
{
	for (size_t i = 0; i < ingest->native_count; i++)
		if (&ingest->natives[i] != native &&
		    ingest->natives[i].conversion == native->conversion &&
		    strcmp(ingest->natives[i].directory, native->directory) == 0)
			return true;
	return false;
}

static void note_not_joined(struct cli *cli, struct run *run, const char *path, const char *why)
{
	run_add_note(&cli->arena, run, "rooflog",
		     arena_printf(&cli->arena, "%s was ignored: %s", path, why));
}

/* Finds the NEFF next to a trace, by name. A NEFF of another kernel is an error, unless it may
 * belong to another trace in the directory. */
static int pair(struct ingest *ingest, struct native_trace *native, struct error *err)
{
	struct run *run = native->result->runs.items[0];
	struct error unread = {.kind = ERR_NONE};
	bool by_name, whole, chance;
	const char *path = strcmp(native->path, "-") == 0
				   ? NULL
				   : vendor_tools_neff(ingest->arena, native->conversion,
						       native->path, &by_name);
	if (!path)
		return 0;
	const struct companion *neff = neff_at(ingest, path, &unread);
	if (!neff) {
		note_not_joined(ingest->cli, run, path, arena_strdup(ingest->arena, unread.text));
		return 0;
	}
	if (!neff->uuid || !uuid_of(run, &whole)) {
		note_not_joined(ingest->cli, run, path,
				arena_printf(ingest->arena,
					     "%s has no UUID, so trace and NEFF cannot be matched",
					     neff->uuid ? "the trace" : "the NEFF"));
		return 0;
	}
	if (ingest_uuid_agrees(run, neff->uuid, &chance)) {
		native->neff = path;
		return 0;
	}
	if (!by_name && !native->required && has_company(ingest, native))
		return 0;
	return error_set(err, ERR_FORMAT,
			 "the trace belongs to NEFF %s, but %s next to it is NEFF %s: replace it "
			 "with the matching NEFF, or remove it",
			 uuid_text(ingest->cli, run), path, neff->uuid);
}

/* --- NEFFs and traces named together --- */

static bool is_joined(const struct ingest *ingest, const struct placed_companion *placed)
{
	for (size_t i = 0; i < ingest->run_count; i++)
		if (ingest_belongs(ingest->cli, placed, &ingest->runs[i]))
			return true;
	return false;
}

/* The first named trace with a known UUID; NULL if there is none. */
static const struct incoming *named_trace(const struct ingest *ingest)
{
	bool whole;
	for (size_t i = 0; i < ingest->run_count; i++)
		if (ingest->runs[i].named && vendor_tools_of_reader(ingest->runs[i].reader) &&
		    uuid_of(ingest->runs[i].run, &whole))
			return &ingest->runs[i];
	return NULL;
}

/* If NEFFs and traces were named, each NEFF must belong to one of the traces. */
static int check_named(struct ingest *ingest, struct error *err)
{
	const struct incoming *trace = named_trace(ingest);
	for (size_t i = 0; trace && i < ingest->companion_count; i++) {
		const struct placed_companion *placed = &ingest->companions[i];
		if (!placed->named || !placed->companion->uuid || is_joined(ingest, placed))
			continue;
		const char *why = arena_printf(ingest->arena,
					       "the given NEFF is %s, but %s belongs to NEFF %s: "
					       "give the NEFF that the trace was captured with",
					       placed->companion->uuid, trace->path,
					       uuid_text(ingest->cli, trace->run));
		if (!ingest->options->keep_going)
			return error_set(err, ERR_FORMAT, "%s: %s", placed->path, why);
		ingest_skip(ingest, placed->path, why);
	}
	return 0;
}

/* --- profiles of traces --- */

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
static const char *table_hash_of(struct ingest *ingest, const char *neff)
{
	struct error ignored;
	const struct companion *companion = neff ? neff_at(ingest, neff, &ignored) : NULL;
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
static bool is_of_another_kernel(struct ingest *ingest, const struct native_trace *native,
				 const struct run *run)
{
	const char *uuid = run_attribute(run, "uuid");
	bool chance;
	if (native->result && uuid)
		return !ingest_uuid_agrees(native->result->runs.items[0], uuid, &chance);
	const char *neff = vendor_tools_neff(ingest->arena, native->conversion, native->path, NULL);
	const char *hash = run->kernel_hash ? table_hash_of(ingest, neff) : NULL;
	return hash && strcmp(hash, run->kernel_hash) != 0;
}

/* The path of a profile by the trace's tool in its directory or below. Its name must match the
 * trace, unless it is the only trace of its kind there and the user chose the profile's name.
 * NULL if there is none. */
static const char *profile_next_to(struct ingest *ingest, const struct native_trace *native)
{
	size_t traces = 0;
	for (size_t i = 0; i < ingest->native_count; i++)
		traces += ingest->natives[i].conversion == native->conversion &&
			  strcmp(ingest->natives[i].directory, native->directory) == 0;
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct incoming *one = &ingest->runs[i];
		if (strcmp(one->run->tool, native->conversion->tool_class) == 0 &&
		    lies_below(native->directory, one->directory) &&
		    ((traces == 1 && one->reader != native->conversion->named) ||
		     is_namesake(ingest, native, one)) &&
		    !is_of_another_kernel(ingest, native, one->run))
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
static void set_hash(struct ingest *ingest, size_t first, const char *neff)
{
	const char *hash = first < ingest->run_count ? table_hash_of(ingest, neff) : NULL;
	for (size_t i = first; i < ingest->run_count; i++)
		if (!ingest->runs[i].run->kernel_hash)
			ingest->runs[i].run->kernel_hash = hash;
}

static int read_converted(struct ingest *ingest, const struct native_trace *native,
			  const struct converted *converted, struct error *err)
{
	const char *name = arena_printf(ingest->arena, "%s (by %s)", native->path, converted->tool);
	struct input *input = converted->file ? input_open(converted->file, err)
					      : input_of_bytes(converted->bytes);
	if (!input)
		return -1;
	size_t first = ingest->run_count;
	int rc = ingest_read_input(ingest, input, name, err);
	input_close(input);
	if (rc < 0)
		return error_prefix(err, "output of %s", converted->tool);
	set_hash(ingest, first, converted->neff);
	return 0;
}

static int convert_one(struct ingest *ingest, const struct native_trace *native, struct error *err)
{
	struct converted converted;
	const char *command = vendor_tools_command(ingest->arena, native->conversion, native->path);
	if (ingest->options->reading.no_tools)
		return error_set(err, ERR_FORMAT, "%s; convert it with: %s",
				 native->conversion->what, command);
	if (!vendor_tools_tool(ingest->arena, native->conversion))
		return error_set(err, ERR_FORMAT,
				 "%s; %s is not on PATH, so convert it yourself: %s",
				 native->conversion->what, native->conversion->tools[0], command);
	if (convert(ingest->arena, native->conversion, native->path, &converted, err) < 0)
		return error_prefix(err, "%s", native->conversion->what);
	pass_on(ingest->cli, native, &converted);
	int rc = read_converted(ingest, native, &converted, err);
	vendor_tools_free(&converted);
	return rc;
}

/* Adds the runs of a trace that its reader has read. */
static int add_read(struct ingest *ingest, struct native_trace *native, struct error *err)
{
	size_t first = ingest->run_count;
	if (pair(ingest, native, err) < 0)
		return -1;
	ingest_add(ingest, native->path, native->reader, native->result);
	for (size_t i = first; i < ingest->run_count; i++) {
		ingest->runs[i].named = native->required;
		ingest->runs[i].neff = native->neff;
	}
	return 0;
}

static int add_trace(struct ingest *ingest, struct native_trace *native, struct error *err)
{
	bool is_read = native->result != NULL;
	const char *profile = is_read && native->required ? NULL : profile_next_to(ingest, native);
	struct error why = {0};
	if (profile) {
		ingest_skip(ingest, native->path,
			    arena_printf(ingest->arena, "%s; its profile is read from %s instead",
					 is_read ? "a native trace" : native->conversion->what,
					 profile));
		return 0;
	}
	if ((is_read ? add_read(ingest, native, &why) : convert_one(ingest, native, &why)) == 0)
		return 0;
	if (is_read ? !ingest->options->keep_going : native->required) {
		*err = why;
		return error_prefix(err, "%s", native->path);
	}
	ingest_skip(ingest, native->path, arena_strdup(ingest->arena, why.text));
	return 0;
}

int ingest_convert(struct ingest *ingest, struct error *err)
{
	for (size_t i = 0; i < ingest->native_count; i++)
		if (add_trace(ingest, &ingest->natives[i], err) < 0)
			return -1;
	return check_named(ingest, err);
}
