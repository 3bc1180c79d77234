"""How it is written: text to values and back."""
