/** Saves the recording of a session as a file. The token goes with the request, so that no link can carry it. */
import { daemon } from "../api/client.ts";

export async function downloadRecording(session: string): Promise<void> {
  const response = await daemon().open(
    "GET /v1/sessions/{id}/recording",
    { params: { id: session } },
    { accept: "application/jsonl" },
  );
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = `${session}.recording.jsonl`;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
