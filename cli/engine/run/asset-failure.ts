/** Turns an error that was thrown while an asset was fetched or built into the failure in the report. */
import { type Asset, locate, type NodePath, type PositionMap } from '@svc/server/language'
import { type ErrorCode, errorCodes, isOfWorld, messageOf, type SqlExcerpt, SvcError } from '../errors.ts'
import { placeIn } from '../quality/place-in.ts'

export interface Failure {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly asset?: string | undefined
  /** `path:line:column`. */
  readonly place?: string | undefined
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
  environment: string,
  compiled?: { readonly sql: string; readonly toFile: PositionMap },
  hidesValues = false,
): Failure & { readonly asset: string } {
  const known = error instanceof SvcError && !isSqlError(error) ? error : undefined
  const code: ErrorCode = known?.code ?? 'build-failed'
  const text = textOf(error, hidesValues)
  const excerpt = error instanceof SvcError ? error.excerpt : undefined
  const offset = compiled === undefined ? undefined : offsetIn(compiled.sql, excerpt)
  const range =
    compiled !== undefined && offset !== undefined ? compiled.toFile.toOriginal(offset) : undefined
  return {
    code,
    message: firstParagraph(text),
    hint: error instanceof SvcError ? error.inEnvironment(environment).hint : undefined,
    asset: asset.name,
    place: known?.place ?? placeIn(asset, range ?? locate(asset, path, 'value').start),
    exitCode: errorCodes[code],
  }
}

function textOf(error: unknown, hidesValues: boolean): string {
  if (hidesValues && error instanceof SvcError && error.withoutValues !== undefined)
    return error.withoutValues
  return messageOf(error)
}

function isSqlError(error: SvcError): boolean {
  return error.code === 'warehouse-failed' && !isOfWorld(error)
}

/**
 * Returns the first paragraph of a message. The rest is the engine's excerpt of the SQL; svc shows the place
 * in the user's own file instead.
 */
function firstParagraph(text: string): string {
  const lines = text.split('\n')
  const end = lines.findIndex(line => line.trim() === '')
  return (end === -1 ? lines : lines.slice(0, Math.max(end, 1))).join(' ').trim().replace(/\.$/, '')
}

function offsetIn(sql: string, excerpt: SqlExcerpt | undefined): number | undefined {
  const start = excerpt === undefined ? -1 : sql.indexOf(excerpt.text)
  return excerpt === undefined || start === -1 ? undefined : start + excerpt.offset
}
