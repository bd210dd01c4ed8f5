/** The stock UIMessage with our metadata and data parts. The only type here that needs the package `ai`. */
import type { UIMessage } from "ai";
import type { DataParts } from "./data-part.ts";
import type { MessageMetadata } from "./ui-message.ts";

/**
 * What `useChat` of the AI SDK gets from the daemon: `part.type` tells the data parts apart, and `metadata` has its fields.
 *
 * @example
 * const chat = useChat<InterlinguaUIMessage>({ id: "notes" });
 */
export type InterlinguaUIMessage = UIMessage<MessageMetadata, DataParts>;
