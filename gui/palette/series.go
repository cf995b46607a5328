package palette

import "image/color"

// Set is a set of colours for the lines of figures.
type Set string

// Sets.
const (
	Standard Set = "standard"
	// ColourBlind was searched, like the resource states, for the widest worst-case
	// distance over normal, protanope, deuteranope and tritanope vision.
	ColourBlind Set = "colour-blind"
	// Grey differs by lightness alone, in equal steps: for who sees no colours, and for print without them.
	Grey Set = "grey"
)

// Sets lists all of them in the order of the settings.
var Sets = []Set{Standard, ColourBlind, Grey}

// With is the scheme with the lines of figures in the colours of a set; one that is not known
// changes nothing.
func (s Scheme) With(set Set) Scheme {
	switch set {
	case ColourBlind:
		s.series = [6]color.NRGBA{hex(0x2F0FE7), hex(0xF05014), hex(0x741007), hex(0xD84DCE), hex(0x3B014A), hex(0x9F8F81)}
		if s.Dark {
			s.series = [6]color.NRGBA{hex(0x949CF5), hex(0xF3DA2D), hex(0xDA0007), hex(0x3BFBA0), hex(0x9908F8), hex(0xB63C68)}
		}
	case Grey:
		s.series = [6]color.NRGBA{hex(0x1B1B1B), hex(0x919191), hex(0x474747), hex(0x777777), hex(0x303030), hex(0x5E5E5E)}
		if s.Dark {
			s.series = [6]color.NRGBA{hex(0xF3F3F3), hex(0x868686), hex(0xBBBBBB), hex(0x6F6F6F), hex(0xD7D7D7), hex(0xA0A0A0)}
		}
	case Standard:
	}
	return s
}
