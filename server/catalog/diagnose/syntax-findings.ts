/** Findings for SQL that does not parse, and for SQL that is not exactly one SELECT. */
import type { SqlToken } from '../../language/engines/sql-token.ts'
import { wordSet } from '../../language/sql/grammar.ts'
import type { SqlReading, SyntaxProblem } from '../../language/sql/tree.ts'
import type { Range } from '../../language/text/range.ts'
import type { BindError } from '../bind-error.ts'
import { sentence } from '../phrases.ts'
import { render } from '../rendered.ts'
import type { Statement } from '../statement.ts'
import type { Finding } from './finding.ts'
import { wholeRange } from './places.ts'

/** Returns the finding for a syntax error of the reader or of the engine. */
export function syntaxFinding(
  problem: SyntaxProblem | BindError,
  treatment?: { readonly statement: Statement },
): Finding {
  if ('repair' in problem) return readersFinding(problem)
  const message = sentence(problem.message)
  const code = 'sql-syntax'
  if (treatment === undefined) return { code, message, range: { start: 0, end: 0 } }
  if (problem.position === undefined) return { code, message, range: wholeRange(treatment) }
  const { template, engine } = treatment.statement
  const tokens = engine.tokens(template.text).filter(each => each.kind !== 'comment')
  const at = render(treatment.statement, []).toTemplate(problem.position)
  const token = tokens.find(each => each.end > at)
  if (token !== undefined) return { code, message, range: { start: token.start, end: token.end } }
  const last = tokens.at(-1) ?? { start: 0, end: 0 }
  return { code, message: 'the statement ends too early', range: { start: last.start, end: last.end } }
}

function readersFinding({ message, hint, suggestions, start, end, fix }: SyntaxProblem): Finding {
  const [only] = fix?.edits ?? []
  const edit =
    fix !== undefined && only !== undefined && fix.edits.length === 1
      ? { range: { start: only.start, end: only.end }, text: only.text, title: fix.title }
      : undefined
  return { code: 'sql-syntax', message, hint, suggestions, range: { start, end }, edit }
}

const rule = 'Write one SELECT; what else it takes, such as making a table of it, is done by svc.'

/** Reports a text without SQL, a statement of another kind, or more than one statement. */
export function notASelect({ template, engine }: Statement, reading: SqlReading): Finding | undefined {
  const tokens = engine.tokens(template.text).filter(token => token.kind !== 'comment')
  const [first] = tokens
  const code = 'sql-not-a-select'
  if (first === undefined)
    return { code, message: 'there is no SQL here', hint: rule, range: { start: 0, end: 0 } }
  const [, second] = reading.statements
  if (second !== undefined)
    return {
      code,
      message: 'more than one statement',
      hint: rule,
      range: firstWord(tokens, second.start),
    }
  const word = template.text.slice(first.start, first.end).toUpperCase()
  const { body } = reading.statements[0] ?? {}
  if (body?.kind !== 'describe' && !statements.has(word)) return undefined
  return {
    code,
    message: `${word} is not a SELECT`,
    hint: rule,
    range: { start: first.start, end: first.end },
  }
}

/** The first words of statements of other kinds. */
const statements: ReadonlySet<string> = wordSet(
  `ALTER ANALYZE ATTACH BEGIN CALL CHECKPOINT COMMENT COMMIT COPY CREATE DEALLOCATE DELETE DESC DESCRIBE DETACH DROP EXECUTE
  EXPLAIN EXPORT IMPORT INSERT INSTALL LOAD MERGE PRAGMA PREPARE RESET ROLLBACK SET SHOW SUMMARIZE TRUNCATE UPDATE USE
  VACUUM`,
)

function firstWord(tokens: readonly SqlToken[], start: number): Range {
  const token = tokens.find(each => each.start >= start)
  return token === undefined ? { start, end: start } : { start: token.start, end: token.end }
}
