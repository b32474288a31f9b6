/**
 * Parses parts of a request to the dashboard: selectors, run ids, bodies. All input is untrusted. Pure,
 * except for reading the body.
 */
import type { IncomingMessage } from 'node:http'
import { parseJson } from '../engine/artifacts/parse-json.ts'

/**
 * Accepts a space for `+`, because in a query `+` means a space and not every client writes `%2B`. Returns
 * undefined if it is not a selector of one asset.
 * `selector`: a selector of the form `x`, `+x`, `x+` or `+x+`.
 */
export function selectorOf(value: string) {
  const selector = value.replace(/^ /, '+').replace(/ $/, '+')
  const asset = /^\+?([A-Za-z0-9_][A-Za-z0-9_.-]*)\+?$/.exec(selector)?.[1]
  return asset === undefined ? undefined : { asset, selector }
}

/** Accepts ids that a page made, such as a UUID. */
export function isRunId(value: string): boolean {
  return /^[A-Za-z0-9-]{8,64}$/.test(value)
}

/** Parses `<run>:<sequence>`. */
export function eventIdOf(
  value: string | undefined,
): { readonly run: string; readonly sequence: number } | undefined {
  const parts = /^([A-Za-z0-9-]{8,64}):(\d{1,9})$/.exec(value ?? '')
  return parts?.[1] === undefined ? undefined : { run: parts[1], sequence: Number(parts[2]) }
}

const longestBody = 256 * 1024

/** Returns undefined if the body is not JSON, or too long. */
export async function jsonBodyOf(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return undefined
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > longestBody) return undefined
  }
  return parseJson(text)
}

/** Parses `{run?, assets?}`; returns undefined for anything else. */
export function rollbackOf(
  body: unknown,
): { readonly run: string | undefined; readonly assets: readonly string[] | undefined } | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const { run, assets, ...rest } = body as Readonly<Record<string, unknown>>
  if (Object.keys(rest).length > 0) return undefined
  if (run !== undefined && (typeof run !== 'string' || !isRunId(run))) return undefined
  if (assets === undefined) return { run, assets: undefined }
  // An empty list would mean everything, so it is refused.
  if (!Array.isArray(assets) || assets.length === 0) return undefined
  return assets.every(name => typeof name === 'string') ? { run, assets } : undefined
}
