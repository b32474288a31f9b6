/**
 * Finds secrets in a file: in values by the name of their key, and elsewhere by their format. It reports the
 * place and the kind of a secret and never its text.
 */
import type { Node, ScalarNode } from '../syntax/node.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'
import { findSecrets } from '../text/secret-patterns.ts'

/** The code of the diagnostics that `maskCredentials` looks for. */
export const credentialCode = 'hard-coded-credentials'

export interface Credential {
  /** The kind: "a GitHub token", or the key that holds it: `"password"`. */
  readonly kind: string
  /** The range of the secret itself. */
  readonly range: Range
  /** The key whose value is or contains the secret; undefined in comments and SQL. */
  readonly key?: string
  /** The range of the whole value, including quotes. */
  readonly valueRange?: Range
}

interface Value {
  readonly key: string
  readonly parent: Node
  readonly node: ScalarNode
}

/** Blocks that describe data: there a column named "password" is no password. */
const dataBlocks = new Set([
  'columns',
  'contract',
  'tests',
  'transform',
  'rows',
  'include',
  'exclude',
  'fields',
  'mask',
  'primary_key',
])
const secretWords = /^(?:passw\w*|pwd|passphrase|secret|token|apikey|credentials?|authorization|cookie)$/
const secretPairs = /(?:^|_)(?:api|access|private|secret|auth|account|signing|shared)_key$/
/** Keys such as `token_url` or `page_token_param` are about a secret without holding one. */
const aboutSecrets =
  /_(?:url|uri|path|param|params|header|field|column|name|type|format|file|in|ttl|expiry|expires|timeout|size|limit|count)$/
const placeholder =
  /^(?:|none|null|true|false|env:.*|\$\{?\w+\}?|<.*>|\[.*\]|\{.*\}|x{3,}|\*{3,}|\.{3,}|\u2026|(?:your|my|the|some)[-_ ].*|changeme|change[-_ ]me|placeholder|dummy|redacted|todo|tbd|(?:example|sample|fake|dummy)[-_ ]?.*)$/i
/** A cheap test whether the values need to be searched. */
const anySecretKey =
  /passw|pwd|passphrase|secret|token|api[-_]?key|_key|credential|authorization|cookie|auth\b|:\/\/|[?&]\w*key/i
const inAddress =
  /(?<=[?&](?:access_token|api[_-]?key|apikey|auth|client_secret|key|password|pwd|secret|sig|signature|token)=)[^&#\s]+/gi
const inConnection = /(?<=\b(?:password|pwd)\s*=\s*)[^\s;'"&]+/gi
const comment = /#[^\r\n]*/g
const inComment = /\b(?:password|passwd|secret|token|api[_-]?key)\b["']?\s*[:=]\s*["']?([^\s"',]+)/gi

/**
 * Finds credentials. `isBroken` means that the tree is unreliable, so lines that look like `password: x`
 * count too; in a correct file the tree tells better what a line belongs to.
 */
export function findCredentials(
  text: string,
  tree: Node | undefined,
  isBroken = false,
): readonly Credential[] {
  const credentials: Credential[] = []
  const named = anySecretKey.test(text)
  const values = named && tree !== undefined ? configurationValues(tree) : []
  for (const value of values) credentials.push(...inValue(text, value))
  for (const { kind, range } of findSecrets(text)) {
    if (isPlaceholder(text.slice(range.start, range.end))) continue
    const holder = values.find(value => contains(value.node.range, range))
    credentials.push({ kind, range, ...(holder && { key: holder.key, valueRange: holder.node.range }) })
  }
  if (named) credentials.push(...inComments(text), ...inCode(text, tree))
  if (named && isBroken) credentials.push(...inLines(text))
  return withoutOverlaps(credentials)
}

/**
 * Replaces each credential that `diagnostics` report in `text` by the same number of asterisks: offsets stay
 * the same, so that a line can be shown with its problem. `diagnostics` must be those of this file.
 */
export function maskCredentials(text: string, diagnostics: readonly Diagnostic[]): string {
  const ranges = diagnostics.filter(({ code }) => code === credentialCode).map(({ range }) => range)
  ranges.sort((a, b) => a.start - b.start)
  let masked = ''
  let end = 0
  for (const range of ranges) {
    masked += text.slice(end, Math.max(end, range.start))
    masked += text.slice(Math.max(end, range.start), range.end).replace(/[^\r\n]/g, '*')
    end = Math.max(end, range.end)
  }
  return masked + text.slice(end)
}

// ---------------------------------------------------------------- by key

function configurationValues(root: Node): readonly Value[] {
  const values: Value[] = []
  const visit = (node: Node, key: string, parent: Node): void => {
    if (node.kind === 'scalar') values.push({ key, parent, node })
    else if (node.kind === 'sequence') for (const item of node.items) visit(item, key, node)
    else {
      for (const entry of node.entries) {
        const name = String(entry.key.value)
        if (entry.value !== undefined && !dataBlocks.has(name)) visit(entry.value, name, node)
      }
    }
  }
  visit(root, '', root)
  return values
}

function inValue(text: string, { key, parent, node }: Value): readonly Credential[] {
  // The key `value` says nothing by itself: it belongs to `auth: {type: api_key}`.
  const named = key === 'value' ? 'api_key' : key
  const whole = { key: named, valueRange: node.range }
  if (isSecretKey(key, parent)) {
    if (!isSecretValue(key, node.value)) return []
    return [{ ...whole, kind: key === named ? `the value of "${key}"` : 'an API key', range: node.bodyRange }]
  }
  const written = text.slice(node.bodyRange.start, node.bodyRange.end)
  return [inAddress, inConnection].flatMap(pattern =>
    Array.from(written.matchAll(pattern), match => {
      const start = node.bodyRange.start + match.index
      return { ...whole, kind: 'a secret in an address', range: { start, end: start + match[0].length } }
    }).filter(({ range }) => !isPlaceholder(text.slice(range.start, range.end))),
  )
}

function isSecretKey(key: string, parent: Node | undefined): boolean {
  const words = key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[-. ]/g, '_')
    .toLowerCase()
  if (aboutSecrets.test(words)) return false
  if (words.split('_').some(word => secretWords.test(word)) || secretPairs.test(words)) return true
  // Matches `auth: {type: api_key, name: X-Key, value: …}`.
  return key === 'value' && parent?.kind === 'map' && parent.entries.some(entry => isApiKey(entry.value))
}

function isApiKey(node: Node | undefined): boolean {
  return node?.kind === 'scalar' && node.value === 'api_key'
}

/**
 * Returns whether the value can be a secret. Numbers are limits (`max_token: 500`) unless a password is
 * expected.
 */
function isSecretValue(key: string, value: ScalarNode['value']): boolean {
  if (typeof value === 'number') return /pass|pwd|pin/i.test(key)
  return typeof value === 'string' && !isPlaceholder(value)
}

function isPlaceholder(value: string): boolean {
  const bare = value.trim().replace(/^(?:bearer|basic|token)\s+/i, '')
  return (
    placeholder.test(bare) ||
    bare.includes('env:') ||
    bare.includes('{{') ||
    /\$\{\w+\}|\{[\w.]+\}/.test(bare)
  )
}

// ---------------------------------------------------------------- by line

const topLevelKey = /^["']?([A-Za-z_]\w*)["']?[ \t]*:/
const keyAndValue =
  /["']?([A-Za-z][\w.-]{0,60})["']?[ \t]*:[ \t]*(?:"([^"\r\n]+)|'([^'\r\n]+)|([^\s"'{}[\],#][^,}\]\r\n]*))/g

export function isBrokenYaml(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ code }) => code.startsWith('yaml-'))
}

function inLines(text: string): readonly Credential[] {
  const credentials: Credential[] = []
  let block = ''
  for (const line of text.matchAll(/[^\r\n]+/g)) {
    block = topLevelKey.exec(line[0])?.[1] ?? block
    if (dataBlocks.has(block)) continue
    for (const match of line[0].matchAll(keyAndValue)) {
      const value = (match[2] ?? match[3] ?? match[4] ?? '').trimEnd()
      if (!isSecretKey(match[1] ?? '', undefined) || isPlaceholder(value)) continue
      const start = line.index + match.index + match[0].lastIndexOf(value)
      credentials.push({ kind: `the value of "${match[1]}"`, range: { start, end: start + value.length } })
    }
  }
  return credentials
}

// ---------------------------------------------------------------- by shape

/**
 * Finds secrets in comments. Prose such as "token: see the wiki" is no leak, so only random-looking text
 * counts.
 */
function inComments(text: string): readonly Credential[] {
  return Array.from(text.matchAll(comment)).flatMap(line =>
    Array.from(line[0].matchAll(inComment)).flatMap(match => {
      const secret = match[1] ?? ''
      const start = line.index + match.index + match[0].length - secret.length
      if (!looksRandom(secret) || isPlaceholder(secret)) return []
      return [{ kind: 'a secret in a comment', range: { start, end: start + secret.length } }]
    }),
  )
}

const lineComment = /--[^\r\n]*/g
const sqlComment = /--[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)/g
const assignment =
  /(?<![\w.])["']?([A-Za-z][\w.-]{0,60})["']?\]?[ \t]*(?::[ \t]*str[ \t]*)?[:=][ \t]*(["'])([^"'\r\n]{4,})\2/g

/**
 * Finds quoted secrets in Python, and in comments of SQL: `password = "…"`. In SQL itself it compares a column, and prose in
 * comments has no quotes.
 */
function inCode(text: string, tree: Node | undefined): readonly Credential[] {
  const python = pythonRanges(tree).map(({ start, end }) => ({ start, code: text.slice(start, end) }))
  return [...python, ...sqlComments(text)].flatMap(({ start: from, code }) =>
    Array.from(code.matchAll(assignment)).flatMap(({ index, 0: whole, 1: key = '', 3: secret = '' }) => {
      if (!isSecretKey(key, undefined) || isPlaceholder(secret)) return []
      const start = from + index + whole.length - 1 - secret.length
      return [{ kind: `the value of "${key}"`, range: { start, end: start + secret.length } }]
    }),
  )
}

/** A long comment without an end is none, as in `data/*.csv`: the lines in it count. */
function sqlComments(text: string): readonly { readonly start: number; readonly code: string }[] {
  return Array.from(text.matchAll(sqlComment)).flatMap(({ index, 0: code }) => {
    if (code.startsWith('--') || code.endsWith('*/')) return [{ start: index, code }]
    return Array.from(code.matchAll(lineComment), line => ({ start: index + line.index, code: line[0] }))
  })
}

/** The code under a key `python` of `transform` or `ingest`. */
function pythonRanges(tree: Node | undefined): readonly Range[] {
  return ['transform', 'ingest'].flatMap(block => {
    const code = memberOf(memberOf(tree, block), 'python')
    return code?.kind === 'scalar' ? [code.range] : []
  })
}

function memberOf(node: Node | undefined, key: string): Node | undefined {
  return node?.kind === 'map' ? node.entries.find(entry => entry.key.value === key)?.value : undefined
}

function looksRandom(text: string): boolean {
  return text.length >= 16 && /\d/.test(text) && /[a-z]/i.test(text) && bitsPerCharacter(text) >= 3.3
}

/** Computes the Shannon entropy. */
function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

function contains(outer: Range, inner: Range): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

/** Keeps one finding per place: the wider of two that overlap. */
function withoutOverlaps(credentials: readonly Credential[]): readonly Credential[] {
  const sorted = [...credentials].sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end)
  const kept: Credential[] = []
  for (const credential of sorted) {
    if (credential.range.start >= (kept.at(-1)?.range.end ?? 0)) kept.push(credential)
  }
  return kept
}
