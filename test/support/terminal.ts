import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A command that runs in a terminal of 50 lines. */
export interface Terminal {
  /** Types text as it is. */
  type(text: string): void;
  /** Presses a key by tmux's name for it: Enter, Tab, C-c. */
  press(key: string): void;
  /** All that was shown, with what has scrolled out of sight. */
  shown(): string;
  /** Waits until something is shown; fails with what is shown instead when the command has ended, or after a minute. */
  until(what: RegExp): Promise<string>;
  close(): void;
}

/**
 * Runs a command in a terminal of its own, with tmux: ask `needs` for it before. What stays on the screen can be read after its end too.
 * @param env the whole environment of the command
 * @param columns width of the terminal
 */
export function openTerminal(command: readonly string[], env: NodeJS.ProcessEnv, columns = 100): Terminal {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-tmux-'));
  const tmux = (...args: readonly string[]): string => {
    const around = { PATH: process.env['PATH'], HOME: folder, LANG: 'C.UTF-8' };
    return spawnSync('tmux', ['-S', join(folder, 'socket'), '-f', '/dev/null', ...args], {
      env: around,
      encoding: 'utf8',
    }).stdout;
  };
  const words = Object.entries({ TERM: 'screen', ...env }).map(([name, value]) => `${name}=${value}`);
  tmux('new-session', '-d', '-x', String(columns), '-y', '50', ...['cat']);
  tmux('set-option', '-g', 'remain-on-exit', 'on');
  tmux('set-option', '-g', 'history-limit', '5000');
  // tmux itself does not always tell of an end: the shell around the command does.
  const telling = 'trap : INT; "$@"; printf "\\nPane is dead (status %s, ended)\\n" "$?"; exec sleep 3600';
  tmux('respawn-pane', '-k', '--', 'env', '-i', ...words, '/bin/sh', '-c', telling, 'sh', ...command);
  const shown = (): string => tmux('capture-pane', '-p', '-S', '-');
  return {
    type: (text) => void tmux('send-keys', '-l', '--', text),
    press: (key) => void tmux('send-keys', key),
    shown,
    async until(what) {
      for (let tries = 0; tries < 1200; tries += 1) {
        const screen = shown();
        if (what.test(screen)) return screen;
        if (screen.includes('Pane is dead')) break;
        await pause(50);
      }
      throw new Error(`${String(what)} is not shown:\n${shown()}`);
    },
    close() {
      tmux('kill-server');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
