# lazy_library(LAYER SOURCE PACKAGE): SOURCE opens a library late (base/system/library.h) instead of
# linking it. PACKAGE_LINK_LIBRARIES, _INCLUDE_DIRS and _CFLAGS_OTHER are as pkg_check_modules sets
# them. The library is opened by the name that a linker would have recorded, and Debian names its
# package after that: libgit2.so.1.5 is in libgit2-1.5, libcairo.so.2 in libcairo2.
function(lazy_library layer source package)
	list(GET ${package}_LINK_LIBRARIES 0 library)
	execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE dynamic
		COMMAND_ERROR_IS_FATAL ANY)
	if(NOT dynamic MATCHES "soname: \\[([^]]+\\.so\\.[^]]+)\\]")
		message(FATAL_ERROR "${library} has no soname with a version")
	endif()
	set(soname ${CMAKE_MATCH_1})
	string(REGEX REPLACE "([0-9])\\.so\\." "\\1-" package_name ${soname})
	string(REPLACE ".so." "" package_name ${package_name})
	set_source_files_properties(${source} PROPERTIES
		COMPILE_DEFINITIONS "LAZY_SONAME=\"${soname}\";LAZY_PACKAGE=\"${package_name}\"")
	target_include_directories(rooflog_${layer} SYSTEM PRIVATE ${${package}_INCLUDE_DIRS})
	target_compile_options(rooflog_${layer} PRIVATE ${${package}_CFLAGS_OTHER})
endfunction()
