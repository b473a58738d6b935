/*
 * Reader of "neuron-profile view --output-format summary-text", as it comes out
 * of a terminal: anything before, then for each node
 *
 *   n_<hex digits>
 *       key    value
 *
 * and anything after. Lines of the log between the fields are skipped. A log
 * may hold several captures: every block is a run, in the order of the file.
 */
#ifndef INGEST_NEURON_SUMMARY_TEXT_H
#define INGEST_NEURON_SUMMARY_TEXT_H

#include "ingest/reader.h"

extern const struct reader neuron_summary_text_reader;

#endif
