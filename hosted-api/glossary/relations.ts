/** How kinds of records refer to each other, as their fields say it. */
import { invalid } from '../http/index.ts'
import type { Writing } from './create.ts'
import type { Field, Kind } from './kind.ts'
import { allKinds } from './kinds.ts'
import type { Content } from './record.ts'

/** A field of `kind` that holds the number of another record. */
export interface Relation {
  readonly kind: Kind
  readonly field: Field
}

export function referencesOf(kind: Kind): readonly Relation[] {
  return kind.fields.filter(field => field.refersTo !== undefined).map(field => ({ kind, field }))
}

/** Returns the fields of all kinds that refer to records of this one. */
export function referrersOf({ name }: Kind): readonly Relation[] {
  return allKinds.flatMap(referencesOf).filter(({ field }) => field.refersTo === name)
}

/**
 * Checks what a new record refers to.
 * @throws Problem `invalid`: a record of another project is reported as one that does not exist
 */
export async function requireReferences(writing: Writing, content: Content): Promise<void> {
  const { tx, kind, project } = writing
  const missing: string[] = []
  for (const { field } of referencesOf(kind)) {
    const row = await tx.first(liveRecord(field), [Number(content[field.name]), project])
    if (row === undefined) missing.push(field.name)
  }
  if (missing.length === 0) return requireColumn(writing, content)
  throw invalid(
    missing.map(name => ({
      pointer: `/${name}`,
      code: 'not_found',
      detail: `Project ${project} has no ${name} ${content[name]}.`,
    })),
  )
}

/**
 * Where the columns of an asset are not known, any column may be one.
 * @throws Problem `invalid`
 */
export async function requireColumn({ columns, kind }: Writing, content: Content): Promise<void> {
  const note = await columns.noteOf(kind, content)
  if (note?.code === 'unknown_column') throw invalid([note])
}

/** Assets are rewritten by every upload and have no mark of deletion. */
function liveRecord({ refersTo }: Field): string {
  const live = refersTo === 'asset' ? '' : ' and deleted_at is null'
  return `select id from ${refersTo} where id = ? and project_id = ?${live}`
}
