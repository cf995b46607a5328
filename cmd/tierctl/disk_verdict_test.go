package main

import (
	"strings"
	"testing"
)

// tried is a trial in whose rounds 4 threads read so often per second, and one thread a third
// of that; the prediction is that it reads share times as often.
func tried(share float64, perSecond ...float64) outcome {
	var x, r []float64
	for _, v := range perSecond {
		x, r = append(x, v/3), append(r, 3/v)
	}
	p := prediction{threads: 1, X: over(x), R: over(r)}
	p.simulatedX, p.simulatedR = share*p.X.median, p.R.median/share
	return judgeTrial(4, perSecond, []prediction{p}, 0.15)
}

func still(x float64) []float64 {
	return []float64{x, 1.01 * x, 0.99 * x, x, 1.02 * x, 0.98 * x, x, 1.01 * x, 0.99 * x, x, x / 3} // the machine stood still once
}

func TestATrialIsAValidationWhenTheDiskHeldStillAndThePredictionsAreWithin(t *testing.T) {
	t.Parallel()
	o := tried(1.05, still(10000)...)
	if s := o.sentence(); !strings.HasPrefix(s, "YES. The disk held still: 4 threads read in between in 11 rounds, 10 of them within ±15 % of 10 000 /s") || o.exit() != nil {
		t.Errorf("a prediction 5 %% above: %q, exit %v", s, o.exit())
	}
}

func TestAPredictionBeyondTheLimitIsRefuted(t *testing.T) {
	t.Parallel()
	o := tried(1.3, still(10000)...)
	if s := o.sentence(); !strings.HasPrefix(s, "NO.") || !strings.Contains(s, "They are beyond ±15 % for 1 threads") || exitCode(o.exit()) != exitViolated {
		t.Errorf("a prediction 30 %% above: %q, exit %v", s, o.exit())
	}
}

// 14 % above the median of rounds that differ by 2 %: the interval reaches across the limit.
func TestAnIntervalAcrossTheLimitDecidesNothing(t *testing.T) {
	t.Parallel()
	o := tried(1.14, still(10000)...)
	if s := o.sentence(); !strings.HasPrefix(s, "UNDECIDED. ") || exitCode(o.exit()) != exitUndecided {
		t.Errorf("a prediction 14 %% above: %q, exit %v", s, o.exit())
	}
}

// The blocks move into the host's memory: the same load is twice as fast in the end.
func TestATrialOfADiskThatChangesIsNoValidation(t *testing.T) {
	t.Parallel()
	o := tried(1, 10000, 11000, 12000, 13000, 14000, 15000, 17000, 19000, 20000)
	if s := o.sentence(); !strings.HasPrefix(s, "UNDECIDED: the disk did not stay as it was: 4 threads read in between in 9 rounds, 4 of them within ±15 % of 14 000 /s") || exitCode(o.exit()) != exitUndecided {
		t.Errorf("a disk that becomes faster: %q, exit %v", s, o.exit())
	}
}
