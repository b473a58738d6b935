/* DOOR */
#pragma once

#include "base/hash/digest.h"
#include "base/hash/sha256.h"
#include "base/hash/table_hash.h"
