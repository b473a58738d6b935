/*
 * What bytes that no reader knows look like, in words that complete "it looks
 * like ...", with the way out where there is one. For messages only.
 */
#ifndef INGEST_SNIFF_H
#define INGEST_SNIFF_H

#include "base/span.h"
#include "base/strbuf.h"

/* `head` is not empty of everything but blanks. */
void sniff(struct strbuf *out, struct span head);

#endif
