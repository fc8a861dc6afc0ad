/** A signal for work that is under way when another signal comes: it may end until some time later. */
export interface Patience {
  readonly signal: AbortSignal;
  /** Stops waiting for the other signal. */
  end(): void;
}

/**
 * Makes a signal that is aborted some time after another one, for the same reason.
 * @param onBegin called when the other signal comes
 */
export function patientSignal(other: AbortSignal, ms: number, onBegin: () => void): Patience {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    onBegin();
    timer = setTimeout(() => controller.abort(other.reason), ms);
  };
  if (other.aborted) controller.abort(other.reason);
  else other.addEventListener('abort', begin, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      other.removeEventListener('abort', begin);
    },
  };
}
