/**
 * The one statement that writes a flush. It compares the epoch, the head and the raw head of each session, moves those
 * that fit, and writes the rest only for them: who is missing in its answer was not written at all. Parts that a flush does
 * not have are left out, so that most flushes are the log alone.
 */
import { EVENT_FORMAT } from "../../core/event.ts";
import { USAGE_COUNTS } from "../format/usage-columns.ts";
import { cutPiece } from "./byte-parameter.ts";
import type { Statement } from "./connection.ts";
import { CHANGING_COLUMNS, FIXED_COLUMNS } from "./session-row.ts";

/** In the order of their parameters, after those of the log. Each is a JSON array of rows. */
export const PROJECTIONS = [
  "created",
  "changed",
  "titles",
  "searchTexts",
  "blobs",
  "messages",
  "messageChanges",
  "texts",
  "asks",
  "usage",
  "keys",
  "snapshots",
  "replacedPieces",
  "pieces",
] as const;

export type Projection = (typeof PROJECTIONS)[number];

/** $1 to $9 say where each log ends and will end, and whose it is, $10 to $17 are the rows of the tail, $18 has all bytes. */
const LOG_PARAMETERS = 18;
const BYTES = "$18::bytea";

const MAX_COUNT = Number.MAX_SAFE_INTEGER;

const MESSAGE_COLUMNS = {
  session: "bigint",
  id: "text",
  role: "text",
  state: "text",
  first_seq: "bigint",
  last_seq: "bigint",
  position: "bigint",
  turn: "text",
  rewound_at: "bigint",
  fold_version: "int",
  request: "text",
  response: "text",
  codec: "smallint",
  checksum: "bigint",
};

const ASK_COLUMNS = {
  session: "bigint",
  ask: "text",
  kind: "text",
  state: "text",
  opened_seq: "bigint",
  opened_at: "bigint",
  expires_at: "bigint",
  opened: "text",
  answered: "text",
  outcome: "text",
};

type Columns = Readonly<Record<string, string>>;

/** Prepared once for each combination of projections that occurs. */
export function appendStatement(present: readonly Projection[]): Statement {
  const parameterOf = (projection: Projection) =>
    `$${LOG_PARAMETERS + 1 + present.indexOf(projection)}::jsonb`;
  const hasCreated = present.includes("created");
  const parts = [
    HEADS,
    MOVED,
    ...(hasCreated ? [createdPart(parameterOf("created")), CREATED_HEADS] : []),
    acceptedPart(hasCreated),
    TAIL,
  ];
  for (const projection of present)
    if (projection !== "created")
      parts.push(WRITERS[projection](parameterOf(projection), present.includes("messages")));
  return {
    name: `append_${present.map((projection) => PROJECTIONS.indexOf(projection)).join("_")}`,
    text: `WITH ${parts.join(",\n")}\nSELECT session, tail_events, tail_bytes FROM accepted`,
  };
}

const HEADS = `g AS (SELECT * FROM unnest($1::bigint[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
  $7::bigint[], $8::bigint[], $9::bigint[])
  AS t(session, epoch, head, raw_head, new_head, new_raw_head, added_events, added_bytes, owner))`;

/** A program that cannot read what is added here must not go on with the session later. */
const MOVED = `moved AS (UPDATE log_head h SET head = g.new_head, raw_head = g.new_raw_head,
  tail_events = h.tail_events + g.added_events, tail_bytes = h.tail_bytes + g.added_bytes,
  format = greatest(h.format, ${EVENT_FORMAT})
  FROM g WHERE h.session = g.session AND h.epoch = g.epoch AND h.head = g.head AND h.raw_head = g.raw_head
  RETURNING h.session, h.tail_events, h.tail_bytes)`;

const CREATED_HEADS = `created_heads AS (
  INSERT INTO log_head (session, owner, epoch, head, raw_head, tail_events, tail_bytes, format)
  SELECT created.id, g.owner, g.epoch, g.new_head, g.new_raw_head, g.added_events, g.added_bytes, ${EVENT_FORMAT}
  FROM created JOIN g ON g.session = created.id RETURNING session, tail_events, tail_bytes)`;

function acceptedPart(withCreated: boolean): string {
  const alsoCreated = " UNION ALL SELECT session, tail_events, tail_bytes FROM created_heads";
  return `accepted AS (SELECT session, tail_events, tail_bytes FROM moved${withCreated ? alsoCreated : ""})`;
}

const TAIL = `tails AS (INSERT INTO tail (session, first, last, raw_first, raw_last, epoch, format, checksum, data)
  SELECT p.session, p.first, p.last, p.raw_first, p.raw_last, g.epoch, ${EVENT_FORMAT}, p.checksum, ${cutPiece(BYTES, "p")}
  FROM unnest($10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[], $16::int[], $17::int[])
    AS p(session, first, last, raw_first, raw_last, checksum, off, len)
  JOIN accepted USING (session) JOIN g USING (session))`;

/** Another session of the same id keeps its place; this one is missing in the answer. */
function createdPart(rows: string): string {
  const columns = { id: "bigint", ...FIXED_COLUMNS, ...CHANGING_COLUMNS };
  const names = Object.keys(columns).join(", ");
  return `created AS (INSERT INTO session (${names}) SELECT ${names} FROM ${recordset(rows, columns)}
  ON CONFLICT (key) DO NOTHING RETURNING id)`;
}

const WRITERS: Readonly<
  Record<Exclude<Projection, "created">, (rows: string, withMessages: boolean) => string>
> = {
  changed: (rows) => {
    const set = Object.keys(CHANGING_COLUMNS).map((name) => `${name} = p.${name}`);
    return `changed AS (UPDATE session SET ${set.join(", ")}
  FROM ${recordset(rows, { session: "bigint", ...CHANGING_COLUMNS })} JOIN accepted USING (session) WHERE session.id = p.session)`;
  },
  titles: (rows) => `titles AS (INSERT INTO search (session, n, words) SELECT p.session, 0, ${WORDS}
  FROM ${recordset(rows, { session: "bigint", words: "text" })} JOIN accepted USING (session)
  ON CONFLICT (session, n) DO UPDATE SET words = excluded.words)`,
  searchTexts: (rows) => `search_texts AS (INSERT INTO search (session, words) SELECT p.session, ${WORDS}
  FROM ${recordset(rows, { session: "bigint", words: "text" })} JOIN accepted USING (session))`,
  blobs: (rows) => {
    const columns = {
      session: "bigint",
      raw_seq: "bigint",
      codec: "smallint",
      checksum: "bigint",
      off: "int",
      len: "int",
    };
    return `blobs AS (INSERT INTO raw_blob (session, raw_seq, codec, checksum, data)
  SELECT p.session, p.raw_seq, p.codec, p.checksum, ${cutPiece(BYTES, "p")}
  FROM ${recordset(rows, columns)} JOIN accepted USING (session))`;
  },
  messages: (rows) => {
    const names = Object.keys(MESSAGE_COLUMNS);
    const replaced = [...names.slice(2), "record"].map((name) => `${name} = excluded.${name}`);
    return `messages AS (INSERT INTO message (${names.join(", ")}, record)
  SELECT ${names.map((name) => `p.${name}`).join(", ")}, ${cutPiece(BYTES, "p")}
  FROM ${recordset(rows, { n: "int", ...MESSAGE_COLUMNS, off: "int", len: "int" })} JOIN accepted USING (session) ORDER BY p.n
  ON CONFLICT (session, id) DO UPDATE SET ${replaced.join(", ")} RETURNING session, id, number)`;
  },
  // Of messages that have no new row in this flush: a statement can change a row only once.
  messageChanges: (rows) => {
    const columns = { session: "bigint", id: "text", rewound_at: "bigint", amended_seq: "bigint" };
    const dropped = ["fold_version", "codec", "checksum", "record"].map(
      (name) => `${name} = CASE WHEN p.amended_seq IS NULL THEN m.${name} END`,
    );
    return `message_changes AS (UPDATE message m SET rewound_at = coalesce(p.rewound_at, m.rewound_at),
  last_seq = coalesce(p.amended_seq, m.last_seq), ${dropped.join(", ")}
  FROM ${recordset(rows, columns)} JOIN accepted USING (session) WHERE m.session = p.session AND m.id = p.id)`;
  },
  texts: (rows, withMessages) => {
    const columns = { session: "bigint", id: "text", at: "bigint", text: "text", words: "text" };
    const p = recordset(rows, columns);
    const fresh = "SELECT session, id, number FROM messages UNION ";
    return `texts AS (INSERT INTO message_text (message, session, at, text, words)
  SELECT known.number, p.session, p.at, p.text, ${WORDS} FROM ${p} JOIN accepted USING (session)
  JOIN (${withMessages ? fresh : ""}SELECT m.session, m.id, m.number FROM message m JOIN ${p} USING (session, id)) known
    ON known.session = p.session AND known.id = p.id
  ON CONFLICT (message) DO UPDATE SET at = excluded.at, text = excluded.text, words = excluded.words)`;
  },
  asks: (rows) => {
    const names = Object.keys(ASK_COLUMNS);
    const replaced = names.slice(2).map((name) => `${name} = excluded.${name}`);
    return `asks AS (INSERT INTO ask (${names.join(", ")}) SELECT ${names.map((name) => `p.${name}`).join(", ")}
  FROM ${recordset(rows, { n: "int", ...ASK_COLUMNS })} JOIN accepted USING (session) ORDER BY p.n
  ON CONFLICT (session, ask) DO UPDATE SET ${replaced.join(", ")})`;
  },
  usage: (rows) => {
    const columns = { session: "bigint", day: "text", model: "text", ...countColumns() };
    const names = Object.keys(columns);
    // A count that neither side has stays NULL. One that grows past what a number can hold stays at the largest.
    const sums = USAGE_COUNTS.map(
      (name) => `${name} = CASE WHEN u.${name} IS NULL AND excluded.${name} IS NULL THEN NULL
    ELSE least(coalesce(u.${name}, 0) + coalesce(excluded.${name}, 0), ${MAX_COUNT}) END`,
    );
    return `usage AS (INSERT INTO usage_day AS u (${names.join(", ")}) SELECT ${names.map((name) => `p.${name}`).join(", ")}
  FROM ${recordset(rows, columns)} JOIN accepted USING (session)
  ON CONFLICT (session, day, model) DO UPDATE SET ${sums.join(", ")})`;
  },
  keys: (rows) => {
    const columns = { n: "int", session: "bigint", dialect: "text", key: "text", seq: "bigint" };
    return `keys AS (INSERT INTO client_key (session, dialect, key, seq) SELECT p.session, p.dialect, p.key, p.seq
  FROM ${recordset(rows, columns)} JOIN accepted USING (session) ORDER BY p.n)`;
  },
  snapshots: (rows) => {
    const columns = { session: "bigint", seq: "bigint", checksum: "bigint", off: "int", len: "int" };
    return `snapshots AS (INSERT INTO snapshot (session, seq, checksum, data)
  SELECT p.session, p.seq, p.checksum, ${cutPiece(BYTES, "p")} FROM ${recordset(rows, columns)} JOIN accepted USING (session)
  ON CONFLICT (session) DO UPDATE SET seq = excluded.seq, checksum = excluded.checksum, data = excluded.data)`;
  },
  // Never a row that `pieces` writes: a statement can change a row only once.
  replacedPieces: (rows) => {
    const columns = { session: "bigint", part: "text", before: "bigint" };
    return `replaced_pieces AS (DELETE FROM memory m USING ${recordset(rows, columns)} JOIN accepted USING (session)
  WHERE m.session = p.session AND m.part = p.part AND m.seq < p.before)`;
  },
  pieces: (rows) => {
    const names = ["session", "part", "seq", "codec", "checksum"];
    const columns = {
      session: "bigint",
      part: "text",
      seq: "bigint",
      codec: "smallint",
      checksum: "bigint",
      off: "int",
      len: "int",
    };
    return `pieces AS (INSERT INTO memory (${names.join(", ")}, data)
  SELECT ${names.map((name) => `p.${name}`).join(", ")}, ${cutPiece(BYTES, "p")}
  FROM ${recordset(rows, columns)} JOIN accepted USING (session)
  ON CONFLICT (session, part, seq) DO UPDATE SET codec = excluded.codec, checksum = excluded.checksum, data = excluded.data)`;
  },
};

/** Words are cut and folded by us, so that every store finds the same. */
const WORDS = "array_to_tsvector(string_to_array(p.words, ' '))";

function recordset(rows: string, columns: Columns): string {
  const defined = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  return `jsonb_to_recordset(${rows}) AS p(${defined.join(", ")})`;
}

function countColumns(): Columns {
  return Object.fromEntries(USAGE_COUNTS.map((name) => [name, "double precision"]));
}
