package dev.eddyline.analysis.timeline;

/**
 * A GPU as a process sees it.
 *
 * @param process index of the process
 * @param ordinal device number in that process
 * @param name product name, "" if not known
 * @param multiprocessors number of SMs, 0 if not known
 */
public record DeviceInfo(int process, int ordinal, String name, int multiprocessors) {}
