/**
 * The slow YAML parser: returns a tree for any text, with every syntax problem. It expands aliases up to a
 * limit, and rejects features that a `.svc` file does not need (merge keys are found later, in the tree).
 */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  parseDocument,
  Scalar,
  type YAMLError,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Range } from '../text/range.ts'
import {
  type MapEntry,
  type MapNode,
  type Node,
  type ScalarNode,
  type ScalarStyle,
  type SequenceNode,
  scalarNode,
} from './node.ts'
import { resolvePlainScalar } from './plain-scalar.ts'
import { maxDepth, tooDeepAt } from './yaml-depth.ts'
import { blockEnd } from './yaml-events.ts'
import { yamlWords } from './yaml-messages.ts'
import type { YamlProblem } from './yaml-problem.ts'

/** The maximum number of nodes that all aliases of a file expand to. */
const maxAliasedNodes = 10_000

export function parseYamlRecovering(text: string): { root: Node | undefined; problems: YamlProblem[] } {
  const deep = tooDeepAt(text)
  if (deep !== undefined) return { root: undefined, problems: [tooDeep(deep)] }
  const builder: TreeBuilder = {
    text,
    problems: [],
    openQuotes: new Set(),
    anchors: new Map(),
    aliasedNodes: 0,
    nodeCount: 0,
    depth: 0,
  }
  const document = parseWithoutStacks(text)
  for (const error of document.errors) {
    if (error.message.startsWith('Missing closing')) builder.openQuotes.add(error.pos[0])
  }
  const problems = [forbiddenCharacter(text), ...document.errors.map(error => syntaxProblem(text, error))]
  for (const problem of problems) if (problem !== undefined) builder.problems.push(problem)
  if (document.errors.some(error => error.message.includes('call stack')))
    return { root: undefined, problems: [tooDeep(fullestLine(text))] }
  const root = document.contents === null ? undefined : nodeOf(builder, document.contents)
  return { root, problems: builder.problems }
}

/**
 * Parses without stack traces. The library makes an `Error` for every problem: in a file with an error in
 * each of 400,000 lines their unused stacks take half the time.
 */
function parseWithoutStacks(text: string): Document.Parsed {
  const errors = Error as { stackTraceLimit?: number }
  const limit = errors.stackTraceLimit
  errors.stackTraceLimit = 0
  try {
    return parseDocument(text, {
      prettyErrors: false,
      uniqueKeys: false,
      merge: false,
      logLevel: 'error',
      version: '1.2',
    }) as Document.Parsed
  } finally {
    if (limit !== undefined) errors.stackTraceLimit = limit
  }
}

interface TreeBuilder {
  readonly text: string
  readonly problems: YamlProblem[]
  /** The ends of texts that lack their closing quote. */
  readonly openQuotes: Set<number>
  /** The node and the number of nodes of each anchor. */
  readonly anchors: Map<string, { node: Node; size: number }>
  aliasedNodes: number
  nodeCount: number
  depth: number
}

function nodeOf(builder: TreeBuilder, parsed: ParsedNode): Node | undefined {
  if (isAlias(parsed)) return expandAlias(builder, parsed.source, rangeOf(builder, parsed))
  const before = builder.nodeCount + builder.aliasedNodes
  builder.nodeCount++
  if (builder.depth >= maxDepth) {
    builder.problems.push(tooDeep(rangeOf(builder, parsed)))
    return undefined
  }
  builder.depth++
  const node = plainNodeOf(builder, parsed)
  builder.depth--
  if (node !== undefined && parsed.anchor !== undefined) {
    builder.anchors.set(parsed.anchor, { node, size: builder.nodeCount + builder.aliasedNodes - before })
  }
  return node
}

function plainNodeOf(builder: TreeBuilder, parsed: ParsedNode): Node | undefined {
  const isString = parsed.tag === 'tag:yaml.org,2002:str' || parsed.tag === '!'
  if (parsed.tag !== undefined && !isString) {
    builder.problems.push({
      code: 'yaml-tag',
      range: rangeOf(builder, parsed),
      message: `the YAML tag ${shortTag(parsed.tag)} has no meaning in a .svc file`,
      hint: 'Remove the tag; quote the value to make it text.',
    })
  }
  if (isMap(parsed)) return mapOf(builder, parsed as YAMLMap.Parsed)
  if (isSeq(parsed)) return sequenceOf(builder, parsed as YAMLSeq.Parsed)
  return isScalar(parsed) ? scalarOf(builder, parsed as Scalar.Parsed, isString) : undefined
}

function shortTag(tag: string): string {
  return tag.replace('tag:yaml.org,2002:', '!!')
}

/**
 * Expands an alias to the anchor's node; the outermost range is that of the alias, so that problems are
 * reported there.
 */
function expandAlias(builder: TreeBuilder, name: string, range: Range): Node | undefined {
  const anchor = builder.anchors.get(name)
  if (anchor === undefined) {
    const message = `there is no anchor "&${name}" before this alias`
    const hint = 'An alias repeats a value marked above it.'
    builder.problems.push({ code: 'yaml-alias', range, message, hint })
    return undefined
  }
  builder.aliasedNodes += anchor.size
  if (builder.aliasedNodes > maxAliasedNodes) {
    const message = `the aliases of this file stand for more than ${maxAliasedNodes} values`
    const isNew = builder.problems.every(problem => problem.message !== message)
    if (isNew) builder.problems.push({ code: 'yaml-alias', range, message, hint: 'Write the values out.' })
    return undefined
  }
  return { ...anchor.node, range }
}

function mapOf(builder: TreeBuilder, parsed: YAMLMap.Parsed): MapNode {
  const entries: MapEntry[] = []
  for (const pair of parsed.items) {
    const key = keyOf(builder, pair.key as ParsedNode | null, parsed)
    if (key === undefined) continue
    const isGiven = pair.value !== null && !isEmptyScalar(pair.value)
    entries.push({ key, value: isGiven ? nodeOf(builder, pair.value as ParsedNode) : undefined })
  }
  const range = rangeOf(builder, parsed)
  if (parsed.flow && builder.text[range.start] === '{') {
    if (!isClosed(builder, range, '}', entries.at(-1)?.value))
      notClosed(builder, range.start, 'the mapping', '}')
    return { kind: 'map', range, entries }
  }
  const last = entries.at(-1)
  const start = entries[0]?.key.range.start ?? range.start
  return {
    kind: 'map',
    range: { start, end: last?.value?.range.end ?? last?.key.range.end ?? range.end },
    entries,
  }
}

function keyOf(builder: TreeBuilder, key: ParsedNode | null, map: YAMLMap.Parsed): ScalarNode | undefined {
  if (key !== null && isScalar(key) && !isEmptyScalar(key)) {
    const parsed = key as Scalar.Parsed
    const node = scalarOf(builder, parsed, true)
    return { ...node, value: parsed.source ?? String(parsed.value) }
  }
  const range = key === null ? rangeOf(builder, map) : rangeOf(builder, key)
  const alreadyTold = builder.problems.some(
    problem => problem.range.start <= range.end && problem.range.end >= range.start,
  )
  if (!alreadyTold) {
    const message = 'a key is a single word or a quoted text'
    builder.problems.push({ code: 'yaml-syntax', range, message })
  }
  return undefined
}

function sequenceOf(builder: TreeBuilder, parsed: YAMLSeq.Parsed): SequenceNode {
  const items: Node[] = []
  for (const item of parsed.items) {
    const node = item === null ? undefined : nodeOf(builder, item as ParsedNode)
    if (node !== undefined) items.push(node)
  }
  const range = rangeOf(builder, parsed)
  if (parsed.flow) {
    if (!isClosed(builder, range, ']', items.at(-1))) notClosed(builder, range.start, 'the list', ']')
    return { kind: 'sequence', range, items }
  }
  return { kind: 'sequence', range: { start: range.start, end: items.at(-1)?.range.end ?? range.end }, items }
}

const styleNames: Readonly<Record<string, ScalarStyle>> = {
  [Scalar.PLAIN]: 'plain',
  [Scalar.QUOTE_SINGLE]: 'single',
  [Scalar.QUOTE_DOUBLE]: 'double',
  [Scalar.BLOCK_LITERAL]: 'literal',
  [Scalar.BLOCK_FOLDED]: 'folded',
}

function scalarOf(builder: TreeBuilder, parsed: Scalar.Parsed, isString: boolean): ScalarNode {
  const { text } = builder
  const style = styleNames[parsed.type ?? Scalar.PLAIN] ?? 'plain'
  const range = rangeOf(builder, parsed)
  const source = typeof parsed.value === 'string' ? parsed.value : (parsed.source ?? '')
  if (style === 'plain') {
    const plain = parsed.source ?? source
    return scalarNode(style, isString ? plain : resolvePlainScalar(plain), range)
  }
  if (style === 'single' || style === 'double') {
    const quote = style === 'single' ? "'" : '"'
    const isClosed = !builder.openQuotes.has(range.end)
    if (!isClosed) notClosed(builder, range.start, 'the text', quote)
    const bodyRange = {
      start: range.start + 1,
      end: Math.max(range.start + 1, range.end - (isClosed ? 1 : 0)),
    }
    return scalarNode(style, source, range, bodyRange)
  }
  const start = nextLine(text, range.start, range.end)
  const bodyRange = { start, end: blockEnd(text, start, range.end) }
  return scalarNode(style, source, { start: range.start, end: bodyRange.end }, bodyRange)
}

function nextLine(text: string, from: number, end: number): number {
  for (let offset = from; offset < end; offset++) {
    if (text[offset] === '\n') return offset + 1
  }
  return end
}

function isEmptyScalar(node: unknown): boolean {
  if (!isScalar(node)) return false
  const isUnwritten = node.type === Scalar.PLAIN || node.type === undefined || node.type === null
  return isUnwritten && (node.source ?? '') === '' && node.tag === undefined && node.anchor === undefined
}

function rangeOf(builder: TreeBuilder, node: ParsedNode): Range {
  const [start, end] = node.range ?? [0, 0]
  return clampRange(builder.text, start, end)
}

function clampRange(text: string, start: number, end: number): Range {
  const from = Math.max(0, Math.min(start, text.length))
  return { start: from, end: Math.max(from, Math.min(end, text.length)) }
}

// ---------------------------------------------------------------- problems

function syntaxProblem(text: string, error: YAMLError): YamlProblem | undefined {
  const [start, end] = error.pos
  const range = clampRange(text, start, Math.max(end, start + 1))
  if (error.code === 'MULTIPLE_DOCS') {
    const message = 'the file holds several YAML documents'
    const hint = 'One file holds one asset: put what follows "---" into a file of its own.'
    return { code: 'yaml-syntax', range: nextDocument(text, range), message, hint }
  }
  if (error.code === 'MULTILINE_IMPLICIT_KEY') return brokenLine(text, range)
  if (error.code === 'BLOCK_AS_IMPLICIT_KEY' && !hasSecondColon(text, start)) return undefined
  const words = yamlWords(error.message)
  return words === undefined ? undefined : { code: 'yaml-syntax', range, ...words }
}

/**
 * Describes the error that the parser took two lines for one key: the first has no colon, or the second is
 * indented as if it continued it.
 */
function brokenLine(text: string, range: Range): YamlProblem {
  const lineStart = text.lastIndexOf('\n', range.start - 1) + 1
  const isValue = text.slice(lineStart, range.start).trim() !== ''
  const first = text.slice(range.start, range.end).split(/[\r\n]/, 1)[0] ?? ''
  if (isValue) {
    const next = range.start + first.length + text.slice(range.start + first.length).search(/[^\s]/)
    const message = 'this line is indented as if it went on with the value above'
    const hint = 'Begin it in the column of the key above.'
    return { code: 'yaml-syntax', range: { start: next, end: Math.max(next + 1, range.end) }, message, hint }
  }
  const line = { start: range.start, end: range.start + first.length }
  const isTight = /^[\w-]+:\S/.test(first)
  const message = isTight ? 'a space is missing after the colon' : 'this line has no colon'
  const hint = isTight ? 'As in "key: value".' : 'Is it text that belongs to the line above? Indent it more.'
  return { code: 'yaml-syntax', range: line, message, hint }
}

function hasSecondColon(text: string, from: number): boolean {
  return /:(\s|$)/.test(text.slice(from).split(/[\r\n]/, 1)[0] ?? '')
}

function nextDocument(text: string, fallback: Range): Range {
  const dashes = /^---/gm
  const [first, second] = text.matchAll(dashes)
  const marker = text.slice(0, first?.index).trim() === '' ? second : first
  return marker === undefined ? fallback : { start: marker.index, end: marker.index + 3 }
}

/**
 * Returns whether the collection is closed; the bracket at the end may belong to its last child: `{a: {b:
 * 1}`.
 */
function isClosed(builder: TreeBuilder, range: Range, mark: string, last: Node | undefined): boolean {
  return builder.text[range.end - 1] === mark && (last === undefined || last.range.end < range.end)
}

/** Reports the opening quote or bracket, because the parser often notices only at the end of the file. */
function notClosed(builder: TreeBuilder, start: number, what: string, mark: string): void {
  const range = { start, end: start + 1 }
  const message = `${what} has no closing ${mark}`
  builder.problems.push({ code: 'yaml-syntax', range, message, hint: `Add ${mark} at its end.` })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that YAML forbids.
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/

function forbiddenCharacter(text: string): YamlProblem | undefined {
  const start = text.search(forbidden)
  if (start < 0) return undefined
  const code = text.charCodeAt(start).toString(16).toUpperCase().padStart(4, '0')
  const message = `the file holds a control character (U+${code})`
  const hint = 'Remove it, or write an escape in double quotes.'
  return { code: 'yaml-syntax', range: { start, end: start + 1 }, message, hint }
}

/** Returns the line with most colons, which caused a depth that the estimate missed. */
function fullestLine(text: string): Range {
  let fullest = { start: 0, end: 0, colons: -1 }
  let start = 0
  for (const line of text.split('\n')) {
    const colons = line.split(': ').length
    if (colons > fullest.colons) fullest = { start, end: start + line.trimEnd().length, colons }
    start += line.length + 1
  }
  return { start: fullest.start, end: fullest.end }
}

function tooDeep(range: Range): YamlProblem {
  return { code: 'yaml-depth', range, message: `values are nested more than ${maxDepth} levels deep` }
}
