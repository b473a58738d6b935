/* Puts the records of a native trace on the tracks of a timeline. */
#pragma once

#include "model/ntff/trace.h"
#include "model/timeline/trace/trace.h"

/* An instruction inside the window. */
void ntff_run_event_instruction(struct trace *trace, const struct ntff_instruction *one);
/* Transfers that the run does not count are only counted. */
void ntff_run_event_transfer(struct trace *trace, const struct ntff_transfer *one);
/* Ignored outside the window. */
void ntff_run_event_update(struct trace *trace, const struct ntff_event *one);
