import { likeSink, type Sink } from './streams.js';

/** A sink that takes nothing more once the signal is aborted: a write fails with its reason then. */
export function sinkUntil(sink: Sink, signal: AbortSignal): Sink {
  const { pass } = sink;
  const unlessAborted = async (write: () => Promise<void>): Promise<void> => {
    signal.throwIfAborted();
    await write();
  };
  return likeSink(sink, {
    write: (text) => unlessAborted(() => sink.write(text)),
    writeBytes: (bytes) => unlessAborted(() => sink.writeBytes(bytes)),
    pass: pass && ((line) => unlessAborted(() => pass(line))),
  });
}
