/** The keys of `ingest` (decisions 1). Validation and everything else is made from this description. */
import {
  credentialFormat,
  folderFormat,
  headerFormat,
  hostFormat,
  statusFormat,
  webAddressFormat,
} from './formats.ts'
import {
  any,
  choice,
  duration,
  formatted,
  type Key,
  listOf,
  object,
  oneOrMore,
  rate,
  recordOf,
  type ShorthandShape,
  shorthand,
  text,
  unbuilt,
  type Variant,
  wholeNumber,
} from './shape.ts'

const limits: Key = {
  name: 'limits',
  doc: 'How hard the source may be asked and how long it may take.',
  default: {},
  shape: object(
    { name: 'rate', doc: 'Requests at most, such as 10/s or 100/m.', shape: rate, property: 'ratePerSecond' },
    { name: 'concurrency', doc: 'Requests at the same time.', shape: wholeNumber(1), default: 4 },
    {
      name: 'timeout',
      doc: 'How long one request may take.',
      shape: duration,
      default: '60s',
      property: 'timeoutMs',
    },
    { name: 'retries', doc: 'How often a failed request is tried again.', shape: wholeNumber(0), default: 5 },
    { name: 'max_rows', doc: 'Stop after this many records.', shape: wholeNumber(1) },
  ),
}

const nested: Key = {
  name: 'nested',
  doc: 'What becomes of objects and lists inside a record.',
  default: {},
  shape: shorthand(
    ['mode'],
    object(
      {
        name: 'mode',
        doc: 'How nested values are stored.',
        default: 'tables',
        shape: choice(
          { value: 'tables', doc: 'Objects become columns parent__child, lists of objects child tables.' },
          { value: 'json', doc: 'Every nested value becomes one JSON column.' },
          { value: 'struct', doc: "Nested values keep the warehouse's own nested types.", built: false },
        ),
      },
      { name: 'depth', doc: 'Deeper values become JSON.', shape: wholeNumber(0), default: 2 },
    ),
  ),
}

/** Keys that every source shares. */
const shared: readonly Key[] = [
  {
    name: 'credentials',
    doc: 'The secret of the source: env:NAME, so that it is in no file.',
    shape: formatted(credentialFormat),
    defaultDoc: 'env:SOURCE__<ASSET>__CREDENTIALS',
  },
  {
    name: 'write',
    doc: 'How new records join those loaded before.',
    default: 'replace',
    shape: choice(
      { value: 'replace', doc: 'Every run loads the whole source.' },
      { value: 'append', doc: 'New records are added.', built: false },
      { value: 'merge', doc: 'Records replace those with the same primary key.', built: false },
      { value: 'scd2', doc: 'Every version of a record is kept with its time of validity.', built: false },
    ),
  },
  {
    name: 'primary_key',
    doc: 'The column or columns that identify a record.',
    shape: oneOrMore(text),
    default: [],
  },
  unbuilt('incremental', 'Ask only for what changed since the last run, by a cursor column.'),
  {
    name: 'include',
    doc: 'Source columns to keep: names, paths such as a.b, * as wildcard; empty keeps all.',
    shape: oneOrMore(text),
    default: [],
  },
  {
    name: 'exclude',
    doc: 'Source columns to leave out; wins over include.',
    shape: oneOrMore(text),
    default: [],
  },
  unbuilt('mask', 'Columns to hash or redact before they are stored.'),
  {
    name: 'naming',
    doc: 'How names of the source become names of columns.',
    default: 'snake',
    shape: choice(
      { value: 'snake', doc: 'US Gross becomes us_gross, orderID order_id.' },
      { value: 'source', doc: 'Names stay as the source has them.' },
    ),
  },
  nested,
  limits,
]

const credential = (name: string, doc: string): Key => ({
  name,
  doc: `${doc}; env:NAME keeps it out of the file.`,
  shape: formatted(credentialFormat),
})

const auth: Key = {
  name: 'auth',
  doc: 'How requests prove who asks.',
  default: 'none',
  shape: shorthand(['type'], {
    kind: 'variants',
    doc: 'The kind of proof.',
    variants: [
      { value: 'none', doc: 'Requests carry no proof.', keys: [] },
      {
        value: 'bearer',
        doc: 'Authorization: Bearer, with the token or the credentials of the source.',
        keys: [credential('token', 'The token, where it is not the credentials')],
      },
      {
        value: 'basic',
        doc: 'Authorization: Basic.',
        keys: [
          { name: 'username', doc: 'Who asks.', shape: text, required: true },
          credential('password', 'The password, where it is not the credentials'),
        ],
      },
      {
        value: 'api_key',
        doc: 'A key in a header, in the query or in a cookie.',
        keys: [
          { name: 'name', doc: 'Name of the header, parameter or cookie.', shape: text, required: true },
          credential('value', 'The key, where it is not the credentials'),
          {
            name: 'in',
            doc: 'Where the key goes.',
            default: 'header',
            shape: choice(
              { value: 'header', doc: 'A request header.' },
              { value: 'query', doc: 'A parameter of the address.' },
              { value: 'cookie', doc: 'A cookie.' },
            ),
          },
        ],
      },
      { value: 'oauth2', doc: 'A token fetched from an OAuth 2 server.', keys: [], built: false },
      { value: 'session', doc: 'A token got by logging in.', keys: [], built: false },
    ],
  }),
}

// ---------------------------------------------------------------- pagination

const path: Key = { name: 'path', doc: 'Path in the response body, such as meta.next.', shape: text }
const cursorIn: Key = {
  name: 'in',
  doc: 'Where the parameter goes.',
  default: 'query',
  shape: choice(
    { value: 'query', doc: 'The address.' },
    { value: 'body', doc: 'The JSON body of the request.' },
  ),
}
const pageKeys: readonly Key[] = [
  { name: 'size_param', doc: 'Parameter that asks for a page size.', shape: text },
  { name: 'size', doc: 'Records a page.', shape: wholeNumber(1) },
  { name: 'max_pages', doc: 'Stop after this many pages.', shape: wholeNumber(1) },
  cursorIn,
]
const countKeys: readonly Key[] = [
  { name: 'more', doc: 'Path of a boolean that says whether there are more pages.', shape: text },
  ...pageKeys,
]

const paginators: readonly Variant[] = [
  { value: 'auto', doc: 'Found out from the first response.', keys: pageKeys },
  { value: 'none', doc: 'One response holds everything.', keys: pageKeys },
  { value: 'link_header', doc: 'The Link header names the next page.', keys: pageKeys },
  {
    value: 'next_url',
    doc: 'The body holds the address of the next page.',
    keys: [{ ...path, required: true }, ...pageKeys],
  },
  {
    value: 'cursor',
    doc: 'The body or a header holds a cursor that the next request sends.',
    atLeastOne: ['path', 'header'],
    keys: [
      path,
      { name: 'header', doc: 'Response header that holds the next cursor.', shape: text },
      { name: 'param', doc: 'Parameter that carries the cursor.', shape: text, required: true },
      ...countKeys,
    ],
  },
  {
    value: 'page',
    doc: 'Pages have numbers.',
    keys: [
      { name: 'param', doc: 'Parameter that carries the page number.', shape: text, default: 'page' },
      { name: 'start', doc: 'Number of the first page.', shape: wholeNumber(0), default: 1 },
      { name: 'total', doc: 'Path of the total number of pages.', shape: text },
      ...countKeys,
    ],
  },
  {
    value: 'offset',
    doc: 'Requests say how many records to skip.',
    keys: [
      { name: 'param', doc: 'Parameter that carries the offset.', shape: text, default: 'offset' },
      { name: 'start', doc: 'First offset.', shape: wholeNumber(0), default: 0 },
      { name: 'total', doc: 'Path of the total number of records.', shape: text },
      ...countKeys,
    ],
  },
]

// ---------------------------------------------------------------- the kinds of source

const restKeys: readonly Key[] = [
  {
    name: 'endpoint',
    doc: 'Address of the API, or env:NAME.',
    shape: formatted(webAddressFormat),
    required: true,
  },
  { name: 'resource', doc: 'Path below the endpoint.', shape: text, required: true },
  {
    name: 'method',
    doc: 'HTTP method.',
    default: 'GET',
    shape: choice(
      { value: 'GET', doc: 'Most APIs.' },
      { value: 'POST', doc: 'APIs that take a query as body.' },
    ),
  },
  { name: 'params', doc: 'Parameters of the address.', shape: recordOf('parameter', any), default: {} },
  { name: 'headers', doc: 'Request headers.', shape: recordOf('header', text, headerFormat), default: {} },
  { name: 'body', doc: 'JSON body of the request.', shape: any },
  auth,
  { name: 'records', doc: 'Path to the list of records; found out when absent.', shape: text },
  {
    name: 'paginate',
    doc: 'How to get from one page to the next.',
    default: 'auto',
    shape: shorthand(['type'], { kind: 'variants', doc: 'The way of paging.', variants: paginators }),
  },
  unbuilt('for_each', 'One request for each row of a parent asset.'),
  {
    name: 'on_status',
    doc: 'What to do about a status of the server.',
    default: {},
    shape: recordOf(
      'status',
      choice(
        { value: 'retry', doc: 'Try again.' },
        { value: 'skip', doc: 'Go on without this response.' },
        { value: 'fail', doc: 'The asset fails.' },
        { value: 'end', doc: 'There are no more pages.' },
      ),
      statusFormat,
    ),
  },
  {
    name: 'allow_hosts',
    doc: 'Further hosts that a next page or a redirect may lead to.',
    shape: oneOrMore(formatted(hostFormat)),
    default: [],
  },
  ...shared,
]

const fileKeys: readonly Key[] = [
  {
    name: 'endpoint',
    doc: "Folder, relative to the project's root.",
    shape: formatted(folderFormat),
    required: true,
  },
  { name: 'resource', doc: 'File name below it; * and ** match many.', shape: text, required: true },
  {
    name: 'format',
    doc: "How the files are written; the name's ending says it when absent.",
    shape: choice(
      { value: 'csv', doc: 'Text with a separator.' },
      { value: 'json', doc: 'One JSON value, or a list.' },
      { value: 'ndjson', doc: 'One JSON value a line.' },
      { value: 'parquet', doc: 'Apache Parquet.' },
    ),
  },
  {
    name: 'options',
    doc: 'Options of the reader: delimiter, header, quote, escape, null_string, encoding, records.',
    shape: recordOf('option', any),
    default: {},
  },
  unbuilt('only_new', 'Read each file once.'),
  ...shared,
]

export const ingestShape: ShorthandShape = shorthand(['type'], {
  kind: 'variants',
  doc: 'The kind of source.',
  variants: [
    { value: 'rest_api', doc: 'An HTTP API that answers with JSON.', keys: restKeys },
    { value: 'file', doc: 'CSV, JSON, NDJSON or Parquet files.', keys: fileKeys },
    {
      value: 'rows',
      doc: 'Rows written in the asset file itself.',
      keys: [
        {
          name: 'rows',
          doc: 'The rows, as mappings.',
          shape: listOf(recordOf('column', any)),
          required: true,
        },
        ...shared,
      ],
    },
    { value: 'none', doc: 'No source: the asset is a model of other assets.', keys: [] },
    { value: 'sql', doc: 'A table or query of another database.', keys: [], built: false },
    { value: 'python', doc: 'A Python function that yields records.', keys: [], built: false },
  ],
})
