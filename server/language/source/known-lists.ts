/**
 * A list that is empty in every record, or NULL, says nothing of what is in it. If earlier loads made a child table of it, it
 * stays that child table, without rows; else its readers would fail on a day on which nobody ordered anything.
 */
import type { Ingest, NoIngest } from '../schema/definition.ts'
import { listStep } from './list-step.ts'
import type { RawColumn, RawTable, SourceField, SourceType } from './source-shape.ts'

/** Returns the type with the fields of the child tables in `known`; their types are those of the earlier load. */
export function withKnownLists(
  type: SourceType,
  known: readonly RawTable[],
  { nested }: Pick<Exclude<Ingest, NoIngest>, 'nested'>,
): SourceType {
  if (nested.mode !== 'tables') return type
  const lists = known
    .filter(({ child }) => child !== undefined)
    .flatMap(table => {
      const path = table.columns.find(({ system, name }) => system && name === '_svc_idx')?.path
      return path === undefined ? [] : [{ path, columns: table.columns }]
    })
  const paths = lists.map(({ path }) => path)
  // Lists within lists come after those that they are in.
  return lists
    .toSorted((a, b) => a.path.length - b.path.length)
    .reduce((whole, { path, columns }) => filledAt(whole, path, fieldsOf(columns, path, paths)), type)
}

/** `lists`: the paths of all child tables, of which some are in the elements of this one. */
function fieldsOf(
  columns: readonly RawColumn[],
  path: readonly string[],
  lists: readonly (readonly string[])[],
): readonly SourceField[] {
  const values = columns
    .filter(({ system, absent }) => !system && absent !== true)
    .map(column => column.path.slice(path.length))
  const inner = lists
    .filter(list => list.length > path.length && path.every((step, at) => step === list[at]))
    .map(list => list.slice(path.length, -1))
  return [...values, ...inner]
    .filter(own => !own.includes(listStep))
    .reduce<readonly SourceField[]>((fields, own) => withField(fields, own), [])
}

function withField(
  fields: readonly SourceField[],
  [name, ...rest]: readonly string[],
): readonly SourceField[] {
  if (name === undefined) return fields
  const known = fields.find(field => field.name === name)
  const inner = known?.type.kind === 'struct' ? known.type.fields : []
  const type: SourceType =
    rest.length === 0 ? { kind: 'unknown' } : { kind: 'struct', fields: withField(inner, rest) }
  return known === undefined
    ? [...fields, { name, type }]
    : fields.map(field => (field === known ? { name, type } : field))
}

function filledAt(
  type: SourceType,
  [step, ...rest]: readonly string[],
  fields: readonly SourceField[],
): SourceType {
  if (step === listStep) {
    if (type.kind !== 'list' && type.kind !== 'unknown') return type
    const element: SourceType = type.kind === 'list' ? type.element : type
    const inner = rest.length > 0 ? filledAt(element, rest, fields) : filled(element, fields)
    return inner === element ? type : { kind: 'list', element: inner }
  }
  if (type.kind !== 'struct') return type
  const own = type.fields.find(({ name }) => name === step)
  const inner = own && filledAt(own.type, rest, fields)
  if (own === undefined || inner === undefined || inner === own.type) return type
  return { ...type, fields: type.fields.map(field => (field === own ? { ...own, type: inner } : field)) }
}

/** What is known of the elements leads. */
function filled(element: SourceType, fields: readonly SourceField[]): SourceType {
  if (element.kind === 'struct' && element.fields.length > 0) return element
  return element.kind === 'unknown' || element.kind === 'struct' ? { kind: 'struct', fields } : element
}
