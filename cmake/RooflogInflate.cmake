# Which library inflates (ingest/inflate.h): ISA-L where it is to be had and right, else zlib. Before
# version 2.32 its assembler for ARM finds wrong checksums in good data.
pkg_check_modules(ISAL IMPORTED_TARGET libisal)
set(default zlib)
if(ISAL_FOUND AND (CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$"
		OR ISAL_VERSION VERSION_GREATER_EQUAL 2.32))
	set(default isal)
endif()
set(ROOFLOG_INFLATE ${default} CACHE STRING "The library that inflates: isal or zlib")
if(ROOFLOG_INFLATE STREQUAL isal)
	set(ROOFLOG_INFLATE_LIBRARY PkgConfig::ISAL)
else()
	pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
	set(ROOFLOG_INFLATE_LIBRARY PkgConfig::ZLIB)
endif()

# rooflog_inflate(TARGET): leaves out the source of the other one.
function(rooflog_inflate target)
	get_target_property(sources ${target} SOURCES)
	if(ROOFLOG_INFLATE STREQUAL isal)
		list(FILTER sources EXCLUDE REGEX "/inflate_zlib\\.c$")
	else()
		list(FILTER sources EXCLUDE REGEX "/inflate_isal\\.c$")
	endif()
	set_target_properties(${target} PROPERTIES SOURCES "${sources}")
endfunction()
