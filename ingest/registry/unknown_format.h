/*
 * Describes bytes that no reader detects: completes the sentence "it looks like ...", with advice
 * if there is any. For messages only.
 */
#ifndef INGEST_REGISTRY_UNKNOWN_FORMAT_H
#define INGEST_REGISTRY_UNKNOWN_FORMAT_H

#include "base/span.h"
#include "base/strbuf.h"

/* Native traces that require their vendor's tool. */
enum sniff_native { SNIFF_NATIVE_NONE, SNIFF_NATIVE_NTFF, SNIFF_NATIVE_NCU };
enum sniff_native sniff_native(struct span head);

/* Appends the description. `head` must contain a character that is not a blank. */
void sniff(struct strbuf *out, struct span head);

#endif
