package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// emitter prints how an engine runs the shards of a command; arguments are those of tierctl, quoted for a
// shell.
type emitter struct {
	name string
	emit func(w io.Writer, j job) error
}

// emitters are the engines that are known.
var emitters = []emitter{{"slurm", emitSlurm}, {"kubernetes", emitKubernetes}, {"parallel", emitParallel}}

// job is a command in shards.
type job struct {
	arguments []string // of tierctl, each quoted
	shards    int
	image     string // of a container
	plan      string // what it means
}

// command is the command of one shard, whose number the shell puts in.
func (j job) command(number string) string {
	return fmt.Sprintf("tierctl %s --quiet --shard %s/%d", strings.Join(j.arguments, " "), number, j.shards)
}

// gather is the command that reads what all shards have left.
func (j job) gather() string { return "tierctl " + strings.Join(j.arguments, " ") }

// emitSlurm prints a script for sbatch: an array job.
func emitSlurm(w io.Writer, j job) error {
	_, err := fmt.Fprintf(w, `#!/bin/sh
# %s. Submit with: sbatch sweep.sh
# When all have ended: %s
#SBATCH --job-name=tierctl
#SBATCH --array=1-%d
#SBATCH --cpus-per-task=1
#SBATCH --requeue
exec %s --parallel "${SLURM_CPUS_PER_TASK:-1}"
`, j.plan, j.gather(), j.shards, j.command(`"$SLURM_ARRAY_TASK_ID"`))
	return err
}

// emitParallel prints a script for GNU parallel, which runs one shard on each core; --sshloginfile makes it use other
// machines.
func emitParallel(w io.Writer, j job) error {
	_, err := fmt.Fprintf(w, `#!/bin/sh
# %s. When all have ended: %s
seq %d | parallel --joblog sweep.joblog --resume-failed --retries 3 %s
`, j.plan, j.gather(), j.shards, quoteShell(j.command("{}")+" --parallel 1"))
	return err
}

// emitKubernetes prints an indexed Job (https://kubernetes.io/docs/concepts/workloads/controllers/job/) for kubectl apply -f:
// JSON, which it takes as it takes YAML. The folder of the project is a claim on a volume that all shards can write.
func emitKubernetes(w io.Writer, j job) error {
	type object = map[string]any
	manifest := object{
		"apiVersion": "batch/v1",
		"kind":       "Job",
		"metadata": object{"name": "tierctl-sweep", "annotations": object{
			"tierscope/plan": j.plan, "tierscope/gather": j.gather(),
		}},
		"spec": object{
			"completionMode":       "Indexed",
			"completions":          j.shards,
			"parallelism":          j.shards,
			"backoffLimitPerIndex": 3,
			"template": object{"spec": object{
				"restartPolicy": "Never",
				"containers": []object{{
					"name":       "tierctl",
					"image":      j.image,
					"workingDir": "/project",
					"command":    []string{"/bin/sh", "-c", "exec " + j.command("$((JOB_COMPLETION_INDEX + 1))") + " --parallel 1"},
					"resources":  object{"requests": object{"cpu": "1", "memory": "512Mi"}},
					"volumeMounts": []object{{
						"name": "project", "mountPath": "/project",
					}},
				}},
				"volumes": []object{{"name": "project", "persistentVolumeClaim": object{"claimName": "tierscope"}}},
			}},
		},
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(manifest)
}

// printScript prints the script or manifest that the flags ask for.
func (f *sweepFlags) printScript(cmd *cobra.Command, w io.Writer, args []string, plan string) error {
	var names []string
	for _, e := range emitters {
		if e.name == f.emit {
			return e.emit(w, job{arguments: again(cmd, args), shards: f.shards, image: f.image, plan: plan})
		}
		names = append(names, e.name)
	}
	return exit(exitUsage, fmt.Errorf("--emit %q: give %s", f.emit, strings.Join(names, ", ")))
}

// again returns the arguments of a command as they were given, but for those that say how it is run.
func again(cmd *cobra.Command, args []string) []string {
	words := []string{cmd.Name()}
	for _, a := range args {
		words = append(words, quoteShell(a))
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains([]string{"emit", "shards", "shard", "image", "dry-run", "parallel", "workers", "background", "quiet", "json-progress"}, f.Name) {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			words = append(words, quoteShell("--"+f.Name+"="+v))
		}
	})
	return words
}

// quoteShell writes a word so that a shell reads it as it is.
func quoteShell(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=,:%@+", r)
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
