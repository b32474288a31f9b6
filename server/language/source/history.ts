/** The columns of a source whose versions are kept (`write: scd2`): from when on and until when a row is valid. */
import type { Engine } from '../engines/engine.ts'
import type { Ingest } from '../schema/definition.ts'
import { storedType, systemColumn } from './delivered-type.ts'
import type { RawColumn, RawTable } from './source-shape.ts'

export const validFrom = '_svc_valid_from'
/** NULL in the version that is valid now. */
export const validTo = '_svc_valid_to'

export function keepsHistory(ingest: Ingest): boolean {
  return ingest.type !== 'none' && ingest.write === 'scd2'
}

export function isValidity({ name, system }: Pick<RawColumn, 'name' | 'system'>): boolean {
  return system && (name === validFrom || name === validTo)
}

/** Returns the tables with these columns at their end if the source has them, else without. */
export function withValidity(
  tables: readonly RawTable[],
  ingest: Ingest,
  engine: Engine,
): readonly RawTable[] {
  const isKept = keepsHistory(ingest)
  return tables.map(table => {
    const has = table.columns.some(isValidity)
    if (!isKept && !has) return table
    const others = table.columns.filter(column => !isValidity(column))
    return {
      ...table,
      columns: isKept && table.child === undefined ? [...others, ...validity(engine)] : others,
    }
  })
}

function validity(engine: Engine): readonly RawColumn[] {
  const type = storedType('TIMESTAMP WITH TIME ZONE', engine)
  return [validFrom, validTo].map(name => systemColumn(name, type, [], name === validTo))
}
