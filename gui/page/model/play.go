package model

import (
	"context"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"tierscope/core/quantity"
	"tierscope/gui/background"
	"tierscope/gui/diagram"
	"tierscope/gui/page"
	ours "tierscope/gui/widget"
	"tierscope/simulation/des"
	"tierscope/simulation/timeline"
)

// player plays a recorded replication over the diagrams of tiers 1 and 2: tasks move through
// queues and pools, threads through the fragments of their call graph.
type player struct {
	host    *page.Host
	changed func() // another moment is to be shown
	bar     *fyne.Container
	play    *ours.IconButton
	slider  *widget.Slider
	speed   *ours.Choice
	time    *widget.Label

	film    *diagram.Film
	of      *timeline.Recording // that film is made of, or is being made of
	leave   func()              // stops following the film
	cancel  context.CancelFunc  // of the clock; nil: it stands still
	seeking bool                // the slider is being set
	asked   bool                // a recording is on its way, to be played
}

// speeds are simulated seconds per second.
var speeds = []struct {
	name  string
	speed float64
}{{"1/1000 speed", 0.001}, {"1/100 speed", 0.01}, {"1/10 speed", 0.1}, {"full speed", 1}}

// travel is how long a task is on its way along an edge, and picture the time between two
// pictures: a thirtieth of a second.
const (
	travel  = 300 * time.Millisecond
	picture = time.Second / 30
)

func newPlayer(h *page.Host, changed func()) *player {
	p := &player{host: h, changed: changed, slider: widget.NewSlider(0, 1), time: ours.Muted("")}
	p.play = ours.NewIconButton("Watch the model run", theme.MediaPlayIcon(), p.toggle)
	p.slider.Step = 0.0005
	p.slider.OnChanged = func(v float64) {
		if f := h.Session.Film(); f != nil && !p.seeking {
			h.Session.Seek(f.From + des.Time(v*float64(f.Recording.Until-f.From)))
		}
	}
	p.speed = ours.NewChoice(func(string) {})
	var names []string
	for _, s := range speeds {
		names = append(names, s.name)
	}
	p.speed.SetValues(names, func(s string) string { return s })
	p.speed.Choose(speeds[1].name)
	p.bar = container.NewBorder(nil, nil, p.play, container.NewHBox(p.time, p.speed), p.slider)
	p.leave = h.Session.WatchFilm(p.follow)
	p.follow()
	return p
}

// offer shows the player, or hides it where nothing can be seen.
func (p *player) offer(on bool) {
	if on {
		p.bar.Show()
	} else {
		p.stop()
		p.bar.Hide()
	}
}

// toggle plays or stops; what was not recorded yet is.
func (p *player) toggle() {
	s := p.host.Session
	switch {
	case s.Model() == nil || p.asked:
	case p.cancel != nil:
		p.stop()
	case s.Film() == nil:
		p.asked = true
		s.Record(false, func() {
			if p.asked = false; s.Film() != nil {
				p.toggle()
			}
		})
	default:
		if s.Film().At() >= s.Film().Recording.Until {
			s.Seek(s.Film().From)
		}
		p.start()
	}
	p.say()
}

// start lets the clock run.
func (p *player) start() {
	last := time.Now()
	p.cancel = background.Start(p.host.Session.Runner, func(ctx context.Context, report func(struct{})) (struct{}, error) {
		ticks := time.NewTicker(picture)
		defer ticks.Stop()
		for {
			select {
			case <-ctx.Done():
				return struct{}{}, nil
			case <-ticks.C:
				report(struct{}{})
			}
		}
	}, func(struct{}) {
		now := time.Now()
		p.advance(now.Sub(last))
		last = now
	}, func(struct{}, error) {})
}

func (p *player) stop() {
	if p.cancel != nil {
		p.cancel()
		p.cancel = nil
	}
	p.say()
}

// advance goes on by as much simulated time as a real time is.
func (p *player) advance(real time.Duration) {
	s := p.host.Session
	if s.Film() == nil || p.cancel == nil {
		return
	}
	s.Seek(s.Film().At() + des.Time(float64(real)*p.factor()))
	if s.Film().At() >= s.Film().Recording.Until {
		p.stop()
	}
}

// factor is the chosen speed.
func (p *player) factor() float64 {
	for _, s := range speeds {
		if s.name == p.speed.Value() {
			return s.speed
		}
	}
	return speeds[0].speed
}

// follow shows the moment of the session's film.
func (p *player) follow() {
	f := p.host.Session.Film()
	switch {
	case f == nil:
		p.film, p.of = nil, nil
		p.stop()
	case f.Recording != p.of:
		p.of = f.Recording
		background.Start(p.host.Session.Runner, func(context.Context, func(struct{})) (*diagram.Film, error) {
			return diagram.NewFilm(f.Recording), nil
		}, nil, func(film *diagram.Film, err error) {
			if err == nil && p.of == film.Recording() {
				p.film = film
				p.changed()
			}
		})
	}
	p.say()
	p.changed()
}

// say shows the time and what the button does.
func (p *player) say() {
	f := p.host.Session.Film()
	icon, label := theme.MediaPlayIcon(), "Watch the model run"
	if p.cancel != nil {
		icon, label = theme.MediaPauseIcon(), "Stop here"
	}
	p.play.SetIcon(icon)
	p.play.SetLabel(label)
	p.seeking = true
	switch {
	case p.asked:
		p.time.SetText("recording …")
	case f == nil:
		p.time.SetText("one replication, thread by thread")
		p.slider.SetValue(0)
		p.slider.Disable()
	default:
		p.slider.Enable()
		length := f.Recording.Until - f.From
		p.slider.SetValue(float64(f.At()-f.From) / float64(max(length, 1)))
		p.time.SetText(quantity.Format((f.At()-f.From).Seconds(), "s") + " of " + quantity.Format(length.Seconds(), "s"))
	}
	p.seeking = false
}

// tokens are what a diagram shows at the moment: of a pool's call graph, or of tier 1 where pool is "". Whoever
// wants no motion sees tasks at nodes only.
func (p *player) tokens(d *diagram.Diagram, pool string) []diagram.Token {
	f := p.host.Session.Film()
	if f == nil || p.film == nil || p.film.Recording() != f.Recording {
		return nil
	}
	way := des.Time(float64(travel) * p.factor())
	if !fyne.CurrentApp().Settings().ShowAnimations() {
		way = 0
	}
	return p.film.Tokens(d, pool, f.At(), way)
}

// moment shows what is where on the diagram.
func (p *Page) moment() {
	d := p.graph.Diagram()
	if d == nil || p.player == nil {
		return
	}
	tier, pool, _ := strings.Cut(p.part(), "/")
	if tier == "tier3" {
		p.graph.SetTokens(nil)
		return
	}
	p.graph.SetTokens(p.player.tokens(d.Diagram, pool))
}
