/*
 * Describes bytes that no reader detects: completes the sentence "it looks like ...", with advice
 * if there is any. For messages only.
 */
#pragma once

#include "base/base.h"

/* Native traces that require their vendor's tool. */
enum unknown_format_is_native { SNIFF_NATIVE_NONE, SNIFF_NATIVE_NTFF, SNIFF_NATIVE_NCU };
enum unknown_format_is_native unknown_format_is_native(struct span head);

/* Appends the description. `head` must contain a character that is not a blank. */
void unknown_format_describe(struct strbuf *out, struct span head);
