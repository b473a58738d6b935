/* What messages must not have of an address. */
#pragma once

#include "db/postgres/postgres.h"

/* Whether the words have a part of what server_shown() leaves out. */
bool server_quotes_secret(const char *address, const char *words);
