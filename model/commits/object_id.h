/* Object ids of git as texts. */
#pragma once

#include <stdbool.h>

#include "base/base.h"

/* How many digits the id has that the text begins with: 40 or 64, lower-case hexadecimal; 0 where
 * as many digits as there are make no id. */
size_t object_id_digits(struct span text);
/* Whether the whole text is a full id. */
bool object_id_is_full(struct span text);
