/* DOOR */
#pragma once

#include "base/system/cpu.h"
#include "base/system/file.h"
#include "base/system/filesystem.h"
#include "base/system/library.h"
#include "base/system/path.h"
#include "base/system/process.h"
#include "base/system/temporary.h"
