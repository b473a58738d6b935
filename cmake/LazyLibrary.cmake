# library_names(PACKAGE SONAME NAME): the name by which the dynamic linker knows the library of PACKAGE,
# and that of the Debian package that has it. Where dpkg does not know, that is made from the former: libgit2.so.1.5 is
# in libgit2-1.5, libcairo.so.2 in libcairo2.
function(library_names package soname_variable name_variable)
	list(GET ${package}_LINK_LIBRARIES 0 library)
	execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE dynamic
		COMMAND_ERROR_IS_FATAL ANY)
	if(NOT dynamic MATCHES "soname: \\[([^]]+\\.so\\.[^]]+)\\]")
		message(FATAL_ERROR "${library} has no soname with a version")
	endif()
	set(soname ${CMAKE_MATCH_1})
	string(REGEX REPLACE "([0-9])\\.so\\." "\\1-" name ${soname})
	string(REPLACE ".so." "" name ${name})
	execute_process(COMMAND dpkg-query -S "*/${soname}" OUTPUT_VARIABLE owner ERROR_QUIET)
	if(owner MATCHES "^([^:,]+)[:,]")
		set(name ${CMAKE_MATCH_1})
	endif()
	set(${soname_variable} ${soname} PARENT_SCOPE)
	set(${name_variable} ${name} PARENT_SCOPE)
endfunction()

# used_library(PACKAGE FUNCTION TEXT): "rooflog version" names the library and what it is for (cmake/BuiltFrom.cmake).
# FUNCTION of the library returns its version as text; "": none does, and the version is that of the build.
function(used_library package function text)
	library_names(${package} soname name)
	set_property(GLOBAL APPEND PROPERTY ROOFLOG_LIBRARIES
		"LIBRARY(\"${${package}_MODULE_NAME}\", \"${${package}_VERSION}\", \"${soname}\", \"${name}\", \"${function}\", \"${text}\")")
endfunction()

# lazy_library(LAYER SOURCE PACKAGE FUNCTION TEXT): SOURCE opens a library late (base/system/library.h) instead
# of linking it. PACKAGE_LINK_LIBRARIES, _INCLUDE_DIRS, _CFLAGS_OTHER, _VERSION and _MODULE_NAME are as
# pkg_check_modules sets them; FUNCTION and TEXT are those of used_library().
function(lazy_library layer source package function text)
	library_names(${package} soname name)
	set_source_files_properties(${source} PROPERTIES
		COMPILE_DEFINITIONS "LAZY_SONAME=\"${soname}\";LAZY_PACKAGE=\"${name}\"")
	target_include_directories(rooflog_${layer} SYSTEM PRIVATE ${${package}_INCLUDE_DIRS})
	target_compile_options(rooflog_${layer} PRIVATE ${${package}_CFLAGS_OTHER})
	used_library(${package} "${function}" "${text}")
	set_property(GLOBAL APPEND PROPERTY ROOFLOG_LATE_PACKAGES ${name})
endfunction()
