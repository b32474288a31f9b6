/** The columns of a table, as templates ask for them: they come from the files that the import writes. */
import { CallProblem } from '../jinja/problem.ts'
import { fn, JinjaObject, kindOf, type Value } from '../jinja/values.ts'
import type { DbtProject } from './dbt-project.ts'
import { assetOf } from './references.ts'

export interface KnownColumn {
  readonly name: string
  /** Undefined where a schema file names the column alone. */
  readonly type: string | undefined
}

/** What is known of columns, and of which assets somebody wants to know them. */
export interface RelationColumns {
  readonly known: ReadonlyMap<string, readonly KnownColumn[]>
  readonly wanted: Set<string>
  /** The assets whose columns a template was told. */
  readonly told: Set<string>
}

/** Returns undefined for a table whose columns are not known; whoever runs the import may find them and run it again. */
export function columnsIfKnown(
  { columns }: DbtProject,
  table: Value | undefined,
): readonly KnownColumn[] | undefined {
  const asset = assetOf(table)
  if (asset === undefined)
    throw new CallProblem(`${kindOf(table ?? null)} is no table`, 'Give it ref(…) or source(…).')
  columns.wanted.add(asset)
  return columns.known.get(asset)
}

export function useColumns({ columns }: DbtProject, table: Value | undefined): void {
  const asset = assetOf(table)
  if (asset !== undefined) columns.told.add(asset)
}

/** Throws CallProblem for a table whose columns are not known. */
export function columnsOfTable(project: DbtProject, table: Value | undefined): readonly KnownColumn[] {
  const known = columnsIfKnown(project, table)
  if (known !== undefined) {
    useColumns(project, table)
    return known
  }
  throw new CallProblem(
    `the columns of ${assetOf(table)} are not known while svc imports`,
    'List them under columns of the source, or write them out where they are asked for.',
    { message: 'the columns of a table are not known while svc imports' },
  )
}

const integers =
  /^(tinyint|smallint|integer|bigint|hugeint|u(tinyint|smallint|integer|bigint|hugeint)|int[248]?)$/i
const floats = /^(real|float[48]?|double( precision)?)$/i
const texts = /^(varchar|text|char|character varying)\b/i
const decimals = /^(decimal|numeric)\b/i

/** A column as dbt hands it to templates. */
export function columnValue({ name, type }: KnownColumn): JinjaObject {
  return type === undefined ? untypedColumn(name) : typedColumn(name, type)
}

/** Its name is all that is known of it. */
function untypedColumn(name: string): JinjaObject {
  return new JinjaObject({
    name: `the column ${name}`,
    text: () => `<Column ${name}>`,
    member(member) {
      const known = namesOf(name)
      if (Object.hasOwn(known, member)) return known[member]
      if (member === 'known_type') return null
      throw new CallProblem(
        `the type of the column ${name} is not known while svc imports`,
        'Declare it as its data_type under columns of the source.',
        { message: 'the type of a column is not known while svc imports' },
      )
    },
  })
}

function namesOf(name: string): Readonly<Record<string, Value>> {
  return { name, column: name, quoted: `"${name.replaceAll('"', '""')}"` }
}

function typedColumn(name: string, type: string): JinjaObject {
  const kinds: Readonly<Record<string, boolean>> = {
    is_string: texts.test(type),
    is_integer: integers.test(type),
    is_float: floats.test(type),
    is_numeric: decimals.test(type),
    is_number: integers.test(type) || floats.test(type) || decimals.test(type),
  }
  const members: Readonly<Record<string, Value>> = {
    ...namesOf(name),
    ...{ dtype: type, known_type: type },
    // A text without a length is one of 256 letters to dbt.
    data_type: texts.test(type) ? 'character varying(256)' : type,
    char_size: null,
  }
  return new JinjaObject({
    name: `the column ${name}`,
    text: () => `<Column ${name} (${type})>`,
    member(member) {
      const kind = Object.hasOwn(kinds, member) ? kinds[member] : undefined
      if (kind !== undefined) return fn(member, () => kind)
      if (member === 'string_size') return fn(member, () => 256)
      return Object.hasOwn(members, member) ? members[member] : undefined
    },
  })
}
