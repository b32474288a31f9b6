/** A project for each key of the schema whose names svc looks up: with this name at the key, and what is named elsewhere. */
import { type RestServer, sendJson, startRestServer } from './rest-server.ts'

export type Files = Readonly<Record<string, string>>

export interface Names {
  readonly right: string
  readonly letters: string
  readonly source: string
  readonly misspelt: string
  readonly other: string
}

export interface Place {
  readonly path: string
  readonly names: Names
  /** The project with these words at the key: one name in quotes, or a list of them. */
  readonly files: (words: string) => Files | Promise<Files>
  /** Whether the key takes a list. */
  readonly isList?: boolean
  /** A command that makes, in the folder \`made\`, what the project reads. */
  readonly before?: readonly string[]
}

const ofSource: Names = {
  right: 'updated_at',
  letters: 'UPDATED_AT',
  source: 'updatedAt',
  misspelt: 'updated_att',
  other: 'sku',
}
const ofAsset: Names = {
  right: 'order_id',
  letters: 'ORDER_ID',
  source: 'Order Id',
  misspelt: 'order_idd',
  other: 'sku',
}
const ofTable: Names = {
  right: 'order_lines',
  letters: 'ORDER_LINES',
  source: 'orderLines',
  misspelt: 'order_linse',
  other: 'people',
}
const ofPeople: Names = {
  ...ofAsset,
  right: 'people',
  letters: 'PEOPLE',
  source: 'People',
  misspelt: 'peopel',
  other: 'nobody',
}
const ofEnvironment: Names = {
  right: 'prod',
  letters: 'PROD',
  source: 'Prod',
  misspelt: 'prd',
  other: 'orders',
}
const ofVariable: Names = {
  right: 'limit',
  letters: 'LIMIT',
  source: 'Limit',
  misspelt: 'limti',
  other: 'orders',
}

const data = {
  'data/orders.ndjson': [
    '{"Order Id": 1, "updatedAt": "2026-01-01T00:00:00Z", "email": "a@example.com", "orderLines": [{"sku": 7}]}',
    '{"Order Id": null, "updatedAt": "2026-01-02T00:00:00Z", "email": "b@example.com", "orderLines": [{"sku": 8}]}',
    '',
  ].join('\n'),
  'models/people.svc': 'name: people\ningest: none\ntransform: SELECT 5 AS person\n',
}

function orders({
  ingest = '',
  more = '',
  select = 'SELECT * FROM {{ source }}',
  settings = '',
} = {}): Files {
  return {
    ...data,
    'svc.yaml': `name: shop\nvars: {limit: 1}\n${settings}`,
    'models/orders.svc': `name: orders\ningest: {type: file, endpoint: data, resource: orders.ndjson${ingest}}\n${more}\ntransform: ${select}\n`,
  }
}

const inIngest = (path: string, names: Names, write: (words: string) => string, isList = false): Place => ({
  path: `ingest(file).${path}`,
  names,
  isList,
  files: words => orders({ ingest: `, ${write(words)}` }),
})

const inAsset = (path: string, names: Names, write: (words: string) => string, isList = false): Place => ({
  path,
  names,
  isList,
  files: words => orders({ more: write(words) }),
})

const inSettings = (path: string, names: Names, write: (words: string) => string, isList = false): Place => ({
  path,
  names,
  isList,
  files: words =>
    orders({ settings: write(words), select: '"SELECT *, {{ var(\'limit\') }} AS most FROM {{ source }}"' }),
})

const inGlossary = (path: string, names: Names, write: (words: string) => string, isList = false): Place => ({
  path,
  names,
  isList,
  files: words => ({
    ...orders({ more: 'contract: {columns: {email: {pii: true}}}' }),
    'glossary.yaml': `terms: [{name: Order}]\n${write(words)}\n`,
  }),
})

let started: Promise<RestServer> | undefined

/** One server for every place that asks one; `closeServer` ends it. */
export async function server(): Promise<RestServer> {
  started ??= startRestServer().then(made => {
    made.route('/orders/5/lines', (_request, response) => sendJson(response, [{ id: 1, sku: 'a' }]))
    made.route('/hook', (_request, response) => sendJson(response, {}))
    return made
  })
  return started
}

export async function closeServer(): Promise<void> {
  await (await started)?.close()
}

/** A source that is asked for each row of another asset. */
const inForEach = (path: string, names: Names, write: (words: string) => string, isList = false): Place => ({
  path: `ingest(rest_api).for_each.${path}`,
  names,
  isList,
  files: async words => ({
    ...orders(),
    'models/orders.svc': `name: orders
ingest:
  type: rest_api
  endpoint: ${(await server()).origin}
  resource: orders/{parent.person}/lines
  primary_key: id
  for_each: {${write(words)}}
transform: SELECT * FROM {{ source }}
`,
  }),
})

const ofPerson: Names = {
  right: 'person',
  letters: 'PERSON',
  source: 'Person',
  misspelt: 'persno',
  other: 'sku',
}

const target = (keys: string) => `publish: {there: {type: file, endpoint: out, resource: a.csv, ${keys}}}`

export const places: readonly Place[] = [
  inIngest('primary_key[]', ofSource, words => `primary_key: ${words}`, true),
  inIngest('incremental.cursor', ofSource, words => `write: append, incremental: {cursor: ${words}}`),
  inIngest('include[]', ofSource, words => `include: ${words}`, true),
  inIngest('exclude[]', ofSource, words => `exclude: ${words}`, true),
  inIngest('mask.<column>', ofSource, words => `mask: {${words}: redact}`),
  inAsset('contract.required_columns[]', ofSource, words => `contract: {required_columns: ${words}}`, true),
  inAsset('contract.columns.<column>', ofSource, words => `contract: {columns: {${words}: {type: date}}}`),
  inAsset(
    'contract.columns.<column>.from',
    { ...ofSource, right: 'updatedAt', source: 'updated_at' },
    words => `contract: {columns: {changed: {from: ${words}}}}`,
  ),
  inAsset(
    'contract.columns.<column>.type',
    { right: 'date', letters: 'DATE', source: 'Date', misspelt: 'daet', other: 'orders' },
    words => `contract: {columns: {updated_at: {type: ${words}}}}`,
  ),
  inAsset(
    'contract.tables.<child table>',
    ofTable,
    words => `contract: {tables: {${words}: {columns: {sku: {type: varchar, pii: true}}}}}`,
  ),
  inAsset(
    'contract.tables.<child table>.required_columns[]',
    { right: 'sku', letters: 'SKU', source: 'Sku', misspelt: 'skuu', other: 'email' },
    words => `contract: {tables: {order_lines: {required_columns: ${words}}}}`,
    true,
  ),
  ...['', '.type', '.from'].map(
    (key): Place =>
      inAsset(
        `contract.tables.<child table>.columns.<column>${key}`,
        key === '.type'
          ? { right: 'bigint', letters: 'BIGINT', source: 'Bigint', misspelt: 'bigitn', other: 'orders' }
          : { right: 'sku', letters: 'SKU', source: 'Sku', misspelt: 'skuu', other: 'email' },
        words =>
          `contract: {tables: {order_lines: {columns: ${
            { '': `{${words}: {type: varchar}}`, '.type': `{sku: {type: ${words}}}` }[key] ??
            `{article: {from: ${words}}}`
          }}}}`,
      ),
  ),
  inForEach('asset', ofPeople, words => `asset: ${words}, columns: person`),
  inForEach('columns[]', ofPerson, words => `asset: people, columns: ${words}`, true),
  inForEach('carry[]', ofPerson, words => `asset: people, columns: person, carry: ${words}`, true),
  {
    path: 'ingest(file).options.<option>',
    names: {
      right: 'delimiter',
      letters: 'DELIMITER',
      source: 'Delimiter',
      misspelt: 'delimeter',
      other: 'sku',
    },
    files: words => ({
      ...orders(),
      'data/orders.csv': 'order_id;sku\n1;a\n',
      'models/orders.svc': `name: orders\ningest: {type: file, endpoint: data, resource: orders.csv, options: {${words}: ";"}}\ntransform: SELECT * FROM {{ source }}\n`,
    }),
  },
  inAsset(
    'deploy.indexes[].method',
    { right: 'art', letters: 'ART', source: 'Art', misspelt: 'atr', other: 'btree' },
    words => `deploy: {indexes: [{columns: order_id, method: ${words}}]}`,
  ),
  {
    path: 'columns.<column>.term',
    names: { right: 'Order', letters: 'ORDER', source: 'order', misspelt: 'Ordre', other: 'people' },
    files: words => ({
      ...orders({ more: `columns: {order_id: {term: ${words}}}` }),
      'glossary.yaml': 'terms: [{name: Order}]\n',
    }),
  },
  ...(['key', 'fields'] as const).map(
    (key): Place => ({
      path: `destinations.<destination>(file).${key === 'key' ? 'key[]' : 'fields.<field>'}`,
      names: ofAsset,
      isList: key === 'key',
      files: words =>
        orders({
          more: 'publish: {there: {}}',
          settings: `destinations: {there: {type: file, endpoint: out, resource: a.csv, ${key}: ${key === 'key' ? words : `{a: ${words}}`}}}`,
        }),
    }),
  ),
  {
    path: 'notify.<notifier>(webhook).select',
    names: { ...ofPeople, right: 'orders', letters: 'ORDERS', source: 'Orders', misspelt: 'ordres' },
    files: async words =>
      orders({
        more: 'tests: [{not_null: order_id}]',
        settings: `notify: {ops: {type: webhook, endpoint: "${(await server()).origin}/hook", select: ${words}}}`,
      }),
  },
  inSettings(
    'extensions[].name',
    { right: 'json', letters: 'JSON', source: 'Json', misspelt: 'jsno', other: 'orders' },
    words => `extensions: [{name: ${words}}]`,
  ),
  inAsset('columns.<column>', ofAsset, words => `columns: {${words}: {pii: true}}`),
  inAsset(
    'columns.<column>.type',
    { right: 'bigint', letters: 'BIGINT', source: 'Bigint', misspelt: 'bigitn', other: 'orders' },
    words => `columns: {order_id: {type: ${words}}}`,
  ),
  inAsset('freshness.column', ofSource, words => `freshness: {warn_after: 12h, column: ${words}}`),
  inAsset('deploy.indexes[].columns[]', ofAsset, words => `deploy: {indexes: [{columns: ${words}}]}`, true),
  inAsset(
    'contract.constraints.primary_key[]',
    ofAsset,
    words => `contract: {constraints: {primary_key: ${words}}}`,
    true,
  ),
  inAsset(
    'contract.constraints.unique[][]',
    ofAsset,
    words => `contract: {constraints: {unique: [${words}]}}`,
    true,
  ),
  inAsset(
    'contract.constraints.foreign_keys[].columns[]',
    { ...ofAsset, other: 'nothing' },
    words =>
      `contract: {constraints: {primary_key: order_id, foreign_keys: [{columns: ${words}, references: orders}]}}`,
    true,
  ),
  inAsset(
    'contract.constraints.foreign_keys[].references',
    { ...ofPeople, right: 'orders', letters: 'ORDERS', source: 'Orders', misspelt: 'ordres' },
    words =>
      `contract: {constraints: {primary_key: order_id, foreign_keys: [{columns: order_id, references: ${words}}]}}`,
  ),
  inAsset(
    'contract.constraints.foreign_keys[].to[]',
    ofAsset,
    words =>
      `contract: {constraints: {primary_key: order_id, foreign_keys: [{columns: order_id, references: orders, to: ${words}}]}}`,
    true,
  ),
  inAsset('tests[].not_null[]', ofAsset, words => `tests: [{not_null: ${words}}]`, true),
  inAsset(
    'tests[].not_blank[]',
    { ...ofAsset, right: 'email', letters: 'EMAIL', source: 'Email', misspelt: 'emial' },
    words => `tests: [{not_blank: ${words}}]`,
    true,
  ),
  inAsset('tests[].unique[]', ofAsset, words => `tests: [{unique: ${words}}]`, true),
  inAsset(
    'tests[].accepted_values.<column>',
    ofAsset,
    words => `tests: [{accepted_values: {${words}: [7]}}]`,
  ),
  inAsset('tests[].range.<column>', ofAsset, words => `tests: [{range: {${words}: {min: 7}}}]`),
  inAsset(
    'tests[].matches.<column>',
    { ...ofAsset, right: 'email', letters: 'EMAIL', source: 'Email', misspelt: 'emial' },
    words => `tests: [{matches: {${words}: "^x"}}]`,
  ),
  inAsset('tests[].fresh.column', ofSource, words => `tests: [{fresh: {column: ${words}, within: 1h}}]`),
  inAsset(
    'tests[].relationships.<column>',
    ofAsset,
    words => `tests: [{relationships: {${words}: people.person}}]`,
  ),
  inAsset(
    'tests[].relationships.<column>',
    {
      right: 'people.person',
      letters: 'people.PERSON',
      source: 'people.Person',
      misspelt: 'people.persno',
      other: 'orders.sku',
    },
    words => `tests: [{relationships: {order_id: ${words}}}]`,
  ),
  inAsset(
    'tests[].unit.given.<input>',
    { right: 'source', letters: 'SOURCE', source: 'Source', misspelt: 'sorce', other: 'people' },
    words => `tests: [{unit: {given: {${words}: [{order_id: 1}]}, expect: [{order_id: 1}]}}]`,
  ),
  {
    path: 'tests[].unit.vars.<variable>',
    names: ofVariable,
    files: words =>
      orders({
        more: `tests: [{unit: {vars: {${words}: 3}, given: {source: [{order_id: 1}]}, expect: [{order_id: 1}]}}]`,
        select: '"SELECT *, {{ var(\'limit\') }} AS most FROM {{ source }}"',
      }),
  },
  {
    path: 'tests[].unit.cte',
    names: { right: 'x', letters: 'X', source: 'X', misspelt: 'xx', other: 'people' },
    files: words =>
      orders({
        more: `tests: [{unit: {cte: ${words}, given: {source: [{order_id: 1}]}, expect: [{order_id: 1}]}}]`,
        select: '"WITH x AS (SELECT * FROM {{ source }}) SELECT * FROM x"',
      }),
  },
  inAsset('publish.<target>.key[]', ofAsset, words => target(`key: ${words}`), true),
  inAsset('publish.<target>.fields.<field>', ofAsset, words => target(`fields: {a: ${words}}`)),
  inAsset('publish.<target>.environments[]', ofEnvironment, words => target(`environments: ${words}`), true),
  {
    path: 'publish.<target>',
    names: { right: 'there', letters: 'THERE', source: 'There', misspelt: 'thrre', other: 'orders' },
    files: words =>
      orders({
        more: `publish: {${words}: {key: order_id}}`,
        settings: 'destinations: {there: {type: file, endpoint: out, resource: a.csv}}',
      }),
  },
  inSettings(
    'environments.<environment>.vars.<variable>',
    ofVariable,
    words => `environments: {prod: {vars: {${words}: 3}}}`,
  ),
  inSettings(
    'notify.<notifier>(slack).environments[]',
    ofEnvironment,
    words => `notify: {ops: {type: slack, endpoint: env:HOOK, environments: ${words}}}`,
    true,
  ),
  inSettings(
    'openlineage(file).environments[]',
    ofEnvironment,
    words => `openlineage: {type: file, path: events.ndjson, environments: ${words}}`,
    true,
  ),
  inSettings(
    'destinations.<destination>(file).environments[]',
    ofEnvironment,
    words => `destinations: {there: {type: file, endpoint: out, resource: a.csv, environments: ${words}}}`,
    true,
  ),
  inSettings(
    'defaults.<pattern>',
    {
      right: 'models/**',
      letters: 'MODELS/**',
      source: './Models/**',
      misspelt: 'modles/**',
      other: 'data/**',
    },
    words => `defaults: {${words}: {tags: [x]}}`,
  ),
  inGlossary(
    'links[].asset',
    { ...ofPeople, right: 'orders', letters: 'ORDERS', source: 'Orders', misspelt: 'ordres' },
    words => `links: [{term: Order, asset: ${words}}]`,
  ),
  inGlossary('links[].column', ofAsset, words => `links: [{term: Order, asset: orders, column: ${words}}]`),
  inGlossary(
    'links[].term',
    { right: 'Order', letters: 'ORDER', source: 'order', misspelt: 'Ordre', other: 'people' },
    words => `links: [{term: ${words}, asset: orders}]`,
  ),
  inGlossary(
    'metrics[].source_assets[]',
    { ...ofPeople, right: 'orders', letters: 'ORDERS', source: 'Orders', misspelt: 'ordres' },
    words =>
      `metrics: [{name: M, sql_definition: "SELECT count(*) AS n FROM orders", source_assets: ${words}}]`,
    true,
  ),
  inGlossary(
    'policies[].applies_to[]',
    { ...ofPeople, right: 'orders', letters: 'ORDERS', source: 'Orders', misspelt: 'ordres' },
    words => `policies: [{name: P, rule: None, applies_to: ${words}}]`,
    true,
  ),
  inGlossary(
    'policies[].pii_columns[]',
    { ...ofAsset, right: 'email', letters: 'EMAIL', source: 'Email', misspelt: 'emial' },
    words => `policies: [{name: P, rule: None, applies_to: [orders], pii_columns: ${words}}]`,
    true,
  ),
]

const ofRoles = 'only PostgreSQL has roles: test/cli/postgres.test.ts'

/** The keys without a place, and why. */
export const placeless: Readonly<Record<string, string>> = {
  'ingest(sql).split.by': 'only databases that run as servers are read in parts',
  'ingest(warehouse).changed_by':
    'it names a column of a table that svc did not load: test/cli/changed-by.test.ts',
  'deploy.grants.select[]': ofRoles,
  'defaults.<pattern>.deploy.grants.select[]': ofRoles,
}
