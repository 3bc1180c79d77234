"""Other people's files: one reader a dialect, none written.

Most community tools count turns from a frame half a turn away from the published catalogue: rot here = their rot + 2.
"""
