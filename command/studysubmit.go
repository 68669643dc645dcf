package command

import (
	"errors"
	"fmt"
	"strings"

	"gaucho/stdlib/study"
)

// studySubmit prints a job that runs the study's shards on a cluster, ready to use.
func studySubmit(f studyFlags, s *study.Study) error {
	if f.shards < 1 {
		return fmt.Errorf("shards is %d, must be positive", f.shards)
	}
	name := strings.TrimSuffix(s.Name, "."+f.size)
	switch {
	case f.slurm && !f.kubernetes:
		fmt.Printf(slurmScript, s.Name, f.shards, name, f.size, f.dir, f.shards)
	case f.kubernetes && !f.slurm:
		job := strings.ToLower(strings.NewReplacer(".", "-", "_", "-").Replace(s.Name))
		fmt.Printf(kubernetesJob, job, f.shards, f.shards, f.image, name, f.size, f.shards)
	default:
		return errors.New("submit needs --slurm or --kubernetes")
	}
	return nil
}

const slurmScript = `#!/bin/sh
#SBATCH --job-name=%s
#SBATCH --array=1-%d
#SBATCH --cpus-per-task=2
exec gaucho study run %s --size %s --dir %q --shard "${SLURM_ARRAY_TASK_ID}/%d"
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
            - exec gaucho study run %s --size %s --dir /records --shard "$((JOB_COMPLETION_INDEX + 1))/%d"
          volumeMounts:
            - name: records
              mountPath: /records
      volumes:
        - name: records
          persistentVolumeClaim:
            claimName: gaucho-records
`
