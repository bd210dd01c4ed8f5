/** Files of the session's directory that fit what was typed after an `@`. */
import { useEffect, useState } from "react";
import { daemon } from "../api/client.ts";
import type { FoundFile } from "../api/types.ts";

const MOST = 8;
/** A pause in typing that is worth a request. */
const PAUSE_MS = 90;

/** None without `typed`, and none where this person may not ask. */
export function useFileMatches(session: string | undefined, typed: string | undefined): readonly FoundFile[] {
  const [files, setFiles] = useState<readonly FoundFile[]>([]);
  useEffect(() => {
    if (session === undefined || typed === undefined) return setFiles([]);
    const controller = new AbortController();
    const request = { params: { id: session }, query: { search: typed, limit: MOST } };
    const timer = setTimeout(() => {
      daemon()
        .call("GET /v1/sessions/{id}/files", request, controller.signal)
        .then(
          (found) => setFiles(found.files),
          () => {},
        );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [session, typed]);
  return files;
}
