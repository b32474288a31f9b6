/** Turns the name binder's problems into findings in the user's terms. */
import type { Engine } from '../../language/index.ts'
import type { NameProblem } from '../../language/sql/binder/model.ts'
import { cteNames } from '../../language/sql/binder/scope.ts'
import { nameIndexOf } from '../../language/text/name-index.ts'
import { nearestNames } from '../../language/text/nearest-names.ts'
import type { Range } from '../../language/text/range.ts'
import type { SqlEdit } from '../fixes.ts'
import type { Statement } from '../statement.ts'
import type { Finding } from './finding.ts'
import {
  didYouMean,
  has,
  joined,
  offerAmong,
  offerColumns,
  offerColumnsOf,
  offerQualifiers,
} from './names-in-sight.ts'

/** Returns the finding for an unresolved name. `nearestAssets` has assets that an unknown table may mean. */
export function nameFinding(
  problem: NameProblem,
  { template, engine }: Pick<Statement, 'template' | 'engine'>,
  nearestAssets: (name: string) => readonly string[],
): Finding {
  const { span: range, scope } = problem
  switch (problem.kind) {
    case 'unknown-column':
      return unknownColumn(problem)
    case 'unknown-field':
      return unknownField(problem)
    case 'unknown-qualifier':
      return unknownQualifier(problem.name, range, offerQualifiers(problem.name, scope), engine)
    case 'unknown-table':
      return unknownTable(problem, nearestAssets, engine)
    case 'unknown-window':
      return unknownWindow(problem)
    case 'ambiguous-column':
      return ambiguous(problem)
    case 'subquery-width':
      return {
        code: 'sql-other',
        message: `the query after IN has ${problem.count} columns, not ${problem.expected}`,
        hint: 'Select the one column that is compared, or compare a row: (a, b) IN (SELECT …).',
        range,
      }
    case 'file-table':
      return {
        code: 'sql-other',
        message: `SQL cannot read "${problem.name}"`,
        hint: 'Files are read by an asset with ingest.type "file", and its rows through {{ source }}.',
        range,
      }
    case 'no-common-column':
      return {
        code: 'sql-other',
        message: 'the two sides of NATURAL JOIN have no column in common',
        hint: 'Write JOIN … ON with the columns that belong together.',
        range,
      }
    case 'alias-too-early':
      return {
        code: 'sql-unknown-column',
        message: `"${problem.name}" is used before it is defined`,
        hint: 'An alias can be used after the item that defines it.',
        range,
      }
    case 'duplicate-table':
      return {
        code: 'sql-other',
        message: `two tables are called "${problem.name}"`,
        hint: 'Give one of them another name with AS.',
        range,
      }
    case 'duplicate-cte':
      return { code: 'sql-other', message: `two CTEs are called "${problem.name}"`, range }
    case 'unequal-widths':
      return unequalWidths(problem, template.text)
    case 'no-such-position':
      return {
        code: 'sql-other',
        message: `there is no column ${problem.index}, only ${problem.count}`,
        range,
      }
  }
}

type Problem<K extends NameProblem['kind']> = Extract<NameProblem, { kind: K }>

function unknownColumn({ name, table, among, side, span: range, scope }: Problem<'unknown-column'>): Finding {
  const offer =
    among !== undefined
      ? offerAmong(name, among)
      : table === undefined
        ? offerColumns(name, scope)
        : offerColumnsOf(name, table)
  const message =
    side === undefined
      ? `unknown column "${name}"`
      : `column "${name}" is not on the ${side} side of the join`
  return { code: 'sql-unknown-column', message, ...offer, range }
}

function unknownField({ name, fields, span: range }: Problem<'unknown-field'>): Finding {
  const code = 'sql-unknown-column'
  const message = `unknown field "${name}"`
  if (fields.length === 0)
    return { code, message, hint: 'What stands before the dot has no fields.', suggestions: [], range }
  const suggestions = nameIndexOf(fields).nearest(name)
  return { code, message, hint: joined(didYouMean(suggestions), has('it', fields)), suggestions, range }
}

function unknownQualifier(
  name: string,
  range: Range,
  offer: ReturnType<typeof offerQualifiers>,
  { quoteIfNeeded }: Engine,
): Finding {
  const [best] = offer.suggestions
  const edit =
    best === undefined ? undefined : { range, text: quoteIfNeeded(best), title: `Change to "${best}"` }
  return { code: 'sql-unknown-table', message: `unknown table "${name}"`, ...offer, range, edit }
}

function unknownTable(
  { name, whole, span: range, scope }: Problem<'unknown-table'>,
  nearestAssets: (name: string) => readonly string[],
  engine: Engine,
): Finding {
  const ctes = cteNames(scope.ctes)
  const suggestions = nearestNames(name, [...ctes, ...nearestAssets(name)])
  const [first] = suggestions
  const isCte = first !== undefined && ctes.includes(first)
  const meant = first === undefined || isCte ? didYouMean(suggestions) : `did you mean {{ ref('${first}') }}?`
  const rule =
    first === undefined
      ? "SQL reads other assets through {{ ref('name') }} and its own source through {{ source }}."
      : undefined
  return {
    code: 'sql-unknown-table',
    message: `unknown table "${name}"`,
    hint: joined(meant, rule),
    suggestions,
    range,
    edit:
      first === undefined
        ? undefined
        : tableEdit(first, isCte ? engine.quoteIfNeeded(first) : undefined, whole),
  }
}

/**
 * Returns the edit that replaces an unknown table. `cte` is the name of a CTE that is to be written as SQL
 * instead of a ref.
 */
function tableEdit(name: string, cte: string | undefined, { start, end }: Range): SqlEdit {
  const text = cte ?? `{{ ref('${name}') }}`
  return { range: { start, end }, text, title: `Change to ${cte === undefined ? text : `"${name}"`}` }
}

function unknownWindow({ name, windows, span: range }: Problem<'unknown-window'>): Finding {
  const suggestions = nearestNames(name, windows)
  return {
    code: 'sql-syntax',
    message: `unknown window "${name}"`,
    hint: joined(
      didYouMean(suggestions),
      windows.length === 0 ? `Define it: WINDOW ${name} AS (…).` : has('the query', windows),
    ),
    suggestions,
    range,
  }
}

function ambiguous({ name, tables, span: range }: Problem<'ambiguous-column'>): Finding {
  const choices = tables.flatMap(table => (table === '' ? [] : `${table}.${name}`))
  return {
    code: 'sql-ambiguous-column',
    message: `column "${name}" is in more than one table`,
    hint: choices.length > 0 ? `Write ${choices.join(' or ')}.` : undefined,
    suggestions: choices,
    range,
  }
}

function unequalWidths({ left, right, span: range }: Problem<'unequal-widths'>, text: string): Finding {
  const word = text.slice(range.start, range.end).replaceAll(/\s+/g, ' ').split(' ')[0]?.toUpperCase()
  return {
    code: 'sql-other',
    message: `one side of ${word ?? 'the set operation'} has ${left === 1 ? '1 column' : `${left} columns`}, the other ${right}`,
    hint: 'Both sides need the same number of columns; UNION BY NAME fills in what is missing.',
    range: { start: range.start, end: range.start + (word?.length ?? 0) },
  }
}
