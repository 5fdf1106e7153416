# cmake --install: the program, the library (shared, static), holonom.h, what finds them (pkg-config, CMake), the
# package for Python, examples and documents. All find their prefix from their own place, so that an installed tree may
# be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(share ${CMAKE_INSTALL_DATADIR}/holonom)

if(TARGET holonom)
  install(TARGETS holonom RUNTIME)
endif()
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/holonom)
install(TARGETS libholonom_shared EXPORT holonom LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES simulation/holonom.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT holonom NAMESPACE holonom:: FILE holonomConfig.cmake DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/holonomConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/holonomConfigVersion.cmake DESTINATION ${package})

# The static library as installed is one object, so that its hidden names are its own here, too.
set(static ${CMAKE_BINARY_DIR}/installed/libholonom.a)
add_custom_command(OUTPUT ${static}
  COMMAND ${CMAKE_COMMAND} -E make_directory installed
  COMMAND ${CMAKE_LINKER} -r -o installed/holonom.o --whole-archive $<TARGET_FILE:libholonom>
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden installed/holonom.o
  COMMAND ${CMAKE_COMMAND} -E rm -f ${static}
  COMMAND ${CMAKE_AR} rcs ${static} installed/holonom.o
  DEPENDS libholonom WORKING_DIRECTORY ${CMAKE_BINARY_DIR} VERBATIM)
add_custom_target(static_library ALL DEPENDS ${static})
install(FILES ${static} DESTINATION ${CMAKE_INSTALL_LIBDIR})

# As Debian installs packages for Python; a wheel of the same is made from python/ (docs/api.md).
set(HOLONOM_PYTHON lib/python3/dist-packages CACHE STRING "Folder of the package for Python, from the prefix")
install(DIRECTORY python/holonom DESTINATION ${HOLONOM_PYTHON} FILES_MATCHING PATTERN "*.py" PATTERN "py.typed")

# The man page and completion for bash come from the program's own tables, so it must run here.
if(TARGET holonom AND (NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR))
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/holonom.1 ${CMAKE_BINARY_DIR}/holonom.bash
    COMMAND holonom help --man > ${CMAKE_BINARY_DIR}/holonom.1
    COMMAND holonom help --completion > ${CMAKE_BINARY_DIR}/holonom.bash
    DEPENDS holonom VERBATIM)
  add_custom_target(manual ALL DEPENDS ${CMAKE_BINARY_DIR}/holonom.1 ${CMAKE_BINARY_DIR}/holonom.bash)
  install(FILES ${CMAKE_BINARY_DIR}/holonom.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${CMAKE_BINARY_DIR}/holonom.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME holonom)
endif()

file(RELATIVE_PATH HOLONOM_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" HOLONOM_PC_TO_PREFIX "${HOLONOM_PC_TO_PREFIX}")
set(HOLONOM_SAID @HOLONOM_SAID@) # cmake/version.cmake puts in
configure_file(cmake/holonom.pc.in ${version_pc}.in @ONLY)
install(FILES ${version_pc} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY examples DESTINATION ${share} USE_SOURCE_PERMISSIONS PATTERN "*.out" EXCLUDE)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(HOLONOM_TESTS AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize" AND NOT CMAKE_CROSSCOMPILING)
  add_test(NAME install
    COMMAND ${CMAKE_SOURCE_DIR}/tests/install.sh ${CMAKE_COMMAND} ${CMAKE_BINARY_DIR} ${CMAKE_C_COMPILER})
  set_tests_properties(install PROPERTIES LABELS slow TIMEOUT 300 ENVIRONMENT "CFLAGS=${CMAKE_C_FLAGS}")
endif()
