package shell

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"tierscope/gui/page"
	"tierscope/project"
)

// Keymap gives actions, by their titles, other keys than their own; "" takes
// the key away.
type Keymap map[string]string

// ReadKeymap reads a JSON file such as {"Command palette": "Ctrl+Shift+K",
// "Undo": ""}. A file that does not exist changes nothing. The error names
// every entry that is no key; the others are returned with it.
func ReadKeymap(path string) (Keymap, error) {
	data, err := project.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all Keymap
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("%s: expected an object of actions and keys, such as {\"Command palette\": \"Ctrl+Shift+K\"}: %w", path, err)
	}
	var errs []error
	used := map[string]string{}
	for _, title := range slices.Sorted(maps.Keys(all)) {
		key := all[title]
		switch other := used[key]; {
		case key == "":
		case !valid(key):
			errs = append(errs, fmt.Errorf("%s: %q: %q is no key; write one letter or digit, or Ctrl+, Shift+ or Alt+ and a key", path, title, key))
			delete(all, title)
		case other != "":
			errs = append(errs, fmt.Errorf("%s: %q: %q is %q already", path, title, key, other))
			delete(all, title)
		default:
			used[key] = title
		}
	}
	return all, errors.Join(errs...)
}

// valid reports whether a key can be pressed: modifiers, then one character or
// a key with a name.
func valid(key string) bool {
	parts := strings.Split(key, "+")
	for _, p := range parts[:len(parts)-1] {
		if p != "Ctrl" && p != "Shift" && p != "Alt" {
			return false
		}
	}
	last := parts[len(parts)-1]
	_, named := keyNames[last]
	return named || len([]rune(last)) == 1 && last == strings.ToUpper(last)
}

// apply gives actions the keys of the map. An action whose own key was given
// to another one has none any more.
func (m Keymap) apply(actions []page.Action) []page.Action {
	given := map[string]bool{}
	for _, key := range m {
		given[key] = key != ""
	}
	for i, a := range actions {
		if key, ok := m[a.Title]; ok {
			actions[i].Key = key
		} else if given[a.Key] {
			actions[i].Key = ""
		}
	}
	return actions
}
