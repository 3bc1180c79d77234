"""e2 serve: the live page."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Annotated

import typer

from e2.cli.output import DONE, say
from e2.errors import RunError, SettingsError

_SHORTEST_TOKEN = 12


def serve(
    runs: Annotated[Path, typer.Argument(metavar="RUNS", help="The folder of runs.")] = Path("runs"),
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8265,
    host: Annotated[str, typer.Option(help="Where to listen; elsewhere than on this machine it needs --token.")] = (
        "127.0.0.1"
    ),
    token: Annotated[
        str | None,
        typer.Option(envvar="E2_TOKEN", help="A secret word: a page opens with ?token=WORD, then by its cookie."),
    ] = None,
) -> int:
    """Show runs while they go on, view boards, convert and compare, in a browser.

    It reads RUNS and writes nothing. Ctrl-C ends it.

    \b
    Example:
      e2 serve runs --port 8265
    """
    if not runs.is_dir():
        raise RunError(f"{runs} is no folder; expected a folder of runs")
    if token is not None and not (len(token) >= _SHORTEST_TOKEN and token.isascii() and token.isprintable()):
        raise SettingsError(f"the token needs {_SHORTEST_TOKEN} or more letters, digits and signs of ASCII")
    if not _is_loopback(host) and token is None:
        raise SettingsError(f"host {host[:60]!r} can be reached by others: expected --token too")
    from e2.views.web.app import live_page
    from e2.views.web.guard import LOOPBACK_NAMES, Access
    from e2.views.web.server import bound
    from e2.views.web.server import serve as answer

    shown = f"[{host}]" if ":" in host else host
    names = (*LOOPBACK_NAMES, shown) if _is_loopback(host) else ()
    with bound(host, port) as listening:
        say(f"http://{shown}:{listening.getsockname()[1]}/")
        answer(live_page(runs, Access(names, token or "")), listening)
    return DONE


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
