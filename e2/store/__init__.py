"""What is kept: the files of a run, its ledger, its boards, and two runs side by side."""
