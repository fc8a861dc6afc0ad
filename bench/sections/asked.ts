import { costsOf } from '../costs.js';
import { exportTo } from '../export.js';
import { combine, type Found } from '../figures.js';
import { within } from '../place.js';
import { pageSize } from '../prepared.js';
import type { Section } from '../section.js';
import { inTurns, Turns } from '../turns.js';

const plain = 'all of them';
const kept = 'with --where, which keeps all';
const sorted = 'with --sort';

const onTop = (turns: Turns, part: 'ms' | 'cpuMs'): Found =>
  combine([turns.ratio(kept, plain, part)], (ratio) => ratio - 1);

/** What --where costs on top of an export: a condition for each record, and the members that it is asked of. */
export const where: Section = {
  title: 'Lists with --where',
  async measure({ rounds, growth: [, many] }) {
    const turns = new Turns();
    const list = { pages: many / pageSize };
    await within(async (place) => {
      const asked = exportTo('csv', place, list, '--where', "fold(DisplayName) like '%muller%'");
      await inTurns(
        turns,
        new Map([
          [plain, exportTo('csv', place, list)],
          [kept, asked],
        ]),
        rounds,
      );
    });
    return {
      words: `${many.toLocaleString('en')} relations, whole processes. The condition folds a name and looks into it.`,
      tables: [costsOf(turns, 'list to CSV')],
      figures: { time: onTop(turns, 'ms'), cpu: onTop(turns, 'cpuMs') },
      notes: turns.notes,
    };
  },
};

/** What --sort takes of memory, where the records do not fit into it. */
export const sort: Section = {
  title: 'Lists with --sort',
  async measure({ longRounds, growth: [, , most] }) {
    const turns = new Turns();
    await within(async (place) => {
      const asked = exportTo('csv', place, { pages: most / pageSize }, '--sort', 'ImportKey:desc');
      await turns.run(new Map([[sorted, asked]]), longRounds);
    });
    return {
      words: `${most.toLocaleString('en')} relations by a text, the other way round than they come; whole processes.`,
      tables: [costsOf(turns, 'list to CSV')],
      figures: { memory: turns.median(sorted, 'peakMebibytes') },
      notes: turns.notes,
    };
  },
};
