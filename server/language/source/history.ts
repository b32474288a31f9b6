/** The columns of a source whose versions are kept (`write: scd2`): from when on and until when a row is valid. */
import type { Ingest } from '../schema/definition.ts'
import type { RawColumn, RawTable } from './source-shape.ts'

export const validFrom = '_svc_valid_from'
/** NULL in the version that is valid now. */
export const validTo = '_svc_valid_to'

const validityType = 'TIMESTAMP WITH TIME ZONE'

export function keepsHistory(ingest: Ingest): boolean {
  return ingest.type !== 'none' && ingest.write === 'scd2'
}

export function isValidity({ name, system }: Pick<RawColumn, 'name' | 'system'>): boolean {
  return system && (name === validFrom || name === validTo)
}

/** Returns the tables with these columns at their end if the source has them, else without. */
export function withValidity(tables: readonly RawTable[], ingest: Ingest): readonly RawTable[] {
  const isKept = keepsHistory(ingest)
  return tables.map(table => {
    const has = table.columns.some(isValidity)
    if (!isKept && !has) return table
    const others = table.columns.filter(column => !isValidity(column))
    return { ...table, columns: isKept && table.child === undefined ? [...others, ...validity] : others }
  })
}

const validity: readonly RawColumn[] = [validFrom, validTo].map(name => ({
  name,
  type: validityType,
  path: [],
  system: true,
  pii: false,
  nullable: name === validTo,
}))
