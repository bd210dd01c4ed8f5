/** Files a person adds to a prompt: carried along as data, since the agent may run where the browser does not. */

export interface AttachedFile {
  url: string;
  mediaType: string;
  filename: string;
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
