/**
 * Finds the types of JSON values of which a few are of another kind (a number with 41 digits, a text among
 * times), and of numbers that a DOUBLE would round. The scanner sees that there are such values; how many decides, and
 * the warehouse's own reader counts them. Values inside lists keep the type that holds all of them.
 */
import {
  type Candidate,
  type FoundType,
  foundTypes,
  type Ladder,
  type LocalReader,
  laddersFor,
  scalarOf,
} from '@svc/server/catalog'
import { type JsonShape, mixedValues, type SourceType } from '@svc/server/language'
import { recordName } from './record-names.ts'
import type { RecordSource } from './record-source.ts'
import { access, unnamedColumn } from './table-sql.ts'

/** Returns the source with the types that all but a few values have. */
export async function withLooseTypes(
  source: RecordSource,
  shape: JsonShape | undefined,
  local: LocalReader,
): Promise<RecordSource> {
  const mixed = shape === undefined ? [] : mixedValues(shape)
  if (mixed.length === 0) return source
  const { booleans, numbers, times } = laddersFor()
  const ladders: Readonly<Record<string, Ladder>> = { boolean: booleans, number: numbers, time: times }
  const columns = mixed.map(({ path }) => unnamedColumn(path, 'VARCHAR'))
  const candidates = mixed.flatMap(({ path, kinds }, index) =>
    kinds.map((kind): Candidate => {
      const rungs = ladders[kind] ?? []
      return { name: `${index} ${kind}`, value: access(recordName, path), rungs }
    }),
  )
  const { types } = await foundTypes(local, `${source.from(columns)} AS ${recordName}`, candidates)
  const found = mixed.flatMap(({ path, kinds, isOfOneKind }, index) => {
    const [first] = kinds.flatMap(kind => types.get(`${index} ${kind}`) ?? [])
    if (first === undefined) return []
    // A text is never a misfit of a column of texts.
    const loose = first.type !== 'VARCHAR' && (first.loose || !isOfOneKind)
    return [{ path, type: { ...first, loose } }]
  })
  if (found.length === 0) return source
  return source.retyped(
    found.reduce((type, { path, type: loose }) => replacedAt(type, path, loose), source.recordType),
  )
}

function replacedAt(type: SourceType, [step, ...rest]: readonly string[], found: FoundType): SourceType {
  if (step === undefined) return scalarOf(found)
  if (type.kind !== 'struct') return type
  const fields = type.fields.map(field =>
    field.name === step ? { ...field, type: replacedAt(field.type, rest, found) } : field,
  )
  return { kind: 'struct', fields }
}
