"""What is measured: kernels against C, the cost of bites and of the cluster, and scores."""
