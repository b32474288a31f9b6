/** The query of a test of one's own: where its parameters stand, and what is wrong with it before it is used. */
import type { Engine } from '../engines/engine.ts'
import type { SqlToken } from '../engines/sql-token.ts'
import { readSql } from '../sql/reader/read-sql.ts'
import { scanTemplate, type TemplateProblem } from '../syntax/scan-template.ts'
import { nearestNames } from '../text/nearest-names.ts'
import type { Range } from '../text/range.ts'
import { expandedText } from './expand.ts'
import type { Named, OwnTest, Parameter, Place } from './own-test.ts'

export interface Problem {
  readonly range: Range
  /** A warning lets the test be used. */
  readonly severity?: 'warning'
  readonly message: string
  readonly hint: string
}

type Known = Pick<OwnTest, 'path' | 'text' | 'body' | 'parameters'>

const plainTag = /^\{\{\s*([A-Za-z_]\w*)\s*\}\}$/
/** With arguments that are SQL; those of `ref` and `var` are names in quotes. */
const macroCall = /^\{\{\s*(?!ref\b|var\b|source\b)[A-Za-z_]\w*\s*\(/
const inQuotes = /\{\{\s*([A-Za-z_]\w*)\s*\}\}/g

/** Finds the parameters in the query: `{{ name }}` outside of quotes and comments. */
export function placesIn(known: Known, engine: Engine) {
  const { text, body, parameters } = known
  const sql = text.slice(body.start, body.end)
  const places: Place[] = []
  const problems: Problem[] = []
  const named = (name: string | undefined) => parameters.find(parameter => parameter.name === name)
  for (const { kind, range } of tokensIn(sql, body.start, engine)) {
    const written = text.slice(range.start, range.end)
    if (kind === 'tag') {
      const parameter = named(plainTag.exec(written)?.[1])
      if (parameter !== undefined) places.push({ range, parameter })
    } else if (kind === 'string' || kind === 'quoted')
      for (const match of written.matchAll(inQuotes))
        if (named(match[1]) !== undefined) problems.push(quotedPlace(range.start + match.index, match[0]))
  }
  const used = new Set(places.map(({ parameter }) => parameter))
  // A tag that is not closed is reported by itself, and may well be the use of a parameter.
  const isBroken = scanTemplate(sql, engine).problems.some(({ code }) => code === 'unclosed-tag')
  const unused = isBroken ? [] : parameters.filter(parameter => !used.has(parameter)).map(unusedProblem)
  return { places, problems: [...problems, ...unused] }
}

/** The arguments of a macro are SQL, in which parameters may stand: `{{ cents({{ column }}) }}`. */
function* tokensIn(
  sql: string,
  offset: number,
  engine: Engine,
): Generator<Pick<SqlToken, 'kind'> & { range: Range }> {
  for (const { kind, start, end } of engine.tokens(sql)) {
    yield { kind, range: { start: offset + start, end: offset + end } }
    const isCall = kind === 'tag' && macroCall.test(sql.slice(start, end))
    if (isCall) yield* tokensIn(sql.slice(start + 2, end - 2), offset + start + 2, engine)
  }
}

function quotedPlace(start: number, tag: string): Problem {
  return {
    range: { start, end: start + tag.length },
    message: `${tag} stands in quotes`,
    hint: 'Take the quotes away: a text gets its own.',
  }
}

function unusedProblem({ name, nameRange }: Parameter): Problem {
  return {
    range: nameRange,
    severity: 'warning',
    message: `the query does not use the parameter "${name}"`,
    hint: `Write {{ ${name} }} where its value belongs, or take the line out.`,
  }
}

/** Reads the query with some values in it, as an asset would have it. */
export function readBody(test: Known & Pick<OwnTest, 'places'>, engine: Engine) {
  const { body, places } = test
  if (body.end === body.start) return { names: [], problems: [noQuery] }
  const { text, toOrigin } = expandedText(test, sample, engine)
  const { tags, problems } = scanTemplate(text, engine)
  const atOrigin = (range: Range) => toOrigin.rangeToOriginal(range)
  const ofSource = tags.flatMap(({ kind, range }) =>
    kind === 'source' ? [{ range: atOrigin(range), ...noSource }] : [],
  )
  // The SQL reader stumbles over invalid tags too.
  const badTags = new Set(problems.map(({ range }) => range.start))
  const ofSql = readSql(text, engine.grammar)
    .problems.filter(({ start }) => !badTags.has(start))
    .map(({ start, end, message, hint = 'Correct the SQL.' }) => ({
      range: atOrigin(end > start ? { start, end } : { start: Math.max(0, start - 1), end: start }),
      message,
      hint,
    }))
  const names = tags.flatMap((tag): readonly Named[] =>
    tag.kind === 'ref' || tag.kind === 'var' || tag.kind === 'macro'
      ? [{ kind: tag.kind, name: tag.name, range: atOrigin(tag.nameRange) }]
      : [],
  )
  return {
    names: names.filter(({ range }) => !places.some(place => place.range.start === range.start)),
    problems: [
      ...problems
        .filter(problem => !isParameter(problem, text, test))
        .map(problem => tagProblem(problem, text, test, atOrigin(problem.range))),
      ...ofSource,
      ...ofSql,
    ],
  }
}

/** A parameter within a tag that is not closed has no value; that the tag is not closed is reported by itself. */
function isParameter({ range }: TemplateProblem, text: string, { parameters }: Known): boolean {
  const name = nameIn(text, range)
  return name !== undefined && parameters.some(parameter => parameter.name === name)
}

/** A tag that is none of svc's may be meant as a parameter. */
function tagProblem(
  { range, message, hint }: TemplateProblem,
  text: string,
  { parameters }: Known,
  at: Range,
): Problem {
  const name = nameIn(text, range)
  if (name === undefined) return { range: at, message, hint }
  const names = parameters.map(each => each.name)
  const [nearest] = nearestNames(name, names)
  return {
    range: at,
    message: `there is no parameter and no tag "${name}"`,
    hint: nearest === undefined ? `Declare it: -- param ${name}: text` : `did you mean "${nearest}"?`,
  }
}

function nameIn(text: string, tag: Range): string | undefined {
  return plainTag.exec(text.slice(tag.start, tag.end))?.[1]
}

const noQuery: Problem = {
  range: { start: 0, end: 1 },
  message: 'there is no query',
  hint: 'Write a SELECT that returns the rows that fail.',
}

const noSource = {
  message: 'a test cannot read {{ source }}',
  hint: "Read the asset with {{ this }}, or another one with {{ ref('name') }}.",
}

function sample({ name, type, fallback }: Parameter) {
  if (fallback !== undefined) return fallback
  if (type.shape.kind === 'number') return 1
  if (type.shape.kind === 'boolean') return true
  return type.shape.kind === 'list' ? [1] : name
}
