package dev.eddyline.junit;

/** A rule that can be looked up in a trace. */
@FunctionalInterface
interface Check {
  Verdict judge(TraceView view);
}
