<?php
// A library through PHP's SoapServer: a service of other types than those of the contract. Run by php -S.
// RELCTL_WSDL: its description. RELCTL_LOG: gets a line of JSON for each call.
// RELCTL_REFUSED: a file; while it is there, the page whose number it holds is answered with a fault.

class Library
{
    private function log(string $operation, object $parameters): void
    {
        $line = json_encode(['operation' => $operation, 'parameters' => $parameters], JSON_THROW_ON_ERROR);
        file_put_contents(getenv('RELCTL_LOG'), "$line\n", FILE_APPEND);
    }

    public function BooksGet(object $parameters): array
    {
        $this->log('BooksGet', $parameters);
        $refused = getenv('RELCTL_REFUSED');
        if (is_file($refused) && (int) file_get_contents($refused) === $parameters->pageNumber) {
            throw new SoapFault('Server', 'The catalogue is closed.');
        }
        $books = array_map(
            fn (int $number): array => [
                'Title' => "Book $number & more",
                'Price' => "$number.50",
                'Published' => '1999-12-31',
                'Rating' => '1.5E3',
                'Binding' => $number % 2 === 0 ? 'soft' : 'hard',
                'Author' => $number % 2 === 0 ? [] : ['A', 'B'],
            ],
            range(1, 7),
        );
        $page = array_slice($books, $parameters->pageNumber * $parameters->pageSize, $parameters->pageSize);
        return ['Count' => count($books), 'Book' => $page];
    }

    public function BookAdd(object $parameters): array
    {
        $this->log('BookAdd', $parameters);
        if ($parameters->book->Title === 'refused') {
            throw new SoapFault('Client', 'No such book.');
        }
        return ['Number' => '9007199254740993'];
    }
}

$server = new SoapServer(getenv('RELCTL_WSDL'), [
    'cache_wsdl' => WSDL_CACHE_NONE,
    'features' => SOAP_SINGLE_ELEMENT_ARRAYS,
]);
$server->setObject(new Library());
$server->handle();
