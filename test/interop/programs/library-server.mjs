// A library through npm's soap: a service of other types than those of the contract. Prints its port when it listens.
// RELCTL_WSDL: its description. RELCTL_LOG: gets a line of JSON for each call.
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import soap from 'soap';

const { RELCTL_WSDL, RELCTL_LOG } = process.env;
const log = (operation, parameters) => appendFileSync(RELCTL_LOG, `${JSON.stringify({ operation, parameters })}\n`);

const books = [
  {
    Title: 'First & foremost',
    Price: '12.50',
    Published: '1999-12-31',
    Rating: '1.5E3',
    Binding: 'hard',
    Author: ['A', 'B'],
  },
  { Title: 'Second', Price: '0.10', Binding: 'soft' },
  { Title: 'Third', Published: '2020-02-29Z', Author: ['C'] },
];

const methods = {
  BooksGet: (parameters) => {
    log('BooksGet', parameters);
    const { pageNumber, pageSize } = parameters;
    return { Count: books.length, Book: books.slice(pageNumber * pageSize, (pageNumber + 1) * pageSize) };
  },
  BookAdd: (parameters) => {
    log('BookAdd', parameters);
    return { Number: '9007199254740993' };
  },
};
const server = createServer((_request, response) => response.writeHead(404).end());
server.listen(0, '127.0.0.1', () => {
  soap.listen(server, {
    path: '/library.asmx',
    services: { Library: { LibraryPort: methods } },
    xml: readFileSync(RELCTL_WSDL, 'utf8'),
  });
  console.log(server.address().port);
});
