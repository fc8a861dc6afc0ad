import type { Mask } from '../secrets/mask.js';
import type { Sink } from './streams.js';

/** A sink whose texts are masked just before they leave the process. Bytes go through as they are. */
export function maskedSink(sink: Sink, mask: Mask): Sink {
  const { pass } = sink;
  return {
    write: (text) => sink.write(mask(text)),
    writeBytes: (bytes) => sink.writeBytes(bytes),
    pass: pass && ((line) => pass(mask(line))),
    isTerminal: sink.isTerminal,
    isPipe: sink.isPipe,
    hasColor: sink.hasColor,
    get width() {
      return sink.width;
    },
  };
}
