#!/usr/bin/env bash
# Tests that need a GPU, on a host that has CUDA 13 and NCCL 2 but neither JDK, Maven nor network.
#
#   agent/gpu-tests.sh bundle [FOLDER]   builds FOLDER (target/gpu-tests) where this repository is; copy it to the host
#   bash FOLDER/gpu-tests.sh [WHAT...]   runs there; WHAT: device, ranks, conformance, pairs, group, gc, cost-group, kills,
#                                        stories, junit-cuda, recorder, cost, soak, third-party, attach, or all of them if
#                                        none is named
#
# Where the build machine is the GPU host, run both one after the other.
#
# OUT=folder                 logs, answers and figures go there; else they are beside the bundle
# EDDYLINE_JAVA=path         a java to use in place of the bundled one
# EDDYLINE_TIMES=n           how often the conformance suite holds up each piece of work (2)
# EDDYLINE_SECONDS=n         how long cost launches at the highest rate, and soak attaches and detaches (60)
# EDDYLINE_KILLS=n           how many ranks the part "kills" kills (50)
# EDDYLINE_KILLS_AT_ONCE=n   how many jobs of two or three processes it runs at the same time (6)
# EDDYLINE_STORIES="A:B C:D" which samples the part "stories" runs, each STORY:FORM; all if not set
# AGENT=eddyline-agent.jar   records the stories: OUT/traces/STORY-FORM-rank0.eddy and -rank1.eddy
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
modules=java.base,java.instrument,java.logging,java.management,java.naming,java.xml,jdk.attach,jdk.jfr,jdk.management,jdk.unsupported,jdk.zipfs

bundle() {
  local root folder jdk tmp
  root=$(dirname "$here")
  folder=$(mkdir -p "${1:-$root/agent/cuda/target/gpu-tests}" && cd "${1:-$root/agent/cuda/target/gpu-tests}" && pwd)
  rm -rf "$folder/lib"
  mkdir -p "$folder/lib"
  cd "$root"
  local mvn=(./mvnw)
  [ -n "${MVN:-}" ] && read -ra mvn <<< "$MVN"
  "${mvn[@]}" -q -Pgpu-tests package -pl agent/cuda,agent/recorder -am -DskipTests -Dgpu-tests.folder="$folder/lib"
  cp agent/recorder/target/eddyline-recorder-*.jar "$folder/lib/"
  (cd agent/recorder/target/test-classes && jar cf "$folder/lib/recorder-programs.jar" dev/eddyline/recorder/gpu)
  cp agent/cuda/target/eddyline-cuda-*.jar "$folder/lib/"
  tests_of cuda tests.jar
  tests_of group group-tests.jar
  tests_of junit junit-tests.jar
  bundle_third_party "$folder"
  if [ ! -f "$folder/java.tgz" ]; then
    jdk=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
    tmp=$(mktemp -d)
    "$jdk/bin/jlink" --add-modules $modules --strip-debug --no-man-pages --no-header-files --compress=2 \
      --output "$tmp/java"
    tar -C "$tmp/java" -czf "$folder/java.tgz" .
    rm -rf "$tmp"
  fi
  cp "$here/gpu-tests.sh" "$folder/"
  echo "bundle in $folder, $(du -sh "$folder" | cut -f1)"
}

# The test classes of a module in a jar of the bundle.
tests_of() {
  (cd "agent/$1/target/test-classes" && find . -name '*.class' -print0 | sort -z | xargs -0 jar cf "$folder/lib/$2")
}

find_java() {
  if [ -n "${EDDYLINE_JAVA:-}" ]; then
    java=$EDDYLINE_JAVA
  else
    local unpacked=${TMPDIR:-/tmp}/eddyline-gpu-tests-java
    [ -x "$unpacked/bin/java" ] || { mkdir -p "$unpacked" && tar -C "$unpacked" -xzf "$here/java.tgz"; }
    java=$unpacked/bin/java
  fi
}

# Folders of CUDA and NCCL, those of Python wheels first: where both are, the wheels belong together.
find_libraries() {
  local folder found=
  for folder in $(python3 -c 'import nvidia,os;[print(os.path.join(p,s,"lib")) for p in nvidia.__path__ for s in os.listdir(p)]' 2>/dev/null) \
    /usr/local/cuda/lib64 /usr/local/cuda/targets/*/lib /usr/local/nvidia/lib64; do
    [ -d "$folder" ] && found=$found${found:+:}$folder
  done
  export LD_LIBRARY_PATH=$found${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
}

# Runs tests of the CUDA device in one process: a name for the log, then options of java, "--", then options of JUnit's
# launcher.
junit() {
  junit_of tests.jar "$@"
}

# The same for the tests of a jar of the bundle.
junit_of() {
  local tests=$1
  shift
  local log=$1 options=()
  shift
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  "$java" -Xmx2g -ea -Duser.language=en -Dfile.encoding=UTF-8 -Dorg.bytedeco.javacpp.maxPhysicalBytes=0 \
    -Deddyline.out="$out" "${options[@]}" -cp "$here/lib/*" org.junit.platform.console.ConsoleLauncher execute \
    --disable-banner --disable-ansi-colors --details=tree --fail-if-no-tests --scan-class-path="$here/lib/$tests" \
    "$@" > "$out/$log.log" 2>&1
}

device() {
  junit device -- --include-tag=gpu --exclude-tag=ranks --exclude-tag=group-cost --exclude-classname='.*ConformanceTest'
}

# Every GPU is asked by a process of its own, all at the same time.
conformance() {
  local gpu gpus code=0 jobs=() times=${EDDYLINE_TIMES:-2}
  gpus=$(nvidia-smi -L | wc -l)
  for ((gpu = 0; gpu < gpus; gpu++)); do
    CUDA_VISIBLE_DEVICES=$gpu junit "conformance-$gpu" -Deddyline.conformance.times="$times" \
      -Deddyline.conformance.name="answers-$gpu" -- --include-classname='.*CudaConformanceTest' &
    jobs+=($!)
  done
  for gpu in "${jobs[@]}"; do wait "$gpu" || code=1; done
  return $code
}

# The programs of the suite that need two GPUs.
pairs() {
  if [ "$(nvidia-smi -L | wc -l)" -lt 2 ]; then
    echo "pairs: not run, there is one GPU"
    return 0
  fi
  junit pairs -Deddyline.conformance.times="${EDDYLINE_TIMES:-2}" -Deddyline.conformance.devices=2 \
    -Deddyline.conformance.name=answers-pairs -- --include-classname='.*CudaConformanceTest'
}

# NCCL refuses two ranks on one GPU unless they believe to be on different hosts.
ranks() {
  local store one code=0
  store=$(mktemp -d)
  RANK=1 WORLD_SIZE=2 NCCL_HOSTID=h1 junit rank1 -Deddyline.store="$store" -- --include-tag=ranks &
  one=$!
  RANK=0 WORLD_SIZE=2 NCCL_HOSTID=h0 junit rank0 -Deddyline.store="$store" -- --include-tag=ranks || code=$?
  # The last test kills this one.
  wait "$one" || [ $? = 77 ] || code=1
  rm -rf "$store"
  return $code
}

# The command line with the agent, and a program that this project did not write: a sample of JCuda, as it is, at the commit
# named here. It stays out of this repository; JCUDA_SAMPLE names a copy where GitHub cannot be reached.
jcuda=12.6.0
sample=JCudaRuntimeAsyncCopies
sample_url=https://raw.githubusercontent.com/jcuda/jcuda-samples/0ba7a8d35cf38a5bf7b300085e0fdaf1effbe4fd/JCudaSamples/src/main/java/jcuda/runtime/samples/$sample.java

bundle_third_party() {
  local folder=$1 mvn=(./mvnw) place artifact
  [ -n "${MVN:-}" ] && read -ra mvn <<< "$MVN"
  place=$folder/third-party
  rm -rf "$place" "$folder/eddyline"
  mkdir -p "$place/classes" "$folder/eddyline"
  "${mvn[@]}" -q -Dquick package -pl collector/dist -am
  cp -r collector/dist/target/launcher/lib "$folder/eddyline/lib"
  rm -rf "$folder/eddyline/lib/viewer"
  for artifact in jcuda:$jcuda jcuda-natives:$jcuda:jar:linux-x86_64; do
    "${mvn[@]}" -q org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy -Dartifact="org.jcuda:$artifact" \
      -DoutputDirectory="$place"
  done
  if [ -n "${JCUDA_SAMPLE:-}" ]; then cp "$JCUDA_SAMPLE" "$place/$sample.java"
  else curl -fsSL -o "$place/$sample.java" "$sample_url"; fi
  # Runs its main method so many times, so that somebody can attach to it meanwhile.
  cat > "$place/Repeat.java" <<'J'
public class Repeat {
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      jcuda.runtime.samples.JCudaRuntimeAsyncCopies.main(new String[0]);
    }
  }
}
J
  javac --release 17 -nowarn -d "$place/classes" -cp "$place/*" "$place/$sample.java" "$place/Repeat.java"
}

eddyline() {
  JAVA_HOME=$(dirname "$(dirname "$java")") "$java" -Xmx2g -cp "$here/eddyline/lib/*" dev.eddyline.cli.Main "$@"
}

# The sample alone, then with -javaagent and by 'record': the same results, and a trace of each.
third-party() {
  local log=$out/third-party.log classes="$here/third-party/classes:$here/third-party/*" code=0 way
  local program=("$java" -cp "$classes" jcuda.runtime.samples.$sample)
  rm -f "$log" "$out"/third-party*.eddy
  eddyline doctor >> "$log" 2>&1 || true
  "${program[@]}" >> "$log" 2>&1 || code=1
  "$java" "-javaagent:$here/eddyline/lib/agent/eddyline-agent.jar=out=$out/third-party-javaagent.eddy" "${program[@]:1}" \
    >> "$log" 2>&1 || code=1
  eddyline record -o "$out/third-party-record.eddy" --stacks record,wait -- "${program[@]}" >> "$log" 2>&1 || code=1
  [ "$(grep -c 'result: PASSED' "$log")" = 3 ] || code=1
  for way in javaagent record; do
    eddyline info "$out/third-party-$way.eddy" >> "$log" 2>&1 || code=1
    eddyline analyze "$out/third-party-$way.eddy" >> "$log" 2>&1 || code=1
  done
  return $code
}

milliseconds() {
  local before
  before=$(date +%s%N)
  "$@"
  echo "$1 $2: $((($(date +%s%N) - before) / 1000000)) ms, its JVM's start included" >> "$out/figures.txt"
}

# The sample runs, somebody attaches, detaches and attaches again; it does not notice.
attach() {
  local log=$out/attach.log code=0 pid times
  rm -f "$log" "$out"/attach*.eddy "$out/attach-program.log"
  "$java" -cp "$here/third-party/classes:$here/third-party/*" Repeat 12 > "$out/attach-program.log" 2>&1 &
  pid=$!
  until grep -q PASSED "$out/attach-program.log" || ! kill -0 $pid 2> /dev/null; do sleep 0.1; done
  for times in 1 2; do
    eddyline doctor $pid >> "$log" 2>&1 || true
    milliseconds eddyline attach $pid -o "$out/attach-$times.eddy" >> "$log" 2>&1 || code=1
    sleep 2
    eddyline info $pid >> "$log" 2>&1 || code=1
    milliseconds eddyline detach $pid >> "$log" 2>&1 || code=1
    sleep 2
  done
  wait $pid || code=1
  [ "$(grep -c 'result: PASSED' "$out/attach-program.log")" = 12 ] || code=1
  for times in 1 2; do
    eddyline info "$out/attach-$times.eddy" >> "$log" 2>&1 || code=1
  done
  cat "$out/attach-program.log" >> "$log"
  return $code
}

# Runs one of the recorder's programs; its lines go to the log.
program() {
  local log=$1 name=$2
  shift 2
  "$java" -Xmx6g -Dorg.bytedeco.javacpp.maxPhysicalBytes=0 -cp "$here/lib/*" "dev.eddyline.recorder.gpu.$name" "$@" \
    >> "$out/$log.log" 2>&1
}

# The edges of a program of several streams, recorded from its beginning and after CUDA; two ranks of NCCL.
recorder() {
  local code=0 one store
  rm -f "$out"/recorder*.log "$out"/edges-*.eddy "$out"/nccl-*.eddy
  program recorder Edges "$out/edges-early.eddy" early || code=1
  program recorder Edges "$out/edges-late.eddy" late || code=1
  for mode in default deep; do
    store=$(mktemp -d)
    NCCL_HOSTID=h1 program recorder-rank1 NcclRanks "$out/nccl-$mode-1.eddy" 1 "$store/id" $mode &
    one=$!
    NCCL_HOSTID=h0 program recorder NcclRanks "$out/nccl-$mode-0.eddy" 0 "$store/id" $mode || code=1
    wait "$one" || code=1
    rm -rf "$store"
  done
  return $code
}

# What a launch costs, and whether all are recorded: as many as can be counted, then for a minute, then with a stalled writer.
cost() {
  local code=0 mode folder
  folder=$(mktemp -d)
  rm -f "$out/cost.log"
  for mode in default deep; do program cost LaunchCost "$folder/$mode.eddy" $mode 30 || code=1; done
  program cost LaunchCost - none 30 || code=1
  program cost ManyThreads "$folder/count.eddy" 8 7 0 || code=1
  program cost ManyThreads "$folder/minute.eddy" 8 "${EDDYLINE_SECONDS:-60}" 0 || code=1
  program cost ManyThreads "$folder/stall.eddy" 8 12 3000 || code=1
  rm -rf "$folder"
  return $code
}

soak() {
  local folder code=0
  folder=$(mktemp -d)
  rm -f "$out/soak.log"
  program soak Soak "$folder" "${EDDYLINE_SECONDS:-60}" 2000 || code=1
  rm -rf "$folder"
  return $code
}

# Two ranks of a process group as processes, which find each other as launchers say: the jar of the tests, the name of the
# log, the tag of the tests.
two_ranks() {
  local one code=0
  export WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$((20000 + RANDOM % 20000))
  RANK=1 NCCL_HOSTID=h1 junit_of "$1" "$2-rank1" -- --include-tag="$3" &
  one=$!
  RANK=0 NCCL_HOSTID=h0 junit_of "$1" "$2-rank0" -- --include-tag="$3" || code=1
  wait "$one" || code=1
  unset WORLD_SIZE MASTER_ADDR MASTER_PORT
  return $code
}

# The process group on NCCL: numbers, order, timeouts, abort, another world.
group() {
  two_ranks group-tests.jar group group-ranks
}

# Garbage collections beside collectives.
gc() {
  two_ranks group-tests.jar gc group-gc
}

# Host time of an all-reduce through the process group and through NCCL alone.
cost-group() {
  two_ranks tests.jar cost group-cost
}

# Ranks are killed at random points.
kills() {
  junit_of group-tests.jar kills -Deddyline.kills="${EDDYLINE_KILLS:-50}" \
    -Deddyline.kills.at-once="${EDDYLINE_KILLS_AT_ONCE:-6}" -- --include-tag=group-kills
}

# @StreamTest(device = CUDA).
junit-cuda() {
  junit_of junit-tests.jar junit-cuda -- --include-classname='.*GpuStreamTest'
}

right="wait-or-block:wait wait-or-block:current-stream wait-or-block:block wait-or-block:poll coalescing:right
  distributed-adam:right callback-from-pool:right callback-from-pool:pool callback-from-pool:pool-compute
  streaming-diloco:right streaming-diloco:sync recovery-stream:right recovery-stream:behind tp-gather:right tp-gather:event"
wrong="coalescing:no-handle coalescing:early-event coalescing:nested distributed-adam:no-handle distributed-adam:early-event
  streaming-diloco:no-copy tp-gather:broken"

# The samples, two ranks as processes; numbers are right, or wrong on some rank, as the samples say.
stories() {
  local each failed=0 options=() log=$out/stories.log
  : > "$log"
  if [ -n "${AGENT:-}" ]; then
    mkdir -p "$out/traces"
    options=(--agent "$AGENT" --out "$out/traces")
  fi
  for each in ${EDDYLINE_STORIES:-$right $wrong}; do
    story "$each" "${options[@]}" || failed=1
  done
  return $failed
}

story() {
  local each=$1 text expected=wrong found=right
  shift
  case " $(echo $right) " in *" $each "*) expected=right ;; esac
  text=$(timeout 60 "$java" -Xmx512m -cp "$here/lib/*" dev.eddyline.samples.Samples "${each%:*}" "${each#*:}" --device cuda \
    --ranks 2 "$@" 2>&1) || found=failed
  echo "$text" >> "$log"
  case $text in *"numbers WRONG"*) found=wrong ;; esac
  [ "$(grep -c ', rank [01]: numbers' <<< "$text")" = 2 ] || found=failed
  echo "story $each: numbers $found, expected $expected" | tee -a "$log"
  [ $found = $expected ]
}

run() {
  local failed=0 what
  out=${OUT:-$here/out}
  mkdir -p "$out"
  find_java
  find_libraries
  export NCCL_SOCKET_IFNAME=${NCCL_SOCKET_IFNAME:-lo} NCCL_IB_DISABLE=${NCCL_IB_DISABLE:-1}
  # Streams that share a hardware queue would wait for one another; kernels that load late would wait for the device.
  export CUDA_DEVICE_MAX_CONNECTIONS=32 CUDA_MODULE_LOADING=EAGER
  nvidia-smi --query-gpu=index,name,driver_version,memory.total --format=csv,noheader | tee "$out/gpus.txt" || true
  for what in "$@"; do
    SECONDS=0
    if "$what"; then echo "$what: passed in $SECONDS s"; else echo "$what: FAILED in $SECONDS s"; failed=1; fi
  done
  tail -n 40 "$out"/*.log
  [ -f "$out/figures.txt" ] && cat "$out/figures.txt"
  return $failed
}

if [ "${1:-}" = bundle ]; then
  bundle "${2:-}"
elif [ -d "$here/lib" ]; then
  if [ $# = 0 ]; then
    set -- device ranks conformance pairs group gc cost-group kills stories junit-cuda recorder cost soak \
      third-party attach
  fi
  run "$@"
else
  bundle ""
  exec bash "$here/cuda/target/gpu-tests/gpu-tests.sh" "$@"
fi
