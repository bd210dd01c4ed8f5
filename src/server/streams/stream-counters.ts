/** Counters over all streams, for metrics and tests. */

export class StreamCounters {
  /** Streams ever opened. */
  opened = 0;
  /** Sockets ever opened, which are streams, too. */
  socketsOpened = 0;
  /** Messages that clients sent through sockets. */
  socketMessages = 0;
  /** Sockets ended because the other side had gone without a word. */
  socketsLost = 0;
  /** Bytes handed to sockets. */
  bytes = 0;
  /** The most bytes that ever waited in one socket. */
  peakQueuedBytes = 0;
  /** How often a reader fell behind and went to the log. */
  fellBehind = 0;
  /** Pages read from the store for readers that were behind. */
  pagesRead = 0;

  wrote(bytes: number, queuedBytes: number): void {
    this.bytes += bytes;
    if (queuedBytes > this.peakQueuedBytes) this.peakQueuedBytes = queuedBytes;
  }
}
