// Answers calls through npm's soap, and writes down what it was called with. Prints its port when it listens.
// RELCTL_WSDL: the description. RELCTL_ANSWERS: {"Operation" or "Operation/page": {"result": ...} or {"fault": text}}.
// RELCTL_LOG: gets a line of JSON for each call. RELCTL_SOAP_VERSION: 1.1 or 1.2; it speaks one at a time.
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import soap from 'soap';

const { RELCTL_WSDL, RELCTL_ANSWERS, RELCTL_LOG, RELCTL_SOAP_VERSION } = process.env;
const answers = JSON.parse(readFileSync(RELCTL_ANSWERS, 'utf8'));

const answer = (operation) => (parameters) => {
  appendFileSync(RELCTL_LOG, `${JSON.stringify({ operation, parameters })}\n`);
  const { result, fault } = answers[`${operation}/${parameters.pageNumber}`] ?? answers[operation];
  if (fault === undefined) return { [`${operation}Result`]: result };
  const codes = { Code: { Value: 'soap:Sender' }, Reason: { Text: fault } };
  throw { Fault: RELCTL_SOAP_VERSION === '1.2' ? codes : { faultcode: 'soap:Client', faultstring: fault } };
};

const operations = [...new Set(Object.keys(answers).map((key) => key.split('/')[0]))];
const methods = Object.fromEntries(operations.map((operation) => [operation, answer(operation)]));
const services = {
  RelationshipManagement: { RelationshipManagementSoap: methods, RelationshipManagementSoap12: methods },
};
const server = createServer((_request, response) => response.writeHead(404).end());
server.listen(0, '127.0.0.1', () => {
  soap.listen(server, {
    path: '/V1/service.asmx',
    services,
    xml: readFileSync(RELCTL_WSDL, 'utf8'),
    forceSoap12Headers: RELCTL_SOAP_VERSION === '1.2',
  });
  console.log(server.address().port);
});
