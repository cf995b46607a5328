// Package analyse is the page that turns a program into a model: what to run,
// under which load, then the four stages with their progress and the facts
// that they find. Each stage leaves its file in the project, so a study can be
// cancelled and taken up at any stage. It runs the pipeline of analysis/stage,
// as `tierctl analyze` does, and ends with the trust report.
package analyse
