/* What the text and the JSON of a bisection share. */
#pragma once

#include "render/bisect/bisect.h"

/* The mean of a commit's sessions, in the model's unit; NAN without any. */
double render_bisect_middle_of(const struct bisect_case *bisect_case, size_t x);
const char *render_bisect_same_text(enum bisect_same same);
