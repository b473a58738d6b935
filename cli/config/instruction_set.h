/* Which instructions JSON is read with: the best of this machine, or those that ROOFLOG_ISA names,
 * to compare them or to do without. */
#ifndef CLI_CONFIG_INSTRUCTION_SET_H
#define CLI_CONFIG_INSTRUCTION_SET_H

#include "base/error.h"
#include "base/strbuf.h"

/* Does what ROOFLOG_ISA says; a name that this machine does not have is an error. */
int instruction_set_choose(struct error *err);
/* "avx512, avx2, words, none": those of this machine, the best first. */
void instruction_set_list(struct strbuf *out);

#endif
