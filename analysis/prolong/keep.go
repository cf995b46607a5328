package prolong

// kept is what a run showed, as a journal has it: of all modules up to the last that
// was executed.
type kept struct {
	Count    []int64   `json:"count"`
	Spent    []float64 `json:"spent_s"`
	Taken    []float64 `json:"taken_s"`
	Acquired []place   `json:"acquired"`
	Objects  []place   `json:"objects"`
	Elapsed  float64   `json:"elapsed_s"`
	Loaded   float64   `json:"load_from_outside"`
	Calls    [][2]int  `json:"calls,omitempty"`
}

// place is an acquisition.
type place struct {
	Module int     `json:"module"`
	Site   int     `json:"site"`
	Object int64   `json:"object"`
	Count  int64   `json:"count"`
	Held   float64 `json:"held_s"`
}

func (o *observed) keep() kept {
	n := 0
	for i, c := range o.count {
		if c > 0 {
			n = i + 1
		}
	}
	k := kept{Count: o.count[:n], Spent: o.spent[:n], Taken: o.taken[:n], Elapsed: o.elapsed, Loaded: o.loaded, Calls: o.calls}
	for _, a := range o.acquired {
		k.Acquired = append(k.Acquired, place{a.module, a.site, a.object, a.count, a.held})
	}
	for _, a := range o.objects {
		k.Objects = append(k.Objects, place{a.module, a.site, a.object, a.count, a.held})
	}
	return k
}

func (k kept) observed() *observed {
	o := &observed{count: make([]int64, maxModules), spent: make([]float64, maxModules), taken: make([]float64, maxModules), elapsed: k.Elapsed, loaded: k.Loaded, calls: k.Calls}
	copy(o.count, k.Count)
	copy(o.spent, k.Spent)
	copy(o.taken, k.Taken)
	for _, p := range k.Acquired {
		o.acquired = append(o.acquired, acquisition{p.Module, p.Site, p.Object, p.Count, p.Held})
	}
	for _, p := range k.Objects {
		o.objects = append(o.objects, acquisition{p.Module, p.Site, p.Object, p.Count, p.Held})
	}
	return o
}
