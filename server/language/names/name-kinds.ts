/**
 * What the values of keys name, one line a kind: where it is looked up, and what becomes of a name that is not found. The
 * schema says of each key of which kind its names are.
 */

export interface NameFacts {
  /** What is named, in the singular. */
  readonly what: string
  /** When a name is looked up, and what becomes of one that is not found. */
  readonly unfound: string
}

const byColumns = 'an error as soon as the columns are known'

export const nameKinds = {
  asset: { what: 'an asset of the project', unfound: 'an error' },
  column: { what: 'a column of the asset', unfound: byColumns },
  'parent column': { what: 'a column of the asset of `for_each`', unfound: byColumns },
  'referenced column': { what: 'a column of the asset that is referenced', unfound: byColumns },
  'column of an asset': { what: 'a column of another asset, as asset.column', unfound: byColumns },
  'source column': {
    what: 'a column of the source, as the source or the warehouse spells it',
    unfound: `${byColumns}, else an error of the run`,
  },
  'new source column': {
    what: 'a column of the source, or one that it is to have',
    unfound: 'loaded as NULL, with a warning',
  },
  'source pattern': {
    what: 'columns of the source, with `*` and paths',
    unfound: 'a warning, or an error where a value would stay readable',
  },
  'child table': {
    what: 'a child table of the source',
    unfound: 'an error where a similar one is there, else a warning',
  },
  'cursor column': { what: 'a column of the source', unfound: `${byColumns}, else an error of the run` },
  environment: { what: 'an environment', unfound: 'an error where a similar one is there, else a warning' },
  variable: {
    what: 'a variable of the project',
    unfound: 'an error where a similar one is there, else a warning',
  },
  destination: {
    what: 'a destination of svc.yaml, or a new target',
    unfound: 'an error without a type of its own',
  },
  term: { what: 'a term of the glossary', unfound: 'an error' },
  selector: {
    what: 'assets, as svc run selects them',
    unfound: 'an error where a similar one is there, else a warning',
  },
  'path pattern': { what: 'asset files, by a pattern', unfound: 'a warning' },
  'asset pattern': { what: 'assets, by a pattern of their names', unfound: 'a warning' },
  type: { what: 'a type of the warehouse', unfound: 'an error' },
  role: { what: 'a role of the warehouse', unfound: 'an error of the run' },
  schema: { what: 'a schema of the warehouse', unfound: 'made by the run' },
  cte: { what: 'a CTE of the query', unfound: 'an error' },
  input: { what: 'an input of the query', unfound: 'an error' },
  option: { what: 'an option of the reader', unfound: 'an error' },
  extension: { what: 'an extension of the engine', unfound: 'an error' },
  tablespace: { what: 'a tablespace of the warehouse', unfound: 'an error of the run' },
  'engine setting': { what: 'a setting of the engine', unfound: 'an error of the run' },
  'index method': { what: 'a method of indexes', unfound: 'an error' },
  file: { what: 'a file or a folder', unfound: 'an error' },
  'answer path': {
    what: 'a member of the answers of a web service',
    unfound: 'an error or a warning of the run',
  },
  'answer header': {
    what: 'a header of the answers of a web service',
    unfound: 'an error or a warning of the run',
  },
  table: { what: 'a table of another database, or of the warehouse', unfound: 'an error of the run' },
  address: { what: 'an address, a path below one, or env:NAME', unfound: 'an error of the run' },
  host: { what: 'a host', unfound: 'an error of the run when another one is met' },
  status: { what: 'a status of HTTP', unfound: 'an error where it is none' },
  secret: { what: 'a secret, or env:NAME', unfound: 'an error of the run' },
  'request name': {
    what: 'a parameter, header or member that a service knows',
    unfound: 'sent as it is: only the service knows it',
  },
  'field of a destination': { what: 'a field of the destination', unfound: 'refused by the destination' },
  'new name': { what: 'what is made here', unfound: 'made' },
  text: { what: 'nothing: it is read by people, or sent as it is', unfound: 'nothing to find' },
} as const satisfies Readonly<Record<string, NameFacts>>

export type NameKind = keyof typeof nameKinds
