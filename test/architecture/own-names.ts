/** Finds names that SQL of ours gives beside those of a user: aliases, CTEs, parameters of lambdas, temporary tables. */
import { join } from 'node:path'
import { codeFiles, codeOf } from './code.ts'

/** What makes SQL over tables of users. Files of other languages become text there, and examples are texts for people. */
const folders = [
  'cli/commands',
  'cli/engine',
  'server/catalog',
  'server/language/compile',
  'server/language/engines',
  'server/language/glossary',
  'server/language/materialize',
  'server/language/own-tests',
  'server/language/personal',
  'server/language/source',
  'server/language/sources',
  'server/language/tests',
  'server/language/unit',
]

export interface OwnName {
  readonly file: string
  readonly name: string
  /** The text around it. */
  readonly near: string
}

/** Returns the names that stand as words in SQL, of files that are not left out; those of the maker stand in `${…}`. */
export function bareNames(root: string, leftOut: readonly string[] = []): readonly OwnName[] {
  return codeFiles(root, folders)
    .filter(file => !file.includes('.generated.') && !leftOut.some(part => file.startsWith(part)))
    .flatMap(file => namesIn(codeOf(join(root, file))).map(found => ({ file, ...found })))
}

/** Returns the internal names that the code asks the maker for. */
export function madeNames(root: string): readonly string[] {
  const words = codeFiles(root, ['cli', 'server']).flatMap(file => {
    const code = codeOf(join(root, file))
    return [...code.matchAll(/\binternalNames?\(([^)]*)\)/gs)].flatMap(([, inside = '']) =>
      literalsIn(inside).map(text => text.replaceAll(hole, '0')),
    )
  })
  return [...new Set(words)].sort()
}

/** Stands for `${…}` in the text of a literal. */
const hole = '\u0001'
const name = '([a-z_][a-z0-9_]*)'
const patterns = [
  // A type stands behind AS as well: in a cast, which is known by its bracket.
  { pattern: new RegExp(`\\bAS "?${name}"?(?![\\w"]| *\\.)`, 'g'), isAlias: true },
  {
    pattern: new RegExp(
      `(?:\\bWITH(?: RECURSIVE)?|[),]|^)\\s*${name}(?:\\([^()]*\\))? AS (?:NOT )?(?:MATERIALIZED )?\\(`,
      'gm',
    ),
  },
  { pattern: new RegExp(`\\blambda ${name}`, 'g') },
  { pattern: new RegExp(`\\bTEMP(?:ORARY)? (?:TABLE|VIEW) (?:IF NOT EXISTS )?"?${name}`, 'g') },
  // An alias without AS.
  { pattern: new RegExp(`\\) ${name}\\s*\\(`, 'g') },
  { pattern: new RegExp(`\\bVARIABLE ${name}`, 'g') },
]

function namesIn(code: string): readonly Omit<OwnName, 'file'>[] {
  return literalsIn(code).flatMap(text =>
    patterns.flatMap(({ pattern, isAlias = false }) =>
      [...text.matchAll(pattern)].flatMap(match => {
        const { 1: found = '', index } = match
        if (found.startsWith('_svc_') || (isAlias && isInCast(text, index))) return []
        return [{ name: found, near: text.slice(Math.max(0, index - 30), index + 40).replaceAll(hole, '…') }]
      }),
    ),
  )
}

/** Returns whether the innermost open bracket before a place is that of a cast. */
function isInCast(text: string, place: number): boolean {
  let depth = 0
  for (let at = place - 1; at >= 0; at--) {
    if (text[at] === ')') depth++
    if (text[at] === '(' && depth-- === 0)
      return /\b(?:TRY_)?CAST$/i.test(text.slice(0, at)) || text[at - 1] === hole
  }
  return false
}

/** Returns the texts of all literals, those inside of templates too, with a hole for each `${…}`. */
export function literalsIn(code: string): readonly string[] {
  const found: string[] = []
  readCode(code, 0, found)
  return found
}

/** Reads code up to a closing brace that none opens, or its end; returns the place behind it. */
function readCode(code: string, start: number, found: string[]): number {
  let depth = 0
  for (let at = start; at < code.length; at++) {
    const sign = code[at] ?? ''
    if (sign === '{') depth++
    else if (sign === '}' && depth-- === 0) return at + 1
    else if (sign === '`') at = readTemplate(code, at + 1, found) - 1
    else if (sign === "'" || sign === '"') at = readText(code, at, found)
    else if (sign === '/' && /[(=,:[!&|?{;>]\s*$|\breturn\s*$/.test(code.slice(Math.max(0, at - 20), at)))
      at = readPattern(code, at)
  }
  return code.length
}

function readText(code: string, start: number, found: string[]): number {
  let at = start + 1
  while (at < code.length && code[at] !== code[start] && code[at] !== '\n') at += code[at] === '\\' ? 2 : 1
  found.push(code.slice(start + 1, at))
  return at
}

function readPattern(code: string, start: number): number {
  let isClass = false
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === '\n') return start
    if (code[at] === '\\') at++
    else if (code[at] === '[') isClass = true
    else if (code[at] === ']') isClass = false
    else if (code[at] === '/' && !isClass) return at
  }
  return start
}

function readTemplate(code: string, start: number, found: string[]): number {
  let text = ''
  for (let at = start; at < code.length; ) {
    if (code[at] === '`') {
      found.push(text)
      return at + 1
    }
    if (code.startsWith('${', at)) {
      at = readCode(code, at + 2, found)
      text += hole
      continue
    }
    text += code[at]
    if (code[at] === '\\') text += code[++at] ?? ''
    at++
  }
  return code.length
}
