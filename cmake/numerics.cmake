# Writes a digest of all that the bits of a run depend on: cmake -DROOT=... -DSOURCES=engine/*.[ch],... -DBUILD="compiler,
# flags" -DOUTPUT=... -P numerics.cmake
string(REPLACE "," ";" patterns "${SOURCES}")
set(all "${BUILD}\n")
foreach(pattern IN LISTS patterns)
  file(GLOB sources RELATIVE "${ROOT}" "${ROOT}/${pattern}")
  list(SORT sources)
  foreach(source IN LISTS sources)
    file(SHA256 "${ROOT}/${source}" sum)
    string(APPEND all "${source} ${sum}\n")
  endforeach()
endforeach()
string(SHA256 digest "${all}")
string(SUBSTRING "${digest}" 0 15 digest)
file(WRITE "${OUTPUT}" "/* Made by cmake/numerics.cmake. */\n#include \"simulation/parts/numerics.h\"\n\n"
  "const char numerics_digest[NUMERICS_SIZE] = \"${digest}\";\n")
