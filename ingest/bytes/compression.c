/* The list of compressions, and errors that they share. */
#include "ingest/bytes/compression.h"

static const struct compression *const packings[] = {&gzip_packing, &zstd_packing};

const struct compression *compression_of(struct span first)
{
	for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
		if (packings[i]->detect(first))
			return packings[i];
	return NULL;
}

int compression_cut_off(const struct compression *packing, const struct byte_source *stored,
			struct error *err)
{
	return error_set(err, ERR_FORMAT, "the %s data is truncated after stored byte %" PRIu64,
			 packing->name, stored->fetched);
}

int compression_followed(const struct compression *packing, const struct byte_source *stored,
			 struct error *err)
{
	return error_set(err, ERR_FORMAT,
			 "data that is not %s follows the %s data at stored byte %" PRIu64,
			 packing->name, packing->name, byte_source_position(stored));
}

int compression_damaged(const struct compression *packing, uint64_t position, const char *why,
			struct error *err)
{
	return error_set(err, ERR_FORMAT, "the %s data is damaged near stored byte %" PRIu64 ": %s",
			 packing->name, position, why);
}
