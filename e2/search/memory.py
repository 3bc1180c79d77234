"""How much memory there is for searches on this machine."""

from __future__ import annotations

from e2.errors import SettingsError

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


def check_memory(setting: str, number: int, each: int) -> None:
    """SettingsError where `number` states or boards of `each` bytes take more than may be used."""
    needed, usable = number * each, usable_memory()
    if usable is not None and needed > usable:
        raise SettingsError(
            f"{setting} = {number} takes {needed >> 20} MiB, {usable >> 20} MiB may be used; "
            f"expected at most {usable // each}"
        )
