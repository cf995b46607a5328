package golang

// Nothing are the files of a program that does nothing.
func (Target) Nothing() map[string]string {
	return map[string]string{"go.mod": "module nothing\n\ngo 1.21\n", "main.go": "// Nothing ends when it has started.\npackage main\n\nfunc main() {}\n"}
}
