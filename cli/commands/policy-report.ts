/** `svc policy report`: where personal data lives and flows, and what policies say of it. */
import { resolve } from 'node:path'
import {
  type Asset,
  didYouMean,
  locate,
  type NodePath,
  nodeAt,
  personalReport,
  placeAt,
  promisePath,
} from '@svc/server/language'
import { writeWhole } from '../engine/artifacts/write-file.ts'
import { SvcError } from '../engine/errors.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { problemsOf } from '../engine/workspace/problems.ts'
import {
  narrowed,
  type PolicyReport,
  policyReportJson,
  renderPolicyReport,
  strictBreaches,
} from '../render/policy-report.ts'
import { renderPolicyMarkdown } from '../render/policy-report-markdown.ts'
import { createStyle, type Style } from '../render/style.ts'
import { type Command, type CommandContext, environmentOption, jsonOption } from './command.ts'
import { selectedNames } from './selected-names.ts'
import { selectionOptions, selectorArgument, selectorOf } from './selection.ts'

export const policyReportCommand: Command = {
  name: 'policy report',
  brief: 'where personal data lives and flows',
  summary: 'Follow each personal column: where it flows, what policies say, which destinations it reaches.',
  arguments: [selectorArgument],
  options: [
    ...selectionOptions,
    {
      name: 'policy',
      value: 'name',
      summary: 'only what this policy is about; may be repeated',
      repeatable: true,
    },
    environmentOption,
    {
      name: 'format',
      value: 'format',
      summary: 'how it is printed; markdown is for a review or an audit',
      choices: ['table', 'json', 'markdown'],
      default: 'table',
    },
    { name: 'output', short: 'o', value: 'path', summary: 'file to write; standard output when absent' },
    { ...jsonOption, summary: 'the same as --format json' },
  ],
  examples: [
    { line: 'svc policy report', says: 'all personal columns of the project' },
    { line: 'svc policy report --format markdown -o privacy.md', says: 'a file for a review' },
  ],
  exitCodes: {
    0: 'no strict policy is broken',
    1: 'a strict policy is broken, or a file has errors',
    2: 'wrong usage, no project, unknown asset or policy',
    3: 'warehouse failed, or the file cannot be written',
  },
  async run(context) {
    const workspace = await context.openWorkspace()
    const policies = context.options.texts('policy').map(name => policyNamed(workspace, name))
    const names = await selectedNames(workspace, selectorOf(context))
    const whole = personalReport({
      project: workspace.project,
      analysis: await workspace.analysis(),
      sources: workspace.sources,
    })
    const { personalInBuilds } = await import('../engine/quality/personal-builds.ts')
    const report: PolicyReport = {
      project: workspace.project,
      environment: workspace.environment.name,
      ...whole,
      broken: await brokenFiles(workspace),
      builds: await personalInBuilds(workspace),
      placeOf: placesIn(workspace),
    }
    return printed(context, narrowed(report, policies, names))
  },
}

function printed(context: CommandContext, report: PolicyReport) {
  const { options, world } = context
  const format = options.flag('json') ? 'json' : options.text('format')
  const text = (style: Style) =>
    format === 'markdown' ? renderPolicyMarkdown(report) : renderPolicyReport(report, style)
  const json = policyReportJson(report)
  const exitCode = strictBreaches(report) > 0 || report.broken.length > 0 ? 1 : 0
  const path = options.text('output')
  if (path === undefined) return { exitCode, text, json }
  const plain = createStyle({ color: false, width: 80, isCut: false })
  const content = format === 'json' ? JSON.stringify(json, undefined, 2) : text(plain).join('\n')
  writeWhole(resolve(world.cwd, path), `${content}\n`, world.pid)
  return { exitCode, text: () => [`Wrote ${path}`] }
}

function policyNamed({ project }: OpenedWorkspace, written: string): string {
  const names = project.glossary.policies.map(({ name }) => name)
  const same = names.find(name => name.toLowerCase() === written.trim().toLowerCase())
  if (same !== undefined) return same
  throw new SvcError('wrong-usage', `no policy is called "${written}"${didYouMean(written, names)}`, {
    hint: names.length === 0 ? 'glossary.yaml has no policies.' : `glossary.yaml has ${names.join(', ')}.`,
  })
}

const breachCodes: ReadonlySet<string> = new Set(['policy-breach', 'publish-personal'])

/** Breaches are in the report itself. */
async function brokenFiles(workspace: OpenedWorkspace): Promise<readonly string[]> {
  const problems = await problemsOf(workspace)
  return [...problems].flatMap(([path, found]) =>
    found.some(({ severity, code }) => severity === 'error' && !breachCodes.has(code)) ? [path] : [],
  )
}

/** Returns the place of a mark as terminals link it, or the file of its asset. */
function placesIn({ project }: OpenedWorkspace): PolicyReport['placeOf'] {
  return ({ asset: name, column, source }) => {
    const asset = project.byName.get(name)
    if (asset === undefined) return name
    const range = markRange(asset, source === undefined ? ['columns', column] : promisePath(source, column))
    return range === undefined ? asset.path : placeAt(asset.path, asset.text, range.start)
  }
}

function markRange(asset: Asset, path: NodePath) {
  return nodeAt(asset.tree, path) === undefined ? undefined : locate(asset, path, 'key')
}
