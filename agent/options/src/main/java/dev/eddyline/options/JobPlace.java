package dev.eddyline.options;

import java.util.List;
import java.util.Map;

/**
 * Where a process stands in its job, as launchers tell by environment variables.
 *
 * @param rank its rank, -1 if nobody tells
 * @param worldSize how many ranks there are, -1 if nobody tells
 */
public record JobPlace(int rank, int worldSize) {
  private static final List<String> RANKS =
      List.of("RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID");
  private static final List<String> SIZES =
      List.of("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS");

  /** Reads an environment. */
  public static JobPlace of(Map<String, String> environment) {
    return new JobPlace(first(RANKS, environment), first(SIZES, environment));
  }

  private static int first(List<String> variables, Map<String, String> environment) {
    for (String variable : variables) {
      String value = environment.getOrDefault(variable, "");
      if (value.matches("\\d{1,9}")) {
        return Integer.parseInt(value);
      }
    }
    return -1;
  }
}
