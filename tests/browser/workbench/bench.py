"""A workbench in a thread of the test's own process, and judges and leads who look at it in Chromium."""

from __future__ import annotations

import json
import threading
import time

import uvicorn
from sqlalchemy import select

from quorate.store import credentials, judges, leads, studies
from quorate.store.database import Database
from quorate.store.schema import assignment, event, head
from quorate.web.app import make
from quorate.web.serve import listening
from quorate.web.settings import Settings

TEXTS = (
    "Nine people were killed when the Selm dam broke on Sunday, the region's worst flood in 40 years.",
    "A dam broke; nine died; aid came.",
    "Floods followed the collapse of the dam, and rescuers came by helicopter.",
    "It rained a lot.",
    "انهار السد بعد ثلاثة أيام من المطر",
    "Officials said help was on its way. " * 20,
)
SYSTEMS = ("zebra-7b", "yak-large", "xerus-mini", "wombat-pro", "vole-base", "urial-xl")
CRITERIA = [
    {"id": "useful", "name": "Usefulness", "anchors": {"1": "no help", "5": "solves it"}},
    {"id": "clear", "name": "Clarity", "low": 0, "high": 10},
    {"id": "share", "name": "Share that is right", "low": 0, "high": 100},
]
PAGES = {
    "order": {"order": {"prompt": "Best first: which report would you keep?"}},
    "group": {"group": {}},
    "closed": {"group": {"sort": "closed", "names": ["Facts", "Opinions"]}},
    "hybrid": {"group": {"sort": "hybrid", "names": ["Facts"]}},
    "score": {"score": {"criteria": CRITERIA[:2]}},
    "side": {"score": {"criteria": CRITERIA, "layout": "side"}},
    "vote": {"vote": {"prompt": "Which report would you rather read?"}},
}


def rows(n=6, task="dam", texts=TEXTS):
    return [
        {"task": task, "item": f"{task}-{k}", "text": texts[k % len(texts)] if n <= len(texts) else f"Answer {k}"}
        | {"source": f"paper {k % 2}", "date": "2026-05-01", "system": SYSTEMS[k % len(SYSTEMS)]}
        for k in range(n)
    ]


class Workbench:
    """The server, and the doors to it that a test needs."""

    def __init__(self, folder):
        settings = Settings(database=str(folder / "studies.db"), port=0, saves=1000, logins=1000)
        self.database = Database(settings.database)
        self.heard = []  # what judges were sent: (path, body)
        app = self._listening(make(settings, self.database))
        bound = listening(settings)
        self.url = f"http://127.0.0.1:{bound.getsockname()[1]}"
        self.server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, ws="none"))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [bound]}, daemon=True)
        self.thread.start()
        self.lead = self.database.now(lambda c: leads.add(c, "lead"))

    def _listening(self, app):
        """Keeps every answer to a judge, to be searched for what no judge may see."""

        async def listened(scope, receive, send):
            path = scope.get("path", "")
            judged = scope["type"] == "http" and not path.startswith(("/lead", "/api/studies", "/static", "/worker"))

            async def sent(message):
                if message["type"] == "http.response.body":
                    self.heard.append((path, message.get("body", b"")))
                await send(message)

            await app(scope, receive, sent if judged else send)

        return listened

    def blind(self):
        """No answer to a judge names a system."""
        assert any(path.startswith("/api/assignments/") for path, _ in self.heard)
        assert [(path, name) for path, body in self.heard for name in SYSTEMS if name.encode() in body] == []

    def close(self):
        self.server.should_exit = True
        self.thread.join(10)
        self.database.close()

    def study(self, page="order", items=None, **more):
        definition = {"title": f"Study of {page}", "pages": PAGES[page], "judges_per_task": 100, **more}

        def job(connection):
            made = studies.create(connection, self.lead, definition)
            studies.add_items(connection, made, rows() if items is None else items)
            return made

        return self.database.now(job)

    def judge(self, study, name="Amy"):
        """The personal link of a new judge."""
        return f"{self.url}/j/" + self.database.now(lambda c: judges.link(c, judges.add(c, study, name)))

    def lead_link(self):
        secret = self.database.now(lambda c: credentials.issue(c, "link", lead_id=self.lead, lasts=credentials.HOUR))
        return f"{self.url}/lead/enter/{secret}"

    def rows(self, query):
        with self.database.read() as connection:
            return connection.execute(query).mappings().all()

    def state(self, assignment_id):
        """What the server holds."""
        found = self.rows(select(head.c.state).where(head.c.assignment_id == assignment_id))
        return json.loads(found[0]["state"]) if found else None

    def assignment(self, assignment_id):
        return self.rows(select(assignment).where(assignment.c.id == assignment_id))[0]

    def events(self, assignment_id):
        return self.rows(select(event).where(event.c.assignment_id == assignment_id).order_by(event.c.seq))


def begin(page, link):
    """Follow a link to the first task; its id."""
    page.goto(link)
    page.get_by_role("button", name="Begin").or_(page.get_by_role("link", name="Begin")).click()
    page.wait_for_url("**/judge/a/*")
    page.wait_for_selector(".bar .status")
    return page.url.rsplit("/", 1)[1]


def saved(page):
    page.locator(".status.saved").wait_for(timeout=20_000)


def until(what, seconds=20):
    """Wait for something of the server's."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
