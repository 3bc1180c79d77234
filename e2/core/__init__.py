"""What a puzzle is: values only, no files, clocks, threads or compiled code."""
