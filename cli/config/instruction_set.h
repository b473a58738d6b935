/* The instruction set for reading JSON: the best of this machine, or the one that ROOFLOG_ISA
 * names, for measurements and for machines whose best one misbehaves. */
#pragma once

#include "base/base.h"

/* Applies ROOFLOG_ISA. A name that this machine does not support is an error. */
int instruction_set_choose(struct error *err);
/* Appends the names that this machine supports, the best first: "avx512, avx2, words, none". */
void instruction_set_list(struct strbuf *out);
