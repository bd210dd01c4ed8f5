/** Files a person adds to a prompt: carried along as data, since the agent may run where the browser does not. */

/** Why files are refused where the agent takes none. */
export const TEXT_ONLY = "This agent takes text only. Name a file of its directory with @ instead.";

export interface AttachedFile {
  url: string;
  mediaType: string;
  filename: string;
}

/** The maximum size of a prompt's files: a little less than the daemon's default limit of a request. */
export const MAX_ATTACHED_BYTES = 15 * 1024 * 1024;

/** Splits `files` into those that still fit and those that do not. */
export function filesThatFit(
  files: readonly File[],
  attached: readonly AttachedFile[],
): { fitting: File[]; refused: File[] } {
  let room = MAX_ATTACHED_BYTES - attached.reduce((sum, { url }) => sum + url.length, 0);
  const fitting: File[] = [];
  const refused: File[] = [];
  for (const file of files) {
    const size = carriedSize(file.size);
    if (size > room) {
      refused.push(file);
      continue;
    }
    room -= size;
    fitting.push(file);
  }
  return { fitting, refused };
}

/** In base64, with a type in front. */
function carriedSize(bytes: number): number {
  return Math.ceil(bytes / 3) * 4 + 200;
}

export function readFiles(files: readonly File[]): Promise<AttachedFile[]> {
  return Promise.all(files.map(readFile));
}

function readFile(file: File): Promise<AttachedFile> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error);
    reader.onload = () =>
      resolve({
        url: String(reader.result),
        mediaType: file.type || "application/octet-stream",
        filename: file.name || "pasted",
      });
    reader.readAsDataURL(file);
  });
}
