package resource

// Door is what the uncontended operations on a mutual exclusion lock need, whatever its
// fairness: nearly all operations on most locks. Enter and Exit are small enough to
// become part of their callers.
type Door struct {
	owner    Thread
	wait     list
	starving bool // of Go's mutex
}

func newDoor() Door { return Door{owner: NoThread, wait: newList()} }

// DoorOf returns the door of a lock that has one, else nil.
func DoorOf(l Lock) *Door {
	switch m := l.(type) {
	case *mutex:
		return &m.Door
	case *bargingMutex:
		return &m.Door
	case *goMutex:
		return &m.Door
	}
	return nil
}

// Enter is Call of Enter by t for a lock that is free, and reports whether it was.
func (d *Door) Enter(t Thread) bool {
	if d.owner != NoThread || d.starving {
		return false
	}
	d.owner = t
	return true
}

// Exit is Call of Exit where nobody waits, and reports whether that was so.
func (d *Door) Exit() bool {
	if d.owner == NoThread || d.wait.head != NoThread || d.starving {
		return false
	}
	d.owner = NoThread
	return true
}
