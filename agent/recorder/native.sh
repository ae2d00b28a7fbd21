#!/bin/sh
# Builds the native parts of the recorder; called by Maven.
#
#   native.sh shim  FOLDER   FOLDER/main/native/PLATFORM/libeddyline-shim.so
#   native.sh tests FOLDER   FOLDER/test/native-test/PLATFORM: the stand-in for CUDA; FOLDER/bin: the shim's own tests
#
# CC names the compiler. Where there is none this says so and builds nothing: the recorder is inert then.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
what=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
java=$JAVA_HOME
[ -f "$java/include/jni.h" ] || java=$(dirname "$java")
cc=${CC:-}
for try in gcc cc clang; do
  [ -n "$cc" ] || ! command -v "$try" > /dev/null 2>&1 || cc=$try
done
if [ "$(uname -s)" != Linux ] || [ -z "$cc" ] || [ ! -f "$java/include/jni.h" ]; then
  echo "eddyline-recorder: no C compiler for Linux or no jni.h here, so this build has no native shim and records nothing"
  exit 0
fi

common="-std=gnu11 -O2 -g0 -Wall -Wextra -Werror -fPIC -fvisibility=hidden"
# By the environment, so that a JDK may lie in a folder whose name has spaces.
export CPATH="$java/include:$java/include/linux${CPATH:+:$CPATH}"
link="-shared -Wl,--build-id=none -Wl,-z,defs -Wl,-z,now -Wl,-z,relro -Wl,--as-needed"

platform_of() {
  case $1 in x86_64*) echo linux-x86_64 ;; aarch64*) echo linux-aarch64 ;; *) echo "linux-$1" ;; esac
}

# Does nothing where the result is newer than all sources.
is_newer() {
  [ -f "$1" ] && [ -z "$(find "$here/src/main/c" "$here/src/test/c" "$here/native.sh" -newer "$1" -type f | head -n 1)" ]
}

shim() {
  out=$folder/main/native/$(platform_of "$2")
  mkdir -p "$out"
  is_newer "$out/libeddyline-shim.so" && return
  (cd "$here" && $1 $common src/main/c/*.c $link -s -o "$out/libeddyline-shim.so")
  chmod 644 "$out/libeddyline-shim.so"
}

tests() {
  out=$folder/test/native-test/$(platform_of "$(uname -m)")
  mkdir -p "$out" "$folder/bin"
  is_newer "$folder/bin/done" && return
  cd "$here/src/test/c"
  $cc $common standin_cuda.c $link -Wl,-soname,libcuda.so.1 -o "$out/libcuda.so.1"
  $cc $common standin_cupti.c $link -Wl,-soname,libcupti.so.13 -o "$out/libcupti.so.13"
  $cc $common standin_play.c $link -Wl,-rpath,'$ORIGIN' -o "$out/libstandin-play.so" "$out/libcuda.so.1"
  # One folder per sanitizer: libraries that a program loads must be built as it is.
  for sanitizer in address thread; do
    checked=$folder/bin/$sanitizer
    mkdir -p "$checked"
    flags="$common -g -fsanitize=$sanitizer"
    if ! echo 'int main(void) { return 0; }' | $cc -x c -fsanitize=$sanitizer - -o "$checked/probe" 2> /dev/null \
      || ! "$checked/probe" > /dev/null 2>&1; then
      echo "eddyline-recorder: no $sanitizer sanitizer works here"
      continue
    fi
    $cc $flags standin_cuda.c -shared -Wl,-soname,libcuda.so.1 -o "$checked/libcuda.so.1"
    $cc $flags standin_cupti.c -shared -Wl,-soname,libcupti.so.13 -o "$checked/libcupti.so.13"
    $cc $flags shim_test.c $(ls ../../main/c/*.c | grep -v jni.c) -rdynamic -Wl,-rpath,'$ORIGIN' "$checked/libcuda.so.1" \
      -o "$checked/shim-test"
  done
  cuda=${CUDA_HOME:-/usr/local/cuda}
  if [ -f "$cuda/include/cupti.h" ] && grep -q CUpti_ActivityKernel10 "$cuda/include/cupti_activity.h"; then
    $cc -I"$cuda/include" offsets.c -o "$folder/bin/offsets"
  fi
  touch "$folder/bin/done"
}

case $what in
  shim)
    shim "$cc" "$(uname -m)"
    if [ "$(uname -m)" = x86_64 ] && command -v aarch64-linux-gnu-gcc > /dev/null 2>&1; then
      shim aarch64-linux-gnu-gcc aarch64
    fi
    ;;
  tests) tests ;;
esac
