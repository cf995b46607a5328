package regress

import (
	"cmp"
	"slices"
)

// Schedule assigns jobs to platforms by predicted times: longest job first,
// each to the platform on which it would finish earliest. predicted[k][p] is the
// time of job k on platform p; the result is the platform of each job. With
// predictions for the job and platform at hand this is the greedy load balancing
// of Zhang et al., §6. It panics unless all jobs have times of the same
// platforms.
func Schedule(predicted [][]float64) []int {
	if len(predicted) == 0 {
		return nil
	}
	platforms := len(predicted[0])
	order := make([]int, len(predicted))
	for k, times := range predicted {
		if len(times) != platforms || platforms == 0 {
			panic("regress: jobs have predictions for different platforms")
		}
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(slices.Min(predicted[b]), slices.Min(predicted[a]))
	})
	finish := make([]float64, platforms)
	assigned := make([]int, len(predicted))
	for _, k := range order {
		best := 0
		for p := range platforms {
			if finish[p]+predicted[k][p] < finish[best]+predicted[k][best] {
				best = p
			}
		}
		assigned[k] = best
		finish[best] += predicted[k][best]
	}
	return assigned
}

// ScheduleInOrder assigns jobs as they come, each to the platform whose queue is the
// shortest by the predicted times of what is in it: "the algorithm selects the platform
// with the shortest job queue at every point and adds a new job to it" (Zhang et al.,
// §3.1). It panics unless all jobs have times of the same platforms.
func ScheduleInOrder(predicted [][]float64) []int {
	var finish []float64
	assigned := make([]int, len(predicted))
	for k, times := range predicted {
		if finish == nil {
			finish = make([]float64, len(times))
		}
		if len(times) != len(finish) || len(times) == 0 {
			panic("regress: jobs have predictions for different platforms")
		}
		best := 0
		for p := range finish {
			if finish[p] < finish[best] {
				best = p
			}
		}
		assigned[k] = best
		finish[best] += times[best]
	}
	return assigned
}

// Utilization returns Σ s_k/(m·s_max) of an assignment, where s_k is how long
// platform k is really busy and m is the number of platforms: 1 if all finish
// together. (The formula of Zhang et al., §6, lacks the 1/m.) actual[k][p] is the
// true time of job k on platform p.
func Utilization(actual [][]float64, assigned []int) float64 {
	if len(actual) == 0 {
		return 1
	}
	busy := make([]float64, len(actual[0]))
	for k, p := range assigned {
		busy[p] += actual[k][p]
	}
	longest := slices.Max(busy)
	if longest == 0 {
		return 1
	}
	var sum float64
	for _, b := range busy {
		sum += b
	}
	return sum / (float64(len(busy)) * longest)
}
