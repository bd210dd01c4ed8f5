/** State of a part that outlives it: messages out of sight leave the page, and come back as they were left. */
import { useState } from "react";
import { useConversation } from "./conversation-context.ts";

/** `name` is unique within the conversation. Like `useState`, but the value is there again when the part is. */
export function useKept<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const { kept } = useConversation();
  const [value, setValue] = useState(() => (kept?.has(name) ? (kept.get(name) as Value) : initial));
  return [
    value,
    (next) => {
      kept?.set(name, next);
      setValue(next);
    },
  ];
}
