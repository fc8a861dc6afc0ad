<?php
// Answers calls through PHP's SoapServer, and writes down what it was called with. Run by php -S.
// RELCTL_WSDL: the description. RELCTL_ANSWERS: {"Operation" or "Operation/page": {"result": ...} or {"fault": text}}.
// RELCTL_LOG: gets a line of JSON for each call.

class Service
{
    public function __call(string $operation, array $arguments): array
    {
        [$parameters] = $arguments;
        $line = json_encode(['operation' => $operation, 'parameters' => $parameters], JSON_THROW_ON_ERROR);
        file_put_contents(getenv('RELCTL_LOG'), "$line\n", FILE_APPEND);
        $answers = json_decode(file_get_contents(getenv('RELCTL_ANSWERS')));
        $page = $operation . '/' . ($parameters->pageNumber ?? '');
        $answer = $answers->$page ?? $answers->$operation;
        if (isset($answer->fault)) {
            throw new SoapFault('Client', $answer->fault);
        }
        return ["{$operation}Result" => $answer->result];
    }
}

$server = new SoapServer(getenv('RELCTL_WSDL'), [
    'cache_wsdl' => WSDL_CACHE_NONE,
    'features' => SOAP_SINGLE_ELEMENT_ARRAYS,
]);
$server->setObject(new Service());
$server->handle();
