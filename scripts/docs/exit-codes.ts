import { exitCodes } from '../../src/core/errors/kinds.js';
import { code, table } from './markdown.js';

/** The table of exit codes, from the one table of failures. */
export const exitCodesText = (): string =>
  table(
    ['code', 'kind', 'layer', 'meaning'],
    exitCodes().map(({ exitCode, kind, layer = '', words }) => [
      String(exitCode),
      kind === undefined ? '' : code(kind),
      layer,
      words,
    ]),
  );
