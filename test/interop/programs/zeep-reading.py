"""What zeep reads of WSDLs, as JSON: for each file, each operation with a line for each element of its messages.

Usage: zeep-reading.py, with the path of a file on each line of stdin.
A line is PATH|TYPE|MIN|MANY|NILLABLE, or PATH|{} for an element that holds others.
"""

import json
import logging
import sys

from zeep import Settings, Transport
from zeep.wsdl import Document
from zeep.xsd.elements import Any, Element
from zeep.xsd.elements.indicators import Choice, Indicator
from zeep.xsd.types import AnySimpleType, ComplexType, ListType, UnionType

DEEPEST = 6
SCHEMA = "http://www.w3.org/2001/XMLSchema"


class Files(Transport):
    """Reads files, and nothing from a network."""

    def load(self, url):
        if "://" in url and not url.startswith("file://"):
            raise ValueError("asked for %s" % url)
        return super().load(url)


def type_name(kind):
    """The name of the type of XML Schema that a simple type is made of."""
    if isinstance(kind, ComplexType):
        return "{}"
    if not isinstance(kind, AnySimpleType):
        return "anyType"
    if isinstance(kind, UnionType):
        return "union"
    if isinstance(kind, ListType):
        return "list"
    for each in type(kind).__mro__:
        name = getattr(each, "_default_qname", None)
        if name is not None and name.namespace == SCHEMA:
            return name.localname
    return "?"


def particles(indicator, is_optional=False, is_many=False):
    """The elements of a group in their order, with whether their groups let them be left out or come again."""
    left_out = is_optional or isinstance(indicator, Choice) or indicator.min_occurs == 0
    again = is_many or indicator.max_occurs == "unbounded" or indicator.max_occurs > 1
    for each in indicator:
        if isinstance(each, Indicator):
            yield from particles(each, left_out, again)
        else:
            yield each, left_out, again


def lines_of(kind, path):
    for _, group in kind.elements_nested:
        members = particles(group) if isinstance(group, Indicator) else [(group, False, False)]
        for element, left_out, again in members:
            if isinstance(element, Any):
                continue
            many = again or element.max_occurs == "unbounded" or element.max_occurs > 1
            least = 0 if left_out or element.min_occurs == 0 else 1
            inner = path + [element.name]
            holds = isinstance(element.type, ComplexType)
            yield "|".join(["/".join(inner), type_name(element.type), str(least), str(int(many)), str(int(element.nillable or 0))])
            if holds and len(inner) < DEEPEST:
                yield from lines_of(element.type, inner)


def message_lines(message, way):
    body = message.body
    if not isinstance(body, Element):
        return [way + "|none"]
    if not isinstance(body.type, ComplexType):
        return [way + "|" + type_name(body.type)]
    return list(lines_of(body.type, [way]))


def read(file):
    document = Document(file, Files(), settings=Settings(strict=True, forbid_dtd=True))
    found = {}
    for service in document.services.values():
        for port in service.ports.values():
            for name, operation in port.binding._operations.items():
                if operation.style != "document" or name in found:
                    continue
                answer = [] if operation.output is None else message_lines(operation.output, "out")
                found[name] = message_lines(operation.input, "in") + answer
    return found


logging.disable(logging.CRITICAL)
answers = {}
for given in sys.stdin.read().split("\n"):
    try:
        answers[given] = read(given)
    except Exception as thrown:  # what zeep cannot read is told as such
        answers[given] = "%s: %s" % (type(thrown).__name__, thrown)
print(json.dumps(answers))
