"""Calls operations through python3-zeep and prints what came back as JSON.

stdin:  {"wsdl": URL, "port": name, "credentials": {...}, "calls": [{"operation": name, "parameters": {...}}]}
stdout: [{"result": ...} or {"fault": text} or {"unreadable": text}]
"""
import datetime
import decimal
import json
import sys

import zeep
from zeep.helpers import serialize_object


def main():
    job = json.load(sys.stdin)
    client = zeep.Client(job["wsdl"], settings=zeep.Settings(strict=True, xml_huge_tree=True))
    bound = client.bind(port_name=job["port"])
    json.dump([answer(bound, job["credentials"], call) for call in job["calls"]], sys.stdout, default=plain)


def exact(value):
    """The same with whole numbers beyond 2^53 as text: readers of JSON would round them."""
    if isinstance(value, dict):
        return {name: exact(each) for name, each in value.items()}
    if isinstance(value, list):
        return [exact(each) for each in value]
    return str(value) if isinstance(value, int) and abs(value) > 2**53 else value


def plain(value):
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return str(value)
    raise TypeError(type(value))


def answer(bound, credentials, call):
    try:
        result = bound[call["operation"]](credentials=credentials, **call["parameters"])
        return {"result": exact(serialize_object(result, dict))}
    except zeep.exceptions.Fault as fault:
        return {"fault": fault.message}
    except zeep.exceptions.TransportError as error:
        return {"unreadable": str(error)}


main()
