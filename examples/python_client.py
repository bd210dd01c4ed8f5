"""A whole turn from Python, with its standard library alone: makes a session, prompts it, prints the answer as it is
written, and allows what the agent asks for. When the connection breaks, it goes on after the last event it saw.

    INTERLINGUA_TOKEN=… python3 examples/python_client.py http://127.0.0.1:4111 mock "Note what you find"
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid


class Interlingua:
    def __init__(self, url, token):
        self.url = url
        self.token = token

    def open(self, path, body=None, headers=None):
        request = urllib.request.Request(
            self.url + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **(headers or {})},
        )
        # The daemon sends a comment every 15 seconds; after three missing ones the connection is dead.
        return urllib.request.urlopen(request, timeout=45)

    def call(self, path, body=None):
        with self.open(path, body) as response:
            return json.load(response)

    def events(self, session, after=0):
        """The log of a session, live; each event once."""
        while True:
            try:
                path = f"/v1/sessions/{session}/events/sse"
                with self.open(path, headers={"Last-Event-ID": str(after)}) as response:
                    if response.status == 204:
                        return
                    data = None
                    for line in response:
                        if line.startswith(b"data: "):
                            data = line[len(b"data: "):]
                        elif line == b"\n" and data is not None:
                            # The frame is complete only with its blank line.
                            event = json.loads(data)
                            data = None
                            after = event["seq"]
                            yield event
            except urllib.error.HTTPError as error:
                if error.code < 500:
                    raise
            except OSError:
                pass
            time.sleep(0.5)


def main():
    if len(sys.argv) != 4 or "INTERLINGUA_TOKEN" not in os.environ:
        sys.exit("usage: INTERLINGUA_TOKEN=… python_client.py URL AGENT PROMPT")
    url, agent, text = sys.argv[1:]
    client = Interlingua(url, os.environ["INTERLINGUA_TOKEN"])
    session = client.call("/v1/sessions", {"agent": agent})["id"]
    # With an id of our own the request could be sent again: the agent gets the prompt once.
    prompt = client.call(f"/v1/sessions/{session}/messages", {"id": f"msg_{uuid.uuid4()}", "text": text})
    for event in client.events(session, after=prompt["seq"] - 1):
        kind = event["type"]
        # What a sub-agent says is not the agent's answer.
        if kind == "text.delta" and "parent" not in event:
            print(event["delta"], end="", flush=True)
        elif kind == "text.end":
            print()
        elif kind == "ask.opened" and event["kind"] == "permission":
            print(f"[allowed: {event['title']}]")
            client.call(f"/v1/sessions/{session}/asks/{event['ask']}/reply", {"reply": "once"})
        elif kind == "turn.ended":
            print(f"[turn {event['outcome']}]")
            sys.exit(0 if event["outcome"] == "completed" else 1)
    sys.exit("The session ended before the turn did.")


try:
    main()
except urllib.error.HTTPError as refusal:
    # Every refusal says what to do.
    problem = json.load(refusal)
    sys.exit(f"{problem['code']}: {problem['detail']}")
except urllib.error.URLError as failure:
    sys.exit(f"No answer from the daemon: {failure.reason}")
