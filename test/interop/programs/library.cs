// A library as an .asmx page of ASP.NET, by Mono, with its own host: compiled as bin/library.dll beside Library.asmx and
// web.config. Prints its port when it listens.
using System;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Web;
using System.Web.Hosting;
using System.Web.Services;
using System.Xml.Serialization;

public enum Binding { hard, soft }

public class Loan
{
    public int Days;
    [XmlAttribute] public string Unit;
}

public class Book
{
    public string Title;
    public decimal? Price;
    [XmlElement(DataType = "date")] public DateTime Published;
    public double Rating;
    public Binding Binding;
    public string[] Author;
    [XmlElement("Code")] public string[] Codes;
    public Guid Id;
    public Loan Loan;
    public byte[] Cover;
    public sbyte Shelf;
    public ulong Copies;
}

[WebService(Namespace = "http://library.example/")]
public class Library : WebService
{
    static Book Numbered(int number)
    {
        var isEven = number % 2 == 0;
        return new Book {
            Title = "Book " + number + " & more",
            Price = isEven ? (decimal?)null : number + 0.50m,
            Published = new DateTime(1999, 12, 31),
            Rating = 1.5e300,
            Binding = isEven ? Binding.soft : Binding.hard,
            Author = isEven ? null : new[] { "A", null, "B" },
            Codes = new[] { "x" + number, "y" },
            Id = new Guid(number, 0, 0, new byte[8]),
            Loan = new Loan { Days = 7, Unit = "d" },
            Cover = new byte[] { 1, 2, 3 },
            Shelf = -3,
            Copies = ulong.MaxValue,
        };
    }

    [WebMethod(Description = "Lists the books of the library.")]
    public Book[] BooksGet(int pageNumber, int pageSize, DateTime? since)
    {
        return Enumerable.Range(1, 7).Skip((pageNumber - 1) * pageSize).Take(pageSize).Select(Numbered).ToArray();
    }

    /// Answers the book as it was understood.
    [WebMethod]
    public Book BookAdd(Book book)
    {
        if (book.Title == "refused") throw new Exception("No such book.");
        return book;
    }

    [WebMethod]
    public string Split(ref int left, out DateTime at)
    {
        left += 1;
        at = new DateTime(2020, 1, 2, 3, 4, 5, DateTimeKind.Utc);
        return "yes";
    }
}

/// A request of HttpListener, as ASP.NET wants it.
class Request : SimpleWorkerRequest
{
    readonly HttpListenerContext context;

    public Request(HttpListenerContext context)
        : base(context.Request.Url.AbsolutePath.TrimStart('/'), context.Request.Url.Query.TrimStart('?'), TextWriter.Null)
    {
        this.context = context;
    }

    public override string GetHttpVerbName() { return context.Request.HttpMethod; }
    public override string GetServerName() { return context.Request.Url.Host; }
    public override int GetLocalPort() { return context.Request.Url.Port; }
    public override string GetKnownRequestHeader(int index) { return context.Request.Headers[GetKnownRequestHeaderName(index)]; }
    public override string GetUnknownRequestHeader(string name) { return context.Request.Headers[name]; }

    public override string[][] GetUnknownRequestHeaders()
    {
        var headers = context.Request.Headers;
        return headers.AllKeys.Where(name => GetKnownRequestHeaderIndex(name) < 0).Select(name => new[] { name, headers[name] }).ToArray();
    }

    public override byte[] GetPreloadedEntityBody() { return null; }
    public override bool IsEntireEntityBodyIsPreloaded() { return false; }
    public override int ReadEntityBody(byte[] buffer, int size) { return context.Request.InputStream.Read(buffer, 0, size); }
    public override void SendStatus(int code, string description) { context.Response.StatusCode = code; }

    public override void SendKnownResponseHeader(int index, string value)
    {
        if (GetKnownResponseHeaderName(index) == "Content-Type") context.Response.ContentType = value;
    }

    public override void SendUnknownResponseHeader(string name, string value) { }
    public override void SendResponseFromMemory(byte[] data, int length) { context.Response.OutputStream.Write(data, 0, length); }
    public override void FlushResponse(bool isLast) { }
    public override void EndOfRequest() { context.Response.Close(); }
}

public class Host : MarshalByRefObject
{
    public override object InitializeLifetimeService() { return null; }

    /// False where another process has taken the port.
    public bool Serve(int port)
    {
        var listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:" + port + "/");
        try { listener.Start(); } catch (SocketException) { return false; }
        Console.WriteLine(port);
        while (true) HttpRuntime.ProcessRequest(new Request(listener.GetContext()));
    }

    static int FreePort()
    {
        var probe = new TcpListener(IPAddress.Loopback, 0);
        probe.Start();
        var port = ((IPEndPoint)probe.LocalEndpoint).Port;
        probe.Stop();
        return port;
    }

    public static void Main(string[] args)
    {
        var host = (Host)ApplicationHost.CreateApplicationHost(typeof(Host), "/", args[0]);
        while (!host.Serve(FreePort())) { }
    }
}
