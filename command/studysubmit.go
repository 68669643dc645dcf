package command

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"gaucho/stdlib/study"
)

// studySubmit prints a job that runs the study's shards on a cluster, ready to use.
func studySubmit(f studyFlags, s *study.Study) error {
	return f.submit(s.Name, []string{strings.TrimSuffix(s.Name, "."+f.size), "--size", f.size}, f.dir)
}

// notebookSubmit does so for a notebook's study. The cluster needs the notebook at the same path.
func notebookSubmit(f studyFlags, of notebookName) error {
	dir := f.dir // as it was given, for the cluster
	nb, err := f.readNotebook(of.path)
	if err != nil {
		return err
	}
	if !mentionsStudy(nb, of.name) {
		return fmt.Errorf("%s has no study %q", of.path, of.name)
	}
	args := []string{of.String()}
	for _, p := range f.set {
		args = append(args, "-p", p)
	}
	if e := f.session.Engine; e != os.Getenv("GAUCHO_ENGINE") {
		args = append(args, "--engine", e)
	}
	return f.submit(of.name, args, dir)
}

// submit prints the job of a study that the arguments name.
func (f *studyFlags) submit(name string, args []string, dir string) error {
	if f.shards < 1 {
		return fmt.Errorf("shards is %d, must be positive", f.shards)
	}
	switch {
	case f.slurm && !f.kubernetes:
		if dir != "" {
			args = append(args, "--dir", dir)
		}
		fmt.Fprintf(f.out, slurmScript, name, f.shards, shellWords(args), f.shards)
	case f.kubernetes && !f.slurm:
		job := strings.ToLower(strings.NewReplacer(".", "-", "_", "-").Replace(name))
		fmt.Fprintf(f.out, kubernetesJob, job, f.shards, f.shards, f.image, shellWords(args), f.shards)
	default:
		return errors.New("submit needs --slurm or --kubernetes")
	}
	return nil
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=+-]+$`)

// shellWords joins words for a shell, quoted where they need it.
func shellWords(words []string) string {
	var quoted []string
	for _, w := range words {
		if !plainWord.MatchString(w) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		quoted = append(quoted, w)
	}
	return strings.Join(quoted, " ")
}

const slurmScript = `#!/bin/sh
#SBATCH --job-name=%s
#SBATCH --array=1-%d
#SBATCH --cpus-per-task=2
exec gaucho study run %s --shard "${SLURM_ARRAY_TASK_ID}/%d"
`

const kubernetesJob = `apiVersion: batch/v1
kind: Job
metadata:
  name: %s
spec:
  completionMode: Indexed
  completions: %d
  parallelism: %d
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: study
          image: %s
          command: ["sh", "-c"]
          args:
            - |
              exec gaucho study run %s --dir /records --shard "$((JOB_COMPLETION_INDEX + 1))/%d"
          volumeMounts:
            - name: records
              mountPath: /records
      volumes:
        - name: records
          persistentVolumeClaim:
            claimName: gaucho-records
`
