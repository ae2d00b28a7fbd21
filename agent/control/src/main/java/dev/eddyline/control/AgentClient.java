package dev.eddyline.control;

import dev.eddyline.cli.ExitCode;
import dev.eddyline.options.AgentSocket;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Asks the agent of a process over its socket. */
final class AgentClient {
  private AgentClient() {}

  /** The agent's socket, if something listens there. */
  static Optional<Path> socketOf(TargetProcess process) {
    Path socket;
    try {
      socket = AgentSocket.of(process.root(), process.user(), process.ownPid());
    } catch (IOException gone) {
      return Optional.empty();
    }
    if (!Files.exists(socket)) {
      return Optional.empty();
    }
    try (SocketChannel probe = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return probe.isConnected() ? Optional.of(socket) : Optional.empty();
    } catch (IOException nobodyListens) {
      return Optional.empty();
    }
  }

  /**
   * Asks; gives the answer's lines.
   *
   * @throws Refusal if there is no agent, or it refuses
   */
  static String ask(TargetProcess process, String request) throws Refusal {
    Path socket =
        socketOf(process)
            .orElseThrow(
                () ->
                    new Refusal(
                        ExitCode.INPUT,
                        "process "
                            + process.pid()
                            + " has no agent: 'eddyline attach "
                            + process.pid()
                            + "' brings it"));
    String answer;
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      ByteBuffer bytes = ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      answer = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new Refusal(
          ExitCode.FAULT, "the agent of process " + process.pid() + " does not answer: " + e);
    }
    int line = answer.indexOf('\n');
    String verdict = line < 0 ? answer : answer.substring(0, line);
    String rest = line < 0 ? "" : answer.substring(line + 1).strip();
    if (!verdict.equals(AgentSocket.DONE)) {
      throw new Refusal(
          ExitCode.FAULT,
          "process " + process.pid() + ": " + (rest.isEmpty() ? "the agent gave no answer" : rest));
    }
    return rest;
  }
}
