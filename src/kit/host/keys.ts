import { Transform, type Readable, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A terminal that keys come from. */
export type KeySource = Readable & {
  readonly isRaw?: boolean;
  setRawMode?(mode: boolean): unknown;
};

/** Keys without text, such as an arrow or Ctrl-C, each by itself, and text between them. */
const pieces = /\u001b(?:\[[\d;]*[@-~]|O[@-~])?|[^\p{Cc}]+|\p{Cc}/gu;
const withoutText = /^\p{Cc}/u;
const halfAtEnd = /[\ud800-\udbff]$/;

/**
 * The keys of a terminal without text for which a prompt has no room: it draws itself and asks anew at each key, and somebody may
 * paste a whole file.
 */
export class BoundedKeys extends Transform {
  readonly isTTY = true;
  /** Characters that the prompt still takes. */
  room: number;
  readonly #source: KeySource;
  readonly #decoder = new StringDecoder('utf8');

  constructor(source: KeySource, room: number) {
    super();
    this.room = room;
    this.#source = source;
    // Who waits for the end of a prompt sees it at the terminal.
    this.on('pause', () => source.unpipe(this).pause());
    this.on('resume', () => source.pipe(this));
  }

  get isRaw(): boolean {
    return this.#source.isRaw ?? false;
  }

  setRawMode(mode: boolean): this {
    this.#source.setRawMode?.(mode);
    return this;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#give(this.#decoder.write(chunk)).then(() => done(), done);
  }

  async #give(text: string): Promise<void> {
    for (const [piece] of text.matchAll(pieces)) {
      const fitting = withoutText.test(piece) ? piece : piece.slice(0, this.room).replace(halfAtEnd, '');
      if (fitting !== '') this.push(fitting);
      // The prompt says how much room it has left: a key may have removed what was typed before.
      await nextTurn();
    }
  }
}
