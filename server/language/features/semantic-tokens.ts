/** Semantic tokens for the SQL in a file: columns, aliases, CTEs, assets, functions, types, keywords. */

import type { SqlToken } from '../engines/sql-token.ts'
import type { Asset } from '../project/project.ts'
import type { Mention } from '../sql/binder/model.ts'
import { type Range, touches } from '../text/range.ts'
import type { Knowledge } from './knowledge.ts'
import { type BoundBlock, boundBlocks } from './sql/bound-sql.ts'
import { sqlFileAt } from './sql/sql-file.ts'
import { blockTokens } from './sql/sql-tokens.ts'
import { readTagText } from './sql/sql-world.ts'

export const semanticTokenTypes = [
  'keyword',
  'function',
  'type',
  'string',
  'number',
  'comment',
  'operator',
  /** A column. */
  'property',
  /** A table alias or a window. */
  'variable',
  /** A CTE. */
  'struct',
  /** An asset, in a ref. */
  'class',
  /** A keyword of a template tag. */
  'macro',
  /** A variable of the project, in a tag. */
  'parameter',
] as const

export const semanticTokenModifiers = ['declaration', 'defaultLibrary'] as const

export type SemanticTokenType = (typeof semanticTokenTypes)[number]
export type SemanticTokenModifier = (typeof semanticTokenModifiers)[number]

export interface SemanticToken {
  /** The range in the file; always within one line. */
  readonly range: Range
  readonly type: SemanticTokenType
  readonly modifiers: readonly SemanticTokenModifier[]
}

/** Returns the tokens in text order without nesting, or only those that touch `range`. */
export function semanticTokensIn(
  knowledge: Knowledge,
  path: string,
  range?: Range,
): readonly SemanticToken[] {
  const asset = sqlFileAt(knowledge.project, path)
  if (asset === undefined) return []
  const tokens = boundBlocks(knowledge, asset)
    .filter(({ block }) => range === undefined || touches(block.range, range))
    .flatMap(named => colouredTokens(knowledge, asset, named, range ?? everything))
  return tokens
    .filter(token => token.range.end > token.range.start && touches(token.range, range ?? everything))
    .sort((a, b) => a.range.start - b.range.start)
}

const everything: Range = { start: 0, end: Number.POSITIVE_INFINITY }

type Word = Omit<SemanticToken, 'range'>

/** Returns the tokens in `seen`, the visible part of the file. */
function colouredTokens(
  knowledge: Knowledge,
  asset: Asset,
  named: BoundBlock,
  seen: Range,
): readonly SemanticToken[] {
  const { text, toFile } = named.block
  const mentions = mentionsByStart(named.bound.mentions)
  const tokens = blockTokens(named.block, named.engine.grammar)
  return tokens.flatMap((token, index): readonly SemanticToken[] => {
    if (!touches(toFile.rangeToOriginal(token), seen)) return []
    const parts =
      token.kind === 'tag'
        ? tagParts(text, token)
        : single(token, wordOf(knowledge, text, tokens, index, mentions))
    return parts.flatMap(({ range, ...rest }) =>
      linesOf(asset.text, toFile.rangeToOriginal(range)).map(line => ({ range: line, ...rest })),
    )
  })
}

function single(range: Range, word: Word | undefined): readonly SemanticToken[] {
  return word === undefined ? [] : [{ range: { start: range.start, end: range.end }, ...word }]
}

/** Splits a token by lines, since editors accept no multi-line tokens. */
function linesOf(text: string, { start, end }: Range): readonly Range[] {
  if (!/[\r\n]/.test(text.slice(start, end))) return [{ start, end }]
  const lines: Range[] = []
  let from = start
  for (const lineBreak of text.slice(start, end).matchAll(/\r\n?|\n/g)) {
    lines.push({ start: from, end: start + lineBreak.index })
    from = start + lineBreak.index + lineBreak[0].length
  }
  // The indentation of a further line is not part of the token.
  return [...lines, { start: from, end }].map(line => {
    const blank = /^[ \t]*/.exec(text.slice(line.start, line.end))?.[0].length ?? 0
    return { start: line.start + blank, end: line.end }
  })
}

// ---------------------------------------------------------------- words

const plain = (type: SemanticTokenType, ...modifiers: SemanticTokenModifier[]): Word => ({ type, modifiers })

function wordOf(
  knowledge: Knowledge,
  text: string,
  tokens: readonly SqlToken[],
  index: number,
  mentions: ReadonlyMap<number, Mention>,
): Word | undefined {
  const token = tokens[index] as SqlToken
  switch (token.kind) {
    case 'comment':
    case 'string':
    case 'number':
    case 'operator':
      return plain(token.kind)
    case 'word':
    case 'quoted':
      return nameWord(knowledge, text, tokens, index, mentions.get(token.start))
    default:
      return undefined
  }
}

function mentionsByStart(mentions: readonly Mention[]): ReadonlyMap<number, Mention> {
  // The first of several mentions at one place counts.
  return new Map(mentions.toReversed().map(mention => [mention.span.start, mention]))
}

const targetTypes: Readonly<Record<Mention['target']['kind'], SemanticTokenType>> = {
  column: 'property',
  table: 'variable',
  cte: 'struct',
  window: 'variable',
  field: 'property',
  parameter: 'variable',
}

function nameWord(
  knowledge: Knowledge,
  text: string,
  tokens: readonly SqlToken[],
  index: number,
  mention: Mention | undefined,
): Word | undefined {
  if (mention !== undefined) {
    const { target, role } = mention
    const isCteByName = target.kind === 'table' && target.cte !== undefined && target.alias === undefined
    const type = isCteByName ? 'struct' : targetTypes[target.kind]
    return role === 'definition' ? plain(type, 'declaration') : plain(type)
  }
  const token = tokens[index] as SqlToken
  if (token.kind === 'quoted') return undefined
  const { types, words } = knowledge.project.engine
  const name = text.slice(token.start, token.end).toLowerCase()
  const next = markAt(text, tokens[index + 1])
  if (next === '(' && knowledge.functions.has(name)) return plain('function', 'defaultLibrary')
  if (isTypePlace(text, tokens, index) && types.names.has(name)) return plain('type', 'defaultLibrary')
  if (keywords.has(name) || words.reserved.has(name)) return plain('keyword')
  return next === '(' ? plain('function') : undefined
}

function markAt(text: string, token: SqlToken | undefined): string {
  return token?.kind === 'punctuation' ? text.slice(token.start, token.end) : ''
}

/**
 * Returns whether a type is expected: after `::` and AS, before a literal (`DATE '…'`), after another word of
 * a type.
 */
function isTypePlace(text: string, tokens: readonly SqlToken[], index: number): boolean {
  const before = tokens[index - 1]
  const written = before === undefined ? '' : text.slice(before.start, before.end).toLowerCase()
  return written === '::' || written === 'as' || tokens[index + 1]?.kind === 'string'
}

/** Words that are keywords unless something has that name. */
const keywords: ReadonlySet<string> = new Set(
  `recursive materialized first last nulls rows range groups unbounded preceding following current row partition by
  replace rename values sample offset interval at time zone name filter within ordinality ignore
  year month day hour minute second week quarter years months days hours minutes seconds weeks`.split(/\s+/),
)

// ---------------------------------------------------------------- tags

/** Returns the tokens of `{{ ref('x') }}`: the keyword, and the name in its quotes. The braces get none. */
function tagParts(text: string, token: SqlToken): readonly SemanticToken[] {
  const written = text.slice(token.start, token.end)
  const tag = readTagText(written)
  if (tag === undefined) return []
  const wordStart = token.start + written.indexOf(tag.word)
  const wordEnd =
    wordStart +
    (tag.word === 'window' ? (/^[\w.]+/.exec(text.slice(wordStart))?.[0].length ?? 6) : tag.word.length)
  const word = { range: { start: wordStart, end: wordEnd }, ...plain('macro') }
  if (tag.argument === undefined || tag.argument === '') return [word]
  const start = token.start + written.indexOf(tag.argument, wordEnd - token.start)
  const type = tag.word === 'var' ? 'parameter' : 'class'
  return [word, { range: { start, end: start + tag.argument.length }, ...plain(type) }]
}
