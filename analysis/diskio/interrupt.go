package diskio

// Interrupt is a time that a processor was interrupted to complete requests: by the
// device, or by what the kernel puts off until after that (BLOCK_SOFTIRQ). Unless the
// kernel keeps a separate account (CONFIG_IRQ_TIME_ACCOUNTING) the clock of the thread
// that was running goes on meanwhile, whosever the requests.
type Interrupt struct {
	Thread     int64 // that was running; 0: the processor was idle
	Start, End int64
}

// interruptEvents are the tracepoints that tell interrupts; those of put off work are
// recorded of the block layer only.
var interruptEvents = map[string]string{
	"irq_handler_entry": "", "irq_handler_exit": "",
	"softirq_raise": blockWork, "softirq_entry": blockWork, "softirq_exit": blockWork,
}

// blockWork is a filter for BLOCK_SOFTIRQ, linux/interrupt.h.
const blockWork = "vec == 4"

// interrupted follows the interrupts of one processor through its events.
type interrupted struct {
	hard, soft int64 // when the interrupt and the work put off began, 0: none
	ours       bool  // the interrupt completes requests, or puts off doing so
	all        []Interrupt
}

// see takes the next event, and reports whether it was one of interrupts.
func (c *interrupted) see(name string, at, thread int64) bool {
	switch name {
	case "irq_handler_entry":
		c.hard, c.ours = at, false
	case "irq_handler_exit":
		if c.ours && c.hard != 0 {
			c.all = append(c.all, Interrupt{thread, c.hard, at})
		}
		c.hard = 0
	case "softirq_raise":
		c.ours = true
	case "softirq_entry":
		c.soft = at
	case "softirq_exit":
		if c.soft != 0 {
			c.all = append(c.all, Interrupt{thread, c.soft, at})
		}
		c.soft = 0
	default:
		c.ours = c.ours || perfActions[name] == completed
		return false
	}
	return true
}
