/*
 * Nsight Compute: CSV of its pages (ncu-csv), the wide CSV of the raw page (ncu-raw), and what it
 * prints on a terminal, failures included (ncu-text). A file may hold several of them among the
 * lines of the application; all are read by the same code.
 */
#ifndef INGEST_NCU_NCU_H
#define INGEST_NCU_NCU_H

#include "ingest/reader.h"

extern const struct reader ncu_csv_reader, ncu_raw_reader, ncu_text_reader;

#endif
