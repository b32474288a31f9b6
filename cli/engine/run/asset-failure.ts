/** Turns an error that was thrown while an asset was fetched or built into the failure in the report. */
import { type Asset, lineIndex, locate, type NodePath, type PositionMap } from '@svc/server/language'
import { type ErrorCode, errorCodes, type SqlExcerpt, SvcError } from '../errors.ts'

export interface Failure {
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly asset?: string
  /** `path:line:column`. */
  readonly place?: string
  /** How many errors its file has, where a run tells each of them with its lines. */
  readonly problems?: number
  readonly exitCode: number
}

/**
 * Returns the failure. Errors from outside the project keep their code; every error of the warehouse about
 * the SQL is `build-failed`. `hidesValues`: the message may quote personal values, and is cut down to what has none.
 */
export function assetFailure(
  asset: Asset,
  error: unknown,
  path: NodePath,
  compiled?: { readonly sql: string; readonly toFile: PositionMap },
  hidesValues = false,
): Failure & { readonly asset: string } {
  const known = error instanceof SvcError && !isSqlError(error) ? error : undefined
  const code: ErrorCode = known?.code ?? 'build-failed'
  const text = textOf(error, hidesValues)
  const excerpt = error instanceof SvcError ? error.excerpt : undefined
  const offset = compiled === undefined ? undefined : placeIn(compiled.sql, excerpt)
  const range =
    compiled !== undefined && offset !== undefined ? compiled.toFile.toOriginal(offset) : undefined
  const hint = known?.hint ?? (error instanceof SvcError ? error.hint : undefined)
  return {
    code,
    message: messageOf(text),
    ...(hint === undefined ? {} : { hint }),
    asset: asset.name,
    place: known?.place ?? placeOf(asset, range ?? locate(asset, path, 'value').start),
    exitCode: errorCodes[code],
  }
}

function textOf(error: unknown, hidesValues: boolean): string {
  if (hidesValues && error instanceof SvcError && error.withoutValues !== undefined)
    return error.withoutValues
  return error instanceof Error ? error.message : String(error)
}

function isSqlError(error: SvcError): boolean {
  return error.code === 'warehouse-failed'
}

/** Returns `path:line:column` of an offset in an asset's file. */
export function placeOf(asset: Asset, offset: number): string {
  const { line, column } = lineIndex(asset.text).position(offset)
  return `${asset.path}:${line}:${column}`
}

/**
 * Returns the first paragraph of a message. The rest is the engine's excerpt of the SQL; svc shows the place
 * in the user's own file instead.
 */
function messageOf(text: string): string {
  const lines = text.split('\n')
  const end = lines.findIndex(line => line.trim() === '')
  return (end === -1 ? lines : lines.slice(0, Math.max(end, 1))).join(' ').trim().replace(/\.$/, '')
}

function placeIn(sql: string, excerpt: SqlExcerpt | undefined): number | undefined {
  const start = excerpt === undefined ? -1 : sql.indexOf(excerpt.text)
  return excerpt === undefined || start === -1 ? undefined : start + excerpt.offset
}
