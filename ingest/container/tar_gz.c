/* Reads a gzipped tar file: blocks of 512 bytes, a header,
 * then the content padded to whole blocks. */
#include "ingest/container/tar_gz.h"

#include <fnmatch.h>

#include "ingest/bytes/bytes.h"

enum { block_size = 512, chunk_size = 16384, name_size = 100, size_at = 124, type_at = 156 };

struct archive {
	struct input *input;
	struct inflate *inflate;
	struct span packed; /* compressed bytes, in the input's buffer */
	bool ended;
	size_t unpacked;
};

/* Decompresses into the buffer; *got is less than `size` only at the end of the data. */
static int unpack(struct archive *archive, void *buffer, size_t size, size_t *got,
		  struct error *err)
{
	struct room room = {buffer, size, 0};
	while (room.used < size && !archive->ended) {
		if (archive->packed.len == 0 &&
		    input_next(archive->input, &archive->packed, err) < 0)
			return -1;
		size_t packed = archive->packed.len, used = room.used;
		const char *why =
			inflate_step(archive->inflate, &archive->packed, &room, &archive->ended);
		bool stuck = archive->packed.len == packed && room.used == used && !archive->ended;
		if (stuck && packed == 0)
			return error_set(err, ERR_FORMAT, "truncated archive");
		if (why || stuck)
			return error_set(err, ERR_FORMAT, "the archive is damaged: %s",
					 why ? why : "decompression failed");
	}
	*got = room.used;
	archive->unpacked += *got;
	return 0;
}

/* Parses octal digits that a blank or NUL ends. False for anything else, including base 256. */
static bool octal_of(const unsigned char *text, size_t len, uint64_t *number)
{
	uint64_t value = 0;
	size_t i = 0, digits = 0;
	while (i < len && text[i] == ' ')
		i++;
	for (; i < len && text[i] >= '0' && text[i] <= '7'; i++, digits++)
		value = value * 8 + (uint64_t)(text[i] - '0');
	*number = value;
	return digits > 0 && (i == len || text[i] == ' ' || text[i] == '\0');
}

/* The name of a regular file, without a leading "./"; false for other kinds of entries. */
static bool name_of(const unsigned char *block, char name[name_size + 1])
{
	size_t len = strnlen((const char *)block, name_size);
	struct span own = {(const char *)block, len};
	if (span_starts(own, "./"))
		own = span_from(own, 2);
	memcpy(name, own.ptr, own.len);
	name[own.len] = '\0';
	return block[type_at] == '0' || block[type_at] == '\0';
}

static bool is_wanted(const struct tar_visitor *visitor, const char *name)
{
	for (size_t i = 0; visitor->patterns[i]; i++)
		if (fnmatch(visitor->patterns[i], name, FNM_PATHNAME | FNM_NOESCAPE) == 0)
			return true;
	return false;
}

static int skip(struct archive *archive, uint64_t bytes, struct error *err)
{
	unsigned char waste[chunk_size];
	while (bytes > 0 && !archive->ended) {
		size_t got, part = bytes < sizeof waste ? (size_t)bytes : sizeof waste;
		if (unpack(archive, waste, part, &got, err) < 0)
			return -1;
		bytes -= got;
	}
	return bytes ? error_set(err, ERR_FORMAT, "the archive ends inside a file") : 0;
}

static int visit(struct archive *archive, const struct tar_visitor *visitor, const char *name,
		 size_t size, struct error *err)
{
	size_t got, padding = (block_size - size % block_size) % block_size;
	char *content = memory_buffer(size + 1);
	int rc = unpack(archive, content, size, &got, err);
	if (rc == 0 && got < size)
		rc = error_set(err, ERR_FORMAT, "the archive ends inside %s", name);
	if (rc == 0)
		rc = visitor->file(visitor->context, name, (struct span){content, size}, err);
	free(content);
	return rc < 0 ? -1 : skip(archive, padding, err);
}

static int read_files(struct archive *archive, const struct tar_visitor *visitor, bool *complete,
		      struct error *err)
{
	unsigned char block[block_size];
	char name[name_size + 1];
	*complete = true;
	while (archive->unpacked < tar_unpacked_limit) {
		size_t got;
		uint64_t size;
		if (unpack(archive, block, sizeof block, &got, err) < 0)
			return -1;
		if (got < sizeof block || block[0] == '\0')
			return 0;
		if (!octal_of(block + size_at, 12, &size))
			return error_set(err, ERR_FORMAT,
					 "the archive is damaged: a file without a size");
		bool wanted = name_of(block, name) && is_wanted(visitor, name);
		if (wanted && size <= visitor->limit) {
			if (visit(archive, visitor, name, (size_t)size, err) < 0)
				return -1;
			continue;
		}
		*complete &= !wanted;
		if (size > tar_unpacked_limit - archive->unpacked)
			break;
		if (skip(archive, (size + block_size - 1) / block_size * block_size, err) < 0)
			return -1;
	}
	*complete = false;
	return 0;
}

int tar_gz_read(struct input *input, const struct tar_visitor *visitor, bool *complete,
		struct error *err)
{
	struct archive *archive = memory_allocate(1, sizeof *archive);
	bool all;
	archive->inflate = inflate_new(err);
	archive->input = input;
	int rc = archive->inflate ? read_files(archive, visitor, &all, err) : -1;
	inflate_free(archive->inflate);
	free(archive);
	if (rc == 0)
		*complete = all;
	return rc;
}
