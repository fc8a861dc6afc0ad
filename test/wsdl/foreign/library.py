# Prints the WSDL that spyne makes of a library.
from spyne import Application, Array, ComplexModel, Date, Decimal, Enum, Integer, ServiceBase, Unicode, rpc
from spyne.interface.wsdl import Wsdl11
from spyne.protocol.soap import Soap11

namespace = 'http://library.example/'


class Book(ComplexModel):
    __namespace__ = namespace
    Title = Unicode(min_occurs=1, nullable=False)
    Price = Decimal
    Published = Date
    Binding = Enum('hard', 'soft', type_name='Binding')
    Author = Unicode(max_occurs='unbounded')


class Library(ServiceBase):
    @rpc(Integer(min_occurs=1), Integer, _returns=Array(Book))
    def BooksGet(ctx, pageNumber, pageSize):
        'Lists the books.'


application = Application([Library], namespace, in_protocol=Soap11(), out_protocol=Soap11())
# As its server over HTTP has it.
application.transport = 'http://schemas.xmlsoap.org/soap/http'
wsdl = Wsdl11(application.interface)
wsdl.build_interface_document('http://127.0.0.1/library')
print(wsdl.get_interface_document().decode())
