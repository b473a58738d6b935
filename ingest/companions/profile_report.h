/*
 * Reader of report.md, the report that a profiling run writes for people: the tables in it.
 *
 *   | Stage | Duration (us) | TC% | DRAM% | Occ% | ...      one run a row, parameter "stage"
 *   | Metric | Value |  with a row Duration                  one run
 *
 * Columns and rows are known by their names. A time needs its unit, in the heading or in the cell.
 * Figures are rounded as the report prints them: their provenance is "reported". Rates that follow
 * from a time are kept as words. A report that says nothing about a time is refused.
 *
 * Stages may overlap: their times are never added up.
 */
#ifndef INGEST_COMPANIONS_PROFILE_REPORT_H
#define INGEST_COMPANIONS_PROFILE_REPORT_H

#include "ingest/reader.h"

extern const struct reader profile_report_reader;

#endif
