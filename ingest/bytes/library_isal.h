/* The functions of ISA-L in use. The library is loaded on first use (base/system/library.h). */
#pragma once

#include <isa-l/igzip_lib.h>

#include "base/base.h"
#include "base/system/system.h"

#define LAZY_ISAL(X)                                                                               \
	X(isal_gzip_header_init)                                                                   \
	X(isal_inflate)                                                                            \
	X(isal_inflate_init)                                                                       \
	X(isal_inflate_reset)                                                                      \
	X(isal_read_gzip_header)

extern struct lazy_isal {
	LAZY_ISAL(LAZY_POINTER)
} lazy_isal;

#define isal_gzip_header_init lazy_isal.isal_gzip_header_init
#define isal_inflate lazy_isal.isal_inflate
#define isal_inflate_init lazy_isal.isal_inflate_init
#define isal_inflate_reset lazy_isal.isal_inflate_reset
#define isal_read_gzip_header lazy_isal.isal_read_gzip_header

int lazy_isal_open(struct error *err);
