/** The same edits of sources of other kinds: tables of servers, files of web servers, records with lists in them. */
import {
  add,
  append,
  contract,
  type Edit,
  edit,
  merge,
  row,
  type SourceName,
  scd2,
  values,
} from './edit-cases.ts'
import { canStartMariadb } from './mariadb.ts'
import { canStartPostgres } from './postgres.ts'
import { typeUnderTest } from './warehouse-under-test.ts'

type Facts = Parameters<typeof edit>[3]

/** Keys that name another place, which has other rows: another table, or another file. */
const elsewhere: Readonly<Partial<Record<SourceName, string>>> = {
  mysql: 'type: sql, endpoint: env:MARIADB, resource: mysql_pii',
  postgres: 'type: sql, endpoint: env:POSTGRES, resource: public.postgres_pii',
  http: 'type: file, endpoint: "http://127.0.0.1:$port/files/http_other", resource: q.ndjson',
  nested: 'type: file, endpoint: data/nested_other, resource: q.ndjson',
}

/** Edits that mean the same whatever the rows come from. */
function sameEdits(kind: SourceName): readonly Edit[] {
  const asked = { wanted: 'asked' } as const
  const nothing = { second: [], ids: [1, 2, 3] }
  const named: Named = (name, texts, more = {}) => edit(kind, `${kind}_${name}`, texts, more)
  return [
    named('describe', add(merge, contract('columns: {v: {description: The value}}'))),
    named('pii', add(merge, contract('columns: {mail: {pii: true}}'))),
    named('wider', add(merge, contract(`columns: {w: ${typeUnderTest('DOUBLE')}}`)), {
      finds: ['SELECT w / 2 AS x FROM $t WHERE id = 1', [{ x: 0.5 }]],
    }),
    named('impossible', add(merge, contract(`columns: {v: ${typeUnderTest('INTEGER')}}`)), asked),
    named('rename', add(merge, contract('columns: {value: {from: v}}')), {
      finds: values('value', 'v1', 'v2'),
    }),
    named('exclude', add(merge, 'exclude: w')),
    named('exclude_less', [`${merge}, exclude: w`, merge], {
      warns: /3 rows that were gathered before are NULL in "w"/,
    }),
    named('mask', add(merge, 'mask: {mail: redact}'), { finds: values('mail', '***', '***') }),
    named('mask_less', [`${merge}, mask: {mail: redact}`, merge], asked),
    named('cursor', [merge, merge.replace('cursor: at', 'cursor: AT')]),
    named('key', [merge, merge.replace('primary_key: id', 'primary_key: ID')]),
    named('key_other', [merge, merge.replace('primary_key: id', 'primary_key: v')], asked),
    named('start', [merge, merge.replace('cursor: at', 'cursor: at, start: 2025-01-01')]),
    named('to_merge', [append, merge]),
    named('to_replace', [merge, ''], asked),
    named('other', [merge, `=${elsewhere[kind]}, ${merge}`], asked),
    named('forward', [append, `=${elsewhere[kind]}, ${append}, on_change: forward`], {
      ids: kind === 'mysql' || kind === 'postgres' ? [1, 2, 3, 4] : [1, 2, 3, 8],
    }),
    named('none', add(merge, contract('columns: {v: {description: The value}}')), nothing),
    named('none_mask', add(append, 'mask: {mail: redact}'), {
      ...nothing,
      finds: values('mail', '***', '***'),
    }),
    // Versions are kept of one table (`history-of-lists`).
    ...(kind === 'nested' ? [] : versionEdits(named)),
  ]
}

type Named = (name: string, texts: readonly [string, string], more?: Facts) => Edit

function versionEdits(named: Named): readonly Edit[] {
  return [
    named('versions', add(scd2, contract('columns: {v: {description: The value}}'))),
    named('versions_mask', add(scd2, 'mask: {mail: redact}'), { finds: values('mail', '***', '***') }),
    named('versions_key', [scd2, 'write: scd2, primary_key: v'], { wanted: 'asked' }),
  ]
}

/** Edits of what is in the lists of records, and of others after which the lists are still there. */
function editsOfLists(): readonly Edit[] {
  const named: Named = (name, texts, more = {}) => edit('nested', `lists_${name}`, texts, more)
  const lines = (columns: string) => contract(`tables: {lines: {columns: {${columns}}}}`)
  const counted = { finds: values('line_count', 2, 2) }
  const skus = { finds: values('last_sku', 'b1', 'b2') }
  return [
    named('describe', add(merge, lines('sku: {description: The article}')), skus),
    named('parent', add(merge, contract('columns: {v: {description: The value}}')), skus),
    named('pii', add(merge, lines('sku: {pii: true}')), skus),
    named('wider', add(merge, lines(`price: ${typeUnderTest('DOUBLE')}`)), counted),
    named('impossible', add(merge, lines(`sku: ${typeUnderTest('INTEGER')}`)), { wanted: 'asked' }),
    named('rename', [`${merge}${lines('price: {}')}`, `${merge}${lines('cost: {from: price}')}`], skus),
    named('required', add(merge, contract('tables: {lines: {required_columns: [sku]}}')), skus),
    named('mask', add(merge, 'mask: {mail: redact}'), skus),
    named('exclude', add(merge, 'exclude: w'), skus),
    named('start', [merge, merge.replace('cursor: at', 'cursor: at, start: 2025-01-01')], skus),
    named('to_merge', [append, merge], skus),
    named('append', add(append, lines('sku: {description: The article}')), skus),
    named('none', add(merge, lines('sku: {description: The article}')), {
      second: [],
      ids: [1, 2, 3],
      ...skus,
    }),
    named('none_old', add(merge, lines('sku: {description: The article}')), {
      second: [row(2)],
      ids: [1, 2, 3],
      ...skus,
    }),
  ]
}

export function editsOfKinds(): readonly Edit[] {
  return [
    ...(canStartMariadb() ? sameEdits('mysql') : []),
    ...(canStartPostgres() ? sameEdits('postgres') : []),
    ...sameEdits('http'),
    ...sameEdits('nested'),
    ...editsOfLists(),
  ]
}
