import type { Context } from './context.js';

/** Tells on stderr how far a list is. */
export interface Progress {
  page(rows: number): void;
  /** Wipes the line. */
  end(): Promise<void>;
}

const lineEveryMs = 300;
const plainEveryMs = 10_000;

function seconds(ms: number): string {
  const whole = Math.floor(ms / 1000);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, '0')}s`;
}

/** A progress that says nothing unless somebody looks, or asked with --progress. */
export function openProgress(
  context: Pick<Context, 'streams' | 'clock' | 'errorShape' | 'onClose'>,
  flags: { readonly progress?: boolean | undefined; readonly quiet?: boolean | undefined },
): Progress {
  const { err } = context.streams;
  const isWanted = flags.quiet !== true && (flags.progress === true || err.isTerminal) && context.errorShape === 'text';
  if (!isWanted) return { page: () => undefined, end: () => Promise.resolve() };
  const started = context.clock.nowMs();
  let [rows, pages, toldAt] = [0, 0, started];
  const text = (now: number): string => {
    const elapsed = Math.max(1, now - started);
    return `${rows} rows, ${pages} pages, ${Math.round((rows * 1000) / elapsed)} rows/s, ${seconds(elapsed)}`;
  };
  let isShown = false;
  const end = async (): Promise<void> => {
    if (isShown) await err.write('\r\u001b[K');
    isShown = false;
  };
  // A list whose reader goes away, or that fails, never comes to its end.
  context.onClose(end);
  return {
    page(more) {
      rows += more;
      pages += 1;
      const now = context.clock.nowMs();
      if (now - toldAt < (err.isTerminal ? lineEveryMs : plainEveryMs)) return;
      toldAt = now;
      isShown = err.isTerminal;
      void err.write(err.isTerminal ? `\r\u001b[K${text(now)}` : `${text(now)}\n`);
    },
    end,
  };
}
