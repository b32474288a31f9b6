/** Codes of the diagnostics of SQL: those of the name binder, and the errors of the engine. */
import { boundOf } from '../features/sql/bound-sql.ts'
import { offsetInSql, type SqlBlock, sqlBlockAt } from '../features/sql/sql-blocks.ts'
import { sqlFileAt } from '../features/sql/sql-file.ts'
import type { Asset } from '../project/project.ts'
import type { Clause, Select } from '../sql/tree.ts'
import type { TextEdit } from '../text/diagnostic.ts'
import { codesOf, type Fix } from './diagnostic-code.ts'
import { type Problem, type Remedy, replaceHere, written } from './fix.ts'

export const sqlCodes = codesOf({
  'sql-bracketed-name': {
    doc: 'A column in square brackets, as T-SQL quotes names: here it is a list with one value.',
    severity: 'warning',
    fix: inQuery(bracketedName),
  },
  'sql-duplicate-column': {
    doc: 'Two output columns have the same name.',
    severity: 'warning',
    fix: inQuery(duplicateColumn),
  },
  'sql-shadowed-column': {
    doc: 'A name is read from a subquery that has two columns of that name, and means the first.',
    severity: 'warning',
  },
  'sql-ambiguous-column': 'A column without a table in front that several tables have.',
  'sql-bad-literal':
    'A literal that can never have the required type, such as a date: the SQL would fail at its first row.',
  'sql-group-by': { doc: 'A column is neither grouped nor aggregated.', fix: inQuery(groupBy) },
  'sql-no-matching-function': {
    doc: 'A function is called with types that it does not take.',
    fix: inQuery(castArgument),
  },
  'sql-not-a-select': '`transform` is something else than one SELECT.',
  'sql-too-expensive':
    'To check SQL, or to run a unit test, takes more time or memory than `limits.sql` in `svc.yaml` allows; it was stopped, and all other files were checked.',
  'sql-too-large':
    'SQL of more characters than `limits.sql.length`, or more tests with SQL in one asset than `limits.sql.tests`.',
  'sql-other': 'Any other objection of the SQL engine, in its own words.',
  'sql-reaches-out':
    'SQL that calls a function which reads files, the network, settings or tables that no `ref()` names, changes something, or runs a text as SQL; or that reads a relation of the database itself (`information_schema`, `pg_catalog`).',
  'sql-syntax': 'SQL that cannot be parsed: of a transform, of a test, or of a statement around a build.',
  'sql-type': 'Types that do not go together.',
  'sql-unknown-column': 'A column that none of the tables has.',
  'sql-unknown-function': 'A function that the SQL engine does not have.',
  'sql-unknown-table': 'A table that neither the project nor the statement defines.',
  'sql-unknown-type': 'A type that the SQL engine does not have.',
  'sql-unnamed-column': {
    doc: 'A subquery without a name in the select list: its column would be called after tables that are called otherwise in every build.',
    fix: inQuery(unnamedColumn),
  },
  'sql-wrong-arity': 'A function is called with too many or too few arguments.',
})

interface InSql extends Problem {
  readonly asset: Asset
  readonly block: SqlBlock
  /** The offset in the block's text. */
  readonly offset: number
}

/** Makes a fix for problems in a query, not in a condition. */
function inQuery(fix: (problem: InSql) => readonly Remedy[]): Fix {
  return problem => {
    const asset = sqlFileAt(problem.knowledge.project, problem.path)
    if (asset === undefined) return []
    const { start } = problem.diagnostic.range
    const block = sqlBlockAt(asset, start)
    if (block?.kind !== 'query') return []
    return fix({ ...problem, asset, block, offset: offsetInSql(block, start) })
  }
}

/** Returns an insertion; undefined if the file has the SQL in another form. */
function insertion({ asset, block }: InSql, offset: number, newText: string): TextEdit | undefined {
  const { style } = block.node
  if ((style === 'single' && newText.includes("'")) || (style === 'double' && /["\\]/.test(newText)))
    return undefined
  const { end } = block.toFile.rangeToOriginal({ start: offset - 1, end: offset })
  return { path: asset.path, range: { start: end, end }, newText }
}

function withEdits(title: string, edits: readonly (TextEdit | undefined)[]): readonly Remedy[] {
  const all = edits.flatMap(edit => edit ?? [])
  return all.length < edits.length || all.length === 0 ? [] : [{ title, edits: all }]
}

/** Returns the innermost SELECT around the place. */
function selectAt({ knowledge, asset, block, offset }: InSql): Select | undefined {
  const { selects } = boundOf(knowledge, asset, block)
  const around = selects.flatMap(({ select }) =>
    select.start <= offset && offset < select.end ? [select] : [],
  )
  return around.sort((a, b) => a.end - a.start - (b.end - b.start))[0]
}

/** Adds the column to GROUP BY; without one, adds a GROUP BY with all columns that are not aggregated. */
function groupBy(problem: InSql): readonly Remedy[] {
  const select = selectAt(problem)
  const { text } = problem.block
  const { range } = problem.diagnostic
  if (select === undefined) return []
  const clause = select.clauses.find(each => each.kind === 'group')
  if (clause !== undefined) {
    const column = qualified(problem.text, range)
    return withEdits(`Add ${column} to GROUP BY`, [insertion(problem, endOf(text, clause), `, ${column}`)])
  }
  const last = select.clauses.findLast(each => ['from', 'where'].includes(each.kind)) ?? select.clauses.at(-1)
  if (last === undefined) return []
  return withEdits('Add GROUP BY ALL', [insertion(problem, endOf(text, last), ' GROUP BY ALL')])
}

/** Returns the name with its qualifier. */
function qualified(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const before = /[\w"]+\.$/.exec(text.slice(0, start))?.[0] ?? ''
  const after = /^\.[\w"]+/.exec(text.slice(end))?.[0] ?? ''
  return `${before}${text.slice(start, end)}${after}`
}

/** Returns the end without trailing white space and comments. */
function endOf(text: string, { start, end }: Clause): number {
  const written = text.slice(start, end)
  const bare = written.replace(/(\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/|;)+$/, '')
  return start + bare.length
}

/** Takes the name out of its brackets. */
function bracketedName(problem: InSql): readonly Remedy[] {
  const name = written(problem).slice(1, -1).trim()
  return replaceHere(problem, `Change to ${name}`, name)
}

/** Offers another alias for the second column. */
function duplicateColumn(problem: InSql): readonly Remedy[] {
  const select = selectAt(problem)
  const item = select?.items.find(each => each.start <= problem.offset && problem.offset < each.end)
  const name = problem.diagnostic.facts?.['renamed']
  if (item === undefined || item.expression.kind === 'star' || typeof name !== 'string') return []
  const written = problem.knowledge.project.engine.quoteIfNeeded(name)
  const title = `Call the second one "${name}"`
  if (item.alias !== undefined) {
    const range = problem.block.toFile.rangeToOriginal({ start: item.alias.start, end: item.alias.end })
    return [{ title, edits: [{ path: problem.path, range, newText: written }] }]
  }
  return withEdits(title, [insertion(problem, item.end, ` AS ${written}`)])
}

/**
 * Makes an alias from the words of the expression up to its table: `(SELECT max(amount) FROM …)` becomes
 * `max_amount`.
 */
function unnamedColumn(problem: InSql): readonly Remedy[] {
  const { engine } = problem.knowledge.project
  const { text } = problem.block
  const { start, end } = problem.diagnostic.range
  const written = text.slice(problem.offset, problem.offset + (end - start))
  const [before = ''] = written.split(/\bfrom\b/i)
  const words = (before.match(/[a-z_]\w*/gi) ?? []).filter(word => !/^(select|distinct|all|as)$/i.test(word))
  const name = engine.quoteIfNeeded(words.slice(-3).join('_').toLowerCase() || 'value')
  return withEdits(`Call it "${name}"`, [insertion(problem, problem.offset + written.length, ` AS ${name}`)])
}

const overNumbers =
  /^(sum|avg|mean|median|stddev\w*|var\w*|round|floor|ceil|ceiling|abs|sqrt|fsum|sumkahan)$/i
const overText =
  /^(lower|upper|lcase|ucase|trim|ltrim|rtrim|length|len|substr|substring|left|right|starts_with|ends_with|contains|regexp_\w+|replace|split_part|string_split|md5|sha256|strlen|reverse)$/i

/** Casts the first argument to the type that the function takes. */
function castArgument(problem: InSql): readonly Remedy[] {
  const { text } = problem.block
  const call = /^(\w+)\s*\(\s*/.exec(text.slice(problem.offset))
  const name = call?.[1] ?? ''
  const type = overNumbers.test(name) ? 'DOUBLE' : overText.test(name) ? 'VARCHAR' : undefined
  if (call === null || type === undefined) return []
  const start = problem.offset + call[0].length
  // Only a plain name is cast: for an expression the user must decide.
  const argument = /^[\w."]+(?=\s*[,)])/.exec(text.slice(start))?.[0]
  if (argument === undefined || start === 0) return []
  return withEdits(`Cast ${argument} to ${type}`, [
    insertion(problem, start, 'CAST('),
    insertion(problem, start + argument.length, ` AS ${type})`),
  ])
}
