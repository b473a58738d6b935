/* The functions of libpq in use. The library is loaded on first use (base/system/library.h). */
#pragma once

#include <libpq-fe.h>

#include "base/base.h"
#include "base/system/system.h"

#define LAZY_LIBPQ(X)                                                                              \
	X(PQclear)                                                                                 \
	X(PQconnectdbParams)                                                                       \
	X(PQconninfoFree)                                                                          \
	X(PQconninfoParse)                                                                         \
	X(PQconsumeInput)                                                                          \
	X(PQerrorMessage)                                                                          \
	X(PQfinish)                                                                                \
	X(PQflush)                                                                                 \
	X(PQfreemem)                                                                               \
	X(PQgetResult)                                                                             \
	X(PQgetisnull)                                                                             \
	X(PQgetlength)                                                                             \
	X(PQgetvalue)                                                                              \
	X(PQisBusy)                                                                                \
	X(PQnfields)                                                                               \
	X(PQresultErrorField)                                                                      \
	X(PQresultStatus)                                                                          \
	X(PQsendQueryParams)                                                                       \
	X(PQsetNoticeProcessor)                                                                    \
	X(PQsetSingleRowMode)                                                                      \
	X(PQsetnonblocking)                                                                        \
	X(PQsocket)                                                                                \
	X(PQstatus)

extern struct lazy_libpq {
	LAZY_LIBPQ(LAZY_POINTER)
} lazy_libpq;

#define PQclear lazy_libpq.PQclear
#define PQconnectdbParams lazy_libpq.PQconnectdbParams
#define PQconninfoFree lazy_libpq.PQconninfoFree
#define PQconninfoParse lazy_libpq.PQconninfoParse
#define PQconsumeInput lazy_libpq.PQconsumeInput
#define PQerrorMessage lazy_libpq.PQerrorMessage
#define PQfinish lazy_libpq.PQfinish
#define PQflush lazy_libpq.PQflush
#define PQfreemem lazy_libpq.PQfreemem
#define PQgetResult lazy_libpq.PQgetResult
#define PQgetisnull lazy_libpq.PQgetisnull
#define PQgetlength lazy_libpq.PQgetlength
#define PQgetvalue lazy_libpq.PQgetvalue
#define PQisBusy lazy_libpq.PQisBusy
#define PQnfields lazy_libpq.PQnfields
#define PQresultErrorField lazy_libpq.PQresultErrorField
#define PQresultStatus lazy_libpq.PQresultStatus
#define PQsendQueryParams lazy_libpq.PQsendQueryParams
#define PQsetNoticeProcessor lazy_libpq.PQsetNoticeProcessor
#define PQsetSingleRowMode lazy_libpq.PQsetSingleRowMode
#define PQsetnonblocking lazy_libpq.PQsetnonblocking
#define PQsocket lazy_libpq.PQsocket
#define PQstatus lazy_libpq.PQstatus

int lazy_libpq_open(struct error *err);
