# Writes the version for `holonom --version` and holonom.pc at every build: that of CMakeLists.txt, and in a git checkout at another
# commit than that of the tag vVERSION "+git.COMMIT", with ".changed" where files differ from the commit.  cmake -DROOT=... -DVERSION=... -DOUTPUT=version.c [-DPC_FROM=... -DPC_TO=...] -P version.cmake
set(said ${VERSION})
find_program(GIT git)
set(ENV{GIT_OPTIONAL_LOCKS} 0)
function(git result)
  execute_process(COMMAND ${GIT} ${ARGN} WORKING_DIRECTORY ${ROOT} OUTPUT_VARIABLE words RESULT_VARIABLE failed
    ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(failed)
    set(words "")
  endif()
  set(${result} "${words}" PARENT_SCOPE)
endfunction()
if(GIT)
  git(top rev-parse --show-toplevel)
  get_filename_component(root "${ROOT}" REALPATH)
  if(top STREQUAL root) # else the sources lie in a repository of something else
    git(commit rev-parse --short=9 HEAD)
    git(tag describe --exact-match --match v${VERSION} HEAD)
    git(changed status --porcelain --untracked-files=no)
    if(commit AND (changed OR NOT tag))
      string(APPEND said "+git.${commit}")
    endif()
    if(commit AND changed)
      string(APPEND said ".changed")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT "/* Made by cmake/version.cmake. */
#include \"cmd/version.h\"

const char version_said[] = \"${said}\";
")
if(PC_FROM)
  set(HOLONOM_SAID ${said})
  configure_file(${PC_FROM} ${PC_TO} @ONLY)
endif()
