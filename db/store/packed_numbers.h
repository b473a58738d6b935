/* The known numbers of a run as one BLOB of the table `numbers`. The layout is specified in
 * db/schema/0004_numbers.sql: 11 bytes per number, little-endian. */
#pragma once

#include "db/sqlite/sqlite.h"

enum { PACKED_BYTES = 11, PACKED_KEYS = 1 << 16 };

struct packed_number {
	int64_t key;        /* rowid of the metric's key, below PACKED_KEYS */
	int64_t provenance; /* 0 to 255; enum provenance, if this program knows it */
	double number;      /* in the metric's unit */
};

void store_packed_write(unsigned char bytes[PACKED_BYTES], const struct packed_number *number);

/* The numbers of a run that were not read yet. */
struct packed {
	const unsigned char *bytes; /* valid until the query's next row */
	size_t len;                 /* a multiple of PACKED_BYTES */
};
/* Begins with the next three columns of the row: run, BLOB, seal. ERR_STORE if the length is
 * invalid. */
int store_packed_read(struct query *query, struct packed *packed, struct error *err);
/* Reads the next number; false at the end. */
bool store_packed_next(struct packed *packed, struct packed_number *number);
