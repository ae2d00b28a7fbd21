package dev.eddyline.analysis.finding;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Tells whether two runs have the same finding. It is made of the rule, the API call, the streams
 * that have names, and the innermost places in the program; not of kernels, ids, line numbers or
 * times, which change from run to run and from build to build.
 */
public final class Fingerprint {
  private static final int INNERMOST = 3;
  private static final int LENGTH = 16;
  private static final Pattern API_SUFFIX = Pattern.compile("(_v\\d+|_ptsz|_ptds|_spt)+$");
  private static final Pattern SOURCE_LINE = Pattern.compile("\\([^()]*\\)$");
  private static final Pattern LAMBDA = Pattern.compile("lambda\\$([^$]+)\\$\\d+");
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final Pattern ONLY_NUMBER = Pattern.compile("(0x)?[0-9a-fA-F]*\\d[0-9a-fA-F]*");

  private Fingerprint() {}

  /** The fingerprint of a finding: 16 hexadecimal digits. */
  public static String of(Finding finding) {
    return hash(words(finding));
  }

  /** What the fingerprint is made of, in words: for files that people review. */
  public static String words(Finding finding) {
    TreeSet<String> calls = new TreeSet<>();
    TreeSet<String> streams = new TreeSet<>();
    TreeSet<String> places = new TreeSet<>();
    for (Occurrence occurrence : finding.occurrences()) {
      if (!occurrence.call().isEmpty()) {
        calls.add(API_SUFFIX.matcher(occurrence.call()).replaceFirst(""));
      }
      if (!ONLY_NUMBER.matcher(occurrence.stream()).matches() && !occurrence.stream().isEmpty()) {
        streams.add(occurrence.stream());
      }
      String place = place(occurrence.where());
      if (!place.isEmpty()) {
        places.add(place);
      }
    }
    List<String> words = new ArrayList<>();
    words.add(finding.rule());
    add(words, "", calls);
    add(words, "on ", streams);
    add(words, "in ", places);
    return String.join(" ", words);
  }

  private static void add(List<String> words, String before, TreeSet<String> values) {
    if (!values.isEmpty()) {
      words.add(before + String.join(", ", values));
    }
  }

  /** The innermost levels, without steps and without what a build or a run changes. */
  private static String place(List<Place> where) {
    List<String> names = new ArrayList<>();
    for (Place place : where) {
      if (place.kind() != Place.Kind.STEP) {
        names.add(stable(place));
      }
    }
    return String.join(" > ", names.subList(Math.max(0, names.size() - INNERMOST), names.size()));
  }

  private static String stable(Place place) {
    if (place.kind() == Place.Kind.JAVA) {
      String frame = SOURCE_LINE.matcher(place.name()).replaceFirst("");
      return LAMBDA.matcher(frame).replaceFirst("$1");
    }
    return NUMBER.matcher(place.name()).replaceAll("#");
  }

  /** Hexadecimal digits for a text. */
  public static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, LENGTH);
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new IllegalStateException(everyJavaHasIt);
    }
  }
}
