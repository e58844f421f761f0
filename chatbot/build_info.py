"""What somebody who builds and gives away Rabble may fill in; in the repository it is empty."""

from __future__ import annotations

TWITCH_CLIENT_ID = ""
"""The id of an application of the client type Public, registered at Twitch by whoever makes the build.

With it nobody who uses the build has to register an application of their own. An id is no secret.
"""
