"""The carrier: NATS JetStream takes lines from the process that hears them to the one that owns their home.

- Lines travel by a stream with a subject for each partition. It keeps what is not acknowledged, on disk, so
  that it survives the end of the owner and of the server; an id that it has had within two minutes it does
  not take again. Whoever takes a partition over makes its consumer anew, and is told all that remains at once
  and in order.
- What is for one process, such as an answer, goes to that process by request and reply; what is for all is
  published to all. Neither is kept: who needs an answer asks again.
- Parts of streams (`chatbot.cluster.page_streams`) go to a subject of their process, in order and without a
  reply.

Processes of two versions may share the carrier. A message says which version it takes to understand it. What
this one does not understand it leaves: a line waits in the stream until a process that does takes the
partition, whoever asks is told so, and what is told to all is passed over.

Nothing here decides anything: two processes that take the lines of one partition would both bring them, and
the database would refuse one of them.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import structlog

from chatbot.cluster.wire import pack, unpack
from chatbot.kernel.game import Failure
from chatbot.runtime.trace_ids import HEADER, parent_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from nats.aio.client import Client
    from nats.aio.msg import Msg
    from nats.js import JetStreamContext

DUPLICATES = 120.0  # seconds for which the stream knows ids
LONGEST_KEPT = 600.0  # seconds after which a line that nobody has taken is dropped: nobody waits for it
WIRE = 1
"""The version of what processes tell each other. Fields that are added with a default need no other one, for
they are left out by who does not know them; a new kind of message, or a field that must be understood,
does."""
NEEDS = "Rabble-Needs"
"""The header of the version that it takes to understand a message."""
NOT_UNDERSTOOD = "not-understood"
"""The answer to a request of a later version."""
UNDERSTOOD_LATER = 2.0  # seconds until a line is brought again that is not understood
MOST_BYTES = 256 * 1024 * 1024  # of all lines that wait
MOST_PENDING = 2000  # lines of a partition that its owner has and has not acknowledged
ACK_WAIT = 3.0  # seconds after which such a line is brought again, or else its owner says that it works on it
PUBLISH_TIMEOUT = 2.0  # seconds
REQUEST_TIMEOUT = 2.0  # seconds
CONNECT_TIMEOUT = 5.0  # seconds
CONNECT_AGAIN = 1.0  # seconds until a connection is opened again that the client has given up
_OTHER_SETTINGS = 10058  # the error of a stream that is there with other settings
_PAGE = 256  # consumers that the server names at once

log = structlog.get_logger(__name__)

CARRIED_AWAY = OSError, asyncio.TimeoutError
"""What is raised when the carrier cannot be reached; `Away` is one of it."""


class Away(ConnectionError):  # noqa: N818  (what it is)
    """The carrier, or the process that was asked, does not answer now."""


class Unheard(Away):
    """Nobody hears what the process that was asked is sent: it has ended."""


class Carried:
    """A line as it was carried: its `value` and `id`, and whether it was brought `again`."""

    def __init__(self, message: Msg, value: Any) -> None:
        self._message, self.value = message, value
        headers = message.headers or {}
        self.parent = headers.get(HEADER, "")  # of its trace, as the header has it
        self.needs = int(headers.get(NEEDS, 1))  # the version that it takes to understand it
        self.again = (message.metadata.num_delivered or 1) > 1
        self.id = (message.headers or {}).get("Nats-Msg-Id", "")

    async def done(self) -> None:
        """Acknowledge it: it is committed, or will never be."""
        with suppress(Exception):  # it is brought again, and known by its id
            await self._message.ack()

    async def later(self, seconds: float) -> None:
        """Have it brought again in some seconds."""
        with suppress(Exception):
            await self._message.nak(delay=seconds)

    async def working(self) -> None:
        """Have it not brought again yet, as it is being answered."""
        with suppress(Exception):
            await self._message.in_progress()


class Carrier:
    """A connection to NATS, of one process of a cluster."""

    def __init__(self, url: str, cluster: str, process: int, wire: int = WIRE) -> None:
        self._wire = wire
        self._url, self._prefix, self._process = url, f"rabble.{cluster}", process
        self._stream = f"RABBLE-{cluster}"
        self._client: Client | None = None
        self._js: JetStreamContext | None = None
        self._consumers: dict[str, JetStreamContext.PushSubscription] = {}
        self._current: set[str] = set()  # partitions whose consumers were made since the last connection
        self._has_stream = False  # since the last connection
        self._asked: Callable[[Any], Awaitable[object]] = _nobody
        self._announced: Callable[[Any], Awaitable[object]] = _nobody
        self._complaint = ""  # what was reported last, since the last connection
        self._opening: asyncio.Task[None] | None = None
        self.take_parts: Callable[[Any], object] = _ignore  # called with parts of streams
        self.interrupted: Callable[[], object] = lambda: None  # called when such parts may be lost

    @property
    def connected(self) -> bool:
        """Whether the server answers now."""
        return self._client is not None and self._client.is_connected

    async def open(
        self, asked: Callable[[Any], Awaitable[object]], announced: Callable[[Any], Awaitable[None]]
    ) -> None:
        """Connect; `asked` answers what is for this process, and `announced` takes what is for all.

        Raises:
            Failure: no server answers at the address, or it has no JetStream.
        """
        try:
            # An extra, and needed by several processes alone.
            import nats.aio.client  # noqa: F401, PLC0415
        except ModuleNotFoundError:
            raise Failure(
                "CHATBOT_NATS_URL needs the package nats-py, which is missing; install rabble[cluster]."
            ) from None
        self._asked, self._announced = asked, announced
        try:
            await self._connect()
        except Exception as error:
            raise Failure(
                "No NATS server with JetStream answers at CHATBOT_NATS_URL "
                f"({str(error) or type(error).__name__}); `nats-server -js`, or correct the address."
            ) from error
        if is_open_to_strangers(self._url):
            log.warning(
                "CHATBOT_NATS_URL has no user and password: whoever reaches that server can command the bot"
            )

    async def _connect(self) -> None:
        """Connect by a new client, which has taken nothing yet."""
        from nats.aio.client import Client as NatsClient  # noqa: PLC0415

        client = NatsClient()

        async def reconnected() -> None:
            # What the server has sent to the lost connection would be brought again only after `ACK_WAIT`.
            self._current.clear()
            self._has_stream = False  # it may be another server, or have lost what it had
            self.interrupted()
            self._note_connected()

        async def closed() -> None:
            if self._client is client:
                self._opening = asyncio.ensure_future(self._open_again(client))

        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                await client.connect(
                    self._url,
                    allow_reconnect=True,
                    max_reconnect_attempts=-1,
                    # It is slept for, so that parts of a second work, too.
                    reconnect_time_wait=0.25,  # type: ignore[arg-type]
                    error_cb=self._complain,
                    reconnected_cb=reconnected,
                    closed_cb=closed,
                    ping_interval=2,  # seconds, so that a server that is gone without a word is noticed
                    pending_size=8 * 1024 * 1024,
                )
                js = client.jetstream(timeout=PUBLISH_TIMEOUT)
                await self._make_stream(js)
                await client.subscribe(self._own(self._process), cb=_beside(self._answer))
                await client.subscribe(f"{self._prefix}.all", cb=self._hear)
                await client.subscribe(self._parts_of(self._process), cb=self._take_parts)
                await client.flush()
        except BaseException as error:
            with suppress(Exception):
                await client.close()
            # It tries again until the time is over, and what it has met then says more than that.
            if isinstance(error, TimeoutError) and client.last_error is not None:
                raise client.last_error from error
            raise
        self._consumers.clear()
        self._current.clear()
        self._client, self._js = client, js
        self.interrupted()
        self._note_connected()

    async def _open_again(self, closed: Client) -> None:
        """Connect anew after the client has given up, as it does at most errors of a server.

        Such as that too many are connected, or of a password that is just being changed.
        """
        log.error("NATS has closed the connection, which is opened again", why=repr(closed.last_error))
        while self._client is closed:
            await asyncio.sleep(CONNECT_AGAIN)
            try:
                await self._connect()
            except Exception as error:  # noqa: BLE001  (whatever it is, it is tried again)
                await self._complain(error)

    async def _make_stream(self, js: JetStreamContext) -> None:
        """Have the stream, with the settings of this version."""
        from nats.js.api import (  # noqa: PLC0415
            DiscardPolicy,
            RetentionPolicy,
            StorageType,
            StreamConfig,
        )
        from nats.js.errors import BadRequestError  # noqa: PLC0415

        settings = StreamConfig(
            name=self._stream,
            subjects=[f"{self._prefix}.line.*"],
            retention=RetentionPolicy.WORK_QUEUE,
            storage=StorageType.FILE,
            duplicate_window=DUPLICATES,
            max_age=LONGEST_KEPT,
            max_bytes=MOST_BYTES,
            # Whoever carries a line is told that it is full; else it would drop others, of which it was said
            # that they are kept.
            discard=DiscardPolicy.NEW,
        )
        try:
            await js.add_stream(settings)
        except BadRequestError as error:
            if error.err_code != _OTHER_SETTINGS:
                raise
            await js.update_stream(settings)  # another version has made it
        self._has_stream = True

    def _note_connected(self) -> None:
        if self._complaint:
            log.info("NATS is connected again")
        self._complaint = ""

    async def _complain(self, error: Exception) -> None:
        # Once: the client reports each of four attempts a second.
        if repr(error) != self._complaint:
            log.warning("the carrier of lines reports", why=repr(error))
        self._complaint = repr(error)

    async def _answer(self, message: Msg) -> None:
        try:
            reply = await self._asked(self._read(message))
        except ValueError:
            reply = NOT_UNDERSTOOD
        if message.reply:
            with suppress(Exception):  # who asked asks again
                await message.respond(pack(reply))

    async def _hear(self, message: Msg) -> None:
        with suppress(ValueError):
            await self._announced(self._read(message))

    async def _take_parts(self, message: Msg) -> None:
        try:
            self.take_parts(self._read(message))
        except (ValueError, KeyError, TypeError) as error:
            log.warning("a part of a stream is not understood", why=repr(error))

    async def close(self) -> None:
        """Say what is still to be said, and disconnect."""
        client, self._client = self._client, None
        if self._opening is not None:
            self._opening.cancel()
        if client is not None:
            with suppress(Exception):
                async with asyncio.timeout(0.5):
                    await client.flush()
            with suppress(Exception):
                await client.close()

    async def carry(self, partition: str, line: str, value: object, parent: str = "", needs: int = 1) -> bool:
        """Put a line into the stream; when this returns, it is kept.

        `parent` is the header of its trace, and `needs` the version that it takes to understand it.

        Return False if it has a line of this id already, so that this one was not put there.

        Raises:
            Away: it is not known to be.
        """
        if self._js is None or not self.connected:
            raise Away("NATS is not connected")
        try:
            receipt = await self._js.publish(
                f"{self._prefix}.line.{partition}",
                pack(value),
                headers={"Nats-Msg-Id": line, HEADER: parent or parent_of(line), NEEDS: str(needs)},
            )
        except Exception as error:
            raise Away(repr(error)) from error
        return not receipt.duplicate

    async def take(self, partition: str, bring: Callable[[Carried], Awaitable[None]]) -> None:
        """Take the lines of a partition from now on, and all of before that nobody has acknowledged.

        Raises:
            Away: the server does not answer.
        """
        from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy  # noqa: PLC0415
        from nats.js.errors import NotFoundError  # noqa: PLC0415

        if self._js is None or not self.connected:
            raise Away("NATS is not connected")

        async def receive(message: Msg) -> None:
            try:
                value = self._read(message)
            except ValueError as error:
                log.warning("what was carried is not understood, and waits", why=str(error))
                with suppress(Exception):
                    await message.nak(delay=UNDERSTOOD_LATER)
                return
            await bring(Carried(message, value))

        await self.leave(partition)
        try:
            if not self._has_stream:
                await self._make_stream(self._js)
            # Anew: else what the former owner has not acknowledged would come only after `ACK_WAIT`.
            with suppress(NotFoundError):
                await self._js.delete_consumer(self._stream, partition)
            self._consumers[partition] = await self._js.subscribe(
                f"{self._prefix}.line.{partition}",
                stream=self._stream,
                durable=partition,
                cb=receive,
                manual_ack=True,
                config=ConsumerConfig(
                    ack_policy=AckPolicy.EXPLICIT,
                    ack_wait=ACK_WAIT,
                    max_ack_pending=MOST_PENDING,
                    deliver_policy=DeliverPolicy.ALL,
                ),
                pending_msgs_limit=4 * MOST_PENDING,
            )
            self._current.add(partition)
        except Exception as error:
            raise Away(repr(error)) from error

    def takes(self, partition: str) -> bool:
        """Whether the lines of a partition are taken."""
        return partition in self._consumers and partition in self._current

    async def verify(self) -> None:
        """Find out which partitions are not taken any more, though this process has not left them.

        A process that was stopped, and does not know yet what others do by now, may have taken them: nothing
        would ever be brought to either once it has left them.

        Raises:
            Away: the server does not answer.
        """
        from nats.js.errors import NotFoundError  # noqa: PLC0415

        if self._js is None or not self.connected:
            raise Away("NATS is not connected")
        taken, inboxes = dict(self._consumers), dict[str, str | None]()
        try:
            while True:
                page = await self._js.consumers_info(self._stream, len(inboxes))
                inboxes |= {each.name: each.config.deliver_subject for each in page}
                if len(page) < _PAGE:
                    break
        except NotFoundError:
            self._has_stream = False
        except Exception as error:
            raise Away(repr(error)) from error
        lost = {
            each
            for each in taken.keys() & self._current
            if self._consumers.get(each) is taken[each] and inboxes.get(each) != taken[each].subject
        }
        if lost:
            log.warning("what is carried does not come here any more, and is taken again", lost=sorted(lost))
            self._current -= lost

    async def leave(self, partition: str) -> None:
        """Take the lines of a partition no more."""
        consumer = self._consumers.pop(partition, None)
        if consumer is not None:
            with suppress(Exception):
                await consumer.unsubscribe()

    async def ask(self, process: int, value: object, timeout: float = REQUEST_TIMEOUT) -> Any:  # noqa: ASYNC109
        """Ask another process, and return its answer.

        Raises:
            Away: none came.
            Unheard: none will, as the process has ended.
        """
        from nats.errors import NoRespondersError  # noqa: PLC0415

        if self._client is None or not self.connected:
            raise Away("NATS is not connected")
        try:
            message = await self._client.request(self._own(process), pack(value), timeout=timeout)
            reply = unpack(message.data)
        except NoRespondersError as error:
            raise Unheard(repr(error)) from error
        except Exception as error:
            raise Away(repr(error)) from error
        if reply == NOT_UNDERSTOOD:
            raise Away("the process that was asked is of a former version")
        return reply

    async def announce(self, value: object) -> None:
        """Tell all processes, this one too; nothing is told while the server is away."""
        if self._client is not None and self.connected:
            with suppress(Exception):
                await self._client.publish(f"{self._prefix}.all", pack(value))

    def _read(self, message: Msg) -> Any:
        """Return what a message says.

        Raises:
            ValueError: it takes a later version to understand it.
        """
        needs = (message.headers or {}).get(NEEDS, "1")
        if not needs.isdecimal() or int(needs) > self._wire:
            raise ValueError(f"it takes version {needs}, and this is {self._wire}")
        return unpack(message.data)

    async def post(self, process: int, value: object) -> None:
        """Send another process what it takes by `take_parts`.

        Raises:
            Away: it is not sent.
        """
        if self._client is None or not self.connected:
            raise Away("NATS is not connected")
        try:
            await self._client.publish(self._parts_of(process), pack(value))
        except Exception as error:
            raise Away(repr(error)) from error

    def _own(self, process: int) -> str:
        return f"{self._prefix}.to.{process}"

    def _parts_of(self, process: int) -> str:
        return f"{self._prefix}.parts.{process}"


def is_open_to_strangers(url: str) -> bool:
    """Whether anybody who reaches a server may say what processes say, as far as its address tells."""
    parts = urlsplit(url)
    return parts.username is None and parts.hostname not in {"localhost", "127.0.0.1", "::1"}


async def _nobody(_: Any) -> None:
    """Say nothing: it is not open."""


def _ignore(_: Any) -> None:
    """Take nothing: it is not open."""


def _beside(answer: Callable[[Msg], Awaitable[None]]) -> Callable[[Msg], Awaitable[None]]:
    """Answer each message beside the others: one that takes long, such as to send a text, holds up none."""
    tasks = set[asyncio.Task[None]]()

    async def start(message: Msg) -> None:
        task = asyncio.ensure_future(_done(answer(message)))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    return start


async def _done(work: Awaitable[None]) -> None:
    try:
        await work
    except Exception:
        log.exception("what another process asked could not be answered")
