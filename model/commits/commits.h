/* DOOR */
#pragma once

#include "model/commits/ancestry.h"
#include "model/commits/commit_range.h"
#include "model/commits/object_id.h"
#include "model/commits/revision.h"
