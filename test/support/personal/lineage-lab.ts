/** Many queries over the tables at once: as assets of one project, through the catalogue as every command does it. */
import { createHash } from 'node:crypto'
import { openCatalog } from '@svc/server/catalog'
import { type AssetAnalysis, createProject, parseSettings, type SourceShapes } from '@svc/server/language'
import { engine } from '../engine.ts'
import { tableFile, tables } from './tables.ts'

export interface LineageLab {
  /** One analysis a query, in order. Throws what the catalogue throws. */
  analyze(queries: readonly string[]): Promise<readonly AssetAnalysis[]>
  close(): void
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** `@c` stands for `{{ ref('c') }}`. */
export function asTemplate(sql: string): string {
  return sql.replaceAll(/@([a-z]+)\b/g, "{{ ref('$1') }}")
}

export async function openLineageLab(): Promise<LineageLab> {
  const catalog = await openCatalog(engine)
  const sources: SourceShapes = new Map()
  const settings = parseSettings(undefined)
  const ground = tables.map(tableFile)
  return {
    async analyze(queries) {
      const files = [...ground, ...queries.map((sql, index) => queryFile(sql, index))]
      const project = createProject({ settings, files, hash })
      const analysis = await catalog.analyze(project, sources)
      return queries.map((sql, index) => {
        const found = analysis.of(assetName(index))
        if (found === undefined) throw new Error(`the catalogue says nothing of: ${sql}`)
        return found
      })
    },
    close: () => catalog.close(),
  }
}

function assetName(index: number): string {
  return `query_${index}`
}

function queryFile(sql: string, index: number): { readonly path: string; readonly text: string } {
  const lines = asTemplate(sql)
    .split('\n')
    .map(line => `  ${line}`)
  const name = assetName(index)
  return {
    path: `models/${name}.svc`,
    text: `name: ${name}\ningest: none\ntransform: |\n${lines.join('\n')}\n`,
  }
}
