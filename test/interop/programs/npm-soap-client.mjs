// Calls operations through npm's soap and prints what came back as JSON.
// stdin:  {"wsdl": URL, "version": "1.1" or "1.2", "credentials": {...}, "calls": [{"operation": name, "parameters": {...}}]}
// stdout: [{"result": ...} or {"fault": text} or {"unreadable": text}]
import soap from 'soap';
import { text } from 'node:stream/consumers';

const job = JSON.parse(await text(process.stdin));
const client = await soap.createClientAsync(job.wsdl, { forceSoap12Headers: job.version === '1.2' });
const answers = [];
for (const { operation, parameters } of job.calls) {
  try {
    const [response] = await client[`${operation}Async`]({ credentials: job.credentials, ...parameters });
    // A response whose result is nil is null as a whole.
    answers.push({ result: response?.[`${operation}Result`] });
  } catch (error) {
    const fault = error.root?.Envelope?.Body?.Fault;
    const words = fault?.faultstring ?? fault?.Reason?.Text?.$value;
    answers.push(words === undefined ? { unreadable: String(error.message ?? error) } : { fault: words });
  }
}
process.stdout.write(JSON.stringify(answers));
