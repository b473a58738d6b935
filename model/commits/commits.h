/*
 * Commits, their ids, ranges and common ancestors as data. Never add any access to git or to the
 * store.
 */
#pragma once

#include "model/commits/ancestry.h"
#include "model/commits/commit_range.h"
#include "model/commits/object_id.h"
#include "model/commits/releases.h"
#include "model/commits/revision.h"
