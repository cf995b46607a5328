package session

import (
	"encoding/json"
	"slices"
)

// Store keeps a few small values between sessions: Fyne's preferences.
type Store interface {
	String(key string) string
	SetString(key, value string)
}

// Settings are the analyst's preferences.
type Settings struct {
	Theme        string  `json:"theme"`        // "system", "light" or "dark"
	Scale        float64 `json:"scale"`        // of the window, relative to the system's; 0: as the system says
	Palette      string  `json:"palette"`      // of the lines of figures: a palette.Set
	Wheel        Wheel   `json:"wheel"`        // what the wheel of the mouse does to graphs and timelines
	Replications int     `json:"replications"` // at least, per run
	Precision    float64 `json:"precision"`    // relative half-width at which a run stops; 0: replications only
	Confidence   float64 `json:"confidence"`   // of intervals
	Seed         uint64  `json:"seed"`
	Workers      int     `json:"workers"` // parallel replications; 0: all cores

	Width         float32 `json:"width"` // of the window
	Height        float32 `json:"height"`
	InspectorOpen bool    `json:"inspector_open"`
	InspectorAt   float64 `json:"inspector_at"` // share of the width left of the inspector
	DrawerOpen    bool    `json:"drawer_open"`
}

// Wheel is what the wheel of the mouse does to graphs and timelines.
type Wheel string

// Wheels.
const (
	Zooms   Wheel = "zooms"
	Scrolls Wheel = "scrolls" // and zooms with Ctrl
)

func defaultSettings() Settings {
	return Settings{Theme: "system", Palette: "standard", Wheel: Zooms, Replications: 10, Precision: 0.05, Confidence: 0.95, Seed: 1,
		Width: 1280, Height: 800, InspectorOpen: true, InspectorAt: 0.79}
}

// maxRecent bounds the list of recent projects.
const maxRecent = 12

const (
	settingsKey = "settings"
	recentKey   = "recent"
)

// Settings returns the preferences.
func (s *Session) Settings() Settings { return s.settings }

// ChangeSettings changes and saves the preferences.
func (s *Session) ChangeSettings(f func(*Settings)) {
	before := s.settings
	f(&s.settings)
	if s.settings == before {
		return
	}
	s.save(settingsKey, s.settings)
	s.emit(SettingsChanged)
}

// Recent returns the paths of recent projects and models, latest first.
func (s *Session) Recent() []string { return s.recent }

// Forget removes a path from the recent ones.
func (s *Session) Forget(path string) {
	s.recent = slices.DeleteFunc(s.recent, func(p string) bool { return p == path })
	s.save(recentKey, s.recent)
	s.emit(SettingsChanged)
}

func (s *Session) remember(path string) {
	r := slices.DeleteFunc(s.recent, func(p string) bool { return p == path })
	s.recent = append([]string{path}, r[:min(len(r), maxRecent-1)]...)
	s.save(recentKey, s.recent)
}

func (s *Session) save(key string, v any) {
	if s.store == nil {
		return
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic("session: settings are plain data: " + err.Error())
	}
	s.store.SetString(key, string(b))
}

// load reads what the store has; what it cannot read stays at the default,
// because preferences of another version must not keep the window from opening.
func (s *Session) load() {
	if s.store == nil {
		return
	}
	loaded := s.settings
	if json.Unmarshal([]byte(s.store.String(settingsKey)), &loaded) == nil {
		s.settings = loaded
	}
	var recent []string
	if json.Unmarshal([]byte(s.store.String(recentKey)), &recent) == nil {
		s.recent = recent
	}
}
