#include <iostream>

#include "tertium/version.hpp"

// Takes the version it expects and fails when the installed library is another.
int main(int argc, char** argv) {
  std::cout << "tertium " << tertium::version << '\n';
  return argc == 2 && tertium::version == argv[1] ? 0 : 1;
}
