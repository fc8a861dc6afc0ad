import type { XmlLimits } from './events.js';

/** Bounds on what is read unless a caller sets tighter ones. */
export const defaultLimits: XmlLimits = {
  maxLength: 256 * 1024 * 1024,
  maxDepth: 64,
  maxAttributes: 64,
  maxNameLength: 256,
  maxElements: 20_000_000,
};
