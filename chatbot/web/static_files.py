"""Serve the files of pages, compressed once for all who ask: a phone on 3G gets a third of their bytes."""

from __future__ import annotations

import gzip
from mimetypes import guess_type
from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from pathlib import Path

COMPRESSED = frozenset({".js", ".css", ".svg", ".html", ".json", ".webmanifest"})
TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}


class StaticFiles:
    """The files of a folder, of which texts are kept compressed; there are a few hundred at most."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._compressed: dict[Path, tuple[int, bytes]] = {}  # with the time of its change, in nanoseconds

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the files to the pages of a listener."""
        router.add_get("/static/{path:.+}", self._serve)

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        path = self._folder / request.match_info["path"]
        # What resolves to another path follows a symlink, or leads out of the folder.
        try:
            is_here = path.resolve() == path and path.is_relative_to(self._folder) and path.is_file()
        except (OSError, ValueError):  # ValueError: a null byte in the path
            is_here = False
        if not is_here:
            raise web.HTTPNotFound
        if path.suffix not in COMPRESSED or "gzip" not in request.headers.get("Accept-Encoding", ""):
            return web.FileResponse(path)
        changed = path.stat().st_mtime_ns
        tag = f"{changed:x}-gzip"
        headers = {"Vary": "Accept-Encoding", "Content-Encoding": "gzip", "ETag": f'"{tag}"'}
        if any(each.value == tag for each in request.if_none_match or ()):
            return web.Response(status=304, headers=headers)
        kept = self._compressed.get(path)
        if kept is None or kept[0] != changed:
            kept = self._compressed[path] = changed, gzip.compress(path.read_bytes(), 9)
        kind = TYPES.get(path.suffix) or guess_type(path.name)[0] or "application/octet-stream"
        charset = None if kind == "image/svg+xml" else "utf-8"
        return web.Response(body=kept[1], headers=headers, content_type=kind, charset=charset)
