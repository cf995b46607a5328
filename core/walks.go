package core

// Walks is what the threads of the recorded run did, the memory of the second tier: a graph says how often a
// fragment follows another, walks say which followed which, with what demand, on which object, for which task. Laid
// over each other they are the graphs (Fold). A model holds them packed (Model.Walks).
type Walks struct {
	Graphs  []WalkGraph
	Objects []WalkObject
	Threads []Walk // a thread comes after the one that started it
}

// WalkGraph names the fragments of a graph by the numbers that moves have for them.
type WalkGraph struct {
	ID        string
	Fragments []string
}

// WalkObject is one lock or queue as the run had it: of a lock of the model that every call, thread or task
// has for itself there are many.
type WalkObject struct {
	Of      string // lock or queue of the model
	Monitor int32  // of a condition variable: the object of the lock that its waiters hold; −1: none
}

// Walk is what one thread did, from its begin to its end or to the end of the recording.
type Walk struct {
	Pool   string
	Graph  int32 // index in Walks.Graphs
	Parent int32 // index of the walk of the thread that started it; −1: it was there from the start
	Ended  bool  // the thread came to its end
	// Copy: the thread was not there; it does what another one did, but for the tasks. It is not kept.
	Copy  bool
	Moves []Move
}

// Move is one visit of a fragment.
type Move struct {
	Fragment int32 // index in WalkGraph.Fragments
	Object   int32 // index in Walks.Objects, −1: none
	// Amount is the CPU time of a cpu fragment, the time of a delay or of a wait that no thread ended, in ns;
	// how many threads a spawn starts, how many tasks an out fragment creates, how many permits are taken.
	Amount int64
	// Token is the number of what a move passes on: the first of the tasks that an out fragment sends, the task
	// that an in fragment or a select takes, the event that a notification raises and a wait on a condition variable
	// awaits. The same number in two moves is the same thing. 0: none.
	Token int64
}
