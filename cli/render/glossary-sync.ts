/** Renders what `svc glossary pull` and `push` did, or would do, and what stands in their way. */
import type { JsonOf } from '@svc/server/contract'
import type { Conflict, SideChange } from '../engine/glossary/sync/compare.ts'
import type { SkippedEntry } from '../engine/glossary/sync/pull.ts'
import type { HostedTarget } from '../engine/upload/hosted-target.ts'
import { changeJson, changeText, valueText, warningLines } from './glossary.ts'
import { listed } from './glossary-import.ts'
import type { Style } from './style.ts'

export interface SyncReport {
  readonly direction: 'pull' | 'push'
  readonly target: HostedTarget
  readonly isDry: boolean
  readonly done: readonly SideChange[]
  readonly waiting: readonly SideChange[]
  readonly conflicts: readonly Conflict[]
  readonly skipped: readonly SkippedEntry[]
  readonly warnings: readonly string[]
}

const words = {
  pull: { did: 'Pulled', would: 'Would pull', from: 'from', other: 'push', where: 'here' },
  push: { did: 'Pushed', would: 'Would push', from: 'to', other: 'pull', where: 'in the store' },
} as const
const actions = { add: 'added', change: 'changed', remove: 'removed' } as const

export function renderSync(report: SyncReport, style: Style): string[] {
  const { conflicts, done, direction, isDry, skipped, target, waiting, warnings } = report
  if (conflicts.length > 0) return conflictLines(conflicts, style)
  const { did, would, from, other, where } = words[direction]
  const place = `project ${target.project} at ${target.url.replace(/^https?:\/\//, '')}`
  const counts = (['add', 'change', 'remove'] as const).map(
    action => `${done.filter(each => each.action === action).length} ${actions[action]}`,
  )
  return [
    `${isDry ? would : did} ${from} ${place}: ${counts.join(', ')}`,
    ...listed(done, doneLines),
    ...skipped.map(({ kind, id, reason }) => `  ${style.yellow('left')} ${kind} ${id}: ${reason}`),
    ...(waiting.length === 0 ? [] : ['', `${waiting.length} changed ${where}: svc glossary ${other}`]),
    ...warningLines(warnings, style),
  ]
}

function doneLines({ kind, name, id, action, changes }: SideChange): readonly string[] {
  const called = kind === 'policy' || kind === 'link' ? name : `${name} (${id})`
  const shown = action === 'change' ? changes : []
  return [`  ${actions[action]} ${kind} ${called}`, ...shown.map(change => `    ${changeText(change)}`)]
}

function conflictLines(conflicts: readonly Conflict[], style: Style): string[] {
  return [
    `Both sides changed the same; nothing was written:`,
    ...conflicts.flatMap(({ kind, id, key, base, ours, theirs }) => [
      `  ${style.red('conflict')} ${kind} ${id}, ${key}`,
      ...(base === undefined ? [] : [`    before:        ${valueText(base)}`]),
      `    glossary.yaml: ${valueText(ours)}`,
      `    the store:     ${valueText(theirs)}`,
    ]),
    '',
    'Next: --take ours or --take theirs; for one entry --take <id>=theirs',
  ]
}

export function syncJson(report: SyncReport, isWhole: boolean): JsonOf<'glossary-pull'> {
  const { conflicts, done, isDry, skipped, waiting, warnings } = report
  return {
    success: isWhole,
    dry_run: isDry,
    done: done.map(entryJson),
    waiting: waiting.map(entryJson),
    conflicts: conflicts.map(({ kind, id, key, base = null, ours = null, theirs = null }) => ({
      ...{ kind, id, key, base, ours, theirs },
    })),
    ...{ skipped, warnings },
  }
}

function entryJson({ kind, id, name, action, changes }: SideChange) {
  return { kind, id, name, action, changes: changes.map(changeJson) }
}
