//go:build !race

package simulation

// raceDetector says that the test runs under the race detector.
const raceDetector = false
