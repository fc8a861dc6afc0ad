import type { Mask } from '../secrets/mask.js';
import { likeSink, type Sink } from './streams.js';

/** A sink whose texts are masked just before they leave the process. Bytes go through as they are. */
export function maskedSink(sink: Sink, mask: Mask): Sink {
  const { pass } = sink;
  return likeSink(sink, {
    write: (text) => sink.write(mask(text)),
    writeBytes: (bytes) => sink.writeBytes(bytes),
    pass: pass && ((line) => pass(mask(line))),
  });
}
