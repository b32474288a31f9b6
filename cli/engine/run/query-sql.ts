/**
 * `svc query`: rows of SQL that is in no file, over the live builds of what it reads: bound first, read-only, isolated and
 * masked as `svc sample --query` is.
 */
import type { Asset, Project } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { EmitEvent } from './events.ts'
import type { Sample } from './sample-asset.ts'
import { type QuerySubject, sampleSubject } from './sample-query.ts'

export interface SqlRequest {
  readonly sql: string
  readonly limit: number
  readonly runId: string | undefined
  readonly unmasked: boolean
}

export interface SqlAnswer extends Pick<Sample, 'columns' | 'rows' | 'masked'> {
  /** Whether there are more rows than were asked for. */
  readonly isCut: boolean
}

/** Throws SvcError `wrong-usage`, `unknown-run`, `invalid-project`, `not-deployed`, `parent-not-built`, `build-failed`. */
export async function querySql(
  workspace: Workspace,
  { sql, limit, ...request }: SqlRequest,
  emit?: EmitEvent,
): Promise<SqlAnswer> {
  const subject = subjectOf(workspace.project, sql)
  // One row more shows whether there are more.
  const asked = { ...request, limit: limit + 1, cte: undefined, text: undefined }
  try {
    const { columns, rows, masked } = await sampleSubject(workspace, subject, asked, emit)
    return { columns, rows: rows.slice(0, limit), masked, isCut: rows.length > limit }
  } catch (error) {
    throw atQuery(subject.asset, error, workspace.environment.name)
  }
}

const linesBefore = 3
const indent = '  '

/** The query as an asset that no file has. Its lines are those of the query, so that places in it are known. */
function subjectOf(project: Project, sql: string): QuerySubject {
  const name = freeName(project)
  const path = `${project.settings.models.replace(/\/$/, '')}/${name}.svc`
  const changed = project.with(path, `name: ${name}\ningest: none\ntransform: ${yamlOf(sql)}`)
  const asset = changed.assets.get(path)
  if (asset?.sql === undefined)
    throw new SvcError('wrong-usage', 'this is no query', { hint: 'Write SQL: SELECT … FROM …' })
  const own = asset.sql.tags.find(({ kind }) => kind === 'source' || kind === 'this')
  if (own !== undefined)
    throw new SvcError('wrong-usage', `a query belongs to no asset, so it has no {{ ${own.kind} }}`, {
      hint: "Name an asset: {{ ref('orders') }}.",
    })
  return { project: changed, asset }
}

function freeName(project: Project): string {
  let name = 'query'
  while (project.byName.has(name)) name += '_'
  return name
}

function yamlOf(sql: string): string {
  const lines = sql.replace(/\r\n?/g, '\n').trimEnd().split('\n')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: YAML has these characters within quotes alone.
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff\ufffe\uffff]/.test(sql))
    return `${JSON.stringify(sql)}\n`
  return `|${indent.length}-\n${lines.map(line => `${indent}${line}\n`).join('')}`
}

/** The place is that in the query: the asset is nobody's file. */
function atQuery({ path }: Asset, error: unknown, environment: string): unknown {
  if (!(error instanceof SvcError)) return error
  if (error.code === 'parent-not-built' && error.place === undefined)
    return new SvcError('not-deployed', `nothing was ever deployed to ${environment}`, {
      hint: svc => `Run it first: ${svc('run')}.`,
    })
  const { place, givenHint: hint, facts } = error
  const [, line, column] = place?.startsWith(`${path}:`) ? (/:(\d+):(\d+)$/.exec(place) ?? []) : []
  const at = line === undefined ? undefined : `line ${Number(line) - linesBefore}, column ${columnIn(column)}`
  return new SvcError(error.code, error.message, {
    hint,
    ...(facts !== undefined && { facts }),
    ...(at !== undefined && { place: at }),
    cause: error.cause,
  })
}

function columnIn(column = '1'): number {
  return Math.max(1, Number(column) - indent.length)
}
