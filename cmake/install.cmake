# cmake --install: the program, the library, the public headers, holonom.pc, examples and documents. The
# pkg-config file finds its prefix from its own place, so that an installed tree may be moved.
include(GNUInstallDirs)
set(share ${CMAKE_INSTALL_DATADIR}/holonom)

if(TARGET holonom)
  install(TARGETS holonom RUNTIME)
endif()
install(TARGETS libholonom ARCHIVE)

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

# Headers include each other as "engine/state.h". Those of a module's inside stay out.
foreach(module ${modules})
  file(GLOB headers CONFIGURE_DEPENDS ${module}/*.h ${module}/*.def)
  list(FILTER headers EXCLUDE REGEX "(_hot|_private|_template|_kernels|_memory|_format|_vec|_methods|/bulk|/mesh|/sites|/pair_instances|/pair_molecules|/pair_real|/pair_stage|/stage)\\.h$")
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/holonom/${module})
endforeach()

file(RELATIVE_PATH HOLONOM_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" HOLONOM_PC_TO_PREFIX "${HOLONOM_PC_TO_PREFIX}")
configure_file(cmake/holonom.pc.in ${CMAKE_BINARY_DIR}/holonom.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/holonom.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY examples DESTINATION ${share} PATTERN "*.out" EXCLUDE)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(HOLONOM_TESTS)
  add_test(NAME install
    COMMAND ${CMAKE_SOURCE_DIR}/tests/install.sh ${CMAKE_COMMAND} ${CMAKE_BINARY_DIR} ${CMAKE_C_COMPILER})
  set_tests_properties(install PROPERTIES TIMEOUT 300 ENVIRONMENT "CFLAGS=${CMAKE_C_FLAGS}")
endif()
