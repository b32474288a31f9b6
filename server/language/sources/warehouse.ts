import { counted } from '../project/counted.ts'
import type { WarehouseIngest } from '../schema/definition.ts'
import { formatted, type Key, nameOr, otherWordsFor, type TextFormat } from '../schema/shape.ts'
import { placeholder } from '../text/snippet.ts'
import { sharedIdentity } from './shared-identity.ts'
import { sharedKeys, usualLimits } from './shared-keys.ts'
import type { SourceKind } from './source-kind.ts'

const part = '("(?:[^"]|"")+"|[^".]+)'

const tableFormat: TextFormat = {
  pattern: new RegExp(String.raw`^${part}\.${part}$`),
  rule: 'a table of the warehouse is schema.table; a name with a dot stands in double quotes',
}

/** The shared keys that a table of the warehouse has: everything else is about how rows come from elsewhere. */
const chosen: readonly string[] = ['include', 'exclude']

const keys: readonly Key[] = [
  {
    name: 'resource',
    names: 'table',
    doc: 'Table or view of the warehouse: schema.table.',
    shape: formatted(tableFormat),
    required: true,
  },
  {
    name: 'changed_by',
    names: 'source column',
    doc: 'How a run knows whether the rows have changed: by reading all of them, by the greatest value of a column, or not at all.',
    shape: nameOr({
      scan: 'Every run reads all rows.',
      never: 'The rows that were loaded first count as unchanged.',
    }),
    default: 'scan',
  },
  ...sharedKeys.filter(({ name }) => chosen.includes(name)),
]

/** Returns what the definition has in place of the keys that such a source lacks: the table is taken as it is. */
function unwritten(): Readonly<Record<string, unknown>> {
  return {
    credentials: '',
    write: 'replace',
    onChange: 'fail',
    primaryKey: [],
    mask: {},
    naming: 'source',
    nested: { mode: 'json', depth: 0 },
    limits: usualLimits(),
  }
}

export const warehouse: SourceKind<WarehouseIngest> = {
  variant: {
    value: 'warehouse',
    doc: 'A table or view of the warehouse that something else writes: nothing is fetched.',
    keys,
    unwritten,
    otherWords: {
      ...otherWordsFor(
        ['endpoint', 'url', 'database', 'connection', 'table', 'schema', 'relation', 'source'],
        'A table of the warehouse has one address: resource, its schema.table.',
      ),
      ...otherWordsFor(
        sharedKeys.map(({ name }) => name).filter(name => !chosen.includes(name)),
        'A table of the warehouse is read where it is: it has the keys resource, changed_by, include and exclude.',
      ),
    },
  },
  inWords: 'a table of the warehouse',
  summary: ({ type, resource }) => `${type} ${resource}`,
  dataset: ({ resource }) => ({ name: resource.replaceAll('"', '') }),
  identity: ({ type, resource, changedBy: _changedBy, ...shared }) =>
    // It says how changes are found, not which rows there are.
    counted({ type, resource, ...sharedIdentity(shared) }),
  history: { resource: 'origin', changedBy: 'none' },
  changesTold: ({ changedBy }) => {
    if (changedBy === 'scan') return undefined
    return changedBy === 'never' ? { by: 'never' } : { by: 'column', column: changedBy }
  },
  inWarehouse: true,
  skeleton: {
    label: 'warehouse source',
    detail: 'an asset read from a table that something else writes into the warehouse',
    ingest: name => [`ingest: {type: warehouse, resource: ${placeholder(3, `raw.${name}`)}}`],
  },
}
