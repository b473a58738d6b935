/* The gate for people at a terminal. */
#ifndef CLI_GATE_TEXT_H
#define CLI_GATE_TEXT_H

#include "cli/context.h"
#include "model/gate/gate.h"

const char *gate_text(struct cli *cli, const struct gate *gate);

#endif
