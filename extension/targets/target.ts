/**
 * Determines what a command works on, for every kind of caller: a lens, the title of an editor, the explorer,
 * a tree, a key or the palette. Asks the user only if it is not clear.
 */
import type { LensArgument, ProjectSummary } from '@svc/server/protocol'
import { Uri, window } from 'vscode'
import { languageId } from '../contributions.ts'
import type { Projects } from '../projects/projects.ts'

/** Assets of one project; a selection across two projects becomes two targets. */
export interface AssetTarget {
  readonly project: ProjectSummary
  readonly assets: readonly string[]
}

/**
 * Returns undefined if there is nothing to work on, or the user dismissed the question; the user has been
 * told.
 */
export async function assetTargets(
  projects: Projects,
  argument: unknown,
  selected: unknown,
): Promise<readonly AssetTarget[] | undefined> {
  await projects.loaded
  const clicked = Array.isArray(selected) && selected.length > 0 ? selected : [argument]
  const uris = clicked.flatMap(each => uriOf(each) ?? [])
  if (uris.length > 0) return ofUris(projects, uris)
  const active = activeAsset()
  const located = active === undefined ? undefined : await projects.findAsset(active)
  if (located !== undefined) return [{ project: located.project, assets: [located.asset.name] }]
  return askForAsset(projects)
}

/** The same for a command that takes one asset. */
export async function assetTarget(projects: Projects, argument: unknown) {
  const [target] = (await assetTargets(projects, argument, undefined)) ?? []
  const [asset] = target?.assets ?? []
  return target === undefined || asset === undefined ? undefined : { root: target.project.root, asset }
}

/** Returns undefined if the clicked item is not an asset, or nothing was clicked. */
export async function clickedAsset(
  projects: Projects,
  argument: unknown,
): Promise<ReturnType<Projects['assetOf']>> {
  const uri = uriOf(argument)
  return uri === undefined ? undefined : projects.findAsset(uri)
}

/**
 * Returns the project of the clicked item, of the active editor, the only project, or the one that the user
 * picks.
 */
export async function projectTarget(
  projects: Projects,
  argument: unknown,
): Promise<ProjectSummary | undefined> {
  await projects.loaded
  const uri = uriOf(argument) ?? window.activeTextEditor?.document.uri.toString()
  const project = uri === undefined ? undefined : projects.projectOf(uri)
  if (project !== undefined) return project
  if (projects.all.length > 1) return askForProject(projects.all)
  const [only] = projects.all
  if (only === undefined) await tellNoProject()
  return only
}

async function ofUris(
  projects: Projects,
  uris: readonly string[],
): Promise<readonly AssetTarget[] | undefined> {
  const byRoot = new Map<string, { project: ProjectSummary; assets: string[] }>()
  for (const uri of uris) {
    const located = await projects.findAsset(uri)
    if (located === undefined) continue
    const target = byRoot.get(located.project.root) ?? { project: located.project, assets: [] }
    target.assets.push(located.asset.name)
    byRoot.set(located.project.root, target)
  }
  if (byRoot.size > 0) return [...byRoot.values()]
  void window.showWarningMessage(
    'SVC: this file is no asset of a project: a folder with svc.yaml above it is missing, or the file has no name.',
  )
  return undefined
}

async function askForAsset(projects: Projects): Promise<readonly AssetTarget[] | undefined> {
  if (projects.all.length === 0) {
    await tellNoProject()
    return undefined
  }
  const several = projects.all.length > 1
  const items = projects.all.flatMap(project =>
    project.assets.map(asset => ({
      label: asset.name,
      description: [several ? project.name : '', asset.layer].filter(text => text !== '').join(' · '),
      detail: asset.description,
      project,
    })),
  )
  const picked = await window.showQuickPick(items, {
    placeHolder: 'Which asset?',
    matchOnDescription: true,
    matchOnDetail: true,
  })
  return picked === undefined ? undefined : [{ project: picked.project, assets: [picked.label] }]
}

async function askForProject(all: readonly ProjectSummary[]): Promise<ProjectSummary | undefined> {
  const items = all.map(project => ({
    label: project.name,
    description: Uri.parse(project.root).fsPath,
    project,
  }))
  return (await window.showQuickPick(items, { placeHolder: 'Which project?' }))?.project
}

async function tellNoProject(): Promise<void> {
  await window.showWarningMessage('SVC: no folder of this workspace holds a project (a file svc.yaml).')
}

export function activeAsset(): string | undefined {
  const document = window.activeTextEditor?.document
  return document?.languageId === languageId ? document.uri.toString() : undefined
}

/** Lenses and trees pass `{uri}`, explorer and editor title pass a Uri. */
export function uriOf(argument: unknown): string | undefined {
  if (argument instanceof Uri) return argument.toString()
  if (typeof argument !== 'object' || argument === null || !('uri' in argument)) return undefined
  const { uri } = argument as Partial<LensArgument>
  return typeof uri === 'string' ? uri : undefined
}
