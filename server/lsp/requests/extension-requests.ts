/** The requests of `protocol.ts` beyond LSP, for the extension. */
import { RequestType, RequestType0 } from 'vscode-languageserver'
import { queryAt } from '../../language/features/query-at.ts'
import { locate, readerSqlWithMap } from '../../language/index.ts'
import { environmentNames, gitBranch, isEnvironmentName, sha256 } from '../../workspace/index.ts'
import { type Asked, askedOf, guarded } from '../context.ts'
import { offsetAt, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'
import { summaryOf } from '../project/summary.ts'
import {
  type CompiledSqlParams,
  type CompiledSqlResult,
  compiledSqlRequest,
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
    connection.onRequest(
      new RequestType0<ProjectsResult, void>(projectsRequest),
      guardedAll(context, projectsRequest, async () => {
        await session.ready()
        return session.projects().map(project => summaryOf(session, project))
      }),
    )
    connection.onRequest(
      new RequestType<CompiledSqlParams, CompiledSqlResult, void>(compiledSqlRequest),
      guarded(context, compiledSqlRequest, ({ uri, environment }) => {
        const asked = askedOf(context, uri)
        return asked === undefined
          ? nothingToCompile('the file is part of no project')
          : compiled(asked, environment)
      }),
    )
    connection.onRequest(
      new RequestType<TestsParams, TestsResult, void>(testsRequest),
      guarded(context, testsRequest, ({ uri }) => {
        const asked = askedOf(context, uri)
        return asked === undefined ? [] : testsIn(asked)
      }),
    )
    connection.onRequest(
      new RequestType<QueryAtParams, QueryAtResult | null, void>(queryAtRequest),
      guarded(context, queryAtRequest, ({ uri, position }) => {
        const asked = askedOf(context, uri)
        return asked === undefined
          ? null
          : (queryAt(asked.knowledge, asked.path, offsetAt(asked.text, position)) ?? null)
      }),
    )
  },
}

/** For requests without parameters. */
function guardedAll<R>(
  context: Parameters<typeof guarded>[0],
  name: string,
  handler: () => Promise<R>,
): (token: Parameters<ReturnType<typeof guarded>>[1]) => Promise<R> {
  const safe = guarded<undefined, R>(context, name, handler)
  return token => safe(undefined, token)
}

function compiled({ project, path, text, knowledge }: Asked, environment = 'dev'): CompiledSqlResult {
  const asset = knowledge.project.assets.get(path)
  if (asset === undefined) return nothingToCompile('the file is no asset')
  if (!isEnvironmentName(environment)) return nothingToCompile(`"${environment}" cannot name an environment`)
  const { settings } = knowledge.project
  const names = environmentNames({
    settings,
    name: environment,
    branch: gitBranch(project.root),
    hash: sha256,
  })
  const found = readerSqlWithMap(asset, knowledge.project, names)
  if (found === undefined) return nothingToCompile('the asset has no SQL')
  const map = found.map.map(({ from, to, range }) => ({ from, to, range: rangeAt(text, range) }))
  return { sql: found.sql, map }
}

function nothingToCompile(reason: string): CompiledSqlResult {
  return { sql: undefined, reason, map: [] }
}

function testsIn({ path, text, knowledge }: Asked): TestsResult {
  const asset = knowledge.project.assets.get(path)
  return (asset?.definition.tests ?? []).map(({ name, kind, severity, index }) => ({
    asset: asset?.name ?? '',
    name,
    kind,
    severity,
    range: rangeAt(text, asset === undefined ? { start: 0, end: 0 } : locate(asset, ['tests', index])),
  }))
}
