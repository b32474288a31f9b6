/**
 * Makes `.svc/manifest.json` and the three files beside it (interface.md 2.8, 2.10, 2.13; decisions 4) from
 * project and analysis. Pure. They never contain a secret or a row of data.
 */
import type {
  AssetEntry,
  ColumnEntry,
  LineageEdge,
  Manifest,
  ProjectEntry,
  SchemaEntry,
  TestEntry,
} from '@svc/server/contract'
import {
  type Asset,
  type AssetAnalysis,
  type ColumnLineage,
  type ColumnOrigin,
  doorOf,
  knownDefinitionHash,
  type Project,
  type ProjectAnalysis,
  targetNames,
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
  const { project } = input
  const schemas = schemasOf(input)
  return {
    version: fileVersion,
    generated_at: input.at,
    project: projectEntry(input),
    assets: [...project.byName.values()].map(asset => ({
      name: asset.name,
      definition_hash: knownDefinitionHash(asset, project.engine, input.environment.vars, sha256),
      schema: schemas[asset.name] ?? { columns: [] },
    })),
    lineage: lineageOf(project, input.analysis),
    schemas,
  }
}

/** `knownBlocks` returns the blocks of files that need not be parsed again. */
export function makeManifest(
  { project, settingsText }: Pick<ManifestInput, 'project'> & { readonly settingsText: string | undefined },
  { version, generated_at, project: about, assets, lineage, schemas }: Outline,
  knownBlocks: (asset: Asset) => AssetEntry['blocks'] | undefined = () => undefined,
): Manifest {
  return {
    version,
    generated_at,
    project: about,
    ...(settingsText === undefined ? {} : { settings_hash: sha256(settingsText) }),
    assets: assets.flatMap(outline => {
      const asset = project.byName.get(outline.name)
      return asset === undefined ? [] : [assetEntry(asset, outline, knownBlocks(asset), project)]
    }),
    lineage,
    schemas,
    tests: [...project.byName.values()].flatMap(testEntries),
  }
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

function assetEntry(
  asset: Asset,
  { definition_hash, schema }: AssetOutline,
  known: AssetEntry['blocks'] | undefined,
  { settings }: Project,
): AssetEntry {
  const inherited = inheritedBlocks(asset, settings)
  return {
    id: asset.name,
    name: asset.name,
    path: asset.path,
    definition_hash,
    text_hash: asset.textHash,
    blocks: known ?? blocksOf(asset),
    schema,
    ...(inherited !== undefined && { inherited }),
  }
}

function schemasOf({ project, analysis }: ManifestInput): Record<string, SchemaEntry> {
  // The columns that policies name are in the glossary; what they lead to depends on the policy.
  const personal = personalColumns(project, analysis, { declared: true, names: [] })
  return Object.fromEntries(
    [...project.byName.values()].map(asset => [
      asset.name,
      { columns: columnsOf(asset, analysis.of(asset.name), personal.touched(asset.name)) },
    ]),
  )
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

export function lineageOf(project: Project, analysis: ProjectAnalysis): LineageEdge[] {
  return [...project.byName.values()].flatMap(asset => [
    ...project.parents(asset.name).map(parent => refEdge(parent, asset.name, analysis.of(asset.name))),
    ...asset.definition.exposures.map(exposure => exposureEdge(asset.name, exposure.name)),
    ...targetNames(asset).map(target => publishEdge(asset.name, target)),
  ])
}

function refEdge(parent: string, name: string, analysis: AssetAnalysis | undefined): LineageEdge {
  const columns = (analysis?.lineage ?? []).flatMap(each =>
    each.from
      .filter(origin => origin.asset === parent && origin.source === undefined)
      .map(origin => ({
        from: origin.column,
        to: each.column,
        ...(isHidden(each, origin) && { masking: true as const }),
      })),
  )
  return { from: parent, to: name, kind: 'ref', columns }
}

function isMasked(line: ColumnLineage): boolean {
  return line.from.length > 0 && line.from.every(origin => isHidden(line, origin))
}

function isHidden({ hidden = [] }: ColumnLineage, { asset, column, source }: ColumnOrigin): boolean {
  return hidden.some(each => each.asset === asset && each.column === column && each.source === source)
}

function exposureEdge(asset: string, exposure: string): LineageEdge {
  return { from: asset, to: exposure, kind: 'exposure', columns: [] }
}

/** What is sent is in the catalogue. */
function publishEdge(asset: string, target: string): LineageEdge {
  return { from: asset, to: doorOf(target), kind: 'publish', columns: [] }
}

function testEntries(asset: Asset): TestEntry[] {
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
