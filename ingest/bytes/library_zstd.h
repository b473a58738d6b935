/* The functions of libzstd in use. The library is loaded on first use (base/system/library.h). */
#pragma once

#include <zstd.h>
#include <zstd_errors.h>

#include "base/base.h"
#include "base/system/system.h"

#define LAZY_ZSTD(X)                                                                               \
	X(ZSTD_DCtx_setParameter)                                                                  \
	X(ZSTD_createDCtx)                                                                         \
	X(ZSTD_decompressStream)                                                                   \
	X(ZSTD_freeDCtx)                                                                           \
	X(ZSTD_getErrorCode)                                                                       \
	X(ZSTD_getErrorName)                                                                       \
	X(ZSTD_isError)

extern struct lazy_zstd {
	LAZY_ZSTD(LAZY_POINTER)
} lazy_zstd;

#define ZSTD_DCtx_setParameter lazy_zstd.ZSTD_DCtx_setParameter
#define ZSTD_createDCtx lazy_zstd.ZSTD_createDCtx
#define ZSTD_decompressStream lazy_zstd.ZSTD_decompressStream
#define ZSTD_freeDCtx lazy_zstd.ZSTD_freeDCtx
#define ZSTD_getErrorCode lazy_zstd.ZSTD_getErrorCode
#define ZSTD_getErrorName lazy_zstd.ZSTD_getErrorName
#define ZSTD_isError lazy_zstd.ZSTD_isError

int lazy_zstd_open(struct error *err);
