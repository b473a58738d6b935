/* Object ids of git, as text. */
#pragma once

#include "base/base.h"

/* Length of the id at the start of the text: 40 or 64 lower-case hexadecimal digits; 0 if the text
 * does not start with an id. */
size_t object_id_digits(struct span text);
/* Whether the whole text is a full id. */
bool object_id_is_full(struct span text);
