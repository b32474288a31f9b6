/**
 * Every key of the schema that names something, with names that are right, spelled in other ways, or wrong: each is found, or
 * something is said. `places` has a project for the keys of each path; what names nothing that svc can look up is in `unseen`.
 */
import type { NameKind } from '../../server/language/names/name-kinds.ts'
import { namingKeys } from '../../server/language/names/naming-keys.ts'
import { assetShape } from '../../server/language/schema/asset-schema.ts'
import { glossaryShape } from '../../server/language/schema/glossary-schema.ts'
import { settingsShape } from '../../server/language/schema/settings-schema.ts'
import { createProjectHere } from './cli-here.ts'

type Files = Readonly<Record<string, string>>

/** A way to write a name; `twice` writes the right one two times where the key takes a list. */
export const spellings = ['right', 'letters', 'source', 'misspelt', 'other', 'empty', 'twice'] as const

export type Spelling = (typeof spellings)[number]

interface Names {
  readonly right: string
  readonly letters: string
  readonly source: string
  readonly misspelt: string
  readonly other: string
}

interface Place {
  readonly path: string
  readonly names: Names
  /** The project with these words at the key: one name in quotes, or a list of them. */
  readonly files: (words: string) => Files
  /** Whether the key takes a list. */
  readonly isList?: boolean
}

/** Nothing to look up: the value is free, is made here, or only somebody else knows it; a run says what does not work. */
export const outside: readonly NameKind[] = [
  'text',
  'new name',
  'request name',
  'field of a destination',
  'secret',
  'address',
  'host',
  'status',
  'schema',
  'table',
  'file',
  'answer path',
  'answer header',
]

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
  inAsset('columns.<column>', ofAsset, words => `columns: {${words}: {pii: true}}`),
  inAsset(
    'columns.<column>.type',
    { right: 'bigint', letters: 'BIGINT', source: 'Bigint', misspelt: 'bigitn', other: 'orders' },
    words => `columns: {order_id: {type: ${words}}}`,
  ),
  inAsset('freshness.column', ofSource, words => `freshness: {warn_after: 12h, column: ${words}}`),
  inAsset('deploy.indexes[].columns[]', ofAsset, words => `deploy: {indexes: [{columns: ${words}}]}`, true),
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
    words => `metrics: [{name: M, sql_definition: "SELECT 1 AS n", source_assets: ${words}}]`,
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

/** The keys that name something that svc can look up, by the path in the file. */
export function lookedUpKeys() {
  return [assetShape, settingsShape, glossaryShape].flatMap(({ keys }) =>
    namingKeys(keys).filter(({ names }) => names !== undefined && !outside.includes(names)),
  )
}

/** Returns whether a place shows a key: variants of one key, and what `defaults` has of an asset, are read by one reader. */
export function shows(place: Place, path: string): boolean {
  const plain = (text: string) => text.replace(/\(\w+\)/g, '').replace(/^defaults\.<pattern>\./, '')
  return plain(place.path) === plain(path)
}

export interface Outcome {
  /** What validate and the run say and deliver, without what differs from run to run. */
  readonly effect: string
  /** How much of it is told: problems, warnings, failures. */
  readonly told: number
}

export async function outcomeOf(place: Place, spelling: Spelling | 'absent'): Promise<Outcome> {
  const project = createProjectHere(spelling === 'absent' ? orders() : place.files(wordsOf(place, spelling)))
  try {
    const checked = await project.svc(['validate'])
    const ran = await project.svc(['run', '--all', '--env', 'prod'])
    const rows = await project.svc(['sample', 'orders', '--env', 'prod', '--json'])
    const said = `${checked.stdout}${checked.stderr}${ran.stdout}${ran.stderr}`
    const told =
      (said.match(/\b(error|warning|FAIL|fail(ed)?)\b/gi) ?? []).length +
      Number(checked.code) +
      Number(ran.code)
    const lines = /"rows":.*/s.exec(rows.stdout)?.[0] ?? ''
    return {
      effect: `${checked.code} ${ran.code} ${sortedParts(lines.toLowerCase().replaceAll('_', ''))}`,
      told,
    }
  } finally {
    project.remove?.('.')
  }
}

/** A load without an order of its own may have its rows in any. */
function sortedParts(rows: string): string {
  return rows
    .split(/[[\]{},\s]+/)
    .sort()
    .join(' ')
}

function wordsOf({ names, isList }: Place, spelling: Spelling): string {
  const quoted = JSON.stringify(
    spelling === 'twice' ? names.right : spelling === 'empty' ? '' : names[spelling],
  )
  if (isList !== true) return spelling === 'twice' ? `${quoted}: {}, ${quoted}` : quoted
  return spelling === 'twice' ? `[${quoted}, ${quoted}]` : `[${quoted}]`
}

/** Returns what is silent: a spelling that neither does what the right name does, nor is told. */
export async function silentOnes(
  place: Place,
  tried: readonly Spelling[] = spellings,
): Promise<readonly string[]> {
  const [right, absent] = [await outcomeOf(place, 'right'), await outcomeOf(place, 'absent')]
  const silent: string[] = []
  for (const spelling of tried.filter(
    each => each !== 'right' && (each !== 'twice' || place.isList === true),
  )) {
    const { effect, told } = await outcomeOf(place, spelling)
    const mayBeSame = ['letters', 'source', 'twice'].includes(spelling)
    const isFound = mayBeSame && effect === right.effect && told === right.told
    if (told <= absent.told && !isFound) silent.push(`${place.path}: ${spelling}`)
  }
  return silent
}
