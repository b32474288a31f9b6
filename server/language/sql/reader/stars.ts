/** Reads `*` and `t.*` with their modifiers, and `COLUMNS(…)`. */
import type { Expression, Name, Span, StarName, StarRename, StarReplace } from '../tree.ts'
import { readExpression } from './expression.ts'
import { lambdaOf } from './lambdas.ts'
import { type ListRules, readClose, readItems } from './lists.ts'
import { readNameBehindDot, readNameThere } from './names.ts'
import { beginsOperand } from './operand.ts'
import { advance, peek, type Reader, take } from './reader.ts'
import { readMissingAs } from './slips.ts'

/** Reads from the asterisk. */
export function readStar(
  reader: Reader,
  start: number,
  tag: Span | undefined,
  qualifier: readonly Name[],
): Expression {
  const token = advance(reader)
  const mark = { start: token.start, end: token.end }
  const isPlain = !reader.grammar.features.starModifiers
  if (!isPlain && qualifier.length === 0 && reader.token.word === 'columns' && peek(reader).word === '(')
    return readColumns(reader, start, [], true)
  const exclude = isPlain ? [] : readExclude(reader)
  const replace = !isPlain && take(reader, 'replace') ? readOneOrMore(reader, readReplace) : []
  const rename = !isPlain && take(reader, 'rename') ? readOneOrMore(reader, readRename) : []
  const { end } = reader
  return { kind: 'star', start, end, mark, tag, qualifier, exclude, replace, rename, pattern: undefined }
}

function readExclude(reader: Reader): StarName[] {
  const { word } = reader.token
  const isExcept = word === 'except' && peek(reader).word === '('
  if (word !== 'exclude' && !isExcept) return []
  advance(reader)
  return readOneOrMore(reader, readStarName)
}

const changeRules: ListRules = {
  begins: reader => beginsOperand(reader),
  trailing: true,
  close: ')',
}

function readOneOrMore<T>(reader: Reader, read: (reader: Reader) => T): T[] {
  if (!take(reader, '(')) return [read(reader)]
  const items = readItems(reader, changeRules, read)
  readClose(reader, ')')
  return items
}

function readStarName(reader: Reader): StarName {
  const { start } = reader.token
  const qualifier: Name[] = []
  let name = readNameThere(reader)
  while (take(reader, '.')) {
    qualifier.push(name)
    name = readNameBehindDot(reader)
  }
  return { start: Math.min(start, name.start), end: Math.max(reader.end, name.end), qualifier, name }
}

function readReplace(reader: Reader): StarReplace {
  const { start } = reader.token
  const expression = readExpression(reader)
  const name = readNewName(reader)
  return { start, end: Math.max(start, reader.end), expression, name }
}

function readRename(reader: Reader): StarRename {
  const { start } = reader.token
  const from = readStarName(reader)
  const to = readNewName(reader)
  return { start: Math.min(start, from.start), end: Math.max(reader.end, to.end), from, to }
}

function readNewName(reader: Reader): Name {
  if (!take(reader, 'as')) readMissingAs(reader)
  return readNameThere(reader)
}

/** Reads from the word COLUMNS. */
export function readColumns(
  reader: Reader,
  start: number,
  qualifier: readonly Name[],
  unpacked: boolean,
): Expression {
  advance(reader)
  advance(reader)
  const chooser = lambdaOf(readExpression(reader))
  readClose(reader, ')')
  return { kind: 'columns', start, end: reader.end, qualifier, chooser, unpacked }
}
