/** Makes the OpenLineage events of a run from what was heard of it. The same run makes the same events. */
import { createHash } from 'node:crypto'
import { type ProjectAnalysis, readerSql } from '@svc/server/language'
import { meaningOf } from '../notify/problems.ts'
import type { PublishReport } from '../publish/report.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Clean, type Datasets, datasetsOf, movedTable, publishedTo, writtenTable } from './datasets.ts'
import { aboutFacets, eventSchema, facet, producer } from './facets.ts'
import type { Heard, HeardAsset, HeardTests } from './heard.ts'

type EventType = 'START' | 'COMPLETE' | 'FAIL' | 'ABORT'

export interface LineageEvent {
  readonly eventType: EventType
  readonly eventTime: string
  readonly producer: string
  readonly schemaURL: string
  readonly run: { readonly runId: string; readonly facets: object }
  readonly job: { readonly namespace: string; readonly name: string; readonly facets: object }
  readonly inputs: readonly object[]
  readonly outputs: readonly object[]
}

/** The beginning of something and its end. */
type Pair = readonly [LineageEvent, LineageEvent]

export interface RunLineage {
  readonly whole: Pair
  /** Its assets and their tests. */
  readonly parts: readonly Pair[]
}

export interface Given {
  readonly workspace: Pick<Workspace, 'project' | 'environment' | 'world'>
  /** Undefined where the files cannot be analysed: then no asset was touched. */
  readonly analysis: ProjectAnalysis | undefined
  readonly namespace: string
  readonly clean: Clean
}

export function lineageOf(heard: Heard, given: Given): RunLineage {
  const datasets = datasetsOf(given.workspace, given.clean)
  const facts = { ...given, heard, datasets }
  return {
    whole: wholeRun(facts),
    parts: [
      ...heard.assets.map(asset => assetPair(asset, facts)),
      ...heard.tests.map(tests => testPair(tests, facts)),
    ],
  }
}

interface Facts extends Given {
  readonly heard: Heard
  readonly datasets: Datasets
}

interface Part {
  readonly job: string
  readonly began: string
  readonly ended: string
  readonly type: Exclude<EventType, 'START'>
  readonly error?: string | undefined
  readonly jobFacets?: object
  readonly inputs?: readonly object[]
  /** What is known of the inputs at the end, where that is more. */
  readonly inputsAtEnd?: readonly object[]
  readonly outputs?: readonly object[]
}

/** No asset has a name with a space. Each publish of an asset to a target is a run of one job. */
function runJob({ end: { kind, selector } }: Heard): string {
  return kind === 'publish' ? `svc publish ${selector}` : `svc ${kind}`
}

function pairOf(part: Part, { heard, namespace }: Facts): Pair {
  const { job, began, ended, type, error, jobFacets = {}, inputs = [], outputs = [] } = part
  const { inputsAtEnd = inputs } = part
  const whole = runJob(heard)
  const parent = {
    run: { runId: uuidOf(namespace, whole, heard.runId) },
    job: { namespace, name: whole },
  }
  const around = job === whole ? {} : { parent: facet('ParentRunFacet', parent) }
  const failure =
    error === undefined
      ? {}
      : { errorMessage: facet('ErrorMessageRunFacet', { message: error, programmingLanguage: 'SQL' }) }
  const runId = uuidOf(namespace, job, heard.runId)
  const shared = {
    producer,
    schemaURL: eventSchema,
    job: { namespace, name: job, facets: jobFacets },
  }
  return [
    { eventType: 'START', eventTime: began, ...shared, run: { runId, facets: around }, inputs, outputs: [] },
    {
      eventType: type,
      eventTime: ended,
      ...shared,
      run: { runId, facets: { ...around, ...failure } },
      inputs: inputsAtEnd,
      outputs,
    },
  ]
}

/** A UUID (version 8) of the run of a job, by the id of svc's run. */
function uuidOf(...identity: readonly string[]): string {
  const hex = createHash('sha256').update(identity.join('\n')).digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** A promotion and a rollback write many tables at once, and are one job. */
function wholeRun(facts: Facts): Pair {
  const { began, died, end, moved, published } = facts.heard
  if (published !== undefined) return publishPair(published, facts)
  const { failure, status } = end
  const isStopped = died || failure?.code === 'interrupted'
  const type = status !== 'Failed' ? 'COMPLETE' : isStopped ? 'ABORT' : 'FAIL'
  const error = died ? 'The process of the run died' : failure === null ? undefined : meaningOf(failure.code)
  const outputs = moved.flatMap(build => {
    const id = facts.datasets.tableOfBuild(build)
    return id === undefined ? [] : [movedTable(id, build)]
  })
  return pairOf({ job: runJob(facts.heard), began, ended: end.at, type, error, outputs }, facts)
}

/** Rows that the target has refused are a failure, and those that it took are there. */
function publishPair(report: PublishReport, facts: Facts): Pair {
  const { heard, datasets } = facts
  const table = datasets.tableOf(report.asset)
  const version = facet('DatasetVersionDatasetFacet', { datasetVersion: report.builtBy })
  const written = datasets.targetOf(report.asset, report.target)
  const { refused, invalid } = report.done
  const isWhole = refused + invalid === 0
  return pairOf(
    {
      job: runJob(heard),
      began: heard.began,
      ended: heard.end.at,
      type: isWhole ? 'COMPLETE' : 'FAIL',
      error: isWhole ? undefined : `${refused + invalid} rows were refused`,
      inputs: table === undefined ? [] : [{ ...table, facets: { version } }],
      outputs: written === undefined ? [] : [publishedTo(written, report, table)],
    },
    facts,
  )
}

function assetPair(seen: HeardAsset, facts: Facts): Pair {
  const { heard, datasets, workspace } = facts
  const { name, began, failed } = seen
  const parents = workspace.project.parents(name).flatMap(parent => datasets.tableOf(parent) ?? [])
  const source = datasets.sourceOf(name)
  return pairOf(
    {
      job: name,
      began,
      ended: seen.ended ?? heard.end.at,
      type: failed !== undefined ? 'FAIL' : seen.isBuilt || seen.isReused ? 'COMPLETE' : 'ABORT',
      error: failed === undefined ? undefined : meaningOf(failed),
      jobFacets: jobFacets(name, facts),
      inputs: source === undefined ? parents : [...parents, source],
      outputs: outputsOf(seen, facts),
    },
    facts,
  )
}

/** What was not promoted is no table of production. */
function outputsOf({ name }: HeardAsset, { heard, datasets, workspace, analysis, clean }: Facts) {
  const promoted = heard.promoted.get(name)
  const asset = workspace.project.byName.get(name)
  const id = datasets.tableOf(name)
  if (promoted === undefined || asset === undefined || id === undefined) return []
  const written = { asset, analysis: analysis?.of(name), ...promoted }
  return [writtenTable(id, written, datasets, clean)]
}

function jobFacets(name: string, { workspace, clean }: Facts) {
  const { project, environment } = workspace
  const asset = project.byName.get(name)
  if (asset === undefined) return {}
  const sql = readerSql(asset, project, environment) ?? ''
  const { kind: dialect } = project.engine
  return {
    ...(sql !== '' && { sql: facet('SQLJobFacet', { query: clean(sql), dialect }) }),
    ...aboutFacets('Job', asset.definition, clean),
  }
}

/** The tests of an asset are a job that reads what this run has built, whether it was promoted or not. */
function testPair({ asset, began, ended, results }: HeardTests, facts: Facts): Pair {
  const { heard, datasets, clean } = facts
  const id = datasets.tableOf(asset)
  const assertions = results.map(({ kind, name, status, severity, column }) => ({
    assertion: kind,
    name: clean(name),
    success: status === 'pass',
    severity,
    ...(column !== null && { column }),
  }))
  const fails = results.some(({ status, severity }) => status !== 'pass' && severity === 'error')
  const isOfThisRun = heard.assets.some(({ name, isBuilt }) => name === asset && isBuilt)
  const version = facet('DatasetVersionDatasetFacet', { datasetVersion: heard.runId })
  const tested = {
    ...id,
    facets: isOfThisRun ? { version } : {},
    inputFacets: { dataQualityAssertions: facet('DataQualityAssertionsDatasetFacet', { assertions }) },
  }
  const type = fails ? 'FAIL' : 'COMPLETE'
  const inputs = id === undefined ? {} : { inputs: [id], inputsAtEnd: [tested] }
  return pairOf({ job: `svc test ${asset}`, began, ended, type, ...inputs }, facts)
}
