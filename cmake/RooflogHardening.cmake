# What makes a fault in memory hard to exploit, as far as compiler, linker and processor have it. The build
# writes what it asked for into hardening.txt, a line each: "on NAME", or "off NAME: why";
# tests/cli/program/hardening.sh looks for all that is on in the program itself.
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
set(hardening "")

# harden(NAME KIND FLAGS...): KIND is COMPILE or LINK.
function(harden name kind)
	string(MAKE_C_IDENTIFIER "have_${kind}_${ARGN}" have)
	list(JOIN ARGN " " flags)
	if(kind STREQUAL LINK)
		set(CMAKE_REQUIRED_FLAGS -fPIE)
		check_linker_flag(C "${flags}" ${have})
	else()
		check_c_compiler_flag("-Werror ${flags}" ${have})
	endif()
	if(NOT ${have})
		set(hardening "${hardening}off ${name}: the toolchain has no ${flags}\n" PARENT_SCOPE)
	elseif(kind STREQUAL LINK)
		target_link_options(rooflog_options INTERFACE ${ARGN})
		set(hardening "${hardening}on ${name}\n" PARENT_SCOPE)
	else()
		target_compile_options(rooflog_options INTERFACE ${ARGN})
		set(hardening "${hardening}on ${name}\n" PARENT_SCOPE)
	endif()
endfunction()

harden(pie-code COMPILE -fPIE)
harden(pie LINK -pie)
harden(relro LINK -Wl,-z,relro)
# All 170 functions of linked libraries are looked up at the start: 0.02 ms. Those of libraries that are
# opened late (lazy_library) are looked up when these are opened, as before.
harden(now LINK -Wl,-z,now)
harden(noexecstack LINK -Wl,-z,noexecstack)
harden(stack-protector COMPILE -fstack-protector-strong)
harden(stack-clash COMPILE -fstack-clash-protection)
# Variables that a branch forgot to set are zero, not what an earlier call left on the stack.
harden(zero-init COMPILE -ftrivial-auto-var-init=zero)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
	harden(branches COMPILE -fcf-protection=full)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
	harden(branches COMPILE -mbranch-protection=standard)
else()
	string(APPEND hardening "off branches: not known of ${CMAKE_SYSTEM_PROCESSOR}\n")
endif()

# Sizes are known to the optimiser only, and the sanitizers replace the functions that it checks.
string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
if(ROOFLOG_SANITIZE OR ROOFLOG_FUZZ)
	string(APPEND hardening "off fortify: sanitizers check more\n")
elseif(ROOFLOG_COVERAGE OR NOT "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}" MATCHES "-O[1-3sz]")
	string(APPEND hardening "off fortify: not optimised\n")
else()
	harden(fortify COMPILE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
	# Level 3 asks for sizes at run time. In the scanner, whose copies all have constant sizes, that
	# alone takes 35 % more time, and finds nothing that level 2 does not.
	file(GLOB scanner ${CMAKE_SOURCE_DIR}/ingest/json/simd/*.c)
	set_property(SOURCE ${scanner} APPEND PROPERTY COMPILE_OPTIONS -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()
file(WRITE ${CMAKE_BINARY_DIR}/hardening.txt "${hardening}")
