/**
 * `svc ai fix | tests | new`: a language model proposes a change (interface.md 4.4). The file that it is about is chosen here,
 * never by the model, and a proposal counts only when it passes the safety layer of patches, unit tests included.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Patch, PatchOp } from '@svc/server/contract'
import { SvcError } from '../errors.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { aboutAsset, aboutProject } from './about-asset.ts'
import type { Asking } from './ask.ts'
import { askForValue, type Checked } from './ask-for-value.ts'
import type { Question } from './models/model.ts'
import { isBelow } from './patch/changed-places.ts'
import { checkPatch, type PatchVerdict, sha256Of } from './patch/check-patch.ts'
import { type DataBlock, questionOf } from './prompt.ts'

export interface Proposal {
  readonly summary: string
  readonly patch: Patch
  readonly verdict: PatchVerdict
}

const mostTokens = 8192

const opsWords = `ops: operations of JSON Patch (RFC 6902) whose paths lead into the YAML of the asset's file, as in the blocks of
the context pack: {"op": "replace", "path": "/transform", "value": "SELECT ..."}, {"op": "add", "path": "/tests/-", "value":
{"not_null": "id"}}. Free are /description, /columns, /transform, /tests, /contract, /freshness and /tags. summary: one or two
sentences that say what changes and why.`

const fixTask = (
  name: string,
) => `Repair the asset ${name}: its problems, failed tests and failed runs are in the data.
Find the cause and change as little as possible. Never remove or weaken a test, a contract, a mask or an exclusion: a failing
test is a finding, not the fault. ${opsWords}`

const testsTask = (
  name: string,
) => `Propose tests that the asset ${name} lacks, or that should be stricter: keys that must be
unique, columns that must not be null, ranges, allowed values, relationships, row counts, and one or two unit tests (given rows
and the rows expected of them) for what its SQL decides. Only tests that must hold for right data. Keep those that are there.
${opsWords}`

const newTask = (
  name: string | undefined,
) => `Write a new asset as the description in the data asks, with ingest, transform, tests
and, where a source has known columns, a contract. Refer to other assets with {{ ref('name') }}; one without a source of its own
has ingest: "none". ${name === undefined ? 'Choose a short name in snake_case.' : `Its name is ${name}.`} Write no password,
token or key: credentials come from env:NAME. asset: the whole file as JSON. summary: one or two sentences.`

/** Throws SvcError `wrong-usage` if nothing is known to be wrong with the asset, and what `askForValue` throws. */
export async function proposeFix(
  workspace: OpenedWorkspace,
  name: string,
  error: string | undefined,
  asking: Asking,
): Promise<Checked<Proposal>> {
  const { data, isBroken } = await aboutAsset(workspace, name)
  if (error === undefined && !isBroken) {
    throw new SvcError('wrong-usage', `nothing is known to be wrong with ${name}`, {
      hint: 'Its file has no error and its last run passed: give the message with --error.',
      asset: name,
    })
  }
  const clean = error === undefined ? undefined : (workspace.withoutSecrets?.(error) ?? error)
  const told = clean === undefined ? [] : [{ title: 'the error to repair', text: clean }]
  return proposeOps(workspace, name, fixTask(name), [...data, ...told], asking)
}

export async function proposeTests(
  workspace: OpenedWorkspace,
  name: string,
  asking: Asking,
): Promise<Checked<Proposal>> {
  const { data } = await aboutAsset(workspace, name)
  return proposeOps(workspace, name, testsTask(name), data, asking, ['/tests'])
}

/** @param places the prefixes that the operations may change; all that the safety layer allows if absent */
async function proposeOps(
  workspace: OpenedWorkspace,
  name: string,
  task: string,
  data: readonly DataBlock[],
  asking: Asking,
  places?: readonly string[],
): Promise<Checked<Proposal>> {
  const { proposedOps } = await import('@svc/server/contract')
  const { path } = workspace.asset(name)
  const base = sha256Of(readFileSync(join(workspace.root, path)))
  return proposed<{ readonly summary: string; readonly ops: readonly PatchOp[] }>(workspace, asking, {
    question: questionOf(task, proposedOps, data, mostTokens),
    form: proposedOps,
    problems: ({ ops }) =>
      ops
        .filter(op => places?.some(place => isBelow(op.path, place)) === false)
        .map(op => `${op.path}: only ${places?.join(', ')} is to be changed`),
    patchOf: ({ ops }) => ({ version: 1, files: [{ path, base_sha256: base, ops }] }),
    allow: [],
  })
}

export interface NewAsset {
  readonly description: string
  /** Undefined if the model is to choose. */
  readonly name: string | undefined
  /** Relative to the root; undefined means a file of the asset's name in the folder of the models. */
  readonly path: string | undefined
}

/** A new asset says where its data come from, which whoever asked for it sees before anything is written. */
export async function proposeAsset(
  workspace: OpenedWorkspace,
  { description, name, path }: NewAsset,
  asking: Asking,
): Promise<Checked<Proposal>> {
  const { proposedAsset } = await import('@svc/server/contract')
  const clean = workspace.withoutSecrets?.(description) ?? description
  const data = [
    ...(await aboutProject(workspace)),
    { title: 'the description of the new asset', text: clean },
  ]
  return proposed<{ readonly summary: string; readonly asset: unknown }>(workspace, asking, {
    question: questionOf(newTask(name), proposedAsset, data, mostTokens),
    form: proposedAsset,
    problems({ asset }) {
      const given = nameIn(asset)
      if (given === undefined) return ['/asset/name: a new asset needs a name of letters, digits and _']
      return name !== undefined && given !== name ? [`/asset/name: must be ${name}`] : []
    },
    patchOf({ asset }) {
      const file = path ?? `${workspace.project.settings.models}${nameIn(asset) ?? ''}.svc`
      const ops = [{ op: 'add', path: '', value: asset }] as const
      return { version: 1, files: [{ path: file, base_sha256: null, ops }] }
    },
    allow: ['/ingest'],
  })
}

/** Only such a name becomes the name of a file. */
function nameIn(asset: unknown): string | undefined {
  const name = (asset as { readonly name?: unknown } | null)?.name
  return typeof name === 'string' && /^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name) ? name : undefined
}

interface WantedPatch<T> {
  readonly question: Question
  readonly form: object
  /** What is wrong with an answer before its patch is looked at. */
  readonly problems: (value: T) => readonly string[]
  readonly patchOf: (value: T) => Patch
  readonly allow: readonly string[]
}

async function proposed<T extends { readonly summary: string }>(
  workspace: OpenedWorkspace,
  asking: Asking,
  { question, form, problems, patchOf, allow }: WantedPatch<T>,
): Promise<Checked<Proposal>> {
  let verdict: PatchVerdict | undefined
  const check = async (value: T) => {
    const found = problems(value)
    if (found.length > 0) return found
    verdict = await checkPatch(workspace, patchOf(value), { allow })
    return reasonsOf(verdict)
  }
  const checked = await askForValue<T>(asking, question, form, { check })
  if (verdict === undefined) throw new Error('a proposal was accepted without a check')
  const { value } = checked
  return { ...checked, value: { summary: value.summary, patch: patchOf(value), verdict } }
}

function reasonsOf({ refusals }: PatchVerdict): readonly string[] {
  return refusals.map(({ code, place, message, hint }) =>
    [`${place ?? ''} ${code}: ${message}`.trim(), ...(hint === undefined ? [] : [hint])].join('. '),
  )
}
