/** Finds the session a frame of the server's stream belongs to without parsing it: the translator does that, once. */

const PAYLOAD = '"payload":{';
const COPY = '"type":"sync"';
const CREATED = '"type":"session.created"';
const CONNECTED = '"type":"server.connected"';
/** A quote inside a text is escaped, so this is a name. */
const SESSION = '"sessionID":"';

/** The id and the type of an event stand at its beginning. */
const HEAD_LENGTH = 160;

export type FrameOwner =
  | { readonly kind: "session"; readonly session: string }
  /** A session that a sub-agent works in, with the one it was started from. */
  | { readonly kind: "child"; readonly session: string; readonly parent: string }
  | { readonly kind: "everybody" }
  /** News of a directory being loaded, a heartbeat, or a copy of another frame. */
  | { readonly kind: "nobody" };

export function route(frame: string): FrameOwner {
  const payload = frame.indexOf(PAYLOAD);
  if (payload === -1) return { kind: "nobody" };
  const head = frame.slice(payload, payload + HEAD_LENGTH);
  // Each stored event comes twice, for clients that keep a copy of the server's database.
  if (head.includes(COPY)) return { kind: "nobody" };
  if (head.includes(CONNECTED)) return { kind: "everybody" };
  if (head.includes(CREATED)) return ownerOfCreated(frame);
  const start = frame.indexOf(SESSION, payload);
  if (start === -1) return { kind: "nobody" };
  const from = start + SESSION.length;
  return { kind: "session", session: frame.slice(from, frame.indexOf('"', from)) };
}

function ownerOfCreated(frame: string): FrameOwner {
  const { payload } = JSON.parse(frame) as {
    payload: { properties?: { info?: { id?: string; parentID?: string } } };
  };
  const { id: session, parentID: parent } = payload.properties?.info ?? {};
  if (session === undefined) return { kind: "nobody" };
  return parent === undefined ? { kind: "session", session } : { kind: "child", session, parent };
}
