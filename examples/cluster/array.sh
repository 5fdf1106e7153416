#!/bin/bash
# A run of many replicas as independent tasks of Slurm:
#
#   PER_TASK=256 sbatch --array=0-3 examples/cluster/array.sh water.yaml     # 1,024 replicas
#   holonom merge part-* -o water.out                                        # when all have ended
#
# Each task is asked to stop five minutes before the queue's limit, and leaves a checkpoint. The same line again
# goes on with all that are not done, and does nothing to those that are.
#SBATCH --job-name=holonom
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@300
set -euo pipefail
input=${1:?which input file?}
per_task=${PER_TASK:-256} # replicas: a multiple of the groups that they go in (16 at most)
task=${SLURM_ARRAY_TASK_ID:?to be started by sbatch --array}
folder=part-$task
more=()
[ ! -e "$folder/checkpoint.hol" ] || more=(--resume)
# In the place of this shell, so that the signal reaches it.
exec "${HOLONOM:-holonom}" run "$input" -o "$folder" --quiet --threads "${SLURM_CPUS_PER_TASK:-1}" \
  --replicas "$((task * per_task))..$((task * per_task + per_task - 1))" "${more[@]}"
