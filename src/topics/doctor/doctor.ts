import { findingRecords, findingRequest, printSummary, type Finding } from '../../cli/findings.js';
import type { OutputFlags } from '../../cli/flags/output.js';
import { printRecords } from '../../cli/output/open-output.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { refusedBecause } from '../../files/failure.js';
import { completed, type Place as ErrorPlace } from '../../cli/remedy/complete.js';
import { checks, type Check, type Place } from './checks.js';

interface Result {
  readonly finding: Finding;
  readonly failure?: RelctlError;
}

function failed(check: string, thrown: unknown): RelctlError {
  if (thrown instanceof RelctlError) return thrown;
  const { code, words } = refusedBecause(thrown);
  return new RelctlError('local', `${check}: ${words}`, { facts: { code } });
}

async function resultOf({ name, look }: Check, place: Place & ErrorPlace): Promise<Result> {
  try {
    return { finding: { check: name, state: 'ok', detail: await look(place) } };
  } catch (thrown) {
    const failure = completed(failed(name, thrown), place);
    return { finding: { check: name, state: 'wrong', detail: failure.message, hint: failure.hint }, failure };
  }
}

async function resultsOf(place: Place & ErrorPlace): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const check of checks) {
    const isSkipped = results.some(({ finding, failure }) => failure !== undefined && finding.check === check.needs);
    results.push(
      isSkipped
        ? { finding: { check: check.name, state: 'skipped', detail: `needs the ${check.needs ?? ''}` } }
        : await resultOf(check, place),
    );
  }
  return results;
}

/**
 * Checks this machine and prints what was found, with a summary for people. Throws the error of the first check that
 * fails.
 */
export async function examine(given: ErrorPlace & { readonly flags: OutputFlags & Place['flags'] }): Promise<void> {
  const { context, flags } = given;
  const results = await resultsOf(given);
  const findings = results.map(({ finding }) => finding);
  await printRecords(context, findingRequest(flags), () => findingRecords(findings));
  await printSummary(context, { flags }, findings);
  const failure = results.find((result) => result.failure !== undefined)?.failure;
  if (failure !== undefined) throw failure;
}
