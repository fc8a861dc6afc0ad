"""Writes WSDLs that spyne makes of an operation, Ask, whose types are drawn by lot.

Usage: spyne-models.py FOLDER FIRST COUNT: a file spyne-SEED.wsdl for each of so many seeds.
"""

import random
import sys
from pathlib import Path

from spyne import (
    Application, AnyUri, Array, Boolean, ByteArray, ComplexModel, Date, DateTime, Decimal, Double, Duration, Enum,
    Float, Integer, Integer32, Integer64, ServiceBase, Time, Unicode, UnsignedInteger8, Uuid, rpc,
)
from spyne.interface.wsdl import Wsdl11
from spyne.protocol.soap import Soap11

NAMESPACE = "http://some.example/"
SIMPLE = [
    AnyUri, Boolean, ByteArray, Date, DateTime, Decimal, Double, Duration, Float, Integer, Integer32, Integer64, Time,
    Unicode, UnsignedInteger8, Uuid, Enum("hard", "soft", type_name="Word"),
]


class Lots:
    """Draws types; no two elements have the same name."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.models = []
        self.count = 0

    def name(self):
        self.count += 1
        return "e%d" % self.count

    def kind(self):
        one = self.draw.choice(SIMPLE + self.models * 3)
        if self.draw.randrange(5) == 0:
            one = Array(one)
        more = {}
        if self.draw.randrange(2) == 0:
            more["min_occurs"] = 1
        if self.draw.randrange(5) == 0:
            more["max_occurs"] = "unbounded"
        if self.draw.randrange(3) == 0:
            more["nullable"] = False
        return one.customize(**more)

    def members(self):
        return [(self.name(), self.kind()) for _ in range(self.draw.randrange(1, 6))]

    def add_model(self, name):
        base = self.draw.choice(self.models) if self.models and self.draw.randrange(3) == 0 else ComplexModel
        parts = {"__namespace__": NAMESPACE, "_type_info": self.members()}
        self.models.append(type(ComplexModel)(name, (base,), parts))


def wsdl_of(seed):
    lots = Lots(seed)
    for at in range(5):
        lots.add_model("R%d" % at)
    parameters = lots.members()

    def ask(ctx, *given):
        """Asks something."""

    ask.__name__ = "Ask"
    names = [name for name, _ in parameters]
    service = type(ServiceBase)("Some", (ServiceBase,), {
        "Ask": rpc(*[kind for _, kind in parameters], _args=names, _returns=lots.kind())(ask),
    })
    application = Application([service], NAMESPACE, in_protocol=Soap11(), out_protocol=Soap11())
    application.transport = "http://schemas.xmlsoap.org/soap/http"
    wsdl = Wsdl11(application.interface)
    wsdl.build_interface_document("http://127.0.0.1/some")
    return wsdl.get_interface_document()


folder, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
for seed in range(first, first + count):
    (folder / ("spyne-%d.wsdl" % seed)).write_bytes(wsdl_of(seed))
