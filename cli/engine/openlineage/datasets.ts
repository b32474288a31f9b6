/**
 * What assets read and write as datasets of OpenLineage. A table of the project has the name that it has for others who
 * read it as a source: `<kind>://<place>` and `<database>.<schema>.<table>`, as the integration of dbt names it.
 */
import {
  type Asset,
  type AssetAnalysis,
  type ColumnLineage,
  destinationKindOf,
  type ExternalDataset,
  externalDatasetOf,
  materializationOf,
  tableOfDatabase,
} from '@svc/server/language'
import { variableOf } from '../ingest/credentials.ts'
import { publishTarget } from '../publish/publish-asset.ts'
import type { PublishReport } from '../publish/report.ts'
import type { BuildRecord } from '../state/state.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { aboutFacets, facet } from './facets.ts'

export interface DatasetId {
  readonly namespace: string
  readonly name: string
}

export type Datasets = ReturnType<typeof datasetsOf>

/** Hides secrets and values of persons in what people wrote. */
export type Clean = (text: string) => string

export function datasetsOf(workspace: Pick<Workspace, 'project' | 'environment' | 'world'>, clean: Clean) {
  const { project, environment, world } = workspace
  const named = (table: string): DatasetId => {
    const { namespace = 'warehouse', name } = tableOfDatabase(environment.warehouseUrl, table) ?? {
      name: table,
    }
    return { namespace, name }
  }
  const tableIn = (base: string | undefined, name: string): DatasetId => {
    const schema = base === undefined ? environment.schema : environment.schemaFor(base)
    return named(`${schema}.${name}`)
  }
  const resolve = (endpoint: string) => {
    const variable = variableOf(endpoint)
    return variable === undefined ? endpoint : world.env[variable]
  }
  const cleaned = ({ namespace = '', name }: ExternalDataset): DatasetId => ({
    namespace: clean(namespace),
    name: clean(name),
  })
  return {
    /** Undefined for an asset that has no table in production. */
    tableOf(name: string): DatasetId | undefined {
      const deploy = project.byName.get(name)?.definition.deploy
      if (deploy === undefined || !materializationOf(deploy.materialize).isPublished) return undefined
      return tableIn(deploy.schema, name)
    },
    /** As the build says it, whose file may be another one by now. */
    tableOfBuild: ({ kind, deploy_schema, asset }: BuildRecord) =>
      materializationOf(kind).isPublished ? tableIn(deploy_schema ?? undefined, asset) : undefined,
    /** What the asset fetches; undefined where that has no name. */
    sourceOf(name: string): DatasetId | undefined {
      const ingest = project.byName.get(name)?.definition.ingest
      if (ingest === undefined) return undefined
      const found = externalDatasetOf(ingest, resolve)
      if (found === undefined) return undefined
      return found.namespace === undefined ? named(found.name) : cleaned(found)
    },
    /** Where the asset is published to under a target's name; undefined where that has no name. */
    targetOf(name: string, target: string): DatasetId | undefined {
      const asset = project.byName.get(name)
      if (asset === undefined) return undefined
      const { type, resource, endpoint } = publishTarget(asset, target, workspace)
      const address = resolve(endpoint)
      const found = address === undefined ? undefined : destinationKindOf(type).dataset(resource, address)
      return found && cleaned(found)
    },
  }
}

interface Written {
  readonly asset: Asset
  readonly analysis: AssetAnalysis | undefined
  /** The run that built it. */
  readonly version: string
  readonly rows: number | null
}

/** A table that a run has written, with what is known of it without looking at its rows. */
export function writtenTable(id: DatasetId, written: Written, datasets: Datasets, clean: Clean) {
  const { rows } = written
  return {
    ...id,
    facets: tableFacets(written, datasets, clean),
    ...(rows !== null && { outputFacets: countOf(rows) }),
  }
}

/** A table whose build became live again, or from a preview: what is recorded of it, and nothing of today's files. */
export function movedTable(id: DatasetId, { run_id: version, columns, rows }: BuildRecord) {
  const fields = columns.map(({ name, type }) => ({ name, ...(type != null && { type }) }))
  return {
    ...id,
    facets: {
      version: facet('DatasetVersionDatasetFacet', { datasetVersion: version }),
      ...(fields.length > 0 && { schema: facet('SchemaDatasetFacet', { fields }) }),
    },
    ...(rows !== null && { outputFacets: countOf(rows) }),
  }
}

function countOf(rowCount: number) {
  return { outputStatistics: facet('OutputStatisticsOutputDatasetFacet', { rowCount }) }
}

/** What a publish has written, each of its fields with the column that it has the values of. */
export function publishedTo(id: DatasetId, { fields, done }: PublishReport, table: DatasetId | undefined) {
  const lineage = fields.flatMap(({ name, column }) =>
    table === undefined || column === undefined
      ? []
      : [[name, { inputFields: [{ ...table, field: column, transformations: [{ type: 'DIRECT' }] }] }]],
  )
  return {
    ...id,
    facets: {
      schema: facet('SchemaDatasetFacet', { fields: fields.map(({ name }) => ({ name })) }),
      columnLineage: facet('ColumnLineageDatasetFacet', { fields: Object.fromEntries(lineage) }),
    },
    outputFacets: countOf(done.inserts + done.updates),
  }
}

function tableFacets({ asset, analysis, version }: Written, datasets: Datasets, clean: Clean) {
  const { columns } = asset.definition
  const fields = (analysis?.columns ?? []).map(({ name, type }) => {
    const says = columns[name]?.description
    return { name, ...(type != null && { type }), ...(says !== undefined && { description: clean(says) }) }
  })
  const lineage = lineageFields(analysis?.lineage ?? [], datasets)
  return {
    version: facet('DatasetVersionDatasetFacet', { datasetVersion: version }),
    ...(fields.length > 0 && { schema: facet('SchemaDatasetFacet', { fields }) }),
    ...(Object.keys(lineage).length > 0 && {
      columnLineage: facet('ColumnLineageDatasetFacet', { fields: lineage }),
    }),
    ...aboutFacets('Dataset', asset.definition, clean),
  }
}

/** Columns of a source are no columns of a table: they may have other names there. */
function lineageFields(lines: readonly ColumnLineage[], datasets: Datasets) {
  const fields = lines.flatMap(({ column, from, hidden = [] }) => {
    const inputFields = from.flatMap(origin => {
      const id = origin.source === undefined ? datasets.tableOf(origin.asset) : undefined
      if (id === undefined) return []
      const masking = hidden.some(each => each.asset === origin.asset && each.column === origin.column)
      return [{ ...id, field: origin.column, transformations: [{ type: 'DIRECT', masking }] }]
    })
    return inputFields.length === 0 ? [] : [[column, { inputFields }] as const]
  })
  return Object.fromEntries(fields)
}
