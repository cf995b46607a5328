// Mergesort sorts numbers; both halves at the same time down to some depth.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
)

func sort(v, tmp []int, depth int) {
	if depth == 0 {
		slices.Sort(v)
		return
	}
	m := len(v) / 2
	done := make(chan struct{})
	go func() {
		sort(v[:m], tmp[:m], depth-1)
		close(done)
	}()
	sort(v[m:], tmp[m:], depth-1)
	<-done
	i, j := 0, m
	for k := range tmp {
		if j == len(v) || i < m && v[i] <= v[j] {
			tmp[k] = v[i]
			i++
		} else {
			tmp[k] = v[j]
			j++
		}
	}
	copy(v, tmp)
}

func main() {
	n := flag.Int("n", 2000000, "numbers")
	depth := flag.Int("depth", 2, "levels that run at the same time")
	flag.Parse()
	rng := rand.New(rand.NewPCG(1, 1))
	v := make([]int, *n)
	for i := range v {
		v[i] = rng.Int()
	}
	sort(v, make([]int, *n), *depth)
	fmt.Println(v[0])
}
