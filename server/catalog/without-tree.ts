/** PIVOT without given values: DuckDB makes no tree of it, and which columns it has depends on the rows. */
import { sqlTokens } from '../language/syntax/sql-tokens.ts'
import type { BindError } from './bind-error.ts'
import type { Binder } from './binder.ts'
import { nothingBound } from './bound.ts'
import type { Diagnosis, Patient } from './diagnose.ts'
import { didYouMean } from './names-in-sight.ts'
import { sentence } from './phrases.ts'
import { createSchemaSql, createTableSql } from './relations.ts'
import { assetShape } from './shape.ts'
import { sqlPlaces } from './sql-places.ts'
import { inputColumns } from './statement.ts'

/** Undefined: the statement is no such thing. */
export async function bindWithoutTree(
  binder: Binder,
  asset: string,
  patient: Patient,
): Promise<Diagnosis | undefined> {
  const { statement, sql } = patient
  if (!sqlTokens(sql).some(token => /^pivot(_wider)?$/i.test(sql.slice(token.start, token.end))))
    return undefined
  const inputs = [...statement.inputs.values()].filter(input => input.isPrivate)
  await binder.run(
    inputs.flatMap(input => [
      createSchemaSql(input.relation.schema),
      createTableSql(input.relation, inputColumns(input)),
    ]),
  )
  const result = await binder.bind(sql)
  if ('error' in result) return result.error.kind === 'syntax' ? undefined : failure(patient, result.error)
  const { columns } = result
  const lineage = columns.map(({ name }) => ({ column: name, from: [], kind: 'derived' as const }))
  return {
    diagnostics: [],
    bound: { ...nothingBound, shape: assetShape(asset, columns, false), columns, lineage },
  }
}

/** The first error only: without a tree nothing can be mended. */
function failure({ statement, sql }: Patient, error: BindError): Diagnosis {
  if ([...statement.inputs.values()].some(input => !input.shape.complete))
    return { diagnostics: [], bound: undefined }
  const isColumn = error.subtype === 'COLUMN_NOT_FOUND'
  const suggestions = error.candidates?.split(',').map(each => each.trim()) ?? []
  const hint = didYouMean(suggestions)
  const range = sqlPlaces(sql).tokenAt(error.position ?? 0)
  return {
    diagnostics: [
      {
        code: isColumn ? 'sql-unknown-column' : 'sql-other',
        severity: 'error',
        message: isColumn ? `unknown column "${error.name}"` : sentence(error.message),
        path: statement.path,
        range: statement.toFile.rangeToOriginal(range),
        ...(hint === undefined ? {} : { hint, suggestions }),
      },
    ],
    bound: undefined,
  }
}
