/** Files and sources, with equal fields as a chunk, as a part and inside a sub-agent's part. */
import type { EventOf } from "../../../core/event.ts";
import { ourMetadata, type UIMessagePart } from "../ui-message.ts";

type Attachment<Type> = Extract<UIMessagePart, { type: Type }>;

/** The stream has no field for the name of a file. */
export function filePart(event: EventOf<"file">): Attachment<"file"> {
  return {
    type: "file",
    url: event.url,
    mediaType: event.mediaType,
    ...(event.filename !== undefined && { providerMetadata: ourMetadata({ filename: event.filename }) }),
  };
}

export function sourcePart(event: EventOf<"source">): Attachment<"source-url" | "source-document"> {
  const { id: sourceId, url, title, filename } = event;
  if (url !== undefined) {
    return { type: "source-url", sourceId, url, title };
  }
  return {
    type: "source-document",
    sourceId,
    mediaType: event.mediaType ?? "application/octet-stream",
    title: title ?? filename ?? sourceId,
    filename,
  };
}
