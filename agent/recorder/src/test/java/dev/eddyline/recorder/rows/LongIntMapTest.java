package dev.eddyline.recorder.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LongIntMapTest {
  @Test
  void does_what_a_hash_map_does() {
    LongIntMap map = new LongIntMap();
    Map<Long, Integer> expected = new HashMap<>();
    Random random = new Random(1);
    for (int i = 0; i < 200_000; i++) {
      long key = random.nextInt(500);
      if (random.nextInt(3) == 0) {
        Integer before = expected.remove(key);
        assertThat(map.remove(key)).isEqualTo(before == null ? LongIntMap.ABSENT : before);
      } else {
        map.put(key, i);
        expected.put(key, i);
      }
      if (i % 1000 == 0) {
        for (long k = 0; k < 500; k++) {
          assertThat(map.get(k)).isEqualTo(expected.getOrDefault(k, LongIntMap.ABSENT));
        }
      }
    }
    assertThat(map.size()).isEqualTo(expected.size());
  }
}
