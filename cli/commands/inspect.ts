/** `svc inspect <asset_path>`: shows blocks, columns, lineage and tests of one file (interface.md 4.4). */
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { type Asset, didYouMean } from '@svc/server/language'
import { blocksOf } from '../engine/artifacts/blocks.ts'
import { inheritedBlocks } from '../engine/artifacts/inherited-blocks.ts'
import { SvcError } from '../engine/errors.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { problemsOf } from '../engine/workspace/problems.ts'
import { sourceLayouts } from '../engine/workspace/source-layouts.ts'
import { type InspectReport, inspectJson, renderInspect } from '../render/inspect.ts'
import { type Command, environmentOption, jsonOption, reportOf } from './command.ts'

export const inspectCommand: Command = {
  name: 'inspect',
  brief: 'blocks, columns, lineage and tests of an asset',
  summary: 'Take an asset apart: blocks, columns with types and origins, lineage, tests.',
  arguments: [{ name: 'asset_path', summary: "path of the file, or the asset's name", required: true }],
  options: [environmentOption, jsonOption],
  examples: [
    { line: 'svc inspect orders', says: 'columns, tests, how its text files are read' },
    {
      line: 'svc inspect models/marts/daily_sales.svc --json',
      says: 'blocks, schema, lineage and tests as JSON',
    },
  ],
  exitCodes: {
    0: 'done',
    1: 'the file has errors',
    2: 'wrong usage, no project or unknown asset',
    3: 'a file failed',
  },
  async run(context) {
    const workspace = await context.openWorkspace()
    const asset = findByPathOrName(workspace, context.arguments[0] ?? '')
    const analysis = await workspace.analysis()
    const problems = await problemsOf(workspace)
    const report: InspectReport = {
      asset,
      ...fileOf(workspace, asset),
      blocks: blocksOf(asset),
      inherited: inheritedBlocks(asset, workspace.project.settings),
      analysis: analysis.of(asset.name),
      layouts: await sourceLayouts(workspace, asset),
      project: workspace.project,
      isSourceOpen: hasOpenSource(workspace, asset),
      diagnostics: problems.get(asset.path) ?? [],
    }
    const broken = report.diagnostics.some(diagnostic => diagnostic.severity === 'error')
    return reportOf(report, renderInspect, inspectJson, broken ? 1 : 0)
  },
}

function hasOpenSource({ sources }: OpenedWorkspace, { name, definition }: Asset): boolean {
  return definition.ingest.type !== 'none' && sources.get(name)?.every(({ complete }) => complete) !== true
}

function fileOf({ root }: OpenedWorkspace, { path }: Asset): Pick<InspectReport, 'sha256' | 'isInside'> {
  const file = join(root, path)
  return {
    sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
    isInside: realpathSync(file).startsWith(`${realpathSync(root)}${sep}`),
  }
}

function findByPathOrName(workspace: OpenedWorkspace, given: string): Asset {
  const { assets, byName } = workspace.project
  const path = relative(workspace.root, resolve(workspace.world.cwd, given)).replaceAll('\\', '/')
  const asset = assets.get(path) ?? assets.get(given) ?? byName.get(given)
  if (asset !== undefined) return asset
  if (!given.includes('/') && !given.endsWith('.svc')) return workspace.asset(given)
  throw new SvcError('unknown-asset', `no asset file at "${given}"${didYouMean(path, assets.keys())}`, {
    hint: `The project's files are below ${workspace.project.settings.models}.`,
  })
}
