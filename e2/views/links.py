"""Where others may look at a board."""

from __future__ import annotations

from e2.errors import FormatError
from e2.formats import bucas_url, viewer_url
from e2.formats.format import Document


def viewer_links(given: Document) -> dict[str, str]:
    """The address of a board in each public viewer, by host; without those whose links cannot hold it."""
    found = {}
    for viewer in (viewer_url, bucas_url):
        try:
            found[viewer.HOST] = viewer.write(given)
        except FormatError:
            continue  # more colours than a link has letters
    return found
