import { Socket } from 'node:net';
import { successCode } from '../core/errors/kinds.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import type { Mask } from '../core/secrets/mask.js';

/** What decides the looks of a stream; passed in, never read here. */
export interface StreamFacts {
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

function positive(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined;
}

/**
 * Width to fit tables to: RELCTL_FORCE_TTY and COLUMNS first, then the terminal's own. Undefined means that nobody looks:
 * nothing is fitted or cut.
 */
export function widthOf({ isTerminal, columns, variables }: StreamFacts): number | undefined {
  return (
    positive(variables['RELCTL_FORCE_TTY']) ??
    positive(variables['COLUMNS']) ??
    // A terminal that does not know its width says 0.
    (isTerminal ? (columns === undefined || columns < 1 ? 80 : columns) : undefined)
  );
}

/** Whether a stream gets colour: NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE, then the terminal, TERM=dumb and CLICOLOR=0. */
export function hasColor({ isTerminal, variables }: StreamFacts): boolean {
  if (variables['NO_COLOR'] !== undefined) return false;
  const forced = variables['FORCE_COLOR'] ?? variables['CLICOLOR_FORCE'];
  if (forced !== undefined) return forced !== '0';
  return isTerminal && variables['TERM'] !== 'dumb' && variables['CLICOLOR'] !== '0';
}

/** Text in bold, where colour is allowed. */
export const bold = (text: string, hasColor = false): string => (hasColor ? `\u001b[1m${text}\u001b[22m` : text);

/** Text dimmed, where colour is allowed. */
export const dim = (text: string, hasColor = false): string => (hasColor ? `\u001b[2m${text}\u001b[22m` : text);

/** A stream to write to. */
export interface Sink {
  /** Resolves when the stream has taken the text. Throws `local` when it cannot be written. */
  write(text: string): Promise<void>;
  /** The same for bytes, as they are. */
  writeBytes(bytes: Uint8Array): Promise<void>;
  /** Shows a line that the next write wipes, and an empty one at once; absent where none can be wiped. */
  readonly pass?: ((line: string) => Promise<void>) | undefined;
  readonly isTerminal: boolean;
  /** True when another program reads along. */
  readonly isPipe: boolean;
  /** Columns to fit to, as they are now; undefined when nobody looks. */
  readonly width: number | undefined;
  readonly hasColor: boolean;
}

/** True where a person looks at what is written. This alone asks it of a stream. */
export const isWatched = ({ isTerminal }: Pick<Sink, 'isTerminal'>): boolean => isTerminal;

/** Columns to break sentences at; undefined where nobody looks, and lines stay whole. */
export const widthOfLines = (sink: Sink): number | undefined => (isWatched(sink) ? sink.width : undefined);

/** A sink that writes in another way, and is as this one in all else. */
export const likeSink = (sink: Sink, writes: Pick<Sink, 'write' | 'writeBytes' | 'pass'>): Sink => ({
  ...writes,
  isTerminal: sink.isTerminal,
  isPipe: sink.isPipe,
  hasColor: sink.hasColor,
  get width() {
    return sink.width;
  },
});

/** Where prompts are drawn. */
export type PromptStream = NodeJS.WriteStream;

/** The owner of stdout and stderr: data goes to the one, all else to the other. */
export interface Streams {
  readonly out: Sink;
  readonly err: Sink;
  /** Aborted when the reader of stdout ended: a reason to stop the work, not a failure. */
  readonly outClosed: AbortSignal;
  readonly prompt: PromptStream;
  /** Resolves when everything written has left the process. Throws what a write could not. */
  finish(): Promise<void>;
}

type Variables = Readonly<Record<string, string | undefined>>;

function local(error: NodeJS.ErrnoException, name: string): RelctlError {
  const reason = error.code === 'ENOSPC' ? 'the disk is full' : (error.code ?? 'unknown reason');
  return new RelctlError('local', `cannot write to ${name}: ${reason}`, {
    facts: { foreignCode: error.code ?? 'write' },
  });
}

const wipe = '\r\u001b[K';

/** How long a part may still take to be written once the run is to stop, in milliseconds: its reader may take nothing. */
const lastWriteMs = 2000;

/** Bytes of a part, as many as a pipe holds: a slow reader takes one in that time. */
const partBytes = 64 * 1024;

/** What is written to a pipe, in parts; all of it for a file, which waits for nobody. */
function* partsOf(piece: string | Uint8Array, stream: NodeJS.WriteStream): Generator<string | Uint8Array> {
  if (piece.length <= partBytes || !(stream instanceof Socket)) {
    yield piece;
    return;
  }
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
  for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
}

function afterAbort(signal: AbortSignal, ms: number, callBack: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => void (timer = setTimeout(callBack, ms));
  if (signal.aborted) wait();
  else signal.addEventListener('abort', wait, { once: true });
  return () => {
    signal.removeEventListener('abort', wait);
    clearTimeout(timer);
  };
}

class ProcessSink implements Sink {
  readonly pass: Sink['pass'];
  readonly isTerminal: boolean;
  readonly isPipe: boolean;
  readonly hasColor: boolean;
  readonly #variables: Variables;
  #isPassing = false;
  readonly #stream: NodeJS.WriteStream;
  readonly #name: string;
  readonly #stopping: AbortSignal;
  readonly #isNeeded: boolean;
  readonly #onClosed: () => void;
  #failure: RelctlError | undefined;
  #isClosed = false;
  #isAlone = false;
  #last: Promise<void> = Promise.resolve();

  constructor(
    stream: NodeJS.WriteStream,
    options: {
      name: string;
      variables: Variables;
      stopping: AbortSignal;
      /** What cannot be written to it is a failure. */
      isNeeded: boolean;
      onClosed: () => void;
    },
  ) {
    this.#stream = stream;
    this.#name = options.name;
    this.#stopping = options.stopping;
    this.#isNeeded = options.isNeeded;
    this.#onClosed = options.onClosed;
    this.#variables = options.variables;
    // The types do not say that a stream that is no terminal has neither property.
    const { isTTY, columns } = stream as { readonly isTTY?: boolean; readonly columns: number | undefined };
    const facts = { isTerminal: isTTY === true, columns, variables: options.variables };
    this.isTerminal = facts.isTerminal || options.variables['RELCTL_FORCE_TTY'] !== undefined;
    // Node writes to files by another class than to pipes and terminals.
    this.isPipe = !this.isTerminal && stream instanceof Socket;
    this.hasColor = hasColor(facts);
    const canWipe = this.isTerminal && options.variables['TERM'] !== 'dumb';
    this.pass = canWipe ? (line) => this.#pass(line) : undefined;
    this.#listenAlone();
  }

  get width(): number | undefined {
    // The types do not say that a stream that is no terminal has neither property.
    const { isTTY, columns } = this.#stream as { readonly isTTY?: boolean; readonly columns: number | undefined };
    return widthOf({ isTerminal: isTTY === true, columns, variables: this.#variables });
  }

  #pass(line: string): Promise<void> {
    if (line === '' && !this.#isPassing) return Promise.resolve();
    this.#isPassing = line !== '';
    return this.#put(`${wipe}${line}`);
  }

  /**
   * Takes other listeners away. oclif puts one on stdout as it is loaded, which throws what is no EPIPE: a full disk behind
   * `> file` would end the process as a defect.
   */
  #listenAlone(): void {
    if (this.#isAlone && this.#stream.listenerCount('error') === 1) return;
    this.#stream.removeAllListeners('error');
    this.#stream.on('error', (error: NodeJS.ErrnoException) => this.#fail(error));
    this.#isAlone = true;
  }

  write(text: string): Promise<void> {
    if (!this.#isPassing || text === '') return this.#put(text);
    this.#isPassing = false;
    return this.#put(`${wipe}${text}`);
  }

  writeBytes(bytes: Uint8Array): Promise<void> {
    return this.#put(bytes);
  }

  #put(piece: string | Uint8Array): Promise<void> {
    const before = this.#last;
    this.#last = before.then(() => this.#written(piece));
    // Whoever awaits this write hears of its failure; the chain itself must not end the process.
    this.#last.catch(() => undefined);
    return this.#last;
  }

  async finish(): Promise<void> {
    await this.#last;
    if (this.#failure !== undefined) throw this.#failure;
  }

  #written(piece: string | Uint8Array): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#isClosed || piece.length === 0) return Promise.resolve();
    return this.#inParts(piece);
  }

  async #inParts(piece: string | Uint8Array): Promise<void> {
    for (const part of partsOf(piece, this.#stream)) {
      if (this.#isClosed) return;
      await this.#writePart(part);
    }
  }

  #writePart(part: string | Uint8Array): Promise<void> {
    this.#listenAlone();
    return new Promise((resolve, reject) => {
      const dispose = afterAbort(this.#stopping, lastWriteMs, () => this.#giveUp(resolve, reject));
      this.#stream.write(part, (error) => {
        dispose();
        if (error === null || error === undefined) {
          resolve();
          return;
        }
        this.#fail(error);
        if (this.#failure === undefined) resolve();
        else reject(this.#failure);
      });
    });
  }

  /** Writes nothing more: the reader takes nothing. Where nobody can be told that, the work goes on without it. */
  #giveUp(resolve: () => void, reject: (reason: RelctlError) => void): void {
    if (!this.#isNeeded) {
      this.#isClosed = true;
      resolve();
      return;
    }
    this.#failure ??= RelctlError.from(this.#stopping.reason);
    reject(this.#failure);
  }

  #fail(error: NodeJS.ErrnoException): void {
    if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') {
      this.#isClosed = true;
      this.#onClosed();
      return;
    }
    this.#failure ??= local(error, this.#name);
  }
}

/**
 * Takes over the process's stdout and stderr.
 * @param stopping aborted when the run is to stop: a reader that takes nothing is waited for two seconds then. The write to
 *   stdout that is under way, with all that come after it, fails with the reason; what stderr would get is left out
 */
export function createStreams(variables: Variables, stopping: AbortSignal): Streams {
  const closed = new AbortController();
  const gone = (): void =>
    closed.abort(
      new RelctlError('interrupted', 'the reader of stdout ended', {
        facts: { code: 'stdout-closed', exitCode: successCode },
      }),
    );
  const out = new ProcessSink(process.stdout, { name: 'stdout', variables, stopping, isNeeded: true, onClosed: gone });
  // Nobody can be told that stderr is gone.
  const err = new ProcessSink(process.stderr, {
    name: 'stderr',
    variables,
    stopping,
    isNeeded: false,
    onClosed: () => undefined,
  });
  return {
    out,
    err,
    outClosed: closed.signal,
    prompt: process.stderr,
    async finish() {
      await out.finish();
      await err.finish().catch(() => undefined);
    },
  };
}

/** A sink whose texts are masked just before they leave the process. Bytes go through as they are. */
export function maskedSink(sink: Sink, mask: Mask): Sink {
  const { pass } = sink;
  return likeSink(sink, {
    write: (text) => sink.write(mask(text)),
    writeBytes: (bytes) => sink.writeBytes(bytes),
    pass: pass && ((line) => pass(mask(line))),
  });
}

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
