/** Streams and channels as a dialect from outside has them: its listeners run as its code, and the stream ends where they fail. */
import type { Channel, Sink } from "../dialect.ts";
import type { ModuleCalls } from "./module-calls.ts";

/** The server's own, which alone can follow the log. */
const OWN = new WeakMap<Sink, Sink>();

/** Throws for a sink that the server did not give. */
export function ownSink(sink: Sink): Sink {
  const own = OWN.get(sink);
  if (own) return own;
  throw new TypeError("Follow with the sink that `stream` or the channel gave.");
}

export function outsideSink(sink: Sink, calls: ModuleCalls): Sink {
  const outside: Sink = {
    caller: sink.caller,
    get isOpen() {
      return sink.isOpen;
    },
    get isFull() {
      return sink.isFull;
    },
    write: (frame) => sink.write(frame),
    writeText: (text) => sink.writeText(String(text)),
    writeFrames: (frames) => sink.writeFrames(frames),
    onDrain: (listener) => sink.onDrain(calls.listener(listener)),
    onClose: (listener) => sink.onClose(calls.listener(listener)),
    end: (reason, code) => calls.leave(() => sink.end(reason, code)),
  };
  OWN.set(outside, sink);
  return outside;
}

export function outsideChannel(channel: Channel, calls: ModuleCalls): Channel {
  const outside: Channel = Object.defineProperties(
    {
      onMessage: (listener: (text: string) => void | Promise<void>) =>
        channel.onMessage((text) => calls.enter(async () => listener(text))),
    } as Channel,
    Object.getOwnPropertyDescriptors(outsideSink(channel, calls)),
  );
  OWN.set(outside, channel);
  return outside;
}

/** Aborted when `signal` is. What listeners throw is the module's. */
export function outsideSignal(signal: AbortSignal, calls: ModuleCalls): AbortSignal {
  const controller = new AbortController();
  const abort = () => calls.enter(() => controller.abort(signal.reason));
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return controller.signal;
}
