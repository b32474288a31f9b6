/** Renders a patch and what became of it: the difference file by file, refusals, weakened checks. */
import type { JsonOf } from '@svc/server/contract'
import { redact } from '@svc/server/language'
import type { AppliedFile } from '../engine/ai/patch/apply-patch.ts'
import type { CheckedPatchFile, PatchRefusal, PatchVerdict } from '../engine/ai/patch/check-patch.ts'
import { diffText } from './definition-diff.ts'
import { lineDiff } from './line-diff.ts'
import { countOf } from './numbers.ts'
import type { Style } from './style.ts'
import { wrapBehind } from './width.ts'

export interface PatchOutcome {
  readonly status: JsonOf<'ai-apply'>['status']
  readonly applied: readonly AppliedFile[]
  /** The failure of writing the files. */
  readonly problem?: PatchRefusal
}

const contextLines = 3

export function renderPatch(verdict: PatchVerdict, style: Style): string[] {
  return [
    ...verdict.files.flatMap(file => renderDiff(file, style)),
    ...verdict.weakened.flatMap(each => renderProblem(style.yellow('weaker '), each, style)),
    ...verdict.refusals.flatMap(each => renderProblem(style.red('refused'), each, style)),
  ]
}

function renderDiff(file: CheckedPatchFile, style: Style): string[] {
  if (file.after === undefined) return []
  const dress = { same: style.dim, removed: style.red, added: style.green, gap: style.dim }
  const lines = linesOf(file).map(line => `  ${dress[line.kind](diffText(line))}`)
  const head = `${style.bold(file.path)}${file.before === undefined ? ' (new)' : ''}`
  return [head, ...(lines.length === 0 ? ['  no change'] : lines), '']
}

/** The difference never shows a secret, also where the patch brings one. */
function linesOf({ before = '', after = '' }: CheckedPatchFile) {
  const lines = (text: string) => {
    const clean = redact(text, []).replace(/\r?\n$/, '')
    return clean === '' ? [] : clean.split(/\r?\n/)
  }
  return lineDiff(lines(before), lines(after), contextLines)
}

function renderProblem(label: string, problem: PatchRefusal, style: Style): string[] {
  const indent = ' '.repeat(9)
  const place = placeOf(problem)
  const { code, message, hint } = problem
  return [
    ...wrapBehind(`${label}  `, redact(message, []), style.width),
    ...(place === undefined ? [] : [`${indent}${style.dim(place)}  ${style.dim(code)}`]),
    ...(hint === undefined ? [] : wrapBehind(indent, redact(hint, []), style.width)),
    '',
  ]
}

function placeOf({ path, place }: PatchRefusal): string | undefined {
  if (path === undefined || place === undefined || place.startsWith(path)) return place ?? path
  return `${path} ${place}`
}

export function renderPatchOutcome(verdict: PatchVerdict, outcome: PatchOutcome, style: Style): string[] {
  const { files, weakened } = verdict
  const { problem } = outcome
  const each = fileLines(verdict, outcome, style)
  switch (outcome.status) {
    case 'refused': {
      const reasons = countOf(verdict.refusals.length, 'reason')
      return [...each, `${style.red('Refused')}: ${reasons}; no file was changed.`]
    }
    case 'failed':
      return [
        ...each,
        ...(problem === undefined ? [] : ['', ...renderProblem(style.red('failed '), problem, style)]),
        `${style.red('Failed')}: no file was changed.`,
      ]
    case 'unconfirmed':
      return [
        ...each,
        `${style.yellow('Not applied')}: ${countOf(weakened.length, 'check')} would be weaker; no file was changed.`,
        'If the checks were wrong, say so with --yes.',
      ]
    case 'checked':
      return [...each, `The patch can be applied to ${countOf(files.length, 'file')}.`]
    case 'applied':
      return each
  }
}

/** Says for each file what became of it: of a patch all are written, or none. */
function fileLines(verdict: PatchVerdict, outcome: PatchOutcome, style: Style): string[] {
  const own = new Set(
    [...verdict.refusals, ...(outcome.problem === undefined ? [] : [outcome.problem])].map(
      ({ path }) => path,
    ),
  )
  return verdict.files.map(({ path }) => {
    const status = statusOf(path, outcome)
    const dress = status === 'failed' ? style.red : style.green
    const why = status === 'failed' && !own.has(path) ? ', with the others' : ''
    return `${dress(status.padEnd(9))}  ${path}${why}`
  })
}

function statusOf(path: string, outcome: PatchOutcome): JsonOf<'ai-apply'>['files'][number]['status'] {
  const applied = outcome.applied.find(each => each.path === path)
  if (applied !== undefined) return applied.status
  return outcome.status === 'checked' || outcome.status === 'unconfirmed' ? 'ready' : 'failed'
}

export function aiApplyJson(verdict: PatchVerdict, outcome: PatchOutcome): JsonOf<'ai-apply'> {
  const { problem } = outcome
  return {
    status: outcome.status,
    files: verdict.files.map(file => ({
      path: file.path,
      status: statusOf(file.path, outcome),
      before_sha256: file.beforeHash,
      after_sha256: file.afterHash,
      diff: file.after === undefined ? '' : linesOf(file).map(diffText).join('\n'),
    })),
    refusals: [...verdict.refusals, ...(problem === undefined ? [] : [problem])].map(problemJson),
    weakened: verdict.weakened.map(problemJson),
  }
}

function problemJson({ code, path, place, message, hint }: PatchRefusal): JsonOf<'ai-apply'>['refusals'][0] {
  return {
    code,
    path: path ?? null,
    place: place ?? null,
    message: redact(message, []),
    hint: hint ?? null,
  }
}
