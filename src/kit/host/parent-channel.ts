import type { SignalWatch } from './process.js';

/** What a job of `export run` tells the run that started it. */
export interface JobReport {
  readonly rows?: number;
  /** Why it failed, in words. */
  readonly reason?: string;
}

/** What the run says to a job: stop, resumable, as at that signal. */
export interface StopOrder {
  readonly stop: 'SIGINT' | 'SIGTERM' | 'SIGHUP';
}

/** Variable with the name of the job in the environment of a job's process. */
export const jobVariable = 'RELCTL_JOB';

function isOrder(message: unknown): message is StopOrder {
  const stop = typeof message === 'object' && message !== null && 'stop' in message ? message.stop : undefined;
  return stop === 'SIGINT' || stop === 'SIGTERM' || stop === 'SIGHUP';
}

/**
 * Binds a job to the run that started it, by the channel between them: it stops when the run says so, and also when the
 * run is gone, killed perhaps, so that no job goes on alone with its locks. Gives what tells the run something.
 */
export function joinParent(signals: SignalWatch): (report: JobReport) => Promise<void> {
  if (process.send === undefined) return () => Promise.resolve();
  const send = process.send.bind(process);
  const gone = (): void => {
    // The second time nobody waits for a clean end any more.
    if (!signals.ask('SIGTERM')) process.kill(process.pid, 'SIGTERM');
  };
  process.on('message', (message) => {
    if (isOrder(message)) signals.ask(message.stop);
  });
  process.on('disconnect', gone);
  // The run may have ended while this process was loading.
  if (!process.connected) gone();
  // Listening must not keep a job alive that has ended.
  process.channel?.unref();
  return (report) =>
    new Promise((resolve) => {
      if (!process.connected) resolve();
      else send(report, undefined, undefined, () => resolve());
    });
}
