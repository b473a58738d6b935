/* Limits for damaged and hostile files: values have a size, and each statement has an end. */
#pragma once

#include "base/base.h"

struct sqlite3;

struct guard {
	const char *path; /* the store, links resolved */
	uint64_t steps;   /* of SQLite's virtual machine since the last statement began */
};

/* Restricts the connection. *guard must live as long as the connection. */
void guard_attach(struct guard *guard, struct sqlite3 *handle);
/* Whether a file of this size may have that many rows. */
bool guard_rows_fit(const struct guard *guard, uint64_t rows);
