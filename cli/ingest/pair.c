/*
 * Pairs traces with their NEFFs. A trace has the UUID of its NEFF; in older versions it is cut at
 * the first zero byte. It verifies that a NEFF next to a trace, or named together with it, is the
 * right one.
 */
#include "cli/ingest/ingest.h"

#include "cli/ingest/vendor_tools.h"
#include "ingest/reader.h"

/* Two hexadecimal digits per byte. A shorter UUID may match another kernel by chance. */
enum { telling_digits = 8 };

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
	*chance = own && strlen(own) < telling_digits;
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
static int read_neff(struct cli *cli, struct ingest *ingest, const char *path, struct error *err)
{
	struct ingest_result result = {0};
	struct span head;
	struct input *input = input_open(path, err);
	if (!input)
		return -1;
	int rc = input_head(input, &head, err);
	if (rc == 0 && !neff_reader.detect(head))
		rc = error_set(err, ERR_FORMAT, "it is no NEFF");
	if (rc == 0)
		rc = neff_reader.read(&cli->arena, input, &result, err);
	input_close(input);
	if (rc == 0)
		ingest_take(cli, ingest, path, &neff_reader, &result);
	return rc;
}

const struct companion *ingest_neff(struct cli *cli, struct ingest *ingest, const char *path,
				    struct error *err)
{
	const struct companion *known = find_neff(ingest, path);
	if (known || read_neff(cli, ingest, path, err) < 0)
		return known;
	return find_neff(ingest, path);
}

/* "2128843d..." for a partial UUID. */
static const char *uuid_words(struct cli *cli, const struct run *run)
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
		     arena_printf(&cli->arena, "%s is not joined: %s", path, why));
}

int ingest_pair(struct cli *cli, struct ingest *ingest, struct native_trace *native,
		struct error *err)
{
	struct run *run = native->result->runs.items[0];
	struct error unread = {.kind = ERR_NONE};
	bool by_name, whole, chance;
	const char *path = strcmp(native->path, "-") == 0
				   ? NULL
				   : vendor_tools_neff(&cli->arena, native->conversion,
						       native->path, &by_name);
	if (!path)
		return 0;
	const struct companion *neff = ingest_neff(cli, ingest, path, &unread);
	if (!neff) {
		note_not_joined(cli, run, path, arena_strdup(&cli->arena, unread.text));
		return 0;
	}
	if (!neff->uuid || !uuid_of(run, &whole)) {
		note_not_joined(cli, run, path,
				arena_printf(&cli->arena,
					     "without the UUID in %s nothing tells whether it is "
					     "the NEFF of this trace",
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
			 "the trace is of the NEFF with the UUID %s, but %s, which lies beside it, "
			 "has the UUID %s: put the trace's own NEFF there, or take this one away",
			 uuid_words(cli, run), path, neff->uuid);
}

/* --- NEFFs and traces named together --- */

static bool is_joined(struct cli *cli, const struct ingest *ingest,
		      const struct placed_companion *placed)
{
	for (size_t i = 0; i < ingest->run_count; i++)
		if (ingest_belongs(cli, placed, &ingest->runs[i]))
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

int ingest_check_named(struct cli *cli, struct ingest *ingest, struct error *err)
{
	const struct incoming *trace = named_trace(ingest);
	for (size_t i = 0; trace && i < ingest->companion_count; i++) {
		const struct placed_companion *placed = &ingest->companions[i];
		if (!placed->named || !placed->companion->uuid || is_joined(cli, ingest, placed))
			continue;
		const char *why = arena_printf(
			&cli->arena,
			"the NEFF has the UUID %s, but %s, which was named with it, is of the NEFF "
			"with the UUID %s: name the NEFF that the trace was captured with",
			placed->companion->uuid, trace->path, uuid_words(cli, trace->run));
		if (!ingest->keep_going)
			return error_set(err, ERR_FORMAT, "%s: %s", placed->path, why);
		ingest_skip(cli, ingest, placed->path, why);
	}
	return 0;
}
