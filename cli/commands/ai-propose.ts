/** `svc ai new | fix | tests`: changes that a language model proposes, shown, and written only after a yes (interface.md 4.4). */
import type { AskAbout } from '../engine/ai/explain.ts'
import type { Proposal } from '../engine/ai/propose.ts'
import { pathOf } from '../engine/discover/asset-name.ts'
import { SvcError } from '../engine/errors.ts'
import { assetPlace, refuseExistingFile } from '../engine/workspace/asset-place.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { aiApplyJson, type PatchOutcome, renderPatch, renderPatchOutcome } from '../render/ai-apply.ts'
import { wrap } from '../render/width.ts'
import { type Command, type CommandContext, jsonOption, type Report } from './command.ts'
import { ask, confirm } from './confirm.ts'
import { refuseInvalidName } from './create-asset.ts'
import { assetArgument, assetNamed } from './nearest-asset.ts'
import { readStdin } from './read-stdin.ts'

const applyOption = { name: 'apply', summary: 'write it, after a yes' }
const yesOption = { name: 'yes', summary: 'the yes to --apply; not for checks that would be weaker' }
const patchOption = {
  ...jsonOption,
  summary: 'print the patch (svc schema ai-patch), as svc ai apply takes it',
}

const exitCodes = {
  0: 'proposed, or applied',
  1: 'the answer does not hold, or nobody said yes',
  2: 'wrong usage, no project, unknown asset, or no model configured',
  3: 'the provider failed or refused, or a file cannot be written',
}

export const aiFixCommand: Command = {
  name: 'ai fix',
  brief: 'a patch for a broken asset',
  summary: 'Let a language model propose a patch for a broken asset; it is checked before it is shown.',
  arguments: [assetArgument],
  options: [
    applyOption,
    yesOption,
    {
      name: 'error',
      value: 'error_message',
      summary: 'what is wrong; else what the last run and the file say',
    },
    patchOption,
  ],
  examples: [
    { line: 'svc ai fix daily_sales', says: 'what would repair it' },
    { line: 'svc ai fix daily_sales --json > fix.json', says: 'for svc ai apply fix.json' },
  ],
  exitCodes,
  async run(context) {
    const { proposeFix } = await import('../engine/ai/propose.ts')
    const error = context.options.text('error')
    return proposal(context, (workspace, name, asking) => proposeFix(workspace, name, error, asking))
  },
}

export const aiTestsCommand: Command = {
  name: 'ai tests',
  brief: 'tests that an asset lacks',
  summary: 'Let a language model propose tests for an asset; its unit tests must pass to be shown.',
  arguments: [assetArgument],
  options: [applyOption, yesOption, patchOption],
  examples: [
    { line: 'svc ai tests daily_sales', says: 'what is missing' },
    { line: 'svc ai tests daily_sales --apply', says: 'write them, after a yes' },
  ],
  exitCodes,
  async run(context) {
    const { proposeTests } = await import('../engine/ai/propose.ts')
    return proposal(context, proposeTests)
  },
}

export const aiNewCommand: Command = {
  name: 'ai new',
  brief: 'a new asset from a description',
  summary: 'Let a language model write a new asset from a description, asked for or read from stdin.',
  arguments: [],
  options: [
    { name: 'name', value: 'name', summary: 'its name; else the model chooses' },
    applyOption,
    yesOption,
    { name: 'path', value: 'path', summary: 'file to write with --apply; else in the folder of the models' },
    patchOption,
  ],
  examples: [
    { line: 'svc ai new --name big_orders', says: 'asks what it is to be, and shows it' },
    { line: 'svc ai new --path models/marts/big.svc --apply', says: 'writes it there, after a yes' },
  ],
  exitCodes,
  async run(context) {
    const { options } = context
    const workspace = await context.openWorkspace({ isOnlyInside: true })
    const name = options.text('name')
    if (name !== undefined) refuseInvalidName(name)
    refuseTaken(workspace, name)
    const path = placeIn(workspace, options.text('path'), name)
    const { askModel, configuredModel } = await import('./ask-model.ts')
    // Nobody writes a description for a model that is not there.
    configuredModel(context, workspace)
    const description = await descriptionOf(context)
    const { proposeAsset } = await import('../engine/ai/propose.ts')
    const wish = { description, name, path }
    const asked = await askModel(context, workspace, asking => proposeAsset(workspace, wish, asking))
    return report(context, workspace, asked.value)
  },
}

/** Refuses before a model is asked, because a call costs money: undefined where the model chooses the name and with it the file. */
function placeIn(
  workspace: OpenedWorkspace,
  written: string | undefined,
  name: string | undefined,
): string | undefined {
  const path = written === undefined ? undefined : assetPlace(workspace, written)
  const file = path ?? (name === undefined ? undefined : pathOf(workspace.project.settings.models, name))
  if (file !== undefined) refuseExistingFile(workspace, file, 'Choose another file with --path.')
  return path
}

/** For the asset that the command names. */
async function proposal(context: CommandContext, propose: AskAbout<Proposal>): Promise<Report> {
  const workspace = await context.openWorkspace({ isOnlyInside: true })
  const name = assetNamed(workspace, context.arguments[0] ?? '')
  const { askModel } = await import('./ask-model.ts')
  const { value } = await askModel(context, workspace, asking => propose(workspace, name, asking))
  return report(context, workspace, value)
}

function refuseTaken({ project }: OpenedWorkspace, name: string | undefined): void {
  const taken = name === undefined ? undefined : project.byName.get(name)
  if (taken === undefined) return
  throw new SvcError('asset-exists', `there is an asset ${name} already`, {
    place: taken.path,
    hint: 'Choose another name.',
  })
}

async function descriptionOf({ output }: CommandContext): Promise<string> {
  const isTyped = process.stdin.isTTY === true && output.err.isTerminal
  const text = isTyped ? await ask('What is the asset to hold? ') : await readStdin()
  if (text.trim() !== '') return text.trim()
  throw new SvcError('wrong-usage', 'the description of the new asset is empty', {
    hint: 'Say in a sentence what it is to hold, on the terminal or on stdin.',
  })
}

/** Shows a proposal, and writes it where it was asked for and somebody agrees. */
async function report(
  context: CommandContext,
  workspace: OpenedWorkspace,
  { summary, patch, verdict }: Proposal,
): Promise<Report> {
  const { options, output } = context
  const json = options.flag('json')
  if (json) output.err.lines([summary])
  else output.out.lines([...wrap(summary, output.out.width()), '', ...renderPatch(verdict, output.out.style)])
  if (!options.flag('apply')) {
    return { exitCode: 0, text: () => ['Nothing was written; --apply writes it.'], json: patch }
  }
  const { confirmPatch } = await import('./confirm-patch.ts')
  const isAgreed = await confirmPatch(context, { verdict, summary }, () =>
    agreed(context, verdict.weakened.length),
  )
  if (!isAgreed) {
    return {
      exitCode: 1,
      text: () => ['Not applied: nobody said yes; no file was changed.'],
      json: aiApplyJson(verdict, { status: 'unconfirmed', applied: [] }),
    }
  }
  const { applyPatch } = await import('../engine/ai/patch/apply-patch.ts')
  const applied = applyPatch(workspace, verdict, { agreed: true })
  const outcome: PatchOutcome = { status: 'applied', applied }
  return {
    exitCode: 0,
    text: style => renderPatchOutcome(verdict, outcome, style),
    json: aiApplyJson(verdict, outcome),
  }
}

/** A model that weakens a check has often hidden a failure: a yes that was given before it was seen does not count. */
async function agreed(context: CommandContext, weakened: number): Promise<boolean> {
  if (weakened > 0)
    return confirm(context, 'Checks would be weaker, as shown. Were they wrong? Apply the patch?')
  return context.options.flag('yes') || confirm(context, 'Apply the patch?')
}
