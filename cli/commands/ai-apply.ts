/** `svc ai apply`: checks a patch, shows what it would change, and writes all of its files or none. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AppliedFile } from '../engine/ai/patch/apply-patch.ts'
import type { PatchVerdict } from '../engine/ai/patch/check-patch.ts'
import { patchLimits } from '../engine/ai/patch/envelope.ts'
import { SvcError } from '../engine/errors.ts'
import { aiApplyJson, type PatchOutcome, renderPatch, renderPatchOutcome } from '../render/ai-apply.ts'
import { type Command, type CommandContext, jsonOption } from './command.ts'
import { confirm } from './confirm.ts'
import { readStdin } from './read-stdin.ts'

export const aiApplyCommand: Command = {
  name: 'ai apply',
  brief: 'check a patch and write its files',
  summary: 'Check a patch of .svc files and glossary.yaml, show it, and write all of its files or none.',
  arguments: [{ name: 'patch_file', summary: 'the patch (svc schema ai-patch); - is stdin', required: true }],
  options: [
    { name: 'dry-run', summary: 'check and show, write nothing' },
    { name: 'yes', summary: 'agree to checks that the patch removes or weakens' },
    {
      name: 'allow',
      value: 'prefix',
      summary: 'keys that the patch may change too, as /ingest/endpoint; repeatable',
      repeatable: true,
    },
    jsonOption,
  ],
  examples: [
    { line: 'svc ai apply fix.json --dry-run', says: 'what it would change, and why it may not' },
    { line: 'svc ai apply fix.json', says: 'all of its files, or none' },
  ],
  exitCodes: {
    0: 'applied; with --dry-run: it can be',
    1: 'refused, or a weakened check was not agreed to',
    2: 'wrong usage or no project',
    3: 'a file cannot be read or written; every file is as it was',
  },
  async run(context) {
    const { options, output } = context
    const text = await patchText(context)
    const workspace = await context.openWorkspace()
    const { checkPatch } = await import('../engine/ai/patch/check-patch.ts')
    const verdict = await checkPatch(workspace, text, { allow: options.texts('allow') })
    const show = options.flag('json') ? undefined : output.out
    if (show !== undefined) show.lines(renderPatch(verdict, show.style))
    const outcome = await decide(context, verdict, async agreed => {
      const { applyPatch } = await import('../engine/ai/patch/apply-patch.ts')
      return applyPatch(workspace, verdict, { agreed })
    })
    return {
      exitCode: exitCodeOf(verdict, outcome),
      text: style => renderPatchOutcome(verdict, outcome, style),
      json: aiApplyJson(verdict, outcome),
    }
  },
}

function exitCodeOf({ refusals }: PatchVerdict, { status }: PatchOutcome): number {
  if (status === 'applied' || status === 'checked') return 0
  return status === 'failed' || refusals.some(({ code }) => code === 'file-failed') ? 3 : 1
}

/** A file that cannot be written is told beside all others of the patch, none of which was changed. */
function failedOutcome(error: unknown): PatchOutcome {
  if (!(error instanceof SvcError) || error.code !== 'file-failed') throw error
  const { code, message, hint, place, facts } = error
  const path = typeof facts?.['path'] === 'string' ? facts['path'] : undefined
  return { status: 'failed', applied: [], problem: { code, path, place, message, hint } }
}

async function decide(
  context: CommandContext,
  verdict: PatchVerdict,
  apply: (agreed: boolean) => Promise<readonly AppliedFile[]>,
): Promise<PatchOutcome> {
  const { options } = context
  if (verdict.refusals.length > 0) return { status: 'refused', applied: [] }
  if (options.flag('dry-run')) return { status: 'checked', applied: [] }
  const { confirmPatch } = await import('./confirm-patch.ts')
  const isAgreed = await confirmPatch(context, { verdict, summary: '' }, async () => {
    if (verdict.weakened.length === 0 || options.flag('yes')) return true
    return !options.flag('json') && confirm(context, 'Were these checks wrong? Apply the patch?')
  })
  if (!isAgreed) return { status: 'unconfirmed', applied: [] }
  try {
    return { status: 'applied', applied: await apply(true) }
  } catch (error) {
    return failedOutcome(error)
  }
}

async function patchText({ arguments: [path = ''], world }: CommandContext): Promise<string> {
  if (path === '-') return await readStdin()
  const full = resolve(world.cwd, path)
  const stat = statSync(full, { throwIfNoEntry: false })
  if (stat?.isFile() !== true) {
    throw new SvcError('wrong-usage', `there is no file "${path}"`, {
      hint: 'Name the file with the patch; - reads it from stdin.',
    })
  }
  // A file that is too large is not even read: its size is all that is told about it.
  return stat.size > patchLimits.bytes * 2 ? ' '.repeat(patchLimits.bytes + 1) : readFileSync(full, 'utf8')
}
