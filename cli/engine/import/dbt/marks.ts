/**
 * Keeps comments and variables through the rendering: where they stand in the SQL is known only when all of it is
 * there, so they are marks until then.
 */
import type { SqlToken } from '@svc/server/language'
import type { Expression } from '../jinja/expressions.ts'
import { withoutSoftness } from '../jinja/pieces.ts'
import type { Marks } from '../jinja/render.ts'
import type { Statement } from '../jinja/statements.ts'
import { Float, toText, type Value } from '../jinja/values.ts'
import type { DbtProject } from './dbt-project.ts'

type Mark =
  | { readonly kind: 'comment'; readonly text: string; readonly isAlone: boolean }
  | {
      readonly kind: 'var'
      readonly name: string
      readonly value: string | number | boolean
      readonly text: string
    }

const pattern = /\uE000(\d+)\uE001/g

export class DraftMarks implements Marks {
  readonly #project: Pick<DbtProject, 'engine' | 'vars'>
  readonly #marks: Mark[] = []
  readonly #told = new Set<number>()

  constructor(project: Pick<DbtProject, 'engine' | 'vars'>) {
    this.#project = project
  }

  /** A comment in a loop is told once. */
  comment({ text, at, isAlone }: Extract<Statement, { kind: 'comment' }>): string {
    if (this.#told.has(at) || text.trim() === '') return ''
    this.#told.add(at)
    return this.#mark({
      kind: 'comment',
      text: text.trim().replaceAll('*/', '* /').replaceAll('{{', '{ {'),
      isAlone,
    })
  }

  output(expression: Expression, value: Value): string {
    const text = toText(value)
    const name = variableName(expression)
    const plain = value instanceof Float ? value.value : value
    if (name === undefined || plain === null || typeof plain === 'object') return text
    return this.#mark({ kind: 'var', name, value: plain, text })
  }

  #mark(mark: Mark): string {
    this.#marks.push(mark)
    return `\uE000${this.#marks.length - 1}\uE001`
  }

  /** Returns the SQL with comments and variables in their places, without the blank lines that tags leave. */
  finish(draft: string): string {
    return tidied(this.#placed(withoutSoftness(draft)), text => this.#project.engine.tokens(text))
  }

  #placed(draft: string): string {
    if (this.#marks.length === 0) return draft
    const tokens = this.#project.engine.tokens(draft)
    let sql = ''
    let done = 0
    for (const match of draft.matchAll(pattern)) {
      const mark = this.#marks[Number(match[1])]
      if (mark === undefined || match.index < done) continue
      const whole = { start: match.index, end: match.index + match[0].length }
      const around = tokens.find(
        each => each.start <= whole.start && each.end >= whole.end && isLiteral(each),
      )
      const { start, end, text } =
        mark.kind === 'comment'
          ? this.#comment(draft, whole, mark, around)
          : this.#variable(draft, whole, mark, around)
      sql += draft.slice(done, start) + text
      done = end
    }
    return sql + draft.slice(done)
  }

  /** A comment that would join or part words is left out. */
  #comment(
    draft: string,
    { start, end }: Span,
    { text, isAlone }: Extract<Mark, { kind: 'comment' }>,
    around?: SqlToken,
  ) {
    const isFree = /(^|[\s,(])$/.test(draft.slice(0, start)) && /^(\s|$|[,)])/.test(draft.slice(end))
    if (around !== undefined || !isFree) return { start, end, text: '' }
    return { start, end, text: isAlone && !text.includes('\n') ? `-- ${text}` : `/* ${text} */` }
  }

  /** A variable stays one where it is a whole value: a number, or a text in quotes of its own. */
  #variable(
    draft: string,
    { start, end }: Span,
    mark: Extract<Mark, { kind: 'var' }>,
    around: SqlToken | undefined,
  ): Span & { readonly text: string } {
    const { name, value, text } = mark
    const known = this.#project.vars.get(name)
    const isSame = known === undefined || known === value
    const isQuoted = around?.kind === 'string' && around.start === start - 1 && around.end === end + 1
    const isAlone =
      around === undefined &&
      !/[\w.$"'{]$/.test(draft.slice(0, start)) &&
      !/^[\w.$"'(}]/.test(draft.slice(end))
    const isValue = typeof value === 'string' ? isQuoted && !/['\\]/.test(value) : isAlone
    if (!isSame || !isValue || !/^[A-Za-z_]\w*$/.test(name)) return { start, end, text }
    this.#project.vars.set(name, value)
    const tag = `{{ var('${name}') }}`
    return isQuoted ? { start: start - 1, end: end + 1, text: tag } : { start, end, text: tag }
  }
}

interface Span {
  readonly start: number
  readonly end: number
}

const isLiteral = ({ kind }: SqlToken) => kind === 'string' || kind === 'quoted' || kind === 'comment'

/** Returns the name if the whole value is `var('name', …)`. */
function variableName(expression: Expression): string | undefined {
  if (expression.kind !== 'call' || expression.of.kind !== 'name' || expression.of.name !== 'var')
    return undefined
  const first = expression.given.positional[0]?.value
  return first?.kind === 'literal' && typeof first.value === 'string' ? first.value : undefined
}

/** Lines that tags left empty go, and so does white space at the end of lines; texts over several lines stay. */
function tidied(draft: string, tokensOf: (text: string) => readonly SqlToken[]): string {
  const sql = draft.replaceAll('\r\n', '\n')
  const long = tokensOf(sql).filter(each => isLiteral(each) && sql.slice(each.start, each.end).includes('\n'))
  let tidy = ''
  let done = 0
  const shorten = (part: string) => part.replace(/[ \t]+\n/g, '\n').replace(/\n{3,}/g, '\n\n')
  for (const { start, end } of long) {
    tidy += shorten(sql.slice(done, start)) + sql.slice(start, end)
    done = end
  }
  tidy += shorten(sql.slice(done))
  const whole = tidy
    .replace(/^(\s*\n)+/, '')
    .trimEnd()
    .replace(/\s*;$/, '')
  // A text over several lines would lose its own white space.
  return long.some(({ kind }) => kind !== 'comment') ? whole : dedented(whole)
}

/** Takes away what all lines are indented by. */
function dedented(text: string): string {
  const lines = text.split('\n')
  const depths = lines.filter(line => line.trim() !== '').map(line => /^ */.exec(line)?.[0].length ?? 0)
  const depth = depths.length === 0 ? 0 : Math.min(...depths)
  return depth === 0 ? text : lines.map(line => line.slice(depth)).join('\n')
}
