import type { Data, Variables } from './two-libraries.ts';

/** An operation that is sent to Rowgate and to unmodified PostGraphile, whose answers must be equal. */
export interface OperationCase {
  readonly title: string;
  readonly query: string;
  /** A query that unmodified PostGraphile runs first, to obtain node ids and cursors for `variables`. */
  readonly from?: string;
  /** Makes the variables from the data of `from`. */
  readonly variables?: (data: Data) => Variables;
}

export interface ErrorCase extends OperationCase {
  /**
   * Whether both servers return the same message. False for errors of Postgres, for which Rowgate has its own messages.
   */
  readonly hasMessage: boolean;
}

const page = 'pageInfo { startCursor endCursor hasNextPage hasPreviousPage }';

export const queryCases: readonly OperationCase[] = [
  {
    title: 'a connection with edges, cursors, nodes and totalCount',
    query: `{ allBooks { totalCount ${page} nodes { rowId title } edges { cursor node { isbn } } } }`,
  },
  {
    title: 'a page forwards, after a cursor',
    from: '{ allBooks(first: 2) { pageInfo { endCursor } } }',
    variables: ({ allBooks }) => ({ after: allBooks.pageInfo.endCursor }),
    query: `query ($after: Cursor) { allBooks(first: 3, after: $after) { nodes { rowId } ${page} } }`,
  },
  {
    title: 'a page backwards, before a cursor',
    from: '{ allBooks(last: 2) { pageInfo { startCursor } } }',
    variables: ({ allBooks }) => ({ before: allBooks.pageInfo.startCursor }),
    query: `query ($before: Cursor) { allBooks(last: 3, before: $before) { nodes { rowId } ${page} } }`,
  },
  {
    title: 'rows between two cursors of an ordering',
    from: '{ allBooks(orderBy: [PAGES_DESC, ISBN_ASC]) { edges { cursor } } }',
    variables: ({ allBooks }) => ({
      after: allBooks.edges[0].cursor,
      before: allBooks.edges[4].cursor,
    }),
    query: `query ($after: Cursor, $before: Cursor) {
      allBooks(orderBy: [PAGES_DESC, ISBN_ASC], after: $after, before: $before) { nodes { isbn pages } ${page} } }`,
  },
  {
    title: 'pages by an offset, and pages of no rows',
    query: `{ some: allBooks(first: 2, offset: 3) { nodes { rowId } ${page} }
      none: allBooks(first: 0) { nodes { rowId } ${page} } }`,
  },
  {
    title: 'a row by its node id, through the field node and through the field of its type',
    from: '{ bookByRowId(rowId: 3) { id } }',
    variables: ({ bookByRowId }) => ({ id: bookByRowId.id }),
    query: `query ($id: ID!) { node(id: $id) { __typename id ... on Book { title } ... on Author { name } }
      book(id: $id) { id rowId title } }`,
  },
  {
    title: 'a row with a composite key by its node id',
    from: '{ loanByBookIdAndReader(bookId: 1, reader: "Jon") { id } }',
    variables: ({ loanByBookIdAndReader: { id } }) => ({ id }),
    query: 'query ($id: ID!) { loan(id: $id) { lentOn returned bookByBookId { title } } }',
  },
  {
    title: 'null for a node id of another type, and for one without a row',
    from: '{ authorByRowId(rowId: 1) { id } }',
    variables: ({ authorByRowId: { id } }) => ({ id }),
    query: `query ($id: ID!) { author(id: $id) { name } other: book(id: $id) { title }
      none: node(id: "bm90aGluZw==") { id } }`,
  },
  {
    title: 'rows by unique keys, and null for none',
    query: `{ bookByIsbn(isbn: "2-1") { title } shelfByLabel(label: "A") { bookByBookId { title } }
      loanByBookIdAndReader(bookId: 4, reader: "Ida") { returned } none: bookByIsbn(isbn: "9") { title } }`,
  },
  {
    title: 'relations to related rows, and from these back to the first row',
    query: `{ allAuthors { nodes { name booksByAuthorId { totalCount nodes { title
      authorByAuthorId { name } loansByBookId(orderBy: READER_DESC) { nodes { reader } } } } } } }`,
  },
  {
    title: 'one-to-one relations in both directions',
    query:
      '{ allBooks { nodes { title shelfByBookId { label bookByBookId { isbn } } } } allShelves { nodes { bookByBookId { title } } } }',
  },
  {
    title: 'pages of related rows within a page',
    query: `{ allAuthors(first: 2) { nodes { booksByAuthorId(first: 1, offset: 1, orderBy: TITLE_ASC) { nodes { title } ${page} } } } }`,
  },
  {
    title: 'orderings, also several in a variable',
    variables: () => ({ orderBy: ['PRICE_ASC', 'PAGES_DESC', 'PRIMARY_KEY_DESC'] }),
    query: `query ($orderBy: [BookOrderBy!]) { allBooks(orderBy: $orderBy) { nodes { genre pages rowId } }
      byPrice: allBooks(orderBy: PRICE_DESC) { nodes { price } } }`,
  },
  {
    title: 'orderings by aggregates of related rows',
    query: `{ allAuthors(orderBy: [BOOKS_BY_AUTHOR_ID_SUM_PAGES_DESC, BOOKS_BY_AUTHOR_ID_COUNT_ASC]) { nodes { name } } }`,
  },
  {
    title: 'conditions on values, enums, nulls and variables',
    variables: () => ({ condition: { genre: 'novel', title: 'Tides' } }),
    query: `query ($condition: BookCondition) { allBooks(condition: $condition) { nodes { isbn } }
      essays: allBooks(condition: {genre: essay, pages: 150}) { totalCount nodes { isbn } }
      free: allBooks(condition: {price: null}) { nodes { isbn } } }`,
  },
  {
    title: 'conditions within relations',
    query:
      '{ allAuthors { nodes { booksByAuthorId(condition: {genre: novel}) { totalCount nodes { title } } } } }',
  },
  {
    title: 'aggregates of a table',
    query: `{ allBooks { aggregates { sum { pages price } average { pages } min { pages } max { price }
      distinctCount { genre title } stddevSample { pages } } } }`,
  },
  {
    title: 'aggregates of related rows under a condition',
    query:
      '{ allAuthors { nodes { booksByAuthorId(condition: {genre: novel}) { aggregates { sum { pages } keys } } } } }',
  },
  {
    title: 'aggregates by group, also under a condition',
    query: `{ allBooks(condition: {title: "Tides"}) { groupedAggregates(groupBy: [GENRE, TITLE]) { keys sum { pages } average { price } } }
      large: allBooks { groupedAggregates(groupBy: [AUTHOR_ID], having: {sum: {pages: {greaterThan: 555}}}) { keys sum { pages } } } }`,
  },
  {
    title: 'computed columns, with and without arguments',
    query: `{ allAuthors { nodes { greeting formal: greeting(word: "To") } }
      allBooks(first: 2) { nodes { pricePerPage } } }`,
  },
  {
    title: 'rows that a function computes from a row',
    query: `{ allAuthors { nodes { longerBooks(above: 100, first: 1) { totalCount nodes { title pages } ${page} } } } }`,
  },
  {
    title: 'functions that return rows and one row',
    query: `{ booksOf(wanted: novel, first: 2) { totalCount nodes { title authorByAuthorId { name } } ${page} }
      longestBook { title pages shelfByBookId { label } } }`,
  },
  {
    title: 'pages of a volatile function that is a query',
    variables: () => ({ first: 2 }),
    query: `query ($first: Int) { pickedBooks(first: $first) { nodes { title } }
      rest: pickedBooks(first: $first, offset: 4) { nodes { title } } }`,
  },
  {
    title: 'arrays, json, decimals, dates and times',
    query: `{ allAuthors { nodes { born tags about } }
      allBooks { nodes { price printedAt languages extra } } allLoans { nodes { lentOn returned } } }`,
  },
  {
    title: 'enums whose values are the rows of a table',
    query: `{ allBooks(condition: {format: pocket}) { totalCount nodes { format } }
      __type(name: "Format") { enumValues { name description } } }`,
  },
  {
    title: 'a relational interface, whose types share columns of one table',
    query: `{ allItems { nodes { __typename rowId type title ... on Disc { minutes } ... on Tape { metres title } } }
      allDiscs { nodes { title minutes } } }`,
  },
  {
    title: 'fragments, inline fragments, aliases and type names',
    query: `{ __typename a: allBooks(first: 1) { __typename ...books } b: allBooks(last: 1) { ...books } }
      fragment books on BookConnection { nodes { ...book ... on Book { pages } ... { genre } } }
      fragment book on Book { __typename name: title writer: authorByAuthorId { __typename name } }`,
  },
  {
    title: '@include and @skip by variables and their defaults',
    variables: () => ({ yes: true }),
    query: `query ($yes: Boolean!, $no: Boolean! = false) { allBooks(first: 1) { nodes { title @include(if: $yes)
      isbn @include(if: $no) pages @skip(if: $yes) ... @skip(if: $no) { genre } } } allLoans @skip(if: $yes) { totalCount } }`,
  },
  {
    title: 'variables with defaults, absent variables and null',
    variables: () => ({ offset: null }),
    query: `query ($first: Int = 2, $offset: Int, $genre: Genre = ode) {
      allBooks(first: $first, offset: $offset) { nodes { rowId } }
      booksOf(wanted: $genre) { nodes { title } } }`,
  },
  {
    title: 'the field query, which repeats the whole schema for Relay 1',
    query: '{ query { allAuthors(first: 1) { nodes { name } } id } }',
  },
  {
    title: 'names of all types and fields by introspection',
    query: `{ books: __type(name: "Book") { kind fields { name args { name type { name kind } } type { name kind } } }
      patch: __type(name: "BookPatch") { inputFields { name type { name kind } } }
      __schema { queryType { fields { name } } mutationType { fields { name args { name } } } } }`,
  },
];

export const mutationCases: readonly OperationCase[] = [
  {
    title: 'a row is created, with all fields of its payload',
    query: `mutation { createBook(input: {clientMutationId: "m1", book: {authorId: 3, isbn: "3-2", title: "Echo", genre: ode, pages: 12}}) {
      clientMutationId book { rowId title price extra authorByAuthorId { name booksByAuthorId { totalCount } } }
      bookEdge(orderBy: TITLE_ASC) { cursor node { isbn } } query { allBooks(condition: {isbn: "3-2"}) { totalCount } } } }`,
  },
  {
    title: 'arrays, json, enums, decimals and times are written from a variable',
    variables: () => ({
      book: {
        ...{ authorId: 2, isbn: '2-3', title: 'Thaw', genre: 'essay', pages: 77, price: '5.5' },
        ...{ printedAt: '2020-02-02T02:02:02+01:00', languages: ['sv', null, 'a "b"'] },
        extra: { deep: [1, { er: null }], text: 'x' },
      },
    }),
    query: `mutation ($book: BookInput!) { createBook(input: {book: $book}) {
      book { rowId price printedAt languages extra genre } } }`,
  },
  {
    title: 'defaults fill absent columns',
    query:
      'mutation { createAuthor(input: {author: {name: "Dag"}}) { author { rowId name born tags about } } }',
  },
  {
    title: 'a row is changed by its key',
    query: `mutation { updateBookByRowId(input: {rowId: 2, bookPatch: {price: "10", languages: ["es", "en"]}}) {
      clientMutationId book { title price languages authorByAuthorId { name } } } }`,
  },
  {
    title: 'a row is found by a unique key, and a column is changed to null',
    query: `mutation { updateBookByIsbn(input: {isbn: "3-1", bookPatch: {isbn: "3-9", price: null}}) { book { isbn price } } }`,
  },
  {
    title: 'a row is changed by its node id',
    from: '{ authorByRowId(rowId: 2) { id } }',
    variables: ({ authorByRowId: { id } }) => ({
      id,
      patch: { tags: ['north'], about: { a: [] } },
    }),
    query: `mutation ($id: ID!, $patch: AuthorPatch!) { updateAuthor(input: {id: $id, authorPatch: $patch}) {
      author { id tags about } authorEdge { node { rowId } } } }`,
  },
  {
    title: 'a row with a composite key is changed, including a column of the key',
    query: `mutation { updateLoanByBookIdAndReader(input: {bookId: 6, reader: "Kim", loanPatch: {bookId: 5, returned: false}}) {
      loan { returned bookByBookId { title loansByBookId { nodes { reader } } } } } }`,
  },
  {
    title: 'a row is deleted by its key, and returned',
    query: `mutation { deleteLoanByBookIdAndReader(input: {bookId: 4, reader: "Ida", clientMutationId: "gone"}) {
      clientMutationId deletedLoanId loan { reader lentOn bookByBookId { title } } } }`,
  },
  {
    title: 'a row is deleted by its node id, with the rows that reference it',
    from: '{ bookByRowId(rowId: 1) { id } }',
    variables: ({ bookByRowId: { id } }) => ({ id }),
    query: `mutation ($id: ID!) { deleteBook(input: {id: $id}) { deletedBookId book { title }
      query { allLoans { totalCount } allShelves { nodes { label } } } } }`,
  },
  {
    title: 'a row is deleted by a unique key',
    query: 'mutation { deleteShelfByLabel(input: {label: "B"}) { shelf { bookId label } } }',
  },
  {
    title: 'a function that writes, as a mutation',
    query: `mutation { lend(input: {clientMutationId: "l", bookId: 5, reader: "Ola"}) { clientMutationId
      result { reader lentOn returned bookByBookId { title } } query { longestBook { isbn } } } }`,
  },
  {
    title: 'a function writes a row from its argument',
    query:
      'mutation { saveShelf(input: {shelf: {bookId: 3, label: "Z"}}) { result { label bookByBookId { title } } } }',
  },
  {
    title: 'several mutation fields write one after the other',
    query: `mutation { first: createShelf(input: {shelf: {bookId: 5, label: "C"}}) { shelf { label } }
      second: updateShelfByBookId(input: {bookId: 5, shelfPatch: {label: "D"}}) { shelf { label }
        query { allShelves(condition: {bookId: 5}) { nodes { label } } } } }`,
  },
];

export const errorCases: readonly ErrorCase[] = [
  {
    title: 'an unknown field',
    query: '{ allBooks { nodes { titel } } }',
    hasMessage: true,
  },
  {
    title: 'an unknown argument',
    query: '{ allBooks(limit: 1) { totalCount } }',
    hasMessage: true,
  },
  {
    title: 'an unknown value of an enum',
    query: '{ booksOf(wanted: poem) { totalCount } }',
    hasMessage: true,
  },
  {
    title: 'a missing required input',
    query: 'mutation { createBook(input: {book: {title: "x"}}) { clientMutationId } }',
    hasMessage: true,
  },
  {
    title: 'a variable of another type',
    variables: () => ({ first: 'two' }),
    query: 'query ($first: Int) { allBooks(first: $first) { totalCount } }',
    hasMessage: false,
  },
  {
    title: 'an invalid cursor',
    query: '{ allBooks(after: "x") { nodes { rowId } } }',
    hasMessage: true,
  },
  {
    title: 'a duplicate value of a unique key',
    query: 'mutation { createAuthor(input: {author: {name: "Ana Ruiz"}}) { author { name } } }',
    hasMessage: false,
  },
  {
    title: 'a reference to a missing row',
    query:
      'mutation { createLoan(input: {loan: {bookId: 999, reader: "Ida"}}) { loan { reader } } }',
    hasMessage: false,
  },
  {
    title: 'a value that violates a check constraint',
    query:
      'mutation { updateBookByRowId(input: {rowId: 3, bookPatch: {pages: 0}}) { book { pages } } }',
    hasMessage: false,
  },
  {
    title: 'the deletion of a missing row',
    query: 'mutation { deleteBookByRowId(input: {rowId: 999}) { deletedBookId } }',
    hasMessage: false,
  },
];
