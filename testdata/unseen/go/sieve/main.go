// Sieve finds primes with a chain of goroutines, one for each prime, that pass
// on what their prime does not divide.
package main

import (
	"flag"
	"fmt"
)

func generate(out chan<- int) {
	for i := 2; ; i++ {
		out <- i
	}
}

func filter(prime int, in <-chan int, out chan<- int) {
	for n := range in {
		if n%prime != 0 {
			out <- n
		}
	}
}

func main() {
	primes := flag.Int("primes", 40, "how many")
	buffer := flag.Int("buffer", 0, "capacity of the channels")
	flag.Parse()

	numbers := make(chan int, *buffer)
	go generate(numbers)
	for range *primes {
		prime := <-numbers
		fmt.Println(prime)
		rest := make(chan int, *buffer)
		go filter(prime, numbers, rest)
		numbers = rest
	}
}
