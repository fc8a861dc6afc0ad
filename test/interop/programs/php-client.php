<?php
// Calls operations through PHP's SoapClient and prints what came back as JSON.
// stdin:  {"wsdl": URL, "version": "1.1" or "1.2", "credentials": {...}, "calls": [{"operation": name, "parameters": {...}}]}
// stdout: [{"result": ...} or {"fault": text} or {"unreadable": text}]

// The same with whole numbers beyond 2^53 as text: readers of JSON would round them.
function exact(mixed $value): mixed
{
    if (is_array($value)) {
        return array_map('exact', $value);
    }
    if (is_object($value)) {
        return (object) array_map('exact', get_object_vars($value));
    }
    return is_int($value) && abs($value) > 2 ** 53 ? (string) $value : $value;
}

$job = json_decode(stream_get_contents(STDIN));
$client = new SoapClient($job->wsdl, [
    'soap_version' => $job->version === '1.2' ? SOAP_1_2 : SOAP_1_1,
    'features' => SOAP_SINGLE_ELEMENT_ARRAYS,
    'cache_wsdl' => WSDL_CACHE_NONE,
    'compression' => SOAP_COMPRESSION_ACCEPT | SOAP_COMPRESSION_GZIP,
]);
$answers = [];
foreach ($job->calls as $call) {
    $parameters = (object) array_merge(['credentials' => $job->credentials], (array) $call->parameters);
    try {
        $response = $client->__soapCall($call->operation, [$parameters]);
        $answers[] = ['result' => exact($response->{"{$call->operation}Result"})];
    } catch (SoapFault $fault) {
        // The client throws faults of its own, too; this one is for an answer that it cannot read.
        $kind = $fault->faultstring === 'looks like we got no XML document' ? 'unreadable' : 'fault';
        $answers[] = [$kind => $fault->faultstring];
    }
}
echo json_encode($answers, JSON_THROW_ON_ERROR);
