/* The stand-in's calls for Java programs: dev.eddyline.recorder.standin.Play. */
#include <jni.h>
#include <stdlib.h>
#include <string.h>

#include "standin.h"

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_dev_eddyline_recorder_standin_Play_##name

static const char* const KERNELS[] = {"scale(float*, float, Pair)", "_Z3addPff4Pair",
                                      "ncclDevKernel_AllReduce_Sum_f32_RING_LL"};

NATIVE(jint, init)(JNIEnv* env, jclass type) { (void)env; (void)type; return cuInit(0); }
NATIVE(jint, createStream)(JNIEnv* env, jclass type, jint stream, jboolean nonBlocking) { (void)env; (void)type; return (jint)play_stream_create((uint32_t)stream, nonBlocking); }
NATIVE(jint, destroyStream)(JNIEnv* env, jclass type, jint stream) { (void)env; (void)type; return (jint)play_stream_destroy((uint32_t)stream); }
NATIVE(jint, launch)(JNIEnv* env, jclass type, jint stream, jint kernel, jlong ns) { (void)env; (void)type; return (jint)play_launch((uint32_t)stream, KERNELS[kernel % 3], (uint64_t)ns); }
NATIVE(jint, record)(JNIEnv* env, jclass type, jint event, jint stream) { (void)env; (void)type; return (jint)play_record((uint32_t)event, (uint32_t)stream); }
NATIVE(jint, await)(JNIEnv* env, jclass type, jint stream, jint event) { (void)env; (void)type; return (jint)play_wait((uint32_t)stream, (uint32_t)event); }
NATIVE(jint, synchronize)(JNIEnv* env, jclass type, jint stream, jlong ns) { (void)env; (void)type; return (jint)play_stream_synchronize((uint32_t)stream, (uint64_t)ns); }
NATIVE(void, capture)(JNIEnv* env, jclass type, jint stream, jboolean begin) { (void)env; (void)type; play_capture((uint32_t)stream, begin); }
NATIVE(jint, malloc)(JNIEnv* env, jclass type, jlong address, jlong bytes) { (void)env; (void)type; return (jint)play_malloc((uint64_t)address, (uint64_t)bytes); }
NATIVE(jint, free)(JNIEnv* env, jclass type, jlong address) { (void)env; (void)type; return (jint)play_free((uint64_t)address); }
NATIVE(void, threads)(JNIEnv* env, jclass type, jint threads, jint launches) { (void)env; (void)type; play_threads(threads, launches); }
NATIVE(void, hang)(JNIEnv* env, jclass type, jint stream) { (void)env; (void)type; play_hang((uint32_t)stream); }

/* Copies a heap array inside a critical region, as JCuda does; returns the sum of its elements. */
NATIVE(jdouble, copyHeap)(JNIEnv* env, jclass type, jfloatArray array, jlong ns) {
  (void)type;
  jsize length = (*env)->GetArrayLength(env, array);
  float* elements = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
  if (elements == NULL) {
    return -1;
  }
  play_copy(0x700000000000u, (uint64_t)(uintptr_t)elements, (uint64_t)length * sizeof(float), (uint64_t)ns);
  double sum = 0;
  for (jsize i = 0; i < length; i++) {
    sum += elements[i];
  }
  (*env)->ReleasePrimitiveArrayCritical(env, array, elements, JNI_ABORT);
  return sum;
}
