/** POST …/upload, POST …/test-results, GET …/uploads. */
import { Type } from '@sinclair/typebox'
import {
  type AnyRoute,
  type Call,
  Count,
  closed,
  defineRoute,
  ok,
  oneOf,
  orNull,
  RecordId,
  requireScope,
  Time,
  Warning,
} from '../../http/index.ts'
import { TestResultsFile, UploadBody } from '../pack/pack-schema.ts'
import { readResultsFile } from '../pack/read-results.ts'
import { resultRow } from '../pack/rows.ts'
import { AnyObject, aboutProject, projectPath } from '../read/schemas.ts'
import { jsonOf } from '../store/visible.ts'
import { writeResults } from '../store/write-slices.ts'
import { startJob } from './start-job.ts'
import { uploadPack } from './upload-pack.ts'
import { UploadAnswer, UploadCounts, UploadQuery } from './upload-shapes.ts'

const mostWarnings = 100

/** The unparsed body. Its JSON form is its hash, by which a repeated request is recognized. */
interface UploadBytes {
  readonly bytes: Buffer
  toJSON(): string
}

async function readUpload(bytes: Buffer): Promise<UploadBytes> {
  // The hash is computed asynchronously, because it takes a while for tens of megabytes.
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('base64url')
  return { bytes, toJSON: () => hash }
}

/** As `curl -F file=@pack.json` sends it. */
const UploadForm = Type.Object({
  file: Type.String({ contentMediaType: 'application/json', description: 'The context pack.' }),
})

const uploadRoute = defineRoute({
  ...aboutProject,
  id: 'uploadContextPack',
  method: 'POST',
  path: `${projectPath}/upload`,
  summary: 'Upload a context pack',
  scope: 'metadata:upload',
  query: UploadQuery,
  body: UploadBody,
  bodyRule: {
    accepts: ['application/json', 'multipart/form-data'],
    upload: 'pack',
    schemas: { 'multipart/form-data': UploadForm },
    // A large pack is parsed in a thread.
    parse: readUpload,
  },
  responses: { 200: UploadAnswer },
  async handle(call) {
    // What people edited is theirs: their policies and terms go only with the right to write them.
    if (call.query.glossary === 'overwrite') requireScope({ scope: 'glossary:write' }, call.principal)
    const { bytes } = call.body as unknown as UploadBytes
    const input = {
      bytes,
      contentType: String(call.headers['content-type']),
      mostDepth: call.limits.depth,
      mostAssets: call.limits.packAssets,
      source: call.query.source,
    }
    const job = await startJob(bytes.length, { owner: call.principal.tokenId })
    try {
      return await uploadPack(call, input, job)
    } finally {
      await job.end()
    }
  },
})

const resultsRoute = defineRoute({
  ...aboutProject,
  id: 'uploadTestResults',
  method: 'POST',
  path: `${projectPath}/test-results`,
  summary: 'Upload test results: .svc/test_results.json as it is',
  scope: 'metadata:upload',
  body: TestResultsFile,
  bodyRule: { upload: 'import', isKeyed: true },
  responses: {
    200: Type.Object({
      success: Type.Literal(true),
      assets_synced: Count,
      tests_synced: Count,
      warnings: Type.Array(Warning),
    }),
  },
  async handle(call) {
    const { storage, project, principal, requestId } = call
    const assets = await storage.reads.all(
      'select identifier, name from asset where project_id = ? and removed_at is null',
      [Number(project)],
    )
    const known = new Map(assets.flatMap(row => [[String(row['name']), String(row['identifier'])]]))
    for (const row of assets) known.set(String(row['identifier']), String(row['identifier']))
    const warnings: (typeof Warning.static)[] = []
    const results = readResultsFile(
      call.body,
      name => known.get(name),
      name => {
        // The first ones show what is wrong; a file of another project would have thousands.
        if (warnings.length === mostWarnings) return
        warnings.push({
          code: 'unknown_asset',
          detail: `The project has no asset "${name}"; its results are left out.`,
        })
      },
    )
    const tests = results.reduce((sum, result) => sum + result.tests.length, 0)
    return call.write(async tx => {
      const rows = results.map(({ identifier, at, tests: outcomes }) => resultRow(identifier, at, outcomes))
      await writeResults(tx, Number(project), JSON.stringify(rows))
      tx.record({
        project,
        action: 'test_results.create',
        target: `project:${project}`,
        actor: principal.actor,
        requestId,
        details: { assets: results.length, tests },
      })
      return ok({ success: true, assets_synced: results.length, tests_synced: tests, warnings })
    })
  },
})

const uploadsRoute = defineRoute({
  ...aboutProject,
  id: 'listUploads',
  method: 'GET',
  path: `${projectPath}/uploads`,
  summary: 'List the uploads of a project, newest first',
  scope: 'metadata:read',
  query: closed({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })) }),
  responses: {
    200: Type.Array(
      Type.Object({
        id: RecordId,
        source: Type.String(),
        scope: oneOf(['full', 'partial']),
        uploaded_at: Time,
        uploaded_by: Type.String(),
        active: Type.Boolean(),
        git: orNull(AnyObject),
        ...UploadCounts.properties,
        added: Count,
        changed: Count,
        removed: Count,
        glossary_synced: Count,
        warnings: Type.Array(Warning),
      }),
    ),
  },
  cached: true,
  handle: listUploads,
})

async function listUploads(call: Call<unknown, { readonly limit?: number }>) {
  const rows = await call.storage.reads.all(
    `select upload.*, head.upload_id as head from upload
      join metadata_head as head on head.project_id = upload.project_id
      where upload.project_id = ? and upload.state = 'done' order by upload.id desc limit ?`,
    [Number(call.project), call.query.limit ?? 100],
  )
  return ok(
    rows.map(row => {
      const { git } = jsonOf<{ readonly git: object | null }>(row['about'])
      const { unchanged: _unchanged, ...result } = jsonOf<Readonly<Record<string, unknown>>>(row['result'])
      return {
        id: Number(row['id']),
        source: row['source'],
        scope: row['scope'],
        uploaded_at: row['at'],
        uploaded_by: row['by'],
        active: row['id'] === row['head'],
        git,
        ...result,
      }
    }),
  )
}

export const uploadRoutes: readonly AnyRoute[] = [uploadRoute, resultsRoute, uploadsRoute]
