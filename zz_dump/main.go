package main

import (
	"fmt"
	"os"
	"strconv"

	"tierscope/analysis/runtimes"
	"tierscope/analysis/trace"
)

func main() {
	f, _ := os.Open(os.Args[1])
	t, err := trace.ReadTrace(f, runtimes.Of)
	if err != nil {
		panic(err)
	}
	if len(os.Args) < 3 {
		for _, th := range t.Threads {
			n := len(th.Records)
			fmt.Printf("thread %d %s start %q parent %d creator %d born %.3f ended %.3f records %d cpu %.1f ms\n", th.ID, th.Name, th.Start, th.Parent, th.Creator, float64(th.Born)/1e6, float64(th.Ended)/1e6, n, float64(th.Records[n-1].CPU)/1e6)
		}
		for _, o := range t.Objects {
			fmt.Printf("object %d %s cap %d parent %d site %d\n", o.ID, o.Kind, o.Capacity, o.Parent, o.Site)
		}
		for i, s := range t.Sites {
			fmt.Print("site ", i, ":")
			for _, fr := range s.Frames {
				fmt.Printf(" %s:%d", fr.Function, fr.Line)
				if fr.Std {
					fmt.Print("*")
				}
			}
			fmt.Println()
		}
		fmt.Println(t.Warnings, t.Unmatched, t.Runs)
		return
	}
	id, _ := strconv.Atoi(os.Args[2])
	for _, r := range t.Thread(int64(id)).Records {
		e := "("
		if r.End {
			e = ")"
		}
		site := ""
		if r.Site >= 0 && len(t.Sites[r.Site].Frames) > 0 {
			site = trace.Place(t.Sites[r.Site].Frames[0])
		}
		fmt.Printf("%12.3f cpu %10.3f %s%s obj %d arg %d val %d site %d %s\n", float64(r.Time)/1e3, float64(r.CPU)/1e3, r.Op, e, r.Object, r.Arg, r.Value, r.Site, site)
	}
}
