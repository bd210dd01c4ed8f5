/** The data of a frame of server-sent events. */
export function dataOf(frame: string): string {
  return /^data: (.*)$/m.exec(frame)![1]!;
}
