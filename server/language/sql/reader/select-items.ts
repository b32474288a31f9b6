/** Reads a select list: expressions and their aliases. */
import { cannotBe, wordSet } from '../grammar.ts'
import type { Name, SelectItem } from '../tree.ts'
import { expressionsIn } from './brackets.ts'
import { clauseMeant } from './clause-words.ts'
import { readExpression } from './expression.ts'
import { type ListRules, passLeadingCommas, readClose, readItems } from './lists.ts'
import { emptyName, isLabel, isName, nameOf } from './names.ts'
import { beginsOperand } from './operand.ts'
import { deletion, insertion, report } from './problems.ts'
import { advance, peek, type Reader, take, textOf } from './reader.ts'
import type { SelectBuilding } from './select.ts'

/** Reads DISTINCT, DISTINCT ON (…) and ALL. */
export function readDistinct(reader: Reader, select: SelectBuilding): void {
  if (take(reader, 'all')) return
  if (isTop(reader)) passTop(reader)
  if (!take(reader, 'distinct')) return
  select.distinct = true
  if (reader.token.word !== 'on' || peek(reader).word !== '(') return
  advance(reader)
  advance(reader)
  select.distinctOn = readItems(reader, expressionsIn[')'], () => readExpression(reader))
  readClose(reader, ')')
}

/** Returns whether `TOP 10 a` of T-SQL follows. */
function isTop(reader: Reader): boolean {
  const { token } = reader
  if (token.kind !== 'word' || token.end - token.start !== 3 || peek(reader).kind !== 'number') return false
  return textOf(reader, token).toLowerCase() === 'top' && beginsOperand(reader, 2)
}

function passTop(reader: Reader): void {
  const { start } = advance(reader)
  const count = textOf(reader, advance(reader))
  const top = { start, end: reader.end }
  report(reader, top, 'there is no TOP here', {
    hint: `Write LIMIT ${count} at the end of the query.`,
    repair: [deletion(top)],
  })
}

const itemRules: ListRules = {
  begins: reader => beginsOperand(reader) || isAliasAlone(reader),
  goesOn: reader => beginsOperand(reader) && clauseMeant(reader) === undefined,
  trailing: true,
  close: 'end',
}

/** Returns whether an alias has no expression yet: `SELECT a, AS b, c`. */
function isAliasAlone(reader: Reader): boolean {
  return reader.token.word === 'as' && isLabel(peek(reader)) && (peek(reader).bits & cannotBe.name) === 0
}

export function readSelectItems(reader: Reader, select: SelectBuilding): readonly SelectItem[] {
  if (reader.token.word === ',' && beginsOperand(reader, 1)) passLeadingCommas(reader)
  if (!beginsOperand(reader) && !isAliasAlone(reader)) {
    if (reader.grammar.features.emptySelect && isEmptyList(reader)) return []
    const word = select.clauses.at(-1)
    const at = { start: word?.start ?? reader.end, end: reader.end }
    report(reader, at, 'SELECT has nothing to select', {
      hint: 'Write the columns there, or * for all of them.',
      repair: [insertion(reader.end, ' NULL ')],
      fix: { title: 'Insert *', edits: [insertion(reader.end, ' *')] },
    })
    return []
  }
  return readItems(reader, itemRules, readSelectItem)
}

const afterNothing = new Set([')', 'from', 'where', 'union', 'except', 'intersect'])

function isEmptyList(reader: Reader): boolean {
  return afterNothing.has(reader.token.word)
}

/** Reads `expression`, `expression AS alias` or `alias: expression`. */
export function readSelectItem(reader: Reader): SelectItem {
  const { start } = reader.token
  if (reader.grammar.features.prefixAlias && isName(reader.token) && peek(reader).word === ':') {
    const alias = nameOf(reader, advance(reader))
    advance(reader)
    const expression = readExpression(reader)
    return { kind: 'item', start, end: reader.end, expression, alias, aliasFirst: true }
  }
  const expression = readExpression(reader)
  const alias = readItemAlias(reader)
  return {
    kind: 'item',
    start: Math.min(start, expression.start),
    end: reader.end,
    expression,
    alias,
    aliasFirst: false,
  }
}

function readItemAlias(reader: Reader): Name | undefined {
  if (reader.token.word === 'as') return readAliasBehindAs(reader)
  const { token } = reader
  if (isReservedAlias(reader)) return readReservedAlias(reader)
  const isAlias =
    token.kind === 'quoted' || (token.kind === 'word' && (token.bits & cannotBe.bareAlias) === 0)
  if (!isAlias || beginsAnother(reader) || clauseMeant(reader) !== undefined) return undefined
  return nameOf(reader, advance(reader))
}

const never = wordSet('select from where having union except intersect using window for')

/** Returns whether a keyword can only be meant as an alias: `day year, …`. */
function isReservedAlias(reader: Reader): boolean {
  const { token } = reader
  if (token.word === '' || token.kind !== 'word' || (token.bits & cannotBe.bareAlias) === 0) return false
  if (never.has(token.word)) return false
  const next = peek(reader)
  const isPlain = (token.bits & cannotBe.name) === 0
  return next.word === ',' || next.word === 'from' || (isPlain && endsItem(reader))
}

function readReservedAlias(reader: Reader): Name {
  const before = reader.end
  const name = nameOf(reader, advance(reader))
  report(reader, name, `"${name.text}" is a keyword: as an alias it needs AS`, {
    hint: `Write AS ${name.text}.`,
    repair: [insertion(before, ' AS')],
    fix: 'Insert AS',
  })
  return name
}

const onward = new Set(['.', '(', '[', '::'])

/** Returns whether the word is no alias but starts another expression. */
function beginsAnother(reader: Reader): boolean {
  const next = peek(reader)
  return next.kind === 'symbol' && (onward.has(next.word) || reader.grammar.operators.has(next.word))
}

function readAliasBehindAs(reader: Reader): Name | undefined {
  const as = advance(reader)
  const { token } = reader
  const isClause = (token.bits & cannotBe.name) !== 0 && !endsItem(reader)
  if ((isLabel(token) && !isClause) || token.kind === 'string') return nameOf(reader, advance(reader))
  if (token.word === '(' && isLabel(peek(reader))) return readAliasInBrackets(reader)
  report(reader, as, 'a name is missing after AS', {
    hint: 'Write the name that the column shall have.',
    repair: [insertion(as.end, ' _')],
  })
  return emptyName(as.end)
}

/** Reports `AS (name` and `AS (name)`: an alias has no brackets. */
function readAliasInBrackets(reader: Reader): Name {
  const open = advance(reader)
  const name = nameOf(reader, advance(reader))
  const close = reader.token.word === ')' ? [deletion(advance(reader))] : []
  report(reader, open, 'an alias has no brackets', {
    hint: `Write AS ${name.text}.`,
    repair: [deletion(open), ...close],
    fix: 'Remove the brackets',
  })
  return name
}

const enders = new Set([',', ')', ';', 'from', 'where', 'group', 'order', 'union', 'limit', 'for'])

/**
 * Returns whether the item ends after a keyword. After a keyword as an alias it does; after one that starts a
 * clause something follows.
 */
function endsItem(reader: Reader): boolean {
  const next = peek(reader)
  return next.kind === 'end' || enders.has(next.word)
}
