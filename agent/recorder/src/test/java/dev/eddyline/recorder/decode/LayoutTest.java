package dev.eddyline.recorder.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Test;

class LayoutTest {
  private static final Layout NEWEST = Layout.of(130_100);

  private static Map<String, Integer> offsets(
      String kernel, String copy, String memory, String overhead, Layout layout) {
    Map<String, Integer> fields = new TreeMap<>();
    fields.put(kernel + ".start", Layout.KERNEL_START);
    fields.put(kernel + ".end", Layout.KERNEL_END);
    fields.put(kernel + ".deviceId", Layout.KERNEL_DEVICE);
    fields.put(kernel + ".contextId", Layout.KERNEL_CONTEXT);
    fields.put(kernel + ".streamId", Layout.KERNEL_STREAM);
    fields.put(kernel + ".gridX", Layout.KERNEL_GRID);
    fields.put(kernel + ".blockX", Layout.KERNEL_BLOCK);
    fields.put(kernel + ".correlationId", Layout.KERNEL_CORRELATION);
    fields.put(kernel + ".name", Layout.KERNEL_NAME);
    fields.put(kernel + ".graphNodeId", Layout.KERNEL_GRAPH_NODE);
    fields.put(kernel + ".graphId", Layout.KERNEL_GRAPH);
    fields.put("API.cbid", Layout.API_CBID);
    fields.put("API.start", Layout.API_START);
    fields.put("API.end", Layout.API_END);
    fields.put("API.threadId", Layout.API_THREAD);
    fields.put("API.correlationId", Layout.API_CORRELATION);
    fields.put("API.returnValue", Layout.API_RESULT);
    fields.put(copy + ".copyKind", Layout.COPY_KIND);
    fields.put(copy + ".srcKind", Layout.COPY_FROM);
    fields.put(copy + ".dstKind", Layout.COPY_TO);
    fields.put(copy + ".bytes", Layout.COPY_BYTES);
    fields.put(copy + ".start", Layout.COPY_START);
    fields.put(copy + ".end", Layout.COPY_END);
    fields.put(copy + ".deviceId", Layout.COPY_DEVICE);
    fields.put(copy + ".contextId", Layout.COPY_CONTEXT);
    fields.put(copy + ".streamId", Layout.COPY_STREAM);
    fields.put(copy + ".correlationId", Layout.COPY_CORRELATION);
    fields.put(copy + ".graphNodeId", Layout.COPY_GRAPH_NODE);
    fields.put(copy + ".graphId", Layout.COPY_GRAPH);
    for (String same : new String[] {"MemcpyPtoP4", "Memset4"}) {
      fields.put(same + ".bytes", Layout.COPY_BYTES);
      fields.put(same + ".start", Layout.COPY_START);
      fields.put(same + ".end", Layout.COPY_END);
      fields.put(same + ".deviceId", Layout.COPY_DEVICE);
      fields.put(same + ".contextId", Layout.COPY_CONTEXT);
      fields.put(same + ".streamId", Layout.COPY_STREAM);
    }
    fields.put("MemcpyPtoP4.correlationId", Layout.PEER_CORRELATION);
    fields.put("MemcpyPtoP4.graphNodeId", Layout.PEER_GRAPH_NODE);
    fields.put("MemcpyPtoP4.graphId", Layout.PEER_GRAPH);
    fields.put("Memset4.correlationId", Layout.COPY_CORRELATION);
    fields.put("Memset4.memoryKind", Layout.FILL_MEMORY);
    fields.put("Memset4.graphNodeId", Layout.COPY_GRAPH_NODE);
    fields.put("Memset4.graphId", Layout.COPY_GRAPH);
    fields.put(memory + ".memoryOperationType", Layout.MEMORY_OPERATION);
    fields.put(memory + ".memoryKind", Layout.MEMORY_KIND);
    fields.put(memory + ".correlationId", Layout.MEMORY_CORRELATION);
    fields.put(memory + ".address", Layout.MEMORY_ADDRESS);
    fields.put(memory + ".bytes", Layout.MEMORY_BYTES);
    fields.put(memory + ".timestamp", Layout.MEMORY_TIME);
    fields.put(memory + ".deviceId", Layout.MEMORY_DEVICE);
    fields.put(memory + ".contextId", Layout.MEMORY_CONTEXT);
    fields.put(memory + ".streamId", Layout.MEMORY_STREAM);
    fields.put("Stream.contextId", Layout.STREAM_CONTEXT);
    fields.put("Stream.streamId", Layout.STREAM_ID);
    fields.put("Stream.priority", Layout.STREAM_PRIORITY);
    fields.put("Stream.flag", Layout.STREAM_FLAG);
    fields.put("Stream.correlationId", Layout.STREAM_CORRELATION);
    fields.put("Device5.numMultiprocessors", Layout.DEVICE_MULTIPROCESSORS);
    fields.put("Device5.id", Layout.DEVICE_ID);
    fields.put("Device5.name", Layout.DEVICE_NAME);
    fields.put("ExternalCorrelation.externalId", Layout.EXTERNAL_ID);
    fields.put("ExternalCorrelation.correlationId", Layout.EXTERNAL_CORRELATION);
    fields.put(overhead + ".overheadKind", Layout.OVERHEAD_KIND);
    fields.put(overhead + ".objectKind", Layout.OVERHEAD_OBJECT);
    fields.put(overhead + ".start", Layout.OVERHEAD_START);
    fields.put(overhead + ".end", Layout.OVERHEAD_END);
    fields.put(overhead + ".correlationId", layout.overheadCorrelation());
    fields.put("CudaEvent2.correlationId", Layout.EVENT_CORRELATION);
    fields.put("CudaEvent2.contextId", Layout.EVENT_CONTEXT);
    fields.put("CudaEvent2.streamId", Layout.EVENT_STREAM);
    fields.put("CudaEvent2.eventId", Layout.EVENT_ID);
    fields.put("CudaEvent2.cudaEventSyncId", layout.eventSyncId());
    fields.put("Synchronization2.type", Layout.SYNC_TYPE);
    fields.put("Synchronization2.start", Layout.SYNC_START);
    fields.put("Synchronization2.end", Layout.SYNC_END);
    fields.put("Synchronization2.correlationId", Layout.SYNC_CORRELATION);
    fields.put("Synchronization2.contextId", Layout.SYNC_CONTEXT);
    fields.put("Synchronization2.streamId", Layout.SYNC_STREAM);
    fields.put("Synchronization2.cudaEventId", Layout.SYNC_EVENT);
    fields.put("Synchronization2.cudaEventSyncId", layout.syncSyncId());
    fields.put("Synchronization2.returnValue", layout.syncResult());
    return fields;
  }

  @Test
  @SuppressWarnings("unchecked")
  void fields_lie_where_the_presets_of_cuda_13_1_have_them() throws ReflectiveOperationException {
    Map<String, Integer> expected = offsets("Kernel11", "Memcpy6", "Memory4", "Overhead3", NEWEST);
    expected.put("Context4.contextId", Layout.CONTEXT_ID);
    expected.put("Context4.deviceId", Layout.CONTEXT_DEVICE);
    expected.put("Context4.nullStreamId", Layout.CONTEXT_NULL_STREAM);
    Map<String, Integer> actual = new TreeMap<>();
    for (String field : expected.keySet()) {
      int dot = field.indexOf('.');
      Class<?> type =
          Class.forName("org.bytedeco.cuda.cupti.CUpti_Activity" + field.substring(0, dot));
      actual.put(field, Loader.offsetof((Class<? extends Pointer>) type, field.substring(dot + 1)));
    }
    assertThat(actual).isEqualTo(expected);
  }

  @Test
  void fields_lie_where_the_headers_have_them_in_cuda_12_and_13() throws Exception {
    Path program = Path.of("target/native/bin/offsets");
    assumeTrue(Files.isExecutable(program), "no headers of CUDA 13 where this was built");
    Process process = new ProcessBuilder(program.toString()).start();
    Map<String, Integer> printed;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      printed =
          lines
              .lines()
              .map(line -> line.split(" "))
              .collect(Collectors.toMap(words -> words[0], words -> Integer.valueOf(words[1])));
    }
    Map<String, Integer> expected = offsets("Kernel9", "Memcpy5", "Memory3", "Overhead2", NEWEST);
    expected.putAll(offsets("Kernel10", "Memcpy6", "Memory4", "Overhead3", NEWEST));
    expected.put("Context3.contextId", Layout.CONTEXT_ID);
    expected.put("Context3.deviceId", Layout.CONTEXT_DEVICE);
    expected.put("Context3.nullStreamId", Layout.CONTEXT_NULL_STREAM);
    expected.put("Overhead3.objectId", Layout.OVERHEAD_THREAD - 4);
    expected.put("ObjectKindId.pt.threadId", 4);
    expected.put("CudaEvent.eventId", Layout.EVENT_ID);
    expected.put("Synchronization.cudaEventId", Layout.SYNC_EVENT);
    assertThat(printed).isEqualTo(expected);
  }

  @Test
  void fields_that_came_later_are_not_read_from_older_versions() {
    assertThat(Layout.of(24))
        .isEqualTo(
            new Layout(Layout.ABSENT, Layout.ABSENT, Layout.ABSENT, NEWEST.overheadCorrelation()));
    assertThat(Layout.of(26)).isEqualTo(NEWEST);
    assertThat(Layout.of(19).overheadCorrelation()).isEqualTo(Layout.ABSENT);
  }
}
