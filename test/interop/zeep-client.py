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
    answers = [
        serialize_object(getattr(bound, call["operation"])(**call["parameters"]), dict) for call in job["calls"]
    ]
    json.dump(answers, sys.stdout, default=str)


main()
