package trace

// Thread returns the thread with an id; nil: there is none.
func (t *Trace) Thread(id int64) *Thread {
	for i := range t.Threads {
		if t.Threads[i].ID == id {
			return &t.Threads[i]
		}
	}
	return nil
}
