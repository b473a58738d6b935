/*
 * The words of the two fixed forms, the devlog's block and the profiler's output contract, in
 * English and in the Chinese of the form that they come from. Inside render/ only.
 */
#ifndef RENDER_REPORT_VOCABULARY_H
#define RENDER_REPORT_VOCABULARY_H

#include "base/arena.h"
#include "model/roofline/bottleneck.h"
#include "model/roofline/findings.h"
#include "model/run/metric.h"
#include "model/run/run.h"

enum words { WORDS_ENGLISH, WORDS_CHINESE };

/* The English text in the language; itself where there is no other. */
const char *words_of(enum words words, const char *english);
/* "49.3 % faster (33.0 % less time)" for a duration, "+12.30 %" for anything else. */
const char *words_change(struct arena *arena, enum words words, enum metric metric,
			 const double values[2]);
/* "bf16" is bfloat16. */
const char *words_dtype(enum words words, const char *dtype);
/* What the finding says in one sentence, without its end. */
const char *words_finding(struct arena *arena, enum words words, const struct finding *finding);
/* The figures by which the bottleneck was told, and where the run stands in the roofline; "" where
 * that is not known. */
const char *words_reason(struct arena *arena, enum words words, const struct run *run,
			 const struct bottleneck *bottleneck);
const char *words_roofline(struct arena *arena, enum words words, const struct run *run,
			   const struct bottleneck *bottleneck);

#endif
