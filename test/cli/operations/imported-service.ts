import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokenServer, httpAnswer, type AnswerText, type BrokenServer } from '../../support/broken-server.js';
import { home, relctl, type Home, type Run, type RunOptions } from '../../support/relctl.js';
import { envelope } from '../../support/soap-answers.js';

/** A service of which a test writes the answers, and a profile for it that has imported a WSDL. */
export interface ImportedService {
  readonly server: BrokenServer;
  readonly place: Home;
  /** What comes in the Body of the next answers, or the whole of them. */
  answer: string | AnswerText;
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** Imports a WSDL into the profile. */
  take(wsdl: string, ...flags: readonly string[]): Promise<Run>;
  /** The Bodies of the requests so far. */
  bodies(): readonly string[];
  close(): Promise<void>;
}

/** The API key of the profile, which must not go to operations that take none. */
export const apiKey = '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34';

/** Starts the service, in SOAP 1.1 unless something else is said, with no version chosen by the profile. */
export async function importedService(namespace: string, version: '1.1' | '1.2' = '1.1'): Promise<ImportedService> {
  const server = await brokenServer({
    answer(socket) {
      const { answer } = service;
      socket.write(httpAnswer(typeof answer === 'string' ? envelope(version, answer) : answer));
    },
  });
  const place = home();
  const env = {
    ...place.env,
    RELCTL_BASE_URL: `${server.url}/service.asmx`,
    RELCTL_NAMESPACE: namespace,
    RELCTL_API_KEY: apiKey,
    RELCTL_RETRIES: '0',
  };
  const run: ImportedService['run'] = (args, options) => relctl(args, { env, ...options });
  const service: ImportedService = {
    server,
    place,
    answer: '',
    run,
    take(wsdl, ...flags) {
      const file = join(place.folder, 'service.wsdl');
      writeFileSync(file, wsdl);
      return run(['operations', 'import', file, ...flags]);
    },
    bodies: () => server.requests.map(({ body }) => /<soap:Body>(.*)<\/soap:Body>/s.exec(body.toString())?.[1] ?? ''),
    async close() {
      await server.close();
      place.remove();
    },
  };
  return service;
}
