/* The output of profile_fusion_ops.py: operators and patterns timed shape by shape. */
#ifndef INGEST_FUSION_OPS_H
#define INGEST_FUSION_OPS_H

#include "ingest/reader.h"

extern const struct reader fusion_ops_reader;

#endif
