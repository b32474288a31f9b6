/**
 * Parses a file of macros. The form is DuckDB's, also in projects with another engine, because svc expands macros itself:
 * `CREATE MACRO name(a, b := 1) AS expression;` or `… AS TABLE SELECT …;`. Parsing never fails.
 */
import type { Engine } from '../engines/engine.ts'
import type { SqlToken } from '../engines/sql-token.ts'
import { partsOf } from '../syntax/macro-call.ts'
import { scanTemplate, type TemplateProblem } from '../syntax/scan-template.ts'
import type { Tag } from '../syntax/template.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'
import type { Macro, MacroFile, MacroSql, Parameter } from './macro.ts'
import { type MacroTokens, macroTokens, passMacro } from './macro-tokens.ts'
import { parameterPlaces } from './parameter-places.ts'

export function parseMacros(path: string, text: string, engine: Engine): MacroFile {
  const tokens = macroTokens(text, engine)
  const { tags, problems } = scanTemplate(text, engine)
  const jinja = problems.find(({ facts }) => facts?.['statement'] === true)
  if (jinja !== undefined) return { path, text, macros: [], diagnostics: [jinjaDiagnostic(path, jinja)] }
  const file: Reading = { path, text, engine, tokens, tags, diagnostics: [] }
  const macros: Macro[] = []
  while (!tokens.isAtEnd()) {
    if (tokens.take(';')) continue
    const macro = readMacro(file)
    if (macro instanceof Refusal) {
      report(file, macro.range, macro.message, macro.hint)
      passMacro(tokens)
    } else macros.push(macro)
  }
  for (const problem of problems) file.diagnostics.push(tagDiagnostic(path, problem))
  return { path, text, macros, diagnostics: file.diagnostics }
}

interface Reading {
  readonly path: string
  readonly text: string
  readonly engine: Engine
  readonly tokens: MacroTokens
  readonly tags: readonly Tag[]
  readonly diagnostics: Diagnostic[]
}

class Refusal {
  readonly range: Range
  readonly message: string
  readonly hint: string

  constructor(range: Range, message: string, hint = form) {
    this.range = range
    this.message = message
    this.hint = hint
  }
}

const form = 'Write CREATE MACRO name(a, b := 1) AS expression; or … AS TABLE SELECT …;'

function report({ diagnostics, path }: Reading, range: Range, message: string, hint: string): void {
  diagnostics.push({ code: 'macro-syntax', severity: 'error', path, range, message, hint })
}

function tagDiagnostic(path: string, { replacement: _replacement, ...problem }: TemplateProblem): Diagnostic {
  return { ...problem, severity: 'error', path }
}

function jinjaDiagnostic(path: string, { range }: TemplateProblem): Diagnostic {
  const message = 'this is a macro in Jinja, which svc does not read'
  return { code: 'macro-syntax', severity: 'error', path, range, message, hint: form }
}

// ---------------------------------------------------------------- one macro

function readMacro(file: Reading): Macro | Refusal {
  const { tokens } = file
  const start = tokens.range().start
  if (!tokens.takeWord('create')) return new Refusal(tokens.range(), 'a macro begins with CREATE MACRO')
  if (tokens.takeWord('or')) tokens.takeWord('replace')
  if (!tokens.takeWord('macro') && !tokens.takeWord('function'))
    return new Refusal(tokens.range(), 'only macros may stand in this folder: MACRO is expected here')
  const nameRange = tokens.range()
  const name = tokens.name()
  if (name === undefined) return new Refusal(nameRange, 'the name of the macro is missing')
  const parameters = readParameters(file)
  if (parameters instanceof Refusal) return parameters
  if (!tokens.takeWord('as')) return new Refusal(tokens.range(), 'AS is expected here')
  const kind = tokens.takeWord('table') ? 'table' : 'expression'
  const range = tokens.body()
  if (range === undefined) return new Refusal(tokens.range(), 'the macro has no body')
  if (kind === 'expression' && /^(select|with|from)\b/i.test(file.text.slice(range.start, range.end)))
    return new Refusal(
      { start: range.start, end: range.start + 4 },
      'a query is a table',
      'Write AS TABLE before it, or put it in brackets for a single value.',
    )
  const names = parameters.map(parameter => file.engine.fold(parameter.name))
  const body = readPiece(file, range, kind, names)
  const description = descriptionAbove(file.text, start)
  const about = { path: file.path, text: file.text, range: { start, end: range.end } }
  return { ...about, name, nameRange, parameters, kind, body, description }
}

function readParameters(file: Reading): readonly Parameter[] | Refusal {
  const { tokens, text, engine } = file
  const inside = tokens.brackets()
  if (inside === undefined) return new Refusal(tokens.range(), 'the list of parameters is missing')
  if (inside.length === 0) return []
  const parameters: Parameter[] = []
  for (const part of partsOf(text, inside)) {
    const parameter = readParameter(file, part)
    if (parameter === undefined) return new Refusal(spanOf(part, tokens.range()), 'this is no parameter')
    const { name, nameRange } = parameter
    const isKnown = parameters.some(other => engine.sameName(other.name, name))
    if (isKnown)
      return new Refusal(nameRange, `the parameter "${name}" is there twice`, 'Give each a name of its own.')
    if (parameter.fallback === undefined && parameters.some(({ fallback }) => fallback !== undefined))
      return new Refusal(
        nameRange,
        `the parameter "${name}" needs a default, because one before it has one`,
        'Put the parameters without a default first.',
      )
    parameters.push(parameter)
  }
  return parameters
}

function readParameter(file: Reading, tokens: readonly SqlToken[]): Parameter | undefined {
  const [word, mark, first] = tokens
  const last = tokens.at(-1)
  if (word?.kind !== 'word' || last === undefined) return undefined
  const nameRange = { start: word.start, end: word.end }
  const name = file.text.slice(word.start, word.end)
  if (mark === undefined) return { name, nameRange }
  if (file.text.slice(mark.start, mark.end) !== ':=' || first === undefined) return undefined
  const range = { start: first.start, end: last.end }
  return { name, nameRange, fallback: readPiece(file, range, 'expression', []) }
}

function spanOf(tokens: readonly SqlToken[], otherwise: Range): Range {
  const [first] = tokens
  const last = tokens.at(-1)
  return first === undefined || last === undefined ? otherwise : { start: first.start, end: last.end }
}

function readPiece(file: Reading, range: Range, kind: Macro['kind'], names: readonly string[]): MacroSql {
  const { text, engine } = file
  const tags = file.tags.filter(tag => tag.range.start >= range.start && tag.range.end <= range.end)
  const { places, problems } = parameterPlaces(text, range, kind, tags, names, engine)
  // The scanner of the file reports its invalid tags.
  const badTags = new Set(file.tags.flatMap(tag => (tag.kind === 'invalid' ? tag.range.start : [])))
  for (const { start, end, message, hint } of problems) {
    if (badTags.has(start)) continue
    const place = end > start ? { start, end } : { start: Math.max(range.start, start - 1), end: start }
    report(file, place, message, hint ?? 'Correct the SQL of the macro.')
  }
  return { range, tags, places }
}

/** Returns the line comments directly above, without their marks. */
function descriptionAbove(text: string, start: number): string {
  const lines = text.slice(0, start).split(/\r?\n/)
  lines.pop()
  const comments: string[] = []
  for (let line = lines.pop(); line !== undefined; line = lines.pop()) {
    const comment = /^\s*--\s?(.*)$/.exec(line)
    if (comment === null) break
    comments.unshift(comment[1] ?? '')
  }
  return comments.join('\n').trim()
}
