//go:build tierscope_probe

package runtime

import "unsafe"

// The values that pass through a channel are numbered under its lock, in the
// order they enter it and in the order they leave it, which is the same: the
// n-th value sent is the n-th received.

// pmPass numbers a value that goes from sender to receiver, or through a
// full buffer: the sender's enters it, the receiver's leaves it.
//
//go:nosplit
func pmPass(c *hchan, sender, receiver *g) {
	c.pmSent++
	c.pmReceived++
	sender.pm.seq = c.pmSent
	receiver.pm.seq = c.pmReceived
}

//go:nosplit
func pmSent(c *hchan) {
	c.pmSent++
	getg().pm.seq = c.pmSent
}

//go:nosplit
func pmReceived(c *hchan) {
	c.pmReceived++
	getg().pm.seq = c.pmReceived
}

// pmGot is 1 if the operation that ends received a value.
//
//go:nosplit
func pmGot() uint64 {
	if getg().pm.seq != 0 {
		return 1
	}
	return 0
}

//go:nosplit
func pmBool(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// pmTried is the result of a non-blocking receive: 1 got a value, 0 nothing there, 2 closed.
//
//go:nosplit
func pmTried(selected, received bool) uint64 {
	switch {
	case received:
		return 1
	case selected:
		return 2
	}
	return 0
}

// pmMade records a new channel.
//
//go:nosplit
func pmMade(c *hchan) {
	if pmBase != nil {
		TierscopeEvent(pmOpMake, uintptr(unsafe.Pointer(c)), uint64(c.dataqsiz), uint64(c.elemsize))
	}
}

// pmEnterSelect is TierscopeEnter for select, with the channels it offers.
func pmEnterSelect(cas0 *scase, nsends, nrecvs int, block bool) {
	if pmBase == nil {
		return
	}
	gp := getg()
	fp := getcallerfp()
	if pmNested(gp, fp) {
		return
	}
	pmRecSelect(cas0, nsends, nrecvs, block, unsafe.Pointer(fp))
}

//go:noinline
func pmRecSelect(cas0 *scase, nsends, nrecvs int, block bool, fp unsafe.Pointer) {
	gp := getg()
	mp := acquirem()
	if mp.p != 0 {
		now := pmTicks()
		cpu := gp.pm.run + pmCPU(mp, now) - gp.pm.start
		pp := mp.p.ptr()
		site := pmSite(pp, gp, fp)
		n := nsends + nrecvs
		room := uintptr(n+2) / 3 * 32
		if room > pmChunk/2 {
			room, n = 0, 0
		}
		arg := uint64(nsends)<<17 | uint64(nrecvs)<<1 | pmBool(block)
		if b := pmPut(pp, gp, now, cpu, pmOpSelect, site, 0, arg, room); b != nil {
			cases := (*[1 << 16]scase)(unsafe.Pointer(cas0))
			for i := 0; i < n; i += 3 {
				w := (*[4]uint64)(add(b, uintptr(i)/3*32))
				for j := 0; j < 3 && i+j < n; j++ {
					w[1+j] = uint64(uintptr(unsafe.Pointer(cases[i+j].c))) | pmBool(i+j < nsends)
				}
				w[0] = uint64(min(3, n-i))<<16 | pmCase
			}
		}
	}
	releasem(mp)
}

// pmChosen is the channel of the case that a select took.
//
//go:nosplit
func pmChosen(cas0 *scase, n, i int) uintptr {
	if i < 0 || i >= n {
		return 0
	}
	return uintptr(unsafe.Pointer((*[1 << 16]scase)(unsafe.Pointer(cas0))[i].c))
}
