/** Completion inside `{{ … }}`, closed or not: the tag, and the name in its quotes. */
import type { SqlToken } from '../../../engines/sql-token.ts'
import { signatureOf } from '../../../macros/macro.ts'
import type { Range } from '../../../text/range.ts'
import { placeholder } from '../../../text/snippet.ts'
import { macroCard } from '../../hover/macro-hover.ts'
import { variableDetail } from '../../variables.ts'
import { type ItemList, sortKey } from '../completion.ts'
import type { SqlAsk, SqlItem } from './sql-offer.ts'
import { assetItems, sourceNames, sourceTag } from './sql-tables.ts'

const inArgument = /^\{\{\s*([a-z]+)\s*\(\s*(['"]?)([^'")}]*)$/

export function tagItems(ask: SqlAsk, token: SqlToken): ItemList<SqlItem> {
  const { text, offset } = ask.cursor
  const before = text.slice(token.start, offset)
  const argument = inArgument.exec(before)
  if (argument !== null) {
    const [, word = '', quote = '', typed = ''] = argument
    return argumentItems(ask, token, word, quote, typed)
  }
  const typed = /^\{\{\s*([a-z]*)$/i.exec(before)?.[1]
  return typed === undefined ? { items: [], isIncomplete: false } : wholeTags(ask, token, typed)
}

// ---------------------------------------------------------------- the name in the quotes

function argumentItems(
  ask: SqlAsk,
  token: SqlToken,
  word: string,
  quote: string,
  typed: string,
): ItemList<SqlItem> {
  const { range, close } = argumentPlace(ask, token, quote, typed)
  const open = quote === '' ? "'" : ''
  const written = (name: string): string => `${open}${name}${close}`
  if (word === 'ref') {
    return assetItems(ask.knowledge, ask.place.asset, typed.toLowerCase(), written, range)
  }
  if (word === 'source') {
    const items = sourceNames(ask.knowledge, ask.place.asset).flatMap(
      ({ child, detail }, index): SqlItem[] => {
        if (child === undefined) return []
        return [
          { label: child, kind: 'source', detail, insert: written(child), range, sort: sortKey('a', index) },
        ]
      },
    )
    return { items, isIncomplete: false }
  }
  return { items: word === 'var' ? variableItems(ask, written, range) : [], isIncomplete: false }
}

/** Returns the text between the quotes, and the closing text that must be added. */
function argumentPlace(ask: SqlAsk, token: SqlToken, quote: string, typed: string) {
  const { text, offset } = ask.cursor
  const rest = text.slice(offset, token.end)
  const name = /^[\w.-]*/.exec(rest)?.[0] ?? ''
  const behind = rest.slice(name.length)
  const mark = quote === '' ? "'" : quote
  const range = { start: offset - typed.length, end: offset + name.length }
  // Closing characters that the editor has inserted already are kept.
  const parts = [mark, ')', ' }}']
  let left = behind
  const missing = parts.filter(part => {
    const trimmed = left.trimStart()
    if (!trimmed.startsWith(part.trim())) return true
    left = trimmed.slice(part.trim().length)
    return false
  })
  return { range, close: behind.trim() === '' ? parts.join('') : missing.join('') }
}

function variableItems(ask: SqlAsk, written: (name: string) => string, range: Range): readonly SqlItem[] {
  const { settings } = ask.knowledge.project
  const names = new Set([
    ...Object.keys(settings.vars),
    ...Object.values(settings.environments).flatMap(environment => Object.keys(environment.vars)),
  ])
  return Array.from(names, (name, index) => ({
    label: name,
    kind: 'variable',
    detail: variableDetail(settings, name),
    insert: written(name),
    filter: name,
    sort: sortKey('d', index),
    range,
  }))
}

// ---------------------------------------------------------------- the whole tag

function wholeTags(ask: SqlAsk, token: SqlToken, typed: string): ItemList<SqlItem> {
  const { text, offset } = ask.cursor
  const start = offset - typed.length
  const isClosed = token.closed && !/[\r\n]/.test(text.slice(offset, token.end))
  const range = { start, end: isClosed ? token.end : endOfWord(text, offset) }
  const space = text[start - 1] === '{' ? ' ' : ''
  const whole = (inner: string): string => `${space}${inner} }}`
  const isTest = ask.place.block.path[0] === 'tests'
  const assets = assetItems(
    ask.knowledge,
    ask.place.asset,
    typed.toLowerCase(),
    name => whole(`ref('${name}')`),
    range,
  )
  const tag = (label: string, detail: string, insert: string, index: number): SqlItem => ({
    label,
    kind: 'tag',
    detail,
    insert: whole(insert),
    isSnippet: insert.includes('$'),
    ...(insert.includes('$') && { next: 'completion' as const }),
    range,
    sort: sortKey('a', index),
  })
  const sources = sourceNames(ask.knowledge, ask.place.asset)
  const items = [
    tag('ref', 'rows of another asset', "ref('$1')", 0),
    ...sources.map(({ child, detail }, index) =>
      child === undefined
        ? tag('source', 'rows of the source', 'source', 1)
        : tag(sourceTag(child), detail, sourceTag(child), 2 + index),
    ),
    ...(isTest ? [tag('this', 'the asset itself', 'this', 100)] : []),
    tag('var', 'a variable of svc.yaml', "var('$1')", 101),
    ...variableItems(ask, name => whole(`var('${name}')`), range),
    ...macroItems(ask, whole, range),
    ...assets.items,
  ]
  return { items, isIncomplete: assets.isIncomplete }
}

/** Offers calls of macros, with those parameters to fill in that have no default. */
function macroItems(ask: SqlAsk, whole: (inner: string) => string, range: Range): readonly SqlItem[] {
  return Array.from(ask.knowledge.project.macros.byName.values(), (macro, index): SqlItem => {
    const needed = macro.parameters.filter(({ fallback }) => fallback === undefined)
    const places = needed.map(({ name }, at) => placeholder(at + 1, name))
    return {
      label: macro.name,
      kind: 'function',
      detail: signatureOf(macro).slice(macro.name.length),
      documentation: macroCard(macro),
      insert: whole(`${macro.name}(${places.join(', ')})`),
      isSnippet: places.length > 0,
      ...(macro.parameters.length > 0 && { next: 'signature' as const }),
      range,
      sort: sortKey('c', index),
    }
  })
}

function endOfWord(text: string, offset: number): number {
  return offset + (/^\w*/.exec(text.slice(offset))?.[0].length ?? 0)
}
