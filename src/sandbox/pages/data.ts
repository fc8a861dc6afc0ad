import { fieldId, known } from '../dataset/known.js';
import data from './pages.json' with { type: 'json' };

const ids: Readonly<Record<string, unknown>> = known;

/** The id that a name in braces stands for: of the known ones, or of a field by entity type and name. */
const idOf = (name: string): string => {
  const [entityType = '', field] = name.split(' ');
  return field === undefined ? String(ids[name]) : fieldId(Number(entityType), field);
};

/**
 * What the pages count, and the values that their forms begin with: those that every data set has something under, by the
 * name of the parameter, and those of operations that mean something else by a name, or need something more.
 */
export const pagesData = JSON.parse(
  JSON.stringify(data).replace(/\{(\w+(?: \w+)?)\}/g, (_, name: string) => idOf(name)),
) as typeof data;
