import { RelctlError } from '../../errors/relctl-error.js';

/** Thrown in the place of an answer, or within its body, when the connection is to end there. Only the server catches it. */
export class BrokenOff extends RelctlError {
  /** By a reset, or in good order. */
  readonly how: 'reset' | 'close';

  constructor(how: 'reset' | 'close') {
    super('no-answer', `The sandbox was told to ${how} the connection.`);
    this.how = how;
  }
}
