/** What a language model is told about one asset: its context pack, and the problems of its file. */
import { assetJsonSchema, placeAt } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { gatherPack } from '../upload/make-pack.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { problemsWith } from '../workspace/problems.ts'
import { contextOf } from './context.ts'
import type { DataBlock } from './prompt.ts'

/** About thirty thousand tokens, which small models take too. */
const mostBytes = 120_000
const mostProblems = 50

/** Throws SvcError `invalid-project` for a file that is no YAML: nothing true could be said of it. */
export async function aboutAsset(workspace: OpenedWorkspace, name: string) {
  const asset = workspace.asset(name)
  const problems = problemsWith(workspace, await workspace.analysis()).get(asset.path) ?? []
  const placed = problems.map(({ code, message, range }) => ({
    code,
    place: placeAt(asset.path, asset.text, range.start),
    message: workspace.withoutSecrets?.(message) ?? message,
  }))
  const unreadable = placed.find(({ code }) => code.startsWith('yaml-'))
  if (unreadable !== undefined) {
    throw new SvcError('invalid-project', `${asset.path} cannot be parsed: ${unreadable.message}`, {
      place: unreadable.place,
      asset: name,
      hint: 'Correct it first; svc validate shows every problem at its place.',
    })
  }
  const gathered = await gatherPack(workspace)
  const wish = { focus: name, results: true, history: true, mostBytes, shortens: true }
  const context = contextOf(gathered, wish)
  const { test_results: results = {} } = context.pack
  const failed = results[name]?.tests.some(({ status }) => status === 'fail') === true
  const last = gathered.runs.flatMap(run => run.assets.find(each => each.name === name) ?? [])[0]
  const shown = placed.slice(0, mostProblems)
  return {
    data: [
      { title: `context pack of the asset ${name}, near assets first`, text: JSON.stringify(context.pack) },
      ...(shown.length === 0 ? [] : [{ title: 'problems of the file', text: JSON.stringify(shown) }]),
    ],
    // Whether its file has errors, a test of it failed, or its last run did.
    isBroken: failed || last?.because !== undefined || problems.some(({ severity }) => severity === 'error'),
  }
}

/** What is told about the whole project, for an asset that is not there yet. */
export async function aboutProject(workspace: OpenedWorkspace): Promise<readonly DataBlock[]> {
  const gathered = await gatherPack(workspace)
  const wish = { focus: undefined, results: false, history: false, mostBytes, shortens: true }
  return [
    { title: 'context pack of the project', text: JSON.stringify(contextOf(gathered, wish).pack) },
    { title: 'JSON Schema of an asset file', text: JSON.stringify(assetJsonSchema()) },
  ]
}
