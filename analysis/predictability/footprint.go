package predictability

// ByFootprint is the paper's own rule for a heap (Zhang et al., §4.1): the PoU where the
// peak footprint in an ample heap fills it, f_peak(x) = heap, and MaxMem where the base
// footprint does, f_base(x) = heap. It is there for comparison: the peak is the policy of
// a collector of today, not a need. ok is false where footprints do not grow with the
// size.
func (s *Study) ByFootprint(heap int64) (pou, maxMem float64, ok bool) {
	var n, peak []float64
	for _, p := range s.Points {
		if p.Role == Calibration && p.Peak > 0 {
			n, peak = append(n, float64(p.Size)), append(peak, float64(p.Peak))
		}
	}
	if len(n) < leastSizes || s.Base.Order == "" {
		return 0, 0, false
	}
	f, ok := fitLowest(n, peak, goodOrder)
	if !ok {
		return 0, 0, false
	}
	return f.Size(float64(heap)), s.Base.Size(float64(heap)), true
}
