import type { Section } from '../section.js';
import { sort, where } from './asked.js';
import { batch } from './batch.js';
import { decoding } from './decoding.js';
import { delay } from './delay.js';
import { embedded } from './embedded.js';
import { find, names, sql } from './found.js';
import { growth, parquet } from './growth.js';
import { importOfWsdl } from './import.js';
import { large } from './large.js';
import { lists } from './lists.js';
import { mask } from './mask.js';
import { memory } from './memory.js';
import { mirror } from './mirror.js';
import { pages } from './pages.js';
import { publish } from './publish.js';
import { startUp } from './start-up.js';

/** All sections by the names that select them, in the order of the page. */
export const sections: Readonly<Record<string, Section>> = {
  'start-up': startUp,
  decoding,
  lists,
  pages,
  delay,
  growth,
  parquet,
  where,
  sort,
  mask,
  memory,
  mirror,
  publish,
  find,
  names,
  sql,
  embedded,
  large,
  batch,
  import: importOfWsdl,
};
