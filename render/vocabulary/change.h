/* Numbers in the form that the templates print. Private to render/vocabulary. */
#pragma once

#include "render/vocabulary/vocabulary.h"

/* As quantity_add(), with the language's word for an unknown number. */
void vocabulary_add_quantity(struct strbuf *out, enum language language, double number,
			     enum unit unit);
/* "-12 %", "4.0x less", "0 B -> 1.2 MB": both values with as few digits as show the change. */
void vocabulary_add_change(struct strbuf *out, enum language language, double before, double after,
			   enum unit unit);
/* "44.9 -> 702 FLOP/B": a shared unit is printed once. */
void vocabulary_add_sides(struct strbuf *out, enum language language, double before, double after,
			  enum unit unit);
/* "+2.9 us", "-12 points" */
void vocabulary_add_difference(struct strbuf *out, enum language language, double difference,
			       enum unit unit);
