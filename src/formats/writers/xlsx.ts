import type { Format } from './format.js';

/** A workbook; what makes one is loaded only when it is asked for. */
export const xlsx: Format<Uint8Array> = {
  audience: 'programs',
  binary: 'a workbook',
  layout: 'cells',
  isResumable: false,
  open: async (context) => (await import('./workbook.js')).openWorkbook(context),
};
