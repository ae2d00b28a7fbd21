package dev.eddyline.analysis.export;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import dev.eddyline.analysis.finding.Report;
import dev.eddyline.analysis.graph.Edge;
import dev.eddyline.analysis.graph.EdgeKind;
import dev.eddyline.analysis.graph.StreamGraph;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The edges of a graph as JSON Lines, one edge a line:
 *
 * <pre>
 * {"kind":"event","known":"inferred","rule":"…","confidence":0.9,
 *  "from":{"node":"record","correlation":9,"stream":"20","rank":0},"to":{"node":"wait",…}}
 * </pre>
 *
 * A wait of unknown source has {@code "from":null}, a record or wait of unknown stream {@code
 * "stream":null}.
 */
public final class EdgesExport {
  /** What stands between streams; launches and the order on a stream follow from the rows. */
  private static final Set<EdgeKind> KINDS =
      Set.copyOf(EnumSet.of(EdgeKind.EVENT, EdgeKind.LEGACY_DEFAULT, EdgeKind.NCCL));

  private final Nodes nodes;
  private final JsonGenerator json;

  private EdgesExport(Nodes nodes, JsonGenerator json) {
    this.nodes = nodes;
    this.json = json;
  }

  /**
   * Writes the edges between streams, and those from ops to the calls that they held; leaves the
   * stream open.
   */
  public static void write(StreamGraph graph, Report report, OutputStream target)
      throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(target);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
    EdgesExport export = new EdgesExport(new Nodes(graph), json);
    try {
      graph.edges(KINDS, export::write);
      Releases.of(report).forEach(export::write);
    } catch (UncheckedIOException e) {
      throw java.util.Objects.requireNonNull(e.getCause());
    }
    json.writeRaw('\n');
    json.close();
  }

  private void write(Edge edge) {
    try {
      json.writeStartObject();
      json.writeStringField("kind", edge.kind().word());
      json.writeStringField("known", edge.known().word());
      json.writeStringField("rule", edge.rule());
      json.writeNumberField("confidence", edge.confidence());
      writeNode("from", edge.from());
      writeNode("to", edge.to());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writeNode(String name, Edge.@Nullable Node node) throws IOException {
    if (node == null) {
      json.writeNullField(name);
      return;
    }
    json.writeObjectFieldStart(name);
    json.writeStringField("node", node.kind().word());
    writeNumber("correlation", nodes.correlation(node));
    String stream = nodes.stream(node);
    if (stream == null) {
      json.writeNullField("stream");
    } else {
      json.writeStringField("stream", stream);
    }
    writeNumber("rank", nodes.rank(node));
    json.writeEndObject();
  }

  private void writeNumber(String name, long value) throws IOException {
    if (value < 0) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, value);
    }
  }
}
