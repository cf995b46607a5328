package execution

// RecordingDir chooses where to record size bytes: in memory if there is plenty,
// so that the recording does not disturb the program's disk, or else in dir.
func RecordingDir(dir string, size int64) string {
	const memory = "/dev/shm"
	if room(memory) > 2*size {
		return memory
	}
	return dir
}
