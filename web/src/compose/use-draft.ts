/** What is written in the composer of a session and not sent yet. It outlives the composer, and a reload. */
import { useEffect, useState } from "react";
import type { PromptPart } from "../api/types.ts";
import { type AttachedFile, filesThatFit, MAX_ATTACHED_BYTES, readFiles } from "./attached-file.ts";
import { draftParts, keepDraft, readDraft } from "./kept-prompts.ts";

export interface DraftState {
  text: string;
  files: readonly AttachedFile[];
  isEmpty: boolean;
  /** Whether it holds a prompt that could not be sent, as it was. */
  isReturned: boolean;
  /** Why a file was not attached. */
  problem: string | undefined;
  setText: (text: string) => void;
  attach: (files: Iterable<File>) => Promise<void>;
  detach: (index: number) => void;
  /** Says why files are not taken. */
  refuse: (why: string) => void;
  /** Empties the draft and returns its content. */
  take: () => PromptPart[];
}

/** `unsent` is a prompt that comes back; `onTaken` is called when it is in the draft. */
export function useDraft(
  session: string,
  unsent: readonly PromptPart[] | undefined,
  onTaken: () => void,
): DraftState {
  const [{ text, files }, setDraft] = useState(() => readDraft(session));
  const [isReturned, setIsReturned] = useState(false);
  const [problem, setProblem] = useState<string>();

  useEffect(() => keepDraft(session, { text, files }), [session, text, files]);
  useEffect(() => {
    if (!unsent) return;
    setDraft((now) => withPrompt(now, unsent));
    setIsReturned(true);
    onTaken();
  }, [unsent, onTaken]);

  return {
    text,
    files,
    isEmpty: text.trim() === "" && files.length === 0,
    isReturned,
    problem,
    setText(next) {
      setIsReturned(false);
      setDraft((now) => ({ ...now, text: next }));
    },
    async attach(list) {
      const { fitting, refused } = filesThatFit([...list], files);
      setProblem(refused.length > 0 ? refusalOf(refused) : undefined);
      try {
        const added = await readFiles(fitting);
        setDraft((now) => ({ ...now, files: [...now.files, ...added] }));
      } catch (error) {
        setProblem(`It could not be read: ${(error as Error).message}`);
      }
    },
    detach(index) {
      setProblem(undefined);
      setDraft((now) => ({ ...now, files: now.files.filter((_, other) => other !== index) }));
    },
    refuse: setProblem,
    take() {
      const parts = draftParts({ text, files });
      setIsReturned(false);
      setProblem(undefined);
      setDraft({ text: "", files: [] });
      return parts;
    },
  };
}

function withPrompt(
  now: { text: string; files: readonly AttachedFile[] },
  parts: readonly PromptPart[],
): { text: string; files: readonly AttachedFile[] } {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const files = parts.flatMap((part) =>
    part.type === "file"
      ? [{ url: part.url, mediaType: part.mediaType, filename: part.filename ?? "file" }]
      : [],
  );
  const written = now.text.trim() === "" ? [] : [now.text];
  return { text: [...texts, ...written].join("\n"), files: [...files, ...now.files] };
}

function refusalOf(refused: readonly File[]): string {
  const names = refused.map(({ name, size }) => `${name} (${inMegabytes(size)})`).join(", ");
  const most = inMegabytes((MAX_ATTACHED_BYTES * 3) / 4);
  return `Not attached: ${names}. All files of a prompt together may have ${most}. Put it into the directory of the session and name it there.`;
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
