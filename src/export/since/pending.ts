import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { addTo } from '../../files/added-file.js';
import { writeWhole } from '../../files/part-file.js';
import { attempt } from '../../files/failure.js';
import { makeFolder, type Job } from './bookmark-file.js';
import type { ClockReading } from './server-clock.js';
import { isObject } from '../../plain/object.js';
import { jsonOf } from '../../plain/json.js';

/** The window of a run that is under way: an interrupted one resumes with the same. */
export interface Window {
  readonly job: Job;
  readonly from: string;
  readonly to: string;
  /** The bookmark that it begins from, in milliseconds since 1970; null on a first run. */
  readonly bookmarkMs: number | null;
  /** How much earlier than `from` it begins, in milliseconds, because the service's clock was set back; else absent. */
  readonly backMs?: number;
  /** Absolute path of the file that is written, empty for stdout: the pages are those of its journal. */
  readonly file: string;
}

/** Id and digest, in base64, of each record of one page. */
interface PendingPage {
  /** Its place among the pages of the journal, from 1, whatever page number it has there. */
  readonly page: number;
  readonly rows: readonly (readonly [id: string, digest: string])[];
}

/** What an interrupted run left. */
export interface Pending {
  readonly window: Window;
  /** The service's clock when the first page was asked for; undefined when it never answered. */
  readonly clock: ClockReading | undefined;
  readonly pages: readonly PendingPage[];
}

function isWindow(value: unknown): value is Window {
  return (
    isObject(value) &&
    isObject(value['job']) &&
    [value['from'], value['to'], value['file']].every((each) => typeof each === 'string') &&
    Number.isFinite(value['backMs'] ?? 0)
  );
}

function isMark(value: unknown): value is ClockReading {
  return isObject(value) && Number.isFinite(value['serverMs']) && Number.isFinite(value['aheadMs'] ?? 0);
}

function isPage(value: unknown): value is PendingPage {
  return isObject(value) && Number.isSafeInteger(value['page']) && Array.isArray(value['rows']);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Reads what an interrupted run left; undefined when there is nothing that can be resumed. */
export function readPending(file: string): Pending | undefined {
  const text = textOf(file);
  // An incomplete line at the end is ignored.
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1)
    .map(jsonOf);
  const [window, ...rest] = lines;
  if (!isWindow(window)) return undefined;
  const [clock] = rest.filter(isMark).sort((left, right) => left.serverMs - right.serverMs);
  // Of a page that is there twice the last is used.
  const pages = new Map(rest.filter(isPage).map((page) => [page.page, page]));
  return { window, clock, pages: [...pages.values()] };
}

/** The file of a window that is under way. A page is added to it before it is added to the journal of the export. */
export interface PendingFile {
  /** Begins the file, without pages. */
  begin(window: Window): void;
  /**
   * Continues the file after these pages, and removes all others: a page that was added here and not written would later
   * be taken for the page that is written at its place, if the disk lost what was added then.
   */
  goOn(left: Pending): void;
  time(clock: ClockReading): void;
  page(page: PendingPage): void;
  remove(): void;
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** Opens the file of a window that is under way. Its functions throw `local`. */
export function openPending(file: string): PendingFile {
  const append = (text: string): void => addTo(file, text);
  return {
    begin(window) {
      makeFolder(dirname(file));
      writeWhole(file, line(window));
    },
    goOn({ window, clock, pages }) {
      const lines = [window, ...(clock === undefined ? [] : [clock]), ...pages];
      writeWhole(file, lines.map(line).join(''));
    },
    time: (clock) => append(line(clock)),
    page: (page) => append(line(page)),
    remove: () => attempt(file, () => rmSync(file, { force: true })),
  };
}
