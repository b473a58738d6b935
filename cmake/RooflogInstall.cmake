# What `cmake --install` and `cpack` put where. Nothing refers to a path of the build machine, so the installed tree may be
# moved. `cmake --build DIR --target uninstall` removes what was installed, and folders that it leaves empty.
set(documents share/doc/rooflog)
install(FILES LICENSE DESTINATION ${documents} RENAME copyright)
install(FILES README.md CHANGELOG.md docs/skill/SKILL.md DESTINATION ${documents})
install(DIRECTORY docs/schema/ DESTINATION share/rooflog/schema FILES_MATCHING PATTERN "*.schema.json")
install(DIRECTORY templates/ DESTINATION share/rooflog/templates)

add_custom_target(uninstall VERBATIM COMMENT "Removing what was installed"
	COMMAND ${CMAKE_COMMAND} -DMANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt
		-P ${CMAKE_SOURCE_DIR}/cmake/Uninstall.cmake)

# A commit without a tag is a version before the one that CMakeLists.txt names.
execute_process(COMMAND git log -1 --format=%cd.%h --date=format:%Y%m%d --abbrev=10 WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
	OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git log -1 --format=%cD WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
	OUTPUT_VARIABLE commit_date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git tag --points-at HEAD v${PROJECT_VERSION} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
	OUTPUT_VARIABLE tag OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(version ${PROJECT_VERSION})
if(NOT tag)
	set(version "${PROJECT_VERSION}~git${commit}")
endif()

# rooflog_packages(): Debian packages by `cpack -G DEB`. To be called when all libraries are known.
macro(rooflog_packages)
	library_names(SQLITE ignored needed)
	get_property(welcome GLOBAL PROPERTY ROOFLOG_LATE_PACKAGES)
	list(REMOVE_ITEM welcome ${needed})
	list(JOIN welcome ", " welcome)
	set(CPACK_GENERATOR DEB)
	set(CPACK_PACKAGE_NAME rooflog)
	set(CPACK_PACKAGE_VERSION ${version})
	set(CPACK_PACKAGE_VENDOR "the rooflog authors")
	set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "performance history of accelerator kernels that can be trusted")
	set(CPACK_STRIP_FILES ON)
	set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
	set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/PackageFiles.cmake)
	set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
	set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The rooflog authors <rooflog@users.noreply.github.com>")
	set(CPACK_DEBIAN_PACKAGE_RELEASE 0rooflog1)
	set(CPACK_ROOFLOG_DATE "${commit_date}")
	set(CPACK_DEBIAN_PACKAGE_SECTION devel)
	set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
	set(CPACK_DEBIAN_PACKAGE_DEPENDS "${needed}")
	set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "git, ${welcome}")
	set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
	set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"rooflog reads what profilers of GPUs and Neuron devices write, stores the runs
by commit, and computes utilization and the roofline. It judges each commit
against its history, for nightly builds and pull requests, and writes reports,
charts and a site.")
	include(CPack)
endmacro()

# rooflog_bundle(): with ROOFLOG_PORTABLE, libraries that need nothing but libc go along, with their licences; the program
# looks for them beside itself first. What else is opened late is looked for where the system has it.
option(ROOFLOG_PORTABLE "Install the libraries that most commands need, too" OFF)
function(rooflog_bundle)
	if(NOT ROOFLOG_PORTABLE)
		return()
	endif()
	set_target_properties(rooflog PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/rooflog")
	foreach(package CJSON SQLITE ZSTD ISAL)
		if(NOT ${package}_FOUND)
			continue()
		endif()
		library_names(${package} soname debian)
		list(GET ${package}_LINK_LIBRARIES 0 library)
		file(REAL_PATH ${library} file)
		install(FILES ${file} DESTINATION lib/rooflog RENAME ${soname})
		install(FILES /usr/share/doc/${debian}/copyright DESTINATION share/doc/rooflog/licences RENAME ${debian})
	endforeach()
endfunction()
