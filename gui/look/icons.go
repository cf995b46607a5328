package look

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Icon names a picture of our own.
type Icon string

// Icons of the pages for which the toolkit has no picture that says what they are.
const (
	NetworkIcon Icon = "network"
	KnobsIcon   Icon = "knobs"
	CellsIcon   Icon = "cells"
	FunnelIcon  Icon = "funnel"
	LanesIcon   Icon = "lanes"
	DiskIcon    Icon = "disk"
	BarsIcon    Icon = "bars"
	BesideIcon  Icon = "beside"
	PeakIcon    Icon = "peak"
	ChangesIcon Icon = "changes"
	DelayIcon   Icon = "delay"
	BetweenIcon Icon = "between"
	TrendIcon   Icon = "trend"
	InputIcon   Icon = "input"
	StepsIcon   Icon = "steps"
)

// shapes are the pictures: filled shapes in a square of 24 units.
var shapes = map[Icon]string{
	NetworkIcon: `<circle cx="5.5" cy="6" r="3"/><circle cx="5.5" cy="18" r="3"/><circle cx="18" cy="12" r="3.5"/>` +
		`<path d="M7.2 7.8 8.1 6 17 10.6 16.1 12.4z M7.2 16.2 8.1 18 17 13.4 16.1 11.6z"/>`,
	KnobsIcon: `<path d="M3 5h18v2H3z M3 11h18v2H3z M3 17h18v2H3z"/>` +
		`<circle cx="9" cy="6" r="3"/><circle cx="16" cy="12" r="3"/><circle cx="7" cy="18" r="3"/>`,
	CellsIcon:   `<path d="M3 3h5v5H3z M9.5 3h5v5h-5z M16 3h5v5h-5z M3 9.5h5v5H3z M9.5 9.5h5v5h-5z M16 9.5h5v5h-5z M3 16h5v5H3z M9.5 16h5v5h-5z M16 16h5v5h-5z"/>`,
	FunnelIcon:  `<path d="M3 4h18l-7 8.5V21l-4-2.5V12.5z"/>`,
	LanesIcon:   `<path d="M3 4h9v4H3z M8 10h10v4H8z M13 16h8v4h-8z"/>`,
	DiskIcon:    `<ellipse cx="12" cy="5.5" rx="8" ry="2.8"/><path d="M4 8.5c2.5 2.2 13.5 2.2 16 0v3.5c-2.5 2.6-13.5 2.6-16 0z M4 14.7c2.5 2.2 13.5 2.2 16 0v3.6c-2.5 3.2-13.5 3.2-16 0z"/>`,
	BarsIcon:    `<path d="M4 10h6v11H4z M14 3h6v18h-6z"/>`,
	BesideIcon:  `<path d="M3 4h8v16H3z M13 4h8v16h-8z M15 6v12h4V6z"/>`,
	PeakIcon:    `<path d="M2 20 9.5 6l4 7.5L16 10l6 10z"/><circle cx="17.5" cy="5" r="2.4"/>`,
	ChangesIcon: `<path d="M10.8 3h2.4v4.8H18v2.4h-4.8V15h-2.4v-4.8H6V7.8h4.8z M6 18h12v2.4H6z"/>`,
	DelayIcon:   `<path d="M3 8h8v8H3z M12.5 11h4V7.5L22 12l-5.5 4.5V13h-4z"/>`,
	BetweenIcon: `<path d="M3 4h2.4v16H3z M18.6 4H21v16h-2.4z M6.5 12 10 8.5v2.4h4V8.5l3.5 3.5-3.5 3.5v-2.4h-4v2.4z"/>`,
	TrendIcon:   `<path d="M3 19.6 20.2 3.4 21.6 4.9 4.4 21.1z"/><circle cx="6.5" cy="11.5" r="2"/><circle cx="12" cy="17.5" r="2"/><circle cx="13" cy="6" r="2"/><circle cx="18.5" cy="12.5" r="2"/>`,
	InputIcon:   `<path d="M2.5 11h8V7l5.5 5-5.5 5v-4h-8z M14 3h7v18h-7v-2.4h4.6V5.4H14z"/>`,
	StepsIcon:   `<path d="M2.5 21v-4.2h4.8v-4.4h4.8V8h4.8V3.6h4.6V6h-2.2v4.4h-4.8v4.4H9.7v4.4H4.9V21z"/>`,
}

// Resource is the picture in the colour of the theme's text.
func (i Icon) Resource() fyne.Resource {
	const head = `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="#000000">`
	return theme.NewThemedResource(fyne.NewStaticResource(string(i)+".svg", []byte(head+shapes[i]+`</svg>`)))
}
