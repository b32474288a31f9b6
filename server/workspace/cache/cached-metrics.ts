/**
 * The metrics of the glossary in the cache: each a record of its own with its analysis and nothing else, for their file is
 * read at every start.
 */
import type { KeptAnalysis } from '../../catalog/index.ts'
import { cachePath, findCredentials, metricAssets, type Project } from '../../language/index.ts'
import type { CacheEntry, ProjectCache } from './project-cache.ts'

type AnalysisOf = (name: string) => KeptAnalysis | undefined

export interface MetricRecord {
  readonly path: string
  /** Whether the cache has it already. */
  readonly isKept: boolean
  readonly entry: CacheEntry
}

export function metricRecords(
  project: Project,
  analysisOf: AnalysisOf,
  cache: ProjectCache,
): readonly MetricRecord[] {
  return [...metricAssets(project)].map(([name, metric]) => {
    const path = cachePath(metric)
    const analysis = analysisOf(name)
    const isKept = cache.has(path) && cache.analysisOf(path) === analysis
    return { path, isKept, entry: { ...nothingOfFile, path, name, textHash: metric.textHash, analysis } }
  })
}

const nothingOfFile = {
  readWith: '',
  stamp: '',
  variables: [],
  facts: () => '',
  sql: () => '',
  cleanBy: undefined,
  record: undefined,
} as const

/** The analysis of a metric has pieces of its SQL, and is not kept where the glossary has a secret. */
export function mayKeepMetrics({ glossary: { file } }: Project): boolean {
  return file === undefined || findCredentials(file.text, file.tree).length === 0
}
