/* The sections of a full profile, for readers of the same content in another container. */
#pragma once

#include "ingest/json/stream.h"
#include "ingest/neuron/collect.h"

/* How records of a section are added to a collector, which is their context: those with events if
 * its trace wants them, or few if only the summary is wanted. NULL: this section is not read. */
const struct json_section *neuron_profile_section(const struct collector *c, bool summary_only,
						  const char *name);
/* Notes that only the summary was read; -1 and *err if there was none. */
int neuron_profile_note_summary_only(struct collector *c, struct error *err);
