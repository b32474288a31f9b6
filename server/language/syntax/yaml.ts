/**
 * Parses a YAML text into a positioned tree with its problems. It never throws: a broken text gives the tree
 * of what can still be read. It does not know the meaning of keys.
 */
import { lineIndex } from '../text/lines.ts'
import type { Node, ScalarNode } from './node.ts'
import { parseYamlEvents } from './yaml-events.ts'
import { secondKey } from './yaml-messages.ts'
import type { YamlProblem } from './yaml-problem.ts'
import { parseYamlRecovering } from './yaml-recovering.ts'

export type { YamlProblem } from './yaml-problem.ts'

export interface YamlTree {
  /** Undefined for a text without content besides comments. */
  readonly root: Node | undefined
  /** The problems in order of place. */
  readonly problems: readonly YamlProblem[]
}

/** The maximum length in UTF-16 units. A hundred thousand inline rows are half of this. */
export const longestText = 8_000_000
/**
 * Finding every error takes seconds for a million characters; valid text is parsed a hundred times as fast.
 */
const longestBroken = 1024 * 1024

export function parseYaml(text: string): YamlTree {
  if (text.length > longestText) return { root: undefined, problems: [tooLong(text)] }
  const fast = parseYamlEvents(text)
  const { root, problems } =
    fast === undefined ? parseBroken(text) : { root: fast.root, problems: [] as YamlProblem[] }
  if (root !== undefined) checkKeys(root, problems, new Set())
  problems.sort((a, b) => a.range.start - b.range.start)
  return { root, problems: problems.length < 2 ? problems : oneALine(text, problems) }
}

function tooLong(text: string): YamlProblem {
  return {
    code: 'file-too-large',
    range: { start: 0, end: 1 },
    message: `the file has ${formatted(text.length)} characters, ${formatted(longestText)} are allowed`,
    hint: 'Put its rows into a data file, and read that with ingest.type: file.',
  }
}

/** Exact, because a rounded length may be the limit itself. */
function formatted(count: number): string {
  return count.toLocaleString('en-US')
}

/**
 * Parses a broken text. Only the beginning of a very long one is searched for errors; that it is broken is
 * reported in any case.
 */
function parseBroken(text: string): { root: Node | undefined; problems: YamlProblem[] } {
  if (text.length <= longestBroken) return parseUnusual(text)
  const end = text.lastIndexOf('\n', longestBroken) + 1 || longestBroken
  const { root, problems } = parseUnusual(text.slice(0, end))
  problems.push({
    code: 'yaml-syntax',
    range: { start: end - 1, end },
    message: 'the file is not YAML, and too long to be checked beyond this line',
    hint: 'Fix the errors reported above it, or move its rows into a data file.',
  })
  return { root, problems }
}

/** Keeps the first of several parser errors on one line, because the others follow from it. */
function oneALine(text: string, problems: readonly YamlProblem[]): YamlProblem[] {
  const lines = lineIndex(text)
  const told = new Set<number>()
  return problems.filter(({ code, range }) => {
    if (code !== 'yaml-syntax') return true
    const { line } = lines.position(range.start)
    return told.has(line) ? false : told.add(line) !== undefined
  })
}

const rounds = 5

/**
 * Parses a text that the fast parser rejects. Two common mistakes would make YAML misread the lines below;
 * their characters are replaced before parsing, restored in the tree, and reported.
 */
function parseUnusual(text: string): { root: Node | undefined; problems: YamlProblem[] } {
  const told: YamlProblem[] = []
  let hidden = hideColons(hideTags(text, told), told)
  let parsed = parseYamlRecovering(hidden)
  for (let round = 0; round < rounds; round++) {
    const colons = secondColons(hidden, parsed.problems)
    if (colons.length === 0) break
    told.push(...colons.map(colon => colon.problem))
    for (const { at } of colons) hidden = `${hidden.slice(0, at)}${colonMark}${hidden.slice(at + 1)}`
    parsed = parseYamlRecovering(hidden)
  }
  const root = parsed.root === undefined || told.length === 0 ? parsed.root : unhide(parsed.root)
  return { root, problems: [...told, ...parsed.problems] }
}

const bareTag = /^([ \t]*(?:- )*[\w"'-]+:[ \t]+)(\{\{.*)$/gm

/** Hides `key: {{ ref('x') }}`, which YAML reads as nested mappings; it is read as text and reported. */
function hideTags(text: string, problems: YamlProblem[]): string {
  return text.replace(bareTag, (_line, before: string, rest: string, offset: number) => {
    const start = offset + before.length
    problems.push({
      code: 'unquoted-template',
      range: { start, end: start + rest.trimEnd().length },
      message: 'a value that begins with {{ is a mapping to YAML, not SQL',
      hint: 'Write the SQL as a block: "transform: |" and the text, indented, on the lines below.',
    })
    return before + rest.replaceAll('{', openMark).replaceAll('}', closeMark)
  })
}

const plainValue = /^([ \t]*(?:- )*[\w"'-]+:[ \t]+)([^\s|>&*!%@`"'[\]{},#].*)$/gm
/** Above this number the parser would nest one level for each. */
const manyColons = 40

/** Hides colons in one-line SQL with a large struct: YAML would read every `a: 1` as a nested mapping. */
function hideColons(text: string, problems: YamlProblem[]): string {
  return text.replace(plainValue, (line, before: string, value: string, offset: number) => {
    if ((value.match(/:(?=\s|$)/g) ?? []).length <= manyColons) return line
    const start = offset + before.length
    const range = { start, end: start + value.trimEnd().length }
    problems.push({ code: 'yaml-syntax', range, ...secondKey })
    return before + value.replaceAll(/:(?=\s|$)/g, colonMark)
  })
}

/** Finds the second colons in `key: note: more` that YAML rejected. */
function secondColons(
  text: string,
  problems: readonly YamlProblem[],
): { at: number; problem: YamlProblem }[] {
  return problems.flatMap(problem => {
    if (problem.facts?.['secondKey'] !== true) return []
    const { start } = problem.range
    const line = text.slice(start).split(/[\r\n]/, 1)[0] ?? ''
    const colon = line.search(/:(\s|$)/)
    if (colon < 0) return []
    const range = { start, end: start + line.trimEnd().length }
    return [{ at: start + colon, problem: { ...problem, range } }]
  })
}
// Private-use characters replace the hidden ones during parsing, so that all offsets stay.
const openMark = '\uE0F0'
const closeMark = '\uE0F1'
const colonMark = '\uE0F2'
const anyMark = /[\uE0F0-\uE0F2]/

function unhide(node: Node): Node {
  switch (node.kind) {
    case 'scalar':
      return unhideScalar(node)
    case 'sequence':
      return { ...node, items: node.items.map(unhide) }
    case 'map':
      return {
        ...node,
        entries: node.entries.map(entry => ({
          key: entry.key,
          value: entry.value === undefined ? undefined : unhide(entry.value),
        })),
      }
  }
}

function unhideScalar(node: ScalarNode): ScalarNode {
  if (typeof node.value !== 'string' || !anyMark.test(node.value)) return node
  const value = node.value.replaceAll(openMark, '{').replaceAll(closeMark, '}').replaceAll(colonMark, ':')
  return { ...node, value }
}

/** Checks keys; nodes that are shared by aliases are checked once. */
function checkKeys(node: Node, problems: YamlProblem[], seen: Set<unknown>): void {
  if (node.kind === 'scalar') return
  const content = node.kind === 'map' ? node.entries : node.items
  if (seen.has(content)) return
  seen.add(content)
  if (node.kind === 'sequence') {
    for (const item of node.items) checkKeys(item, problems, seen)
    return
  }
  const keys = new Set<string>()
  for (const { key, value } of node.entries) {
    checkKey(key, keys, problems)
    if (value !== undefined) checkKeys(value, problems, seen)
  }
}

function checkKey(key: ScalarNode, keys: Set<string>, problems: YamlProblem[]): void {
  const name = String(key.value)
  if (keys.has(name)) {
    const message = `the key "${name}" is here twice`
    problems.push({
      code: 'duplicate-key',
      range: key.range,
      message,
      hint: 'The first one counts; remove one.',
    })
  }
  keys.add(name)
  if (name === '<<' && key.style === 'plain') {
    const message = 'merge keys (<<) are not supported'
    problems.push({ code: 'yaml-merge', range: key.range, message, hint: 'Write the keys out.' })
  }
}
