"""How it is shown: boards, tables and the live line, as text."""
