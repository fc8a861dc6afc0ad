"""Calls the operations named on stdin through python3-zeep and prints what came back as JSON.

stdin: {"wsdl": path, "port": name, "calls": [{"operation": name, "parameters": {...}}]}
"""
import json
import sys

import zeep
from zeep.helpers import serialize_object


def main():
    job = json.load(sys.stdin)
    client = zeep.Client(job["wsdl"], settings=zeep.Settings(strict=True, xml_huge_tree=True))
    bound = client.bind("Crm", job["port"])
    json.dump([answer(bound, call) for call in job["calls"]], sys.stdout, default=str)


def answer(bound, call):
    """What came back, or {"refused": true}: libxml2 takes no references to control characters, which .NET services send."""
    try:
        return serialize_object(getattr(bound, call["operation"])(**call["parameters"]), dict)
    except zeep.exceptions.TransportError as error:
        if "invalid xmlChar" not in str(error):
            raise
        return {"refused": True}


main()
