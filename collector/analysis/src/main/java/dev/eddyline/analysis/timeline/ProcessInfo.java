package dev.eddyline.analysis.timeline;

/**
 * A process of a trace.
 *
 * @param source index of its file in {@link Timeline#sources()}
 * @param pid process id of the operating system, -1 if not known
 * @param rank its rank in the job, -1 if not known
 * @param worldSize how many ranks the job has, -1 if not known
 * @param host name of its machine, "" if not known
 */
public record ProcessInfo(int source, long pid, int rank, int worldSize, String host) {}
