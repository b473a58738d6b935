# Makes of an installed tree that of a Debian package: texts that Debian wants compressed are, without time and name, so
# that the same sources give the same bytes.
file(GLOB_RECURSE pages "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/man/*.[1-9]")
set(documents "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/doc/rooflog")
file(RENAME "${documents}/CHANGELOG.md" "${documents}/changelog")
set(version "${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
file(WRITE "${documents}/changelog.Debian" "rooflog (${version}) unstable; urgency=medium

  * The changes are in changelog.gz.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${CPACK_ROOFLOG_DATE}
")
foreach(file ${pages} "${documents}/changelog" "${documents}/changelog.Debian")
	execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
# Whatever the umask was.
execute_process(COMMAND chmod -R u=rwX,go=rX "${CPACK_TEMPORARY_INSTALL_DIRECTORY}" COMMAND_ERROR_IS_FATAL ANY)
