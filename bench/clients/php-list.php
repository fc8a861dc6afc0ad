<?php
// A list to its end as CSV with PHP's SoapClient. Arguments: URL of the service, file to write, page size, and a folder in
// which the WSDL is cached, or none.
[, $url, $file, $size] = $argv;
if (isset($argv[4])) {
    ini_set('soap.wsdl_cache_dir', $argv[4]);
}
$cache = isset($argv[4]) ? WSDL_CACHE_DISK : WSDL_CACHE_NONE;
$client = new SoapClient("$url?WSDL", ['features' => SOAP_SINGLE_ELEMENT_ARRAYS, 'cache_wsdl' => $cache]);
$out = fopen($file, 'w');
$credentials = ['ApiKey' => '00000000-0000-4000-8000-000000000001', 'DatabaseId' => null, 'UserId' => null];
for ($page = 1; ; $page += 1) {
    $answer = $client->RelationGetAll(['credentials' => $credentials, 'pageNumber' => $page, 'pageSize' => (int) $size,
        'includeFields' => false, 'includeCounters' => false]);
    $rows = $answer->RelationGetAllResult->Relations->PvRelationData ?? [];
    if ($rows === []) {
        break;
    }
    foreach ($rows as $row) {
        fputcsv($out, [$row->Id, $row->EntityTypeId, $row->Info, $row->SortingName, $row->DisplayName,
            $row->IsRoot ? 'true' : 'false', $row->IsDummy ? 'true' : 'false', $row->ImportKey,
            $row->IsInactive ? 'true' : 'false', '', ''], ',', '"', '');
    }
}
