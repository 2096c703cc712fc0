"""Examines the files of a class on the nodes of a Slurm cluster, over a shared file system."""
