//gsoap lib service name: library
//gsoap lib service style: document
//gsoap lib service encoding: literal
//gsoap lib service namespace: http://library.example/
//gsoap lib service location: http://127.0.0.1/library
//gsoap lib schema namespace: http://library.example/
//gsoap lib schema form: qualified
enum lib__Binding { hard, soft };
class lib__Book {
  public:
    char *Title 1;
    double Price 0:1;
    enum lib__Binding Binding 0:1;
    LONG64 Pages;
};
class lib__Books {
  public:
    int __size;
    lib__Book *Book;
};
int lib__BooksGet(int pageNumber, int pageSize, lib__Books *Books);
