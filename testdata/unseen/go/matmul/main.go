// Matmul multiplies matrices on as many processors as it is told to use.
package main

import (
	"flag"
	"fmt"
	"runtime"
	"sync"
)

func main() {
	procs := flag.Int("p", 2, "processors")
	size := flag.Int("size", 500, "rows and columns")
	repeat := flag.Int("repeat", 4, "products")
	flag.Parse()
	runtime.GOMAXPROCS(*procs)
	n := *size
	a, b, c := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for i := range a {
		a[i], b[i] = float64(i%7), float64(i%5)
	}
	for range *repeat {
		var wg sync.WaitGroup
		for w := 0; w < *procs; w++ {
			wg.Add(1)
			go func(w int) {
				defer wg.Done()
				for i := w; i < n; i += *procs {
					for j := 0; j < n; j++ {
						s := 0.0
						for k := 0; k < n; k++ {
							s += a[i*n+k] * b[k*n+j]
						}
						c[i*n+j] = s
					}
				}
			}(w)
		}
		wg.Wait()
	}
	fmt.Println(c[n])
}
