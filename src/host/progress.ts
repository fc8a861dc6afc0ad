import type { Context } from './context.js';

/** Tells on stderr how far a list is. */
export interface Progress {
  page(rows: number): void;
  /** Wipes the line. */
  end(): Promise<void>;
}

const lineEveryMs = 300;
const plainEveryMs = 10_000;

/** A time in words: 7s, 2m05s. */
export function seconds(ms: number): string {
  const whole = Math.floor(ms / 1000);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, '0')}s`;
}

type Watched = Pick<Context, 'streams' | 'clock' | 'errorShape' | 'onClose'>;

interface ProgressFlags {
  readonly progress?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/** A line on stderr that says how far something is; it is written now and then, however often it is told. */
export interface ProgressLine {
  /** Says it, when it is time to; the text is asked for then only, with the milliseconds since the beginning. */
  tell(text: (elapsedMs: number) => string): void;
  /** Wipes the line. */
  end(): Promise<void>;
}

/** A line that says nothing unless somebody looks, or asked with --progress. */
export function openProgressLine(context: Watched, flags: ProgressFlags): ProgressLine {
  const { err } = context.streams;
  const isWanted = flags.quiet !== true && (flags.progress === true || err.isTerminal) && context.errorShape === 'text';
  if (!isWanted) return { tell: () => undefined, end: () => Promise.resolve() };
  const started = context.clock.nowMs();
  let [toldAt, isShown] = [started, false];
  const end = async (): Promise<void> => {
    if (isShown) await err.write('\r\u001b[K');
    isShown = false;
  };
  // Work whose reader goes away, or that fails, never comes to its end.
  context.onClose(end);
  return {
    tell(text) {
      const now = context.clock.nowMs();
      if (now - toldAt < (err.isTerminal ? lineEveryMs : plainEveryMs)) return;
      toldAt = now;
      isShown = err.isTerminal;
      const line = text(Math.max(1, now - started));
      void err.write(err.isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
    },
    end,
  };
}

/** The progress of a list: a line that says nothing unless somebody looks, or asked with --progress. */
export function openProgress(context: Watched, flags: ProgressFlags): Progress {
  const line = openProgressLine(context, flags);
  let [rows, pages] = [0, 0];
  return {
    page(more) {
      rows += more;
      pages += 1;
      line.tell(
        (elapsed) => `${rows} rows, ${pages} pages, ${Math.round((rows * 1000) / elapsed)} rows/s, ${seconds(elapsed)}`,
      );
    },
    end: () => line.end(),
  };
}
