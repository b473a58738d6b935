/*
 * What bytes that no reader knows look like, in words that complete "it looks
 * like ...", with the way out where there is one. For messages only.
 */
#ifndef INGEST_REGISTRY_UNKNOWN_FORMAT_H
#define INGEST_REGISTRY_UNKNOWN_FORMAT_H

#include "base/span.h"
#include "base/strbuf.h"

/* Traces that only their vendor's tool reads. */
enum sniff_native { SNIFF_NATIVE_NONE, SNIFF_NATIVE_NTFF, SNIFF_NATIVE_NCU };
enum sniff_native sniff_native(struct span head);

/* `head` is not empty of everything but blanks. */
void sniff(struct strbuf *out, struct span head);

#endif
