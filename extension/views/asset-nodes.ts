/** The tree of assets as data: projects if there are several, folders, assets. Independent of the editor. */
import type { AssetSummary, ProjectSummary } from '@svc/server/protocol'
import type { VerdictRole } from '@svc/server/verdicts'

export type AssetTreeNode = ProjectNode | LayerNode | AssetNode

export interface ProjectNode {
  readonly kind: 'project'
  readonly project: ProjectSummary
  /** The address that commands expect. */
  readonly uri: string
}

export interface LayerNode {
  readonly kind: 'layer'
  readonly project: ProjectSummary
  /** The folder under the models folder; '' stands for the assets at its root. */
  readonly layer: string
}

export interface AssetNode {
  readonly kind: 'asset'
  readonly project: ProjectSummary
  readonly asset: AssetSummary
  readonly uri: string
}

export function rootNodes(projects: readonly ProjectSummary[]): readonly AssetTreeNode[] {
  const [only] = projects
  if (projects.length === 1 && only !== undefined) return nodesOfProject(only)
  return projects.map(project => ({ kind: 'project', project, uri: project.root }))
}

export function childNodes(node: AssetTreeNode): readonly AssetTreeNode[] {
  if (node.kind === 'project') return nodesOfProject(node.project)
  return node.kind === 'layer' ? assetsOf(node.project, node.layer) : []
}

/** Folders first, then the assets beside them. */
function nodesOfProject(project: ProjectSummary): readonly AssetTreeNode[] {
  const layers = [...new Set(project.assets.map(({ layer }) => layer))].filter(layer => layer !== '').sort()
  return [...layers.map((layer): LayerNode => ({ kind: 'layer', project, layer })), ...assetsOf(project, '')]
}

function assetsOf(project: ProjectSummary, layer: string): readonly AssetNode[] {
  return project.assets
    .filter(asset => asset.layer === layer)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(asset => ({ kind: 'asset', project, asset, uri: asset.uri }))
}

/**
 * During a rename two files may contain the same name, so the id of an asset contains its file. The id of a row with
 * others below it contains all that it shows.
 */
export function idOf(node: AssetTreeNode): string {
  if (node.kind === 'project') return JSON.stringify([node.project.root, node.project.name])
  return `${node.project.root}#${node.kind === 'layer' ? node.layer : node.asset.uri}`
}

/** Returns the role for the icon: warnings in the file are shown where nothing graver is. */
export function roleOf({ state, warnings }: AssetSummary): VerdictRole {
  return state.role === 'pass' && warnings > 0 ? 'warn' : state.role
}

/** What needs no word: the icon and the figures say it. */
const quiet = new Set(['Deployed', 'Never run'])

/** Returns the grey text after the name: `1.2M rows · 3 min ago`. */
export function describe({ lastRun, state }: AssetSummary, now: Date): string {
  const word = quiet.has(state.word) ? '' : state.word
  if (lastRun === undefined) return word
  const rows =
    lastRun.rows === undefined ? '' : `${compact(lastRun.rows)} row${lastRun.rows === 1 ? '' : 's'}`
  const age = lastRun.finishedAt === undefined ? '' : ageOf(new Date(lastRun.finishedAt), now)
  // The rows are those of what is live, and no run that failed or held the asset back made them.
  return [word, lastRun.status === 'deployed' ? rows : '', age].filter(text => text !== '').join(' · ')
}

const units: readonly (readonly [number, string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
]

export function ageOf(then: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - then.getTime()) / 1000)
  const unit = units.find(([size]) => seconds >= size)
  return unit === undefined ? 'just now' : `${Math.floor(seconds / unit[0])} ${unit[1]} ago`
}

function compact(count: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(count)
}
