/* Numbers as the templates print them. Inside render/vocabulary only. */
#pragma once

#include "render/vocabulary/vocabulary.h"

/* As quantity_add(); what is not a number is so in the language. */
void vocabulary_add_quantity(struct strbuf *out, enum language language, double number,
			     enum unit unit);
/* "-12 %", "4.0x less", "0 B -> 1.2 MB": both sides in as few digits as show the change. */
void vocabulary_add_change(struct strbuf *out, enum language language, double before, double after,
			   enum unit unit);
/* "44.9 -> 702 FLOP/B": a unit that both have once. */
void vocabulary_add_sides(struct strbuf *out, enum language language, double before, double after,
			  enum unit unit);
/* "+2.9 us", "-12 points" */
void vocabulary_add_difference(struct strbuf *out, enum language language, double difference,
			       enum unit unit);
