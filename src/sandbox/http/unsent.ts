/** The bytes of all answers that are in memory and were not taken yet. */
export interface Unsent {
  add(bytes: number): void;
  remove(bytes: number): void;
  /** Resolves when there are few enough; one caller at a time. */
  room(): Promise<void>;
}

const lookMs = 100;

/**
 * Counts what was not taken yet of answers.
 * @param most beyond which there is no room
 * @param whileNone called again and again while there is no room
 */
export function openUnsent(most: number, whileNone: () => void): Unsent {
  let bytes = 0;
  let wake = (): void => undefined;
  const changed = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      setTimeout(resolve, lookMs).unref();
    });
  return {
    add: (more) => void (bytes += more),
    remove: (less) => {
      bytes -= less;
      wake();
    },
    room: async () => {
      while (bytes > most) {
        whileNone();
        await changed();
      }
    },
  };
}
