package dev.eddyline.viewer.app;

import dev.eddyline.viewer.view.Action;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuBar;
import javafx.scene.control.MenuItem;

/** Menus, made from the actions. Keys are only named in them: {@link Keys} answers. */
final class Menus {
  private Menus() {}

  static MenuBar bar(Consumer<Action> run) {
    Map<Action.Group, Menu> menus = new EnumMap<>(Action.Group.class);
    MenuBar bar = new MenuBar();
    for (Action action : Action.values()) {
      Menu menu =
          menus.computeIfAbsent(
              action.group(),
              group -> {
                Menu added = new Menu(group.title());
                bar.getMenus().add(added);
                return added;
              });
      menu.getItems().add(item(action, run));
    }
    return bar;
  }

  private static MenuItem item(Action action, Consumer<Action> run) {
    String keys = action.keys().isEmpty() ? "" : "      " + action.keys().get(0);
    MenuItem item = new MenuItem(action.title() + keys);
    item.setId("menu-" + action.name());
    item.setOnAction(e -> run.accept(action));
    return item;
  }

  static ContextMenu context(List<Action> actions, Consumer<Action> run) {
    ContextMenu menu = new ContextMenu();
    actions.forEach(action -> menu.getItems().add(item(action, run)));
    return menu;
  }
}
