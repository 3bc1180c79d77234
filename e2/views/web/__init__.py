"""The live page: runs, boards, viewer, converter, comparison. It reads a folder of runs and writes nothing."""
