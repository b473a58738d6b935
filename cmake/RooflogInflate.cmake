# Which library inflates (ingest/bytes/inflate.h): ISA-L where it is to be had and right, else zlib. Before
# version 2.32 its assembler for ARM finds wrong checksums in good data.
pkg_check_modules(ISAL libisal)
set(default zlib)
if(ISAL_FOUND AND (CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$"
		OR ISAL_VERSION VERSION_GREATER_EQUAL 2.32))
	set(default isal)
endif()
set(ROOFLOG_INFLATE ${default} CACHE STRING "The library that inflates: isal or zlib")

# rooflog_inflate(TARGET): leaves out the sources of the other one.
function(rooflog_inflate target)
	get_target_property(sources ${target} SOURCES)
	if(ROOFLOG_INFLATE STREQUAL isal)
		list(FILTER sources EXCLUDE REGEX "/inflate_zlib\\.c$")
		lazy_library(ingest ingest/bytes/library_isal.c ISAL "" ".gz")
	else()
		list(FILTER sources EXCLUDE REGEX "/(inflate|library)_isal\\.c$")
		pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
		target_link_libraries(${target} PUBLIC PkgConfig::ZLIB)
		used_library(ZLIB zlibVersion ".gz")
	endif()
	set_target_properties(${target} PROPERTIES SOURCES "${sources}")
endfunction()
