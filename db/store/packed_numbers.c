/* Converts numbers to little-endian bytes and back. */

#include "base/text/text.h"
#include "db/store/internal.h"

void store_packed_write(unsigned char bytes[PACKED_BYTES], const struct packed_number *number)
{
	uint64_t bits;
	assert(number->key > 0 && number->key < PACKED_KEYS);
	assert(number->provenance >= 0 && number->provenance <= UINT8_MAX);
	memcpy(&bits, &number->number, sizeof bits);
	bytes[0] = (unsigned char)number->key;
	bytes[1] = (unsigned char)(number->key >> 8);
	bytes[2] = (unsigned char)number->provenance;
	word_put(bytes + 3, bits);
}

int store_packed_read(struct query *query, struct packed *packed, struct error *err)
{
	struct seal own = {0}, *outer = query->seal;
	query->seal = &own;
	query_integer(query); /* rowid of the run */
	packed->bytes = query_bytes(query, &packed->len);
	if (outer) { /* a run's seal has its numbers, and names the run */
		query->at++;
		query->seal = outer;
		seal_add_bytes(outer, false, packed->bytes, packed->len);
	} else {
		query_check_seal(query);
	}
	if (packed->len % PACKED_BYTES == 0)
		return 0;
	return error_set(err, ERR_STORE,
			 "%s: the store is damaged: the numbers of a run are %zu bytes long",
			 sql_path(query->sql), packed->len);
}

bool store_packed_next(struct packed *packed, struct packed_number *number)
{
	assert(packed->len % PACKED_BYTES == 0);
	if (packed->len == 0)
		return false;
	const unsigned char *bytes = packed->bytes;
	uint64_t bits = word_at(bytes + 3);
	number->key = bytes[0] | bytes[1] << 8;
	number->provenance = bytes[2];
	memcpy(&number->number, &bits, sizeof bits);
	packed->bytes += PACKED_BYTES;
	packed->len -= PACKED_BYTES;
	return true;
}
