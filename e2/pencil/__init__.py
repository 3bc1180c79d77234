"""The neighbours: pencil puzzles over the same grid, engines and views."""
