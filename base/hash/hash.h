/*
 * SHA-256, hash tables and digests of text. Never add a hash that only one caller needs, or
 * cryptography beyond SHA-256.
 */
#pragma once

#include "base/hash/digest.h"
#include "base/hash/sha256.h"
#include "base/hash/table_hash.h"
