"""The hot loops: flat arrays in, flat arrays out. The only place for numba."""
