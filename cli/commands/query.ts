/** `svc query "<sql>"`: rows of SQL over what is live (decisions 9). */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { SvcError } from '../engine/errors.ts'
import { type QueryReport, queryCsv, queryJson, renderQuery } from '../render/query.ts'
import {
  type Command,
  type CommandContext,
  csvOption,
  environmentOption,
  jsonOption,
  reportOf,
} from './command.ts'
import { readStdin } from './read-stdin.ts'
import { sayWaiting } from './say-waiting.ts'

export const queryCommand: Command = {
  name: 'query',
  brief: 'rows of SQL over what is live',
  summary: "Run SQL over what is live, read-only: {{ ref('asset') }} names what it reads.",
  arguments: [
    { name: 'sql', summary: 'the SQL, a file with it (.sql, .svcsql), or - for stdin', required: true },
  ],
  options: [
    { name: 'limit', value: 'number', summary: 'rows to show', default: 100 },
    environmentOption,
    { name: 'run', value: 'id', summary: 'over what a preview or failed run built, not over what is live' },
    { name: 'unmasked', summary: 'show the values of personal columns (pii)' },
    csvOption,
    jsonOption,
  ],
  examples: [
    {
      line: `svc query "SELECT count(*) FROM {{ ref('daily_sales') }}"`,
      says: 'one figure of dev',
    },
    { line: `svc query "SELECT * FROM {{ ref('orders') }}" --env prod --csv`, says: 'rows of prod as CSV' },
  ],
  exitCodes: {
    0: 'done',
    1: 'the SQL has errors, or what it reads was never deployed',
    2: 'wrong usage or no project',
    3: 'warehouse failed',
  },
  async run(context) {
    const { options } = context
    const sql = await sqlOf(context)
    const workspace = await context.openWorkspace()
    const { querySql } = await import('../engine/run/query-sql.ts')
    const request = {
      sql,
      limit: options.count('limit') ?? 100,
      runId: options.text('run'),
      unmasked: options.flag('unmasked'),
    }
    const answer = await querySql(workspace, request, sayWaiting(context))
    const report: QueryReport = { ...answer, environment: workspace.environment.name }
    return { ...reportOf(report, renderQuery, queryJson), csv: queryCsv(report) }
  },
}

/** SQL has a space in it, and the name of a file of SQL ends as one. */
async function sqlOf({ arguments: [given = ''], world }: CommandContext): Promise<string> {
  const sql = given === '-' ? await readStdin() : isFile(given) ? textOf(given, world.cwd) : given
  if (sql.trim() !== '') return sql
  throw new SvcError('wrong-usage', 'there is no SQL to run', {
    hint: 'Write it in quotes: "SELECT …".',
  })
}

function isFile(given: string): boolean {
  return /\.(svc)?sql$/i.test(given) && !/\n|^\s*(select|with|from)\s/i.test(given)
}

function textOf(path: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, path), 'utf8')
  } catch {
    throw new SvcError('wrong-usage', `the file "${path}" cannot be read`, {
      hint: 'Check the path; SQL itself is written in quotes.',
    })
  }
}
