/** The ways in which a personal value comes into a project: kind of source × kind of column × who says that it is personal. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { secretForms } from './secret-forms.ts'

export interface Way {
  readonly name: string
  /** The value, as a person would look for it in a file. */
  readonly seen: RegExp
  /** `models/people.svc` up to its transform, without the keys of `ingest` and `contract` that a case adds. */
  readonly ingest: string
  readonly mark: string
  readonly more?: string
  /** The personal column of the output of `people` as a text. */
  readonly who: string
  readonly select?: string
  readonly files: Readonly<Record<string, string>>
  /** What a file of text cannot hold. */
  readonly make?: (root: string) => Promise<void>
  /** The records that the web service has. */
  readonly records?: readonly object[]
  readonly policies?: string
  /** It stands in the file of the asset: what is kept of definitions has it as well, and nothing else. */
  readonly isOwn?: boolean
  /** It is masked at the source: then not even a target gets it. */
  readonly isMasked?: boolean
}

const mail = 'zelda.quist@example.com'
const quoted = "Zelda \"Zee' O'Quist\\"
const unicode = 'Żelda Qüist 東京花子'
const number = 4917612345678
const day = '1971-03-29'

const csv = (value: string) => ({
  'data/people.csv': `id,who,note\n1,${value},one\n2,${value},two\n`,
})
const ndjson = (value: unknown) => ({
  'data/people.ndjson': `${[1, 2].map(id => JSON.stringify({ id, who: value, note: 'x' })).join('\n')}\n`,
})
const ofFile = (resource: string) => `type: file, endpoint: ./data, resource: ${resource}`
const marked = (type: string) => `who: {type: ${type}, pii: true}`
const ofCsv = { ingest: ofFile('people.csv'), who: 'CAST(who AS VARCHAR)' }
const ofNdjson = { ingest: ofFile('people.ndjson'), who: 'CAST(who AS VARCHAR)' }

/** Runs SQL of DuckDB, in which `<root>` is the folder. */
export async function makeWith(root: string, ...statements: string[]): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  for (const sql of statements) await connection.run(sql.replaceAll('<root>', root))
  connection.closeSync()
  instance.closeSync()
}

export const ways: readonly Way[] = [
  { name: 'csv text', seen: secretForms(mail), mark: marked('varchar'), files: csv(mail), ...ofCsv },
  {
    ...{ name: 'csv quoted', seen: secretForms(quoted), mark: marked('varchar'), ...ofCsv },
    files: csv(`"${quoted.replaceAll('"', '""')}"`),
  },
  { name: 'csv unicode', seen: secretForms(unicode), mark: marked('varchar'), files: csv(unicode), ...ofCsv },
  {
    name: 'csv number',
    seen: secretForms(String(number)),
    mark: marked('bigint'),
    files: csv(String(number)),
    ...ofCsv,
  },
  { name: 'csv date', seen: secretForms(day), mark: marked('date'), files: csv(day), ...ofCsv },
  {
    name: 'csv decimal',
    seen: secretForms('4917612345.67'),
    mark: marked('"decimal(18, 2)"'),
    files: csv('4917612345.67'),
    ...ofCsv,
  },
  { name: 'json text', seen: secretForms(mail), mark: marked('varchar'), files: ndjson(mail), ...ofNdjson },
  {
    ...{
      name: 'json object',
      seen: secretForms(mail),
      mark: 'who: {pii: true}',
      files: ndjson({ mail, deep: { again: [mail] } }),
    },
    ...{
      ingest: ofFile('people.ndjson'),
      who: 'who__mail',
      select: 'SELECT id, who__mail, note FROM {{ source }}',
    },
  },
  {
    ...{
      name: 'json column',
      seen: secretForms(quoted),
      mark: marked('json'),
      files: ndjson({ name: quoted, numbers: [quoted, number] }),
    },
    ...ofNdjson,
  },
  {
    name: 'json quoted',
    seen: secretForms(quoted),
    mark: marked('varchar'),
    files: ndjson(quoted),
    ...ofNdjson,
  },
  {
    ...{ name: 'service text', seen: secretForms(unicode), mark: marked('varchar'), files: {} },
    ...{
      ingest: 'type: rest_api, endpoint: "<origin>", resource: people, paginate: none',
      who: 'CAST(who AS VARCHAR)',
    },
    records: [1, 2].map(id => ({ id, who: unicode, note: 'x' })),
  },
  {
    ...{ name: 'service key', seen: secretForms('zelda.quist'), mark: marked('varchar'), files: {} },
    ...{
      ingest: 'type: rest_api, endpoint: "<origin>", resource: people, paginate: none, primary_key: who',
    },
    ...{ who: 'CAST(who AS VARCHAR)' },
    records: [1, 2].map(id => ({ id, who: `${id}.${mail}`, note: 'x' })),
  },
  {
    ...{
      name: 'database text',
      seen: secretForms(quoted),
      mark: marked('varchar'),
      files: {},
      who: 'CAST(who AS VARCHAR)',
    },
    ingest: 'type: sql, endpoint: "duckdb:./there.duckdb", resource: people',
    make: root =>
      makeWith(
        root,
        "ATTACH '<root>/there.duckdb' AS there",
        `CREATE TABLE there.people AS SELECT n AS id, '${quoted.replaceAll("'", "''")}' AS who, 'x' AS note FROM range(1, 3) AS t(n)`,
      ),
  },
  {
    ...{
      name: 'parquet date',
      seen: secretForms(day),
      mark: marked('date'),
      files: {},
      who: 'CAST(who AS VARCHAR)',
    },
    ingest: ofFile('people.parquet'),
    make: async root => {
      writeFileSync(join(root, 'data-is-made'), '')
      await makeWith(
        root,
        `COPY (SELECT n AS id, DATE '${day}' AS who, 'x' AS note FROM range(1, 3) AS t(n)) TO '<root>/data/people.parquet' (FORMAT parquet)`,
      )
    },
  },
  {
    ...{
      name: 'rows text',
      seen: secretForms(mail),
      mark: marked('varchar'),
      files: {},
      who: 'CAST(who AS VARCHAR)',
      isOwn: true,
    },
    ingest: `type: rows, rows: [{id: 1, who: ${mail}, note: x}, {id: 2, who: ${mail}, note: y}]`,
  },
  {
    ...{ name: 'csv by a policy', seen: secretForms(mail), mark: 'who: varchar', files: csv(mail), ...ofCsv },
    policies: '  - {name: People, rule: x, pii_columns: [people.who], enforcement: warn}\n',
  },
  {
    ...{ name: 'csv by its output', seen: secretForms(mail), mark: 'who: varchar', files: csv(mail) },
    ...{ ingest: ofFile('people.csv'), who: 'contact', more: 'columns: {contact: {pii: true}}\n' },
    select: 'SELECT id, who AS contact, note FROM {{ source }}',
  },
  {
    ...{
      name: 'csv masked',
      seen: secretForms(mail),
      mark: 'who: varchar',
      files: csv(mail),
      isMasked: true,
    },
    ...{ ingest: `${ofFile('people.csv')}, mask: {who: redact}`, who: 'CAST(who AS VARCHAR)' },
  },
  {
    ...{
      name: 'json masked',
      seen: secretForms(quoted),
      mark: 'note: varchar',
      files: ndjson({ mail: quoted }),
    },
    ...{ ingest: `${ofFile('people.ndjson')}, mask: {who: redact}`, who: 'who__mail', isMasked: true },
    select: 'SELECT id, who__mail, note FROM {{ source }}',
  },
]
