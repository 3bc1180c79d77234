"""How much memory there is for searches on this machine."""

from __future__ import annotations

_SHARE = 0.8  # of what is free


def usable_memory() -> int | None:
    """Bytes that searches may still take on this machine, all together; None where the system does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(_SHARE * int(line.split()[1]) * 1024)
    except OSError:
        pass
    return None
