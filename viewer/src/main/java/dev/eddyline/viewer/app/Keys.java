package dev.eddyline.viewer.app;

import dev.eddyline.viewer.view.Action;
import java.util.HashMap;
import java.util.Map;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import org.jspecify.annotations.Nullable;

/**
 * From key events to actions. Letters, digits and named keys are taken when pressed; signs such as
 * {@code ]} and {@code ?} as they are typed, wherever a keyboard has them.
 */
final class Keys {
  private static final Map<String, Action> ACTIONS = actions();

  private Keys() {}

  private static Map<String, Action> actions() {
    Map<String, Action> actions = new HashMap<>();
    for (Action action : Action.values()) {
      for (String key : action.keys()) {
        Action other = actions.put(key, action);
        if (other != null) {
          throw new IllegalStateException(key + " does both " + other + " and " + action);
        }
      }
    }
    return actions;
  }

  /** The action of a pressed or typed key, or null. */
  static @Nullable Action of(KeyEvent event) {
    if (event.getEventType() == KeyEvent.KEY_TYPED) {
      return typed(event);
    }
    String name = name(event.getCode());
    if (name == null) {
      return null;
    }
    boolean control = event.isControlDown() || event.isMetaDown();
    return ACTIONS.get(
        (control ? "Ctrl+" : "")
            + (event.isAltDown() ? "Alt+" : "")
            + (event.isShiftDown() ? "Shift+" : "")
            + name);
  }

  /** Whether the key of an action moves in a list or table that has the focus. */
  static boolean movesInTables(Action action) {
    return switch (action) {
      case ROW_DOWN, ROW_UP, PAGE_DOWN, PAGE_UP, FIRST_ROW, LAST_ROW, EXPAND -> true;
      default -> false;
    };
  }

  private static @Nullable Action typed(KeyEvent event) {
    String sign = event.getCharacter();
    boolean plain = event.isControlDown() == event.isAltDown() && !event.isMetaDown();
    boolean isSign =
        sign.length() == 1 && !Character.isLetterOrDigit(sign.charAt(0)) && sign.charAt(0) > ' ';
    return plain && isSign ? ACTIONS.get(sign) : null;
  }

  /** What the table of actions calls a key; null for signs and for keys that it does not know. */
  private static @Nullable String name(KeyCode code) {
    if (code.isLetterKey() || code.isFunctionKey()) {
      return code.getName();
    }
    if (code.isDigitKey()) {
      return code.getName().replace("Numpad ", "");
    }
    return switch (code) {
      case LEFT, KP_LEFT -> "Left";
      case RIGHT, KP_RIGHT -> "Right";
      case UP, KP_UP -> "Up";
      case DOWN, KP_DOWN -> "Down";
      case PAGE_UP -> "PageUp";
      case PAGE_DOWN -> "PageDown";
      case HOME -> "Home";
      case END -> "End";
      case ENTER -> "Enter";
      case ESCAPE -> "Esc";
      case DELETE -> "Delete";
      case PLUS, EQUALS, ADD -> "Plus";
      case MINUS, SUBTRACT -> "Minus";
      default -> null;
    };
  }
}
