/** Defines the kinds of pagination of a web service. */
import { choice, type Key, type KeyParts, keysOf, text, type Variant, wholeNumber } from '../schema/shape.ts'

const path: KeyParts = {
  names: 'answer path',
  doc: 'Path in the response body, such as meta.next, or a header, such as header:X-Next-Page.',
  shape: text,
}
const cursorIn: KeyParts = {
  doc: 'Where the parameter is sent.',
  default: 'query',
  shape: choice({
    query: 'The address.',
    body: 'The JSON body of the request.',
    header: 'A header of the request.',
  }),
}
const pageKeys = keysOf({
  size_param: { names: 'request name', doc: 'Parameter that asks for a page size.', shape: text },
  size: { doc: 'Records a page.', shape: wholeNumber(1) },
  max_pages: { doc: 'Stop after this many pages.', shape: wholeNumber(1) },
  in: cursorIn,
  claims: {
    doc: 'What is made of totals, flags and next pages in answers that were not followed.',
    shape: choice({
      check: 'They are compared with what was loaded, and less is the warning more-pages (default).',
      ignore: 'They mean something else.',
    }),
  },
})
const countKeys: readonly Key[] = [
  ...keysOf({
    more: {
      names: 'answer path',
      doc: 'Path of a boolean that says whether there are more pages.',
      shape: text,
    },
    last: {
      names: 'answer path',
      doc: 'Path of a boolean that says whether this page is the last.',
      shape: text,
    },
  }),
  ...pageKeys,
]

export const paginators: readonly Variant[] = [
  { value: 'auto', doc: 'Detected from the first response.', keys: pageKeys },
  { value: 'none', doc: 'One response holds everything.', keys: pageKeys },
  { value: 'link_header', doc: 'The Link header names the next page.', keys: pageKeys },
  {
    value: 'next_url',
    doc: 'The body holds the address of the next page.',
    keys: [{ name: 'path', names: 'answer path', ...path, required: true }, ...pageKeys],
  },
  {
    value: 'cursor',
    doc: 'The body or a header holds a cursor that the next request sends.',
    atLeastOne: ['path', 'header'],
    keys: [
      ...keysOf({
        path,
        header: { names: 'answer header', doc: 'Response header that holds the next cursor.', shape: text },
        param: {
          names: 'request name',
          doc: 'Parameter that carries the cursor.',
          shape: text,
          required: true,
        },
      }),
      ...countKeys,
    ],
  },
  {
    value: 'keyset',
    doc: 'Requests say after which record the next page begins.',
    keys: [
      ...keysOf({
        key: {
          names: 'answer path',
          doc: 'Path in a record of the value that the next request sends, such as id.',
          shape: text,
          default: 'id',
        },
        param: {
          names: 'request name',
          doc: 'Parameter that carries the value, such as starting_after.',
          shape: text,
          required: true,
        },
      }),
      ...countKeys,
    ],
  },
  {
    value: 'page',
    doc: 'Pages have numbers.',
    keys: [
      ...keysOf({
        param: {
          names: 'request name',
          doc: 'Parameter that carries the page number.',
          shape: text,
          default: 'page',
        },
        start: { doc: 'Number of the first page.', shape: wholeNumber(0), default: 1 },
        total: { names: 'answer path', doc: 'Path of the total number of pages.', shape: text },
        count: { names: 'answer path', doc: 'Path of the total number of records.', shape: text },
      }),
      ...countKeys,
    ],
  },
  {
    value: 'offset',
    doc: 'Requests say how many records to skip.',
    keys: [
      ...keysOf({
        param: {
          names: 'request name',
          doc: 'Parameter that carries the offset.',
          shape: text,
          default: 'offset',
        },
        start: { doc: 'First offset.', shape: wholeNumber(0), default: 0 },
        total: { names: 'answer path', doc: 'Path of the total number of records.', shape: text },
      }),
      ...countKeys,
    ],
  },
]
