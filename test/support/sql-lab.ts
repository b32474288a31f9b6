/** A small project to try SQL on: known assets beside one whose SQL changes from case to case. */
import { createHash } from 'node:crypto'
import { openCatalog } from '@svc/server/catalog'
import {
  type AssetAnalysis,
  createProject,
  type Diagnostic,
  type Project,
  parseSettings,
  type SourceShapes,
} from '@svc/server/language'
import { engine } from './engine.ts'

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function assetText(name: string, sql: string, rest = ''): string {
  const body = sql
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n')
  return `name: ${name}\ningest: none\ntransform: |\n${body}\n${rest}`
}

const flights = `SELECT NULL::TIMESTAMP AS date, NULL::DOUBLE AS delay, NULL::INTEGER AS distance, NULL::VARCHAR AS origin,
  NULL::VARCHAR AS destination, NULL::VARCHAR[] AS tags, NULL::STRUCT(a INTEGER, b VARCHAR) AS detail, NULL::BOOLEAN AS cancelled`
const airports = `SELECT NULL::VARCHAR AS iata, NULL::VARCHAR AS name, NULL::VARCHAR AS city, NULL::DOUBLE AS latitude,
  NULL::DOUBLE AS longitude, NULL::JSON AS extra`
const carriers = `SELECT NULL::INTEGER AS id, NULL::VARCHAR AS origin, NULL::DECIMAL(12,2) AS amount, NULL::DATE AS day,
  NULL::MAP(VARCHAR, INTEGER) AS counts`

/** Refs are written short in cases: `@flights` for `{{ ref('flights') }}`. */
export function withRefs(sql: string): string {
  return sql.replaceAll(/@(\w+)/g, "{{ ref('$1') }}").replaceAll('@@source', '{{ source }}')
}

export const labFiles: readonly { path: string; text: string }[] = [
  { path: 'models/flights.svc', text: assetText('flights', flights) },
  { path: 'models/airports.svc', text: assetText('airports', airports) },
  { path: 'models/carriers.svc', text: assetText('carriers', carriers) },
  {
    path: 'models/loose.svc',
    text: "name: loose\ningest: {type: rest_api, endpoint: 'https://example.com', resource: things}\ntransform: |\n  SELECT * FROM {{ source }}\n",
  },
]

export interface Lab {
  analyze(sql: string): Promise<AssetAnalysis>
  project(): Project
  close(): void
}

/** `settings`: the text of `svc.yaml`. */
export async function openLab(settings?: string): Promise<Lab> {
  const catalog = await openCatalog(engine)
  const sources: SourceShapes = new Map()
  let project = createProject({ settings: parseSettings(settings), files: labFiles, hash: sha256 })
  return {
    async analyze(sql) {
      project = project.with('models/case.svc', assetText('case', withRefs(sql)))
      const analysis = (await catalog.analyze(project, sources)).of('case')
      if (!analysis) throw new Error('the case is not in the project')
      return analysis
    },
    project: () => project,
    close: () => catalog.close(),
  }
}

/** `code "text at the place" message` */
export function shown(diagnostic: Diagnostic, text: string): string {
  const { start, end } = diagnostic.range
  return `${diagnostic.code} "${text.slice(start, end)}" ${diagnostic.message}`
}
