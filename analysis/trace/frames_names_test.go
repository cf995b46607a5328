package trace

import "testing"

// Compilers call functions something that have no name in the text: what stands there is the function around them.
func TestNamesThatCompilersMakeUpLeadToTheFunctionOfTheText(t *testing.T) {
	t.Parallel()
	for f, want := range map[string]string{
		"main.main.func2":                      "main.main",
		"main.main.func1.func5":                "main.main",
		"main.(*crawler).visit.func1":          "main.(*crawler).visit",
		"main.main.gowrap1":                    "main.main",
		"example.com/a/b.Run.func3.2":          "example.com/a/b.Run",
		"main.(*lru).get.deferwrap1":           "main.(*lru).get",
		"main.each-range1":                     "main.each",
		"Galaxy.lambda$main$0":                 "Galaxy.main",
		"com/acme/Shop$Cart.lambda$checkOut$3": "com/acme/Shop$Cart.checkOut",
		"render._omp_fn.0":                     "render",
		"main::{lambda()#2}":                   "main",
		"Pool::Pool::{lambda()#1}::operator()": "Pool::Pool",
		"main::$_0::operator()":                "main",
		"crawl::main::{{closure}}":             "crawl::main",
	} {
		if got, unnamed := Enclosing(f); got != want || !unnamed {
			t.Errorf("%s stands in %s (%t), want %s", f, got, unnamed, want)
		}
	}
	for _, f := range []string{"main.worker", "main.(*server).serve", "Moldyn.run", "Primes$Range.run", "work"} {
		if got, unnamed := Enclosing(f); got != f || unnamed {
			t.Errorf("%s has a name in the text, and is taken for one in %s", f, got)
		}
	}
}
