/*
 * Describes bytes that no reader detects: completes the sentence "it looks like ...", with advice
 * if there is any. For messages only.
 */
#pragma once

#include "base/base.h"

/* Native traces that require their vendor's tool. */
enum sniff_native { SNIFF_NATIVE_NONE, SNIFF_NATIVE_NTFF, SNIFF_NATIVE_NCU };
enum sniff_native sniff_native(struct span head);

/* Appends the description. `head` must contain a character that is not a blank. */
void sniff(struct strbuf *out, struct span head);
