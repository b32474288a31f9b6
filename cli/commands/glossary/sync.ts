/** `svc glossary pull | push`: glossary.yaml and the glossary of the hosted store, three-way. */
import { didYouMean } from '@svc/server/language'
import { SvcError } from '../../engine/errors.ts'
import { checkChange, refuseBroken, writeChange } from '../../engine/glossary/change-glossary.ts'
import type { Compared, Side, Sides, Take } from '../../engine/glossary/sync/compare.ts'
import type { GlossaryStore } from '../../engine/glossary/sync/glossary-store.ts'
import type { SkippedEntry } from '../../engine/glossary/sync/pull.ts'
import type { Entries } from '../../engine/glossary/sync/sync-entry.ts'
import type { HostedTarget } from '../../engine/upload/hosted-target.ts'
import type { OpenedWorkspace } from '../../engine/workspace/open-workspace.ts'
import { renderSync, type SyncReport, syncJson } from '../../render/glossary-sync.ts'
import { type Command, type CommandContext, jsonOption, type Report } from '../command.ts'

const options: Command['options'] = [
  { name: 'project', value: 'number', summary: 'project in the store; else SVC_HOSTED_PROJECT, else 1' },
  { name: 'url', value: 'url', summary: 'address of the store, or env:NAME; else SVC_HOSTED_URL' },
  { name: 'token', value: 'env:NAME', summary: 'variable with the token; else SVC_HOSTED_TOKEN' },
  {
    name: 'take',
    value: 'side',
    summary: 'where both changed the same: ours, theirs, or <id>=ours for one entry; repeatable',
    repeatable: true,
  },
  { name: 'dry-run', summary: 'show what would change; write nothing' },
  jsonOption,
]

const exitCodes = {
  0: 'done, also if there was nothing to do',
  1: 'both sides changed the same, or an entry cannot go over; conflicts change nothing',
  2: 'wrong usage or no project',
  3: 'the store refused it or cannot be reached',
}

export const pullCommand: Command = {
  name: 'glossary pull',
  brief: 'bring changes of the hosted store here',
  summary: 'Bring what changed in the glossary of the hosted store into glossary.yaml.',
  arguments: [],
  options,
  examples: [
    { line: 'svc glossary pull --dry-run', says: 'what would come' },
    { line: 'svc glossary pull --take term.customer=theirs', says: "one conflict, with the store's word" },
  ],
  exitCodes,
  run: context =>
    synchronise(context, 'pull', async ({ workspace, sides, compared, isDry, target }) => {
      const { pullChanges } = await import('../../engine/glossary/sync/pull.ts')
      const { writeGlossaryLock } = await import('../../engine/glossary/sync/glossary-lock.ts')
      const pulled = pullChanges(workspace.project, sides, compared.theirs)
      const change = await checkChange(workspace, pulled.texts, true)
      if (!isDry) {
        await writeChange(workspace, change)
        writeGlossaryLock(workspace.root, target, pulled.base, context.world.pid)
      }
      const { done, skipped } = pulled
      return { done, skipped, waiting: compared.ours, warnings: change.warnings }
    }),
}

export const pushCommand: Command = {
  name: 'glossary push',
  brief: 'send changes to the hosted store',
  summary: 'Send what changed in glossary.yaml to the glossary of the hosted store.',
  arguments: [],
  options,
  examples: [
    { line: 'svc glossary push --dry-run', says: 'what would change there' },
    { line: 'svc glossary push --take ours', says: "conflicts with glossary.yaml's word" },
  ],
  exitCodes,
  run: context =>
    synchronise(context, 'push', async ({ workspace, store, sides, compared, isDry, target }) => {
      const { pushChanges } = await import('../../engine/glossary/sync/push.ts')
      const { writeGlossaryLock } = await import('../../engine/glossary/sync/glossary-lock.ts')
      const rest = { waiting: compared.theirs, warnings: [] }
      if (isDry) return { done: compared.ours, skipped: [], ...rest }
      let base: Entries = sides.base
      try {
        const pushed = await pushChanges(store, sides, compared.ours, next => {
          base = next
        })
        return { ...pushed, ...rest }
      } finally {
        writeGlossaryLock(workspace.root, target, base, context.world.pid)
      }
    }),
}

interface Ground {
  readonly workspace: OpenedWorkspace
  readonly store: GlossaryStore
  readonly target: HostedTarget
  readonly sides: Sides
  readonly compared: Compared
  readonly isDry: boolean
}

type Outcome = Pick<SyncReport, 'done' | 'waiting' | 'warnings'> & {
  readonly skipped: readonly SkippedEntry[]
}

/** A conflict stops everything: then neither side is changed. */
async function synchronise(
  context: CommandContext,
  direction: SyncReport['direction'],
  work: (ground: Ground) => Promise<Outcome>,
): Promise<Report> {
  const { options: given, world, signal } = context
  const { hostedTarget } = await import('../../engine/upload/hosted-target.ts')
  const target = hostedTarget(
    { url: given.text('url'), token: given.text('token'), project: given.text('project') },
    world.env,
  )
  const workspace = await context.openWorkspace()
  refuseBroken(workspace.project.glossary)
  const { openGlossaryStore } = await import('../../engine/glossary/sync/glossary-store.ts')
  const store = openGlossaryStore(target, { env: world.env, signal })
  try {
    const sides = await readSides(workspace, store, target)
    const { compareSides } = await import('../../engine/glossary/sync/compare.ts')
    const compared = compareSides(sides, takeOf(given.texts('take'), sides))
    const isDry = given.flag('dry-run')
    const { conflicts } = compared
    const outcome =
      conflicts.length > 0
        ? { done: [], skipped: [], waiting: [], warnings: [] }
        : await work({ workspace, store, target, sides, compared, isDry })
    const report: SyncReport = { direction, target, isDry, conflicts, ...outcome }
    const isWhole = conflicts.length === 0 && outcome.skipped.length === 0
    return {
      exitCode: isWhole ? 0 : 1,
      text: style => renderSync(report, style),
      json: syncJson(report, isWhole),
    }
  } finally {
    await store.close()
  }
}

async function readSides({ project, root }: OpenedWorkspace, store: GlossaryStore, target: HostedTarget) {
  const { readGlossaryLock } = await import('../../engine/glossary/sync/glossary-lock.ts')
  const { localEntries, storedEntries } = await import('../../engine/glossary/sync/sync-entry.ts')
  const base = readGlossaryLock(root, target)
  return { base, ours: localEntries(project), theirs: storedEntries(await store.read(), project) }
}

function takeOf(written: readonly string[], { ours, theirs }: Sides): Take {
  const ids = new Set([...ours.values(), ...theirs.values()].map(({ id }) => id))
  const byId = new Map<string, Side>()
  let all: Side | undefined
  for (const text of written) {
    const at = text.lastIndexOf('=')
    const side = text.slice(at + 1).trim()
    if (side !== 'ours' && side !== 'theirs') {
      throw new SvcError('wrong-usage', `--take cannot be "${text.slice(0, 100)}"`, {
        hint: 'It is ours (glossary.yaml), theirs (the store), or one of them for an entry: term.customer=theirs.',
      })
    }
    const id = at < 0 ? undefined : text.slice(0, at).trim()
    if (id === undefined) all = side
    else if (ids.has(id)) byId.set(id, side)
    else {
      const question = didYouMean(id, ids)
      throw new SvcError('wrong-usage', `--take: neither side has an entry "${id.slice(0, 100)}"${question}`)
    }
  }
  return ({ id }) => byId.get(id) ?? all
}
