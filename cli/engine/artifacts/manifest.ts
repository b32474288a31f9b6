/**
 * Makes `.svc/manifest.json` and the three files beside it (interface.md 2.8, 2.10, 2.13; decisions 4) from
 * project and analysis. Pure. They never contain a secret or a row of data.
 */
import type {
  AssetEntry,
  ColumnEntry,
  Manifest,
  ProjectEntry,
  SchemaEntry,
  TestEntry,
} from '@svc/server/contract'
import {
  type Asset,
  type AssetAnalysis,
  type ColumnLineage,
  edgesOf,
  isHidden,
  knownDefinitionHash,
  type Project,
  type ProjectAnalysis,
  testColumn,
  testColumns,
  testKindOf,
  testWord,
} from '@svc/server/language'
import { personalColumns } from '../quality/personal-columns.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import type { Environment } from '../workspace/workspace.ts'
import { blocksOf } from './blocks.ts'
import { inheritedBlocks } from './inherited-blocks.ts'
import { warehousePlace } from './warehouse-place.ts'

export const fileVersion = 1

export interface ManifestInput {
  readonly project: Project
  readonly analysis: ProjectAnalysis
  readonly environment: Environment
  /** ISO 8601 UTC. */
  readonly at: string
}

/** The part of an asset that the catalogue shows too. */
export type AssetOutline = Pick<AssetEntry, 'name' | 'definition_hash' | 'schema'>

/** The common part of manifest and catalogue; making it needs no access to unchanged files. */
export interface Outline
  extends Pick<Manifest, 'version' | 'generated_at' | 'project' | 'lineage' | 'schemas'> {
  readonly assets: readonly AssetOutline[]
}

export function makeOutline(input: ManifestInput): Outline {
  const { project, analysis } = input
  const assets = [...project.byName.values()]
  const outlineOf = outlines(input)
  const outlined = assets.map(outlineOf)
  return {
    version: fileVersion,
    generated_at: input.at,
    project: projectEntry(input),
    assets: outlined,
    lineage: assets.flatMap(asset => edgesOf(asset, project, analysis)),
    schemas: Object.fromEntries(outlined.map(({ name, schema }) => [name, schema])),
  }
}

/** Returns what makes the outline of an asset. */
export function outlines({ project, analysis, environment }: ManifestInput): (asset: Asset) => AssetOutline {
  // The columns that policies name are in the glossary; what they lead to depends on the policy.
  const personal = personalColumns(project, analysis, { declared: true, names: [] })
  return asset => ({
    name: asset.name,
    definition_hash: knownDefinitionHash(asset, project.engine, environment.vars, sha256),
    schema: schemaOf(asset, analysis.of(asset.name), personal.touched(asset.name)),
  })
}

export function makeManifest(
  { project, settingsText }: Pick<ManifestInput, 'project'> & { readonly settingsText: string | undefined },
  { version, generated_at, project: about, assets, lineage, schemas }: Outline,
): Manifest {
  return {
    version,
    generated_at,
    project: about,
    ...settingsHash(settingsText),
    assets: assets.flatMap(outline => {
      const asset = project.byName.get(outline.name)
      return asset === undefined ? [] : [assetEntry(asset, outline, project)]
    }),
    lineage,
    schemas,
    tests: [...project.byName.values()].flatMap(testEntries),
  }
}

export function settingsHash(settingsText: string | undefined): Pick<Manifest, 'settings_hash'> {
  return settingsText === undefined ? {} : { settings_hash: sha256(settingsText) }
}

export function projectEntry({
  project: { settings },
  environment,
}: Pick<ManifestInput, 'project' | 'environment'>): ProjectEntry {
  return {
    id: settings.name,
    name: settings.name,
    warehouse: placeOf(environment, settings.warehouse),
    default_schema: settings.defaultSchema,
  }
}

/** The manifest is written even if the variable with the warehouse's address is not set. */
function placeOf(environment: Environment, declared: string): string {
  try {
    return warehousePlace(environment.warehouseUrl)
  } catch {
    return declared
  }
}

export function assetEntry(
  asset: Asset,
  { definition_hash, schema }: AssetOutline,
  { settings }: Project,
): AssetEntry {
  const inherited = inheritedBlocks(asset, settings)
  return {
    id: asset.name,
    name: asset.name,
    path: asset.path,
    definition_hash,
    text_hash: asset.textHash,
    blocks: blocksOf(asset),
    schema,
    ...(inherited !== undefined && { inherited }),
  }
}

/** No columns at all says by itself that they are not known. */
function schemaOf(
  asset: Asset,
  analysis: AssetAnalysis | undefined,
  personal: ReadonlySet<string>,
): SchemaEntry {
  const columns = columnsOf(asset, analysis, personal)
  return { columns, ...(columns.length > 0 && analysis?.complete !== true && { complete: false as const }) }
}

function columnsOf(
  asset: Asset,
  analysis: AssetAnalysis | undefined,
  personal: ReadonlySet<string>,
): ColumnEntry[] {
  const required = requiredColumns(asset)
  const masked = new Set(analysis?.lineage.filter(isMasked).map(line => line.column))
  return (analysis?.columns ?? []).map(column => ({
    name: column.name,
    type: column.type ?? null,
    nullable: !required.has(column.name),
    description: asset.definition.columns[column.name]?.description ?? null,
    pii: personal.has(column.name.toLowerCase()),
    ...(masked.has(column.name) && { masked: true as const }),
  }))
}

/** Returns the columns that a blocking test keeps free of NULLs. */
function requiredColumns(asset: Asset): Set<string> {
  return new Set(
    asset.definition.tests.flatMap(test =>
      testKindOf(test).refusesNull === true && test.severity === 'error' && test.where === undefined
        ? testColumns(test)
        : [],
    ),
  )
}

function isMasked(line: ColumnLineage): boolean {
  return line.from.length > 0 && line.from.every(origin => isHidden(line, origin))
}

export function testEntries(asset: Asset): TestEntry[] {
  return asset.definition.tests.map(test => {
    const { name, kind: _kind, severity, index, ...definition } = test
    const sql = asset.testSql.get(index)?.text
    return {
      asset: asset.name,
      name,
      kind: testWord(test),
      column: testColumn(test) ?? null,
      severity,
      definition: sql === undefined ? definition : { ...definition, sql },
    }
  })
}
