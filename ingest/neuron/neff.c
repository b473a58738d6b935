/*
 * Reader of NEFF, the compiled kernel. It contains no measurement but identifies profiles: a
 * profile has the NEFF's hash, a native trace has its UUID. Through them the kernel's name, the
 * compiler's version and the tensors with their sizes join those runs, in whatever directory they
 * are.
 *
 * A header of 1024 bytes, little endian:
 *
 *   0x00  u64  package version, 2
 *   0x08  u64  size of the header, 1024
 *   0x10  u64  size of the archive after the header
 *   0xAC  32   hash; its first 16 bytes in hexadecimal are the field "hash" of profiles
 *   0xCC  16   UUID
 *   0xDC  256  name, NUL-terminated
 *
 * The archive is a gzipped tar file. "tool_version" is read from its info.json, and the tensors
 * from the files of each graph (ingest/neuron/neff_tensors.h).
 */

#include "base/hash/hash.h"
#include "base/json/json.h"
#include "base/text/text.h"
#include "ingest/collect/collect.h"
#include "ingest/container/tar_gz.h"
#include "ingest/neuron/neff_tensors.h"
#include "ingest/reader.h"

enum { header_size = 1024, hash_at = 0xac, uuid_at = 0xcc, id_size = 16, name_at = 0xdc };
enum { name_size = 256, file_limit = 16 << 20 };

/* The first id_size bytes of 32 in hexadecimal. */
static const char *hex_of(struct arena *arena, const char bytes[32])
{
	char hex[65];
	hash_hex((const unsigned char *)bytes, hex);
	return arena_strndup(arena, hex, (size_t)2 * id_size);
}

static bool is_zero(const char *bytes)
{
	static const char zeros[id_size];
	return memcmp(bytes, zeros, id_size) == 0;
}

/* A copy of a line; NULL if the text is empty or not a line of valid UTF-8. */
static const char *line_of(struct arena *arena, struct span text)
{
	return text.len && utf8_is_line(text) ? bounded_text_of(arena, text) : NULL;
}

static int read_header(struct input *input, char *header, struct error *err)
{
	size_t have = 0, got = 1;
	while (have < header_size && got) {
		if (input_read(input, header + have, header_size - have, &got, err) < 0)
			return -1;
		have += got;
	}
	if (have < header_size)
		return error_set(err, ERR_FORMAT, "truncated NEFF: %zu of %d header bytes", have,
				 (int)header_size);
	if (is_zero(header + hash_at))
		return error_set(
			err, ERR_FORMAT,
			"the NEFF has no hash at byte %d, so its profiles cannot be identified",
			(int)hash_at);
	return 0;
}

static void add(struct companion *companion, const char *key, const char *text)
{
	if (text)
		companion->attributes[companion->attribute_count++] =
			(struct run_attribute){key, text};
}

struct archive {
	struct arena *arena;
	const char *version; /* compiler version; NULL unknown */
	struct neff_tensors tensors;
};

static int read_info(struct archive *archive, struct span bytes, struct error *err)
{
	const struct json *info = json_parse(archive->arena, bytes, err);
	if (!info)
		return error_prefix(err, "info.json");
	archive->version = line_of(archive->arena, span_of(json_text(info, "tool_version", NULL)));
	return 0;
}

static int on_file(void *context, const char *name, struct span bytes, struct error *err)
{
	struct archive *archive = context;
	return strcmp(name, "info.json") == 0
		       ? read_info(archive, bytes, err)
		       : neff_tensors_read(&archive->tensors, name, bytes, err);
}

/* If the archive was not read completely, its tensors are left unknown. */
static int read_archive(struct archive *archive, struct input *input, struct companion *companion,
			struct error *err)
{
	static const char *const patterns[] = {"info.json", "*/def.json", "*/tensor_map.json",
					       NULL};
	const struct tar_visitor visitor = {archive, patterns, file_limit, on_file};
	bool complete;
	if (tar_gz_read(input, &visitor, &complete, err) < 0)
		return -1;
	if (complete)
		neff_tensors_give(&archive->tensors, companion);
	return 0;
}

static int read_neff(struct arena *arena, struct input *input, struct ingest_result *result,
		     struct error *err)
{
	char header[header_size];
	struct archive archive = {.arena = arena, .tensors = {.arena = arena}};
	if (read_header(input, header, err) < 0)
		return -1;
	struct companion companion = {
		.kernel_hash = hex_of(arena, header + hash_at),
		.uuid = is_zero(header + uuid_at) ? NULL : hex_of(arena, header + uuid_at),
		.attributes = arena_array(arena, 3, sizeof *companion.attributes),
	};
	if (word_at(header + 16) > 0 && read_archive(&archive, input, &companion, err) < 0)
		return -1;
	struct span name = {header + name_at, strnlen(header + name_at, name_size)};
	add(&companion, "neff_name", line_of(arena, name));
	add(&companion, "neff_uuid", companion.uuid);
	add(&companion, "neff_tool_version", archive.version);
	companion.compiler = archive.version;
	*arena_add(arena, &result->companions) = companion;
	return 0;
}

static bool detect(struct span head)
{
	return head.len >= 32 && word_at(head.ptr) == 2 && word_at(head.ptr + 8) == header_size;
}

const struct reader neff_reader = {"neff", "NEFF, joined to the profiles of its kernel", 0, detect,
				   read_neff};
