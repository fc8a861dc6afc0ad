import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Found } from '../figures.js';
import type { Scale } from '../scale.js';
import type { Measured, Section } from '../section.js';
import { attachments } from './embedded/attachments.js';
import { gets, pages } from './embedded/calls.js';
import { making } from './embedded/making.js';
import { onService, relationsOf, type Part } from './embedded/part.js';

const message = (failed: unknown): string => (failed instanceof Error ? failed.message : String(failed));

/** The embedded service: making its data, pages anywhere in a large list, single calls, attachments. */
export const embedded: Section = {
  title: 'The embedded service',
  async measure(scale) {
    const folder = mkdtempSync(join(tmpdir(), 'relctl-bench-'));
    const parts: Part[] = [];
    const notes: string[] = [];
    // What fails must not lose what stands beside it.
    const add = async (part: () => Promise<Part>): Promise<void> => {
      try {
        parts.push(await part());
      } catch (failed) {
        notes.push(`failed: ${message(failed)}`);
      }
    };
    try {
      await add(() => making(folder, scale));
      const data = join(folder, 'data');
      await add(() => onService(data, (service) => pages(service, scale)));
      await add(() => onService(data, (service) => gets(service, scale)));
      await add(() => attachments(folder, scale));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return measured(scale, parts, notes);
  },
};

function measured({ growth: [, , most] }: Scale, parts: readonly Part[], notes: readonly string[]): Measured {
  return {
    words: `Over HTTP, in a process of its own. Pages one at a time, and single calls, out of ${relationsOf(most)}; the client sends prepared bytes and decodes nothing. The peak of the service is its own process’s, a new one for each way.`,
    tables: parts.map(({ table }) => table),
    figures: Object.assign({}, ...parts.map(({ figures }) => figures)) as Record<string, Found>,
    notes: [...parts.flatMap((part) => part.notes), ...notes],
  };
}
