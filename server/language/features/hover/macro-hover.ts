/** Hover of a macro and of its parameters: the signature, the comment above the definition, and the definition. */
import { type Macro, macroKey, parameterText, signatureOf } from '../../macros/macro.ts'
import type { Knowledge } from '../knowledge.ts'
import { paragraphs, sqlBlock } from '../markdown.ts'
import { macroNameAt } from '../names/macro-occurrences.ts'
import type { Hover } from './hover.ts'

export function macroHover(knowledge: Knowledge, path: string, offset: number): Hover | undefined {
  const occurrence = macroNameAt(knowledge.project, path, offset)
  const subject = occurrence?.subject
  if (occurrence === undefined || (subject?.kind !== 'macro' && subject?.kind !== 'macro-parameter'))
    return undefined
  const name = subject.kind === 'macro' ? subject.name : subject.macro
  const macro = knowledge.project.macros.byName.get(macroKey(name))
  if (macro === undefined) return undefined
  const markdown = subject.kind === 'macro' ? macroCard(macro) : parameterCard(macro, subject.parameter)
  return { range: occurrence.range, markdown }
}

/** Longer definitions are left to go-to-definition. */
const longestSql = 600

export function macroCard(macro: Macro): string {
  const { text, range, body, kind, description, path } = macro
  const sql = text.slice(body.range.start, body.range.end)
  const head = `${signatureOf(macro)} AS${kind === 'table' ? ' TABLE' : ''}`
  const shown = range.end - range.start > longestSql ? `${sql.slice(0, longestSql)} …` : sql
  return paragraphs([sqlBlock(`${head}\n${shown}`), description, `*Macro of ${path}*`])
}

function parameterCard(macro: Macro, name: string): string {
  const parameter = macro.parameters.find(each => macroKey(each.name) === macroKey(name))
  const text = parameter === undefined ? name : parameterText(macro, parameter)
  return `${sqlBlock(text)}\n\n*Parameter of the macro ${signatureOf(macro)}*`
}
