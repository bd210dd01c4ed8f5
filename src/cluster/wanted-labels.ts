/** The labels of nodes that a session asks for, as its metadata has them. */
import { isRecord } from "../core/is-record.ts";
import { invalidField } from "../protocol/refusals.ts";

/** The key in the metadata of a session. */
const KEY = "nodeLabels";

export type NodeLabels = Readonly<Record<string, string>>;

/** Undefined where it asks for none, also where what is stored is none. */
export function wantedLabels(
  metadata: Readonly<Record<string, unknown>> | undefined,
): NodeLabels | undefined {
  const labels = metadata?.[KEY];
  return isLabels(labels) && Object.keys(labels).length > 0 ? labels : undefined;
}

/** Throws `invalid_request` for metadata that asks for nodes in a way nobody understands. */
export function assertLabels(metadata: Readonly<Record<string, unknown>> | undefined): void {
  const labels = metadata?.[KEY];
  if (labels === undefined || labels === null || isLabels(labels)) return;
  throw invalidField(
    `metadata.${KEY}`,
    "is not an object of texts",
    `metadata.${KEY} names the labels of nodes that may have the session, as in {"gpu": "yes"}.`,
  );
}

function isLabels(value: unknown): value is NodeLabels {
  return isRecord(value) && Object.values(value).every((text) => typeof text === "string");
}
