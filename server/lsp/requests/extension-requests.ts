/** Handles the requests of `protocol.ts` beyond LSP, for the extension. */
import {
  type CancellationToken,
  ErrorCodes,
  Position,
  type RequestHandler,
  RequestType,
  ResponseError,
} from 'vscode-languageserver'
import { queryAt } from '../../language/features/query-at.ts'
import { isEnvironmentName, locate, readerSqlWithMap } from '../../language/index.ts'
import { environmentNames, gitBranch } from '../../workspace/index.ts'
import { documentOf, guarded, type RequestedDocument } from '../context.ts'
import { filePathOf } from '../convert/paths.ts'
import { offsetAt, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'
import { summaryOf } from '../project/summary.ts'
import {
  aliveRequest,
  type CompiledSqlParams,
  type CompiledSqlResult,
  compiledSqlRequest,
  type EnvironmentChosen,
  environmentChosen,
  type ProjectsResult,
  projectsRequest,
  type QueryAtParams,
  type QueryAtResult,
  queryAtRequest,
  type TestsParams,
  type TestsResult,
  testsRequest,
} from '../protocol.ts'

export const extensionFeature: Feature = {
  capabilities: () => ({}),
  register(context) {
    const { connection, session } = context
    connection.onRequest(aliveRequest, () => true)
    // Registered by name alone: a request type without parameters would reject clients that send `null` for
    // "none".
    const projects = guarded<void, ProjectsResult>(context, projectsRequest, async () => {
      await session.ready()
      return session.projects().map(project => summaryOf(session, project))
    })
    connection.onRequest(projectsRequest, (...given: unknown[]) =>
      projects(undefined, given.at(-1) as CancellationToken),
    )
    connection.onNotification(environmentChosen, (params: unknown) => {
      const { root, environment } = typeof params === 'object' && params !== null ? chosenIn(params) : {}
      const path = root === undefined ? undefined : filePathOf(root)
      if (path !== undefined && environment !== undefined) session.choose(path, environment)
    })
    function answer<P, R>(name: string, of: (document: RequestedDocument | undefined, params: P) => R): void {
      const handler = guarded(context, name, (params: P) =>
        of(documentOf(context, uriIn(name, params)), params),
      )
      connection.onRequest(new RequestType<P, R, void>(name), handler as RequestHandler<P, R, void>)
    }
    answer<CompiledSqlParams, CompiledSqlResult>(compiledSqlRequest, (document, { environment }) =>
      document === undefined
        ? nothingToCompile('the file is part of no project')
        : compiled(document, environment ?? 'dev', context.isTrusted),
    )
    answer<TestsParams, TestsResult>(testsRequest, document =>
      document === undefined ? [] : testsIn(document),
    )
    answer<QueryAtParams, QueryAtResult | null>(queryAtRequest, (document, { position }) => {
      if (!Position.is(position)) throw wrongParameters(queryAtRequest, 'position')
      if (document === undefined) return null
      const { knowledge, path, text } = document
      return queryAt(knowledge, path, offsetAt(text, position)) ?? null
    })
  },
}

/** Another client may send anything, and a notification has no answer: what is no choice is left alone. */
function chosenIn(params: object): Partial<EnvironmentChosen> {
  const { root, environment } = { root: undefined, environment: undefined, ...params }
  const isChoice =
    typeof root === 'string' && typeof environment === 'string' && isEnvironmentName(environment)
  return isChoice ? { root, environment } : {}
}

/**
 * Returns the URI in the parameters. Another client may send anything; it gets an error that names the
 * missing parameter.
 */
function uriIn(request: string, params: unknown): string {
  const uri = typeof params === 'object' && params !== null && 'uri' in params ? params.uri : undefined
  if (typeof uri !== 'string') throw wrongParameters(request, 'uri')
  return uri
}

function wrongParameters(request: string, name: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidParams, `${request} takes an object with "${name}"`)
}

function compiled(
  { project, path, text, knowledge }: RequestedDocument,
  environment: string,
  isTrusted: boolean,
): CompiledSqlResult {
  const asset = knowledge.project.assets.get(path)
  if (asset === undefined) return nothingToCompile('the file is no asset')
  if (!isEnvironmentName(environment)) return nothingToCompile(`"${environment}" cannot name an environment`)
  const { settings } = knowledge.project
  const names = environmentNames({
    settings,
    name: environment,
    // The folder of git may be any, and a file of the project names it.
    branch: isTrusted ? gitBranch(project.root) : undefined,
  })
  const compiledSql = readerSqlWithMap(asset, knowledge.project, names)
  if (compiledSql === undefined) return nothingToCompile('the asset has no SQL')
  const map = compiledSql.map.map(({ from, to, range }) => ({ from, to, range: rangeAt(text, range) }))
  return { sql: compiledSql.sql, map }
}

function nothingToCompile(reason: string): CompiledSqlResult {
  return { sql: undefined, reason, map: [] }
}

function testsIn({ path, text, knowledge }: RequestedDocument): TestsResult {
  const asset = knowledge.project.assets.get(path)
  return (asset?.definition.tests ?? []).map(({ name, kind, severity, index }) => ({
    asset: asset?.name ?? '',
    name,
    kind,
    severity,
    range: rangeAt(text, asset === undefined ? { start: 0, end: 0 } : locate(asset, ['tests', index])),
  }))
}
