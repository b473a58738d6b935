/* The known numbers of a run as bytes of the table `numbers` (db/schema/0004_numbers.sql). */
#ifndef DB_STORE_PACKED_NUMBERS_H
#define DB_STORE_PACKED_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/sqlite/sqlite.h"

enum { PACKED_BYTES = 11, PACKED_KEYS = 1 << 16 };

struct packed_number {
	int64_t key; /* row of the metric's key, below PACKED_KEYS */
	int64_t provenance;
	double number;
};

void packed_write(unsigned char bytes[PACKED_BYTES], const struct packed_number *number);

/* What is left of the bytes of a run. */
struct packed {
	const unsigned char *bytes;
	size_t len;
};
/* The next column of the row; ERR_STORE when it is not whole numbers. */
int packed_read(struct query *query, struct packed *packed, struct error *err);
/* Takes the next number; false at the end. */
bool packed_next(struct packed *packed, struct packed_number *number);

#endif
