// Package demand finds what computations cost: the CPU times of the recorded run without what probes added
// (anchor), without other cores' company (interference), on warm cores (coldness), in compiled code (warm-up);
// and what the run-time system's own threads do beside them (collector).
package demand
