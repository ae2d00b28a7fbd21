/* What Java calls. None of it runs in a callback but the taking of a stack, which asks JVMTI alone. */
#include <jni.h>
#include <jvmti.h>
#include <stdlib.h>
#include <string.h>

#include "shim.h"

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_dev_eddyline_recorder_shim_Shim_##name

static jvmtiEnv* jvmti;

/* The frames of the calling thread, and its name. A thread that the JVM does not know has neither. */
static void capture_stack(shim_blocked* into) {
  jvmtiFrameInfo frames[SHIM_MAX_FRAMES];
  jint count = 0;
  jvmtiError error = (*jvmti)->GetStackTrace(jvmti, NULL, 0, SHIM_MAX_FRAMES, frames, &count);
  if (error != JVMTI_ERROR_NONE) {
    if (error != JVMTI_ERROR_UNATTACHED_THREAD) {
      atomic_fetch_add_explicit(&shim_counts.stacks_failed, 1, memory_order_relaxed);
    }
    return;
  }
  for (jint i = 0; i < count; i++) {
    into->methods[i] = (uint64_t)(uintptr_t)frames[i].method;
    into->locations[i] = frames[i].location;
  }
  into->frame_count = (uint32_t)count;
  shim_thread* thread = calls_own_thread();
  if (count == 0) {
    /* References to the thread's group stay until it returns to Java, which such a thread never does: once only. */
    if (thread == NULL || atomic_exchange(&thread->named, 1) != 0) {
      return;
    }
  }
  jvmtiThreadInfo info;
  if ((*jvmti)->GetThreadInfo(jvmti, NULL, &info) == JVMTI_ERROR_NONE && info.name != NULL) {
    size_t length = strlen(info.name);
    into->name_length = (uint32_t)(length < SHIM_MAX_NAME ? length : SHIM_MAX_NAME);
    memcpy(into->name, info.name, into->name_length);
    (*jvmti)->Deallocate(jvmti, (unsigned char*)info.name);
  }
  atomic_fetch_add_explicit(&shim_counts.stacks, 1, memory_order_relaxed);
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void* reserved) {
  (void)reserved;
  if ((*vm)->GetEnv(vm, (void**)&jvmti, JVMTI_VERSION_11) == JNI_OK) {
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_get_line_numbers = 1;
    wanted.can_get_source_file_name = 1;
    if ((*jvmti)->AddCapabilities(jvmti, &wanted) == JVMTI_ERROR_NONE) {
      shim_capture_stack = capture_stack;
    }
  }
  return JNI_VERSION_1_8;
}

static char* copy_bytes(JNIEnv* env, jbyteArray bytes) {
  jsize length = (*env)->GetArrayLength(env, bytes);
  char* copy = malloc((size_t)length + 1);
  if (copy != NULL) {
    (*env)->GetByteArrayRegion(env, bytes, 0, length, (jbyte*)copy);
    copy[length] = 0;
  }
  return copy;
}

static jbyteArray bytes_of(JNIEnv* env, const char* text) {
  jsize length = (jsize)strlen(text);
  jbyteArray bytes = (*env)->NewByteArray(env, length);
  if (bytes != NULL) {
    (*env)->SetByteArrayRegion(env, bytes, 0, length, (const jbyte*)text);
  }
  return bytes;
}

/* numbers: buffer bytes, buffers, device buffer bytes, device buffer limit, block ns, offset of kernel names,
   of device names, monotonic, deep, stacks, launches block. */
NATIVE(jboolean, prepare)(JNIEnv* env, jclass type, jlongArray numbers, jintArray kinds, jbyteArray places) {
  (void)type;
  int state = atomic_load(&shim_state);
  if (state == SHIM_STARTING || state == SHIM_RUNNING) {
    return JNI_FALSE;
  }
  jlong n[11];
  (*env)->GetLongArrayRegion(env, numbers, 0, 11, n);
  jsize count = (*env)->GetArrayLength(env, kinds);
  if ((*env)->ExceptionCheck(env) || count > SHIM_MAX_KINDS) {
    return JNI_FALSE;
  }
  if (buffers_memory() == NULL) {
    shim_settings.buffer_bytes = (uint32_t)n[0];
    shim_settings.buffer_count = (uint32_t)n[1];
  }
  shim_settings.device_buffer_bytes = (uint64_t)n[2];
  shim_settings.device_buffer_limit = (uint64_t)n[3];
  shim_settings.block_ns = (uint64_t)n[4];
  shim_settings.kernel_name_offset = (uint32_t)n[5];
  shim_settings.device_name_offset = (uint32_t)n[6];
  shim_settings.monotonic = (int)n[7];
  shim_settings.deep = (int)n[8];
  shim_settings.stacks = (int)n[9];
  shim_settings.launch_blocks = (int)n[10];
  shim_settings.kind_count = count;
  (*env)->GetIntArrayRegion(env, kinds, 0, count, (jint*)shim_settings.kinds);
  free(shim_settings.places);
  shim_settings.places = copy_bytes(env, places);
  return session_prepare() ? JNI_TRUE : JNI_FALSE;
}

NATIVE(jboolean, arm)(JNIEnv* env, jclass type, jbyteArray path) {
  (void)type;
  char* own = copy_bytes(env, path);
  jboolean armed = own != NULL && session_arm(own) ? JNI_TRUE : JNI_FALSE;
  free(own);
  return armed;
}

NATIVE(jint, start)(JNIEnv* env, jclass type, jboolean late) {
  (void)env;
  (void)type;
  return session_start(late);
}

NATIVE(void, stop)(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  session_stop();
}

NATIVE(jint, state)(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  return atomic_load(&shim_state);
}

NATIVE(jboolean, isLate)(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  return session_is_late() ? JNI_TRUE : JNI_FALSE;
}

NATIVE(jint, cudaState)(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  return library_cuda_state();
}

NATIVE(jint, version)(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  return (jint)library_version();
}

NATIVE(jint, driverVersion)(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  int version = -1;
  return driver.driver_version != NULL && driver.driver_version(&version) == 0 ? version : -1;
}

NATIVE(jbyteArray, path)(JNIEnv* env, jclass type) {
  (void)type;
  return bytes_of(env, library_path());
}

NATIVE(jbyteArray, report)(JNIEnv* env, jclass type) {
  (void)type;
  return bytes_of(env, library_report());
}

NATIVE(jobject, memory)(JNIEnv* env, jclass type) {
  (void)type;
  jlong bytes = (jlong)shim_settings.buffer_bytes * shim_settings.buffer_count;
  return (*env)->NewDirectByteBuffer(env, buffers_memory(), bytes);
}

NATIVE(jobject, offsets)(JNIEnv* env, jclass type) {
  (void)type;
  jlong bytes = (jlong)buffers_max_records() * shim_settings.buffer_count * (jlong)sizeof(uint32_t);
  return (*env)->NewDirectByteBuffer(env, buffers_offsets(), bytes);
}

NATIVE(jboolean, take)(JNIEnv* env, jclass type, jintArray into) {
  (void)type;
  shim_buffer* completed = shim_completed.slots == NULL ? NULL : ring_take(&shim_completed);
  if (completed == NULL) {
    return JNI_FALSE;
  }
  jint values[3] = {(jint)completed->buffer, (jint)completed->records, (jint)completed->valid};
  ring_release(&shim_completed, completed);
  (*env)->SetIntArrayRegion(env, into, 0, 3, values);
  return JNI_TRUE;
}

NATIVE(void, release)(JNIEnv* env, jclass type, jint buffer) {
  (void)env;
  (void)type;
  buffers_release((uint32_t)buffer);
}

NATIVE(jbyteArray, name)(JNIEnv* env, jclass type, jint id) {
  (void)type;
  const char* name = buffers_name((uint32_t)id);
  char* readable = name == NULL ? NULL : library_demangled(name);
  jbyteArray bytes = bytes_of(env, readable != NULL ? readable : name == NULL ? "" : name);
  free(readable);
  return bytes;
}

NATIVE(jbyteArray, callbackName)(JNIEnv* env, jclass type, jint domain, jint id) {
  (void)type;
  const char* name = NULL;
  if (cupti.get_callback_name == NULL || cupti.get_callback_name(domain, (uint32_t)id, &name) != CUPTI_OK) {
    name = NULL;
  }
  return bytes_of(env, name == NULL ? "" : name);
}

/* domain, id, correlation, thread, start, end, frames; then methods, then locations. Length of the thread's name, or -1. */
NATIVE(jint, takeBlocked)(JNIEnv* env, jclass type, jlongArray into, jbyteArray name) {
  (void)type;
  shim_blocked* call = shim_blocked_calls.slots == NULL ? NULL : ring_take(&shim_blocked_calls);
  if (call == NULL) {
    return -1;
  }
  jlong head[7] = {call->domain,         call->id,         call->correlation, call->thread,
                   (jlong)call->start, (jlong)call->end, call->frame_count};
  jsize frames = (jsize)call->frame_count;
  (*env)->SetLongArrayRegion(env, into, 0, 7, head);
  (*env)->SetLongArrayRegion(env, into, 7, frames, (const jlong*)call->methods);
  (*env)->SetLongArrayRegion(env, into, 7 + SHIM_MAX_FRAMES, frames, (const jlong*)call->locations);
  jint length = (jint)call->name_length;
  (*env)->SetByteArrayRegion(env, name, 0, length, (const jbyte*)call->name);
  ring_release(&shim_blocked_calls, call);
  return length;
}

/* Eight numbers a note: kind, correlation, time, a, b, c, thread, 0. How many notes. */
NATIVE(jint, takeNotes)(JNIEnv* env, jclass type, jlongArray into) {
  (void)type;
  jsize room = (*env)->GetArrayLength(env, into) / 8;
  jint count = 0;
  while (count < room && shim_notes.slots != NULL) {
    shim_note* note = ring_take(&shim_notes);
    if (note == NULL) {
      break;
    }
    jlong values[8] = {note->kind,      note->correlation, (jlong)note->time, (jlong)note->a,
                       (jlong)note->b, (jlong)note->c,    note->thread,      0};
    ring_release(&shim_notes, note);
    (*env)->SetLongArrayRegion(env, into, count * 8, 8, values);
    count++;
  }
  return count;
}

/* Launches of all threads, each correlation, outer, time, count, words. How many numbers. */
NATIVE(jint, takeLaunches)(JNIEnv* env, jclass type, jlongArray into) {
  (void)type;
  jsize room = (*env)->GetArrayLength(env, into);
  jsize used = 0;
  shim_thread* threads = calls_threads();
  for (int i = 0; i < SHIM_MAX_THREADS; i++) {
    if (!atomic_load_explicit(&threads[i].has_ring, memory_order_acquire)) {
      continue;
    }
    while (room - used >= SHIM_MAX_WORDS + 4) {
      shim_launch* launch = ring_take(&threads[i].launches);
      if (launch == NULL) {
        break;
      }
      jlong head[4] = {launch->correlation, launch->outer, (jlong)launch->time, launch->count};
      (*env)->SetLongArrayRegion(env, into, used, 4, head);
      (*env)->SetLongArrayRegion(env, into, used + 4, (jsize)launch->count, (const jlong*)launch->words);
      used += 4 + (jsize)launch->count;
      ring_release(&threads[i].launches, launch);
    }
  }
  return used;
}

/* Four numbers a thread that came by: index, thread, call, since. How many threads. */
NATIVE(jint, threads)(JNIEnv* env, jclass type, jlongArray into) {
  (void)type;
  jsize room = (*env)->GetArrayLength(env, into) / 4;
  jint count = 0;
  shim_thread* threads = calls_threads();
  for (int i = 0; i < SHIM_MAX_THREADS && count < room; i++) {
    uint32_t thread = atomic_load(&threads[i].thread);
    if (thread != 0) {
      jlong values[4] = {i, thread, atomic_load_explicit(&threads[i].call, memory_order_acquire),
                         (jlong)atomic_load_explicit(&threads[i].since, memory_order_relaxed)};
      (*env)->SetLongArrayRegion(env, into, count * 4, 4, values);
      count++;
    }
  }
  return count;
}

NATIVE(void, forgetThread)(JNIEnv* env, jclass type, jint index) {
  (void)env;
  (void)type;
  calls_forget_thread((uint32_t)index);
}

NATIVE(void, counters)(JNIEnv* env, jclass type, jlongArray into) {
  (void)type;
  shim_counters* c = &shim_counts;
  uint64_t blocked_lost = atomic_load(&shim_blocked_calls.refused);
  uint64_t notes_lost = atomic_load(&shim_notes.refused);
  jlong values[17] = {
      (jlong)atomic_load(&c->buffers_requested), (jlong)atomic_load(&c->buffers_completed),
      (jlong)atomic_load(&c->requests_refused),  (jlong)atomic_load(&c->buffers_dropped),
      (jlong)atomic_load(&c->in_flight),         (jlong)atomic_load(&c->most_in_flight),
      (jlong)atomic_load(&c->records),           (jlong)atomic_load(&c->cupti_dropped),
      (jlong)atomic_load(&c->names),             (jlong)atomic_load(&c->names_refused),
      (jlong)atomic_load(&c->stacks),            (jlong)atomic_load(&c->stacks_failed),
      (jlong)atomic_load(&c->launches_read),     (jlong)atomic_load(&c->launches_refused),
      (jlong)atomic_load(&c->threads_refused),   (jlong)blocked_lost,
      (jlong)notes_lost};
  jsize length = (*env)->GetArrayLength(env, into);
  (*env)->SetLongArrayRegion(env, into, 0, length < 17 ? length : 17, values);
}

NATIVE(jint, flush)(JNIEnv* env, jclass type, jint forced) {
  (void)env;
  (void)type;
  return session_flush(forced);
}

NATIVE(jlong, timestamp)(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  uint64_t now = 0;
  return cupti.get_timestamp != NULL && cupti.get_timestamp(&now) == CUPTI_OK ? (jlong)now : -1;
}

/* No stacks from now on: at the end of the JVM nobody may enter it. */
NATIVE(void, stopStacks)(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  atomic_store(&shim_stacks, 0);
}

NATIVE(void, setDrop)(JNIEnv* env, jclass type, jint mode) {
  (void)env;
  (void)type;
  atomic_store(&shim_drop, mode);
}

NATIVE(jint, pushExternal)(JNIEnv* env, jclass type, jint kind, jlong id) {
  (void)env;
  (void)type;
  return atomic_load(&shim_state) == SHIM_RUNNING ? cupti.push_external(kind, (uint64_t)id) : CUPTI_NOT_INITIALIZED;
}

NATIVE(jint, popExternal)(JNIEnv* env, jclass type, jint kind) {
  (void)env;
  (void)type;
  uint64_t last;
  return atomic_load(&shim_state) == SHIM_RUNNING ? cupti.pop_external(kind, &last) : CUPTI_NOT_INITIALIZED;
}

/* context << 32 | stream of a handle in the calling thread's context; -1 if that cannot be told. */
NATIVE(jlong, streamOf)(JNIEnv* env, jclass type, jlong handle) {
  (void)env;
  (void)type;
  void* context = NULL;
  uint32_t context_number = 0, stream = 0;
  if (atomic_load(&shim_state) != SHIM_RUNNING || driver.current_context == NULL) {
    return -1;
  }
  calls_asking(1);
  int known = driver.current_context(&context) == 0 && context != NULL &&
              cupti.context_id(context, &context_number) == CUPTI_OK &&
              cupti.stream_id(context, (void*)(uintptr_t)handle, 0, &stream) == CUPTI_OK;
  calls_asking(0);
  if (!known) {
    return -1;
  }
  return (jlong)((uint64_t)context_number << 32 | stream);
}

NATIVE(jint, threadId)(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  return (jint)shim_thread_id();
}

NATIVE(void, watch)(JNIEnv* env, jclass type, jlong event) {
  (void)env;
  (void)type;
  calls_watch((uint64_t)event);
}

/* Class signature, method name, source file ("" if none); the line goes into line[0], -1 if there is none. */
NATIVE(jobjectArray, method)(JNIEnv* env, jclass type, jlong id, jlong location, jintArray line) {
  (void)type;
  jmethodID method = (jmethodID)(uintptr_t)id;
  char* name = NULL;
  char* signature = NULL;
  char* file = NULL;
  jclass owner = NULL;
  jint number = -1;
  if (jvmti == NULL || (*jvmti)->GetMethodName(jvmti, method, &name, NULL, NULL) != JVMTI_ERROR_NONE) {
    return NULL;
  }
  if ((*jvmti)->GetMethodDeclaringClass(jvmti, method, &owner) == JVMTI_ERROR_NONE) {
    (*jvmti)->GetClassSignature(jvmti, owner, &signature, NULL);
    (*jvmti)->GetSourceFileName(jvmti, owner, &file);
  }
  jint count = 0;
  jvmtiLineNumberEntry* lines = NULL;
  if (location >= 0 && (*jvmti)->GetLineNumberTable(jvmti, method, &count, &lines) == JVMTI_ERROR_NONE) {
    jlong best = -1;
    for (jint i = 0; i < count; i++) {
      if (lines[i].start_location <= location && lines[i].start_location > best) {
        best = lines[i].start_location;
        number = lines[i].line_number;
      }
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char*)lines);
  }
  (*env)->SetIntArrayRegion(env, line, 0, 1, &number);
  jobjectArray result = (*env)->NewObjectArray(env, 3, (*env)->FindClass(env, "java/lang/String"), NULL);
  const char* texts[3] = {signature, name, file};
  for (int i = 0; i < 3 && result != NULL; i++) {
    jstring text = (*env)->NewStringUTF(env, texts[i] == NULL ? "" : texts[i]);
    (*env)->SetObjectArrayElement(env, result, i, text);
  }
  (*jvmti)->Deallocate(jvmti, (unsigned char*)name);
  (*jvmti)->Deallocate(jvmti, (unsigned char*)signature);
  (*jvmti)->Deallocate(jvmti, (unsigned char*)file);
  return result;
}

NATIVE(jboolean, addressRange)(JNIEnv* env, jclass type, jlong address, jlongArray into) {
  (void)type;
  uint64_t base = 0;
  size_t size = 0;
  if (driver.pointer_attribute == NULL ||
      driver.pointer_attribute(&base, CUDA_POINTER_RANGE_START, (uint64_t)address) != 0 ||
      driver.pointer_attribute(&size, CUDA_POINTER_RANGE_SIZE, (uint64_t)address) != 0) {
    return JNI_FALSE;
  }
  jlong values[2] = {(jlong)base, (jlong)size};
  (*env)->SetLongArrayRegion(env, into, 0, 2, values);
  return JNI_TRUE;
}
