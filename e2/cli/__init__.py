"""The door: arguments in, exit codes out. 0 = done, 1 = the answer is no, 2 = bad input or usage."""
