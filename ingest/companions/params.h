/*
 * Reader of params.json: the parameters of the work, for the profiles of its
 * directory. One JSON object of scalars, flat or nested:
 *
 *   {"kernel": "mla", "dtype": "bf16", "config": {"b": 1, "s": 512, "causal": true}}
 *
 * A parameter is known by its own name ("s"), or by its path ("config.s") where
 * two share a name. Whole numbers are written without a fraction, others with
 * the fewest digits; a list of scalars is its compact JSON text; null is no
 * value. Kernel, variant, dtype and device are parameters like all others here:
 * the caller knows what they mean.
 *
 * Many programs write small JSON objects. One is taken for parameters when it
 * has a name that parameters have (params_detect() lists them) and nothing that
 * only results have: no list of objects, no metrics, no summary fields.
 */
#ifndef INGEST_COMPANIONS_PARAMS_H
#define INGEST_COMPANIONS_PARAMS_H

#include "ingest/reader.h"

extern const struct reader params_reader;

#endif
