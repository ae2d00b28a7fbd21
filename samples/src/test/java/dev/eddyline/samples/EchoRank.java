package dev.eddyline.samples;

import java.util.Map;

final class EchoRank {
  private EchoRank() {}

  public static void main(String[] arguments) throws InterruptedException {
    Map<String, String> environment = System.getenv();
    for (String name : new String[] {"WORLD_SIZE", "MASTER_ADDR", "LOCAL_RANK", "NCCL_HOSTID"}) {
      System.out.println(environment.get("RANK") + " " + name + "=" + environment.get(name));
    }
    for (String word : arguments) {
      String[] parts = word.split(":");
      if (parts[0].equals(environment.get("RANK"))) {
        if (parts[1].equals("hangs")) {
          Thread.sleep(600_000);
        }
        System.exit(Integer.parseInt(parts[1]));
      }
    }
  }
}
