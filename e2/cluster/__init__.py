"""Who runs what: a run's settings become tasks, tasks become slices, slices go to whoever is free."""
