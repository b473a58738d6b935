# Language level, warnings and the switches that the presets turn on.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(ROOFLOG_WERROR "Treat warnings as errors" OFF)
option(ROOFLOG_SANITIZE "Build with address and undefined-behaviour sanitizers" OFF)
option(ROOFLOG_FUZZ "Build the libFuzzer targets (clang only)" OFF)
option(ROOFLOG_COVERAGE "Build with gcov instrumentation" OFF)

if(NOT CMAKE_BUILD_TYPE)
	set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

add_library(rooflog_options INTERFACE)
target_compile_definitions(rooflog_options INTERFACE _GNU_SOURCE)
target_compile_options(rooflog_options INTERFACE -Wall -Wextra -Wshadow -Wvla -Wundef
	-Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wformat=2
	-fno-strict-aliasing)
if(ROOFLOG_WERROR)
	target_compile_options(rooflog_options INTERFACE -Werror)
endif()
if(ROOFLOG_SANITIZE)
	target_compile_options(rooflog_options INTERFACE -fsanitize=address,undefined
		-fno-sanitize-recover=all -fno-omit-frame-pointer)
	target_link_options(rooflog_options INTERFACE -fsanitize=address,undefined)
endif()
if(ROOFLOG_FUZZ)
	target_compile_options(rooflog_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(ROOFLOG_COVERAGE)
	# Threads count, too: without atomic counters some would be negative.
	target_compile_options(rooflog_options INTERFACE --coverage -O0 -fprofile-update=atomic)
	target_link_options(rooflog_options INTERFACE --coverage)
endif()
