/**
 * Finds the checks that a patch takes away or makes weaker. It is the usual way in which a model "repairs" a
 * failure, so each of these is shown and needs a yes, whatever else the patch does.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  type Asset,
  type ContractColumn,
  type Glossary,
  type Policy,
  type PromisedTable,
  promisedOf,
  promisedTables,
  type TableContract,
  type TestDefinition,
} from '@svc/server/language'
import { type PatchRefusal, refusal } from './problem.ts'

type Say = (place: string, message: string) => void

/** `before` and `after` are the whole files as values; the assets are what the language reads in them. */
export interface AssetVersions {
  readonly old: Asset
  readonly now: Asset
  readonly before: unknown
  readonly after: unknown
}

export function weakenedInAsset(versions: AssetVersions): PatchRefusal[] {
  const { old, now, before } = versions
  const { found, say } = collector(old.path)
  if (before === undefined) say('', 'the file could not be read before: nobody can tell which checks it had')
  testsWeakened(old, now, say)
  contractWeakened(old, now, say)
  masksWeakened(versions, say)
  freshnessWeakened(old, now, say)
  if (old.definition.deploy.enabled && !now.definition.deploy.enabled)
    say('/deploy/enabled', 'the asset is taken out of the project, with all its tests')
  if (old.definition.deploy.kAnonymity !== now.definition.deploy.kAnonymity)
    say('/deploy/k_anonymity', 'the size of groups that keeps an aggregate from being personal is changed')
  return found
}

export function weakenedInGlossary(path: string, old: Glossary, now: Glossary): PatchRefusal[] {
  const { found, say } = collector(path)
  for (const policy of old.policies) {
    if (!now.policies.some(other => isDeepStrictEqual(meaning(other), meaning(policy))))
      say('/policies', `the policy "${policy.name}" is removed or changed`)
  }
  return found
}

function meaning(policy: Policy): unknown {
  const { name, piiColumns, appliesTo, enforcement, derived } = policy
  return { name, piiColumns, appliesTo, enforcement, derived }
}

function collector(path: string): { readonly found: PatchRefusal[]; readonly say: Say } {
  const found: PatchRefusal[] = []
  const say: Say = (place, message) =>
    void found.push(
      refusal('patch-weakens', { path, place, message, hint: 'Agree only if the check itself was wrong.' }),
    )
  return { found, say }
}

// ---------------------------------------------------------------- tests

function testsWeakened(old: Asset, now: Asset, say: Say): void {
  const left = now.definition.tests.map(test => substance(now, test))
  for (const test of old.definition.tests) {
    const at = left.findIndex(other => isDeepStrictEqual(other, substance(old, test)))
    if (at >= 0) {
      left.splice(at, 1)
      continue
    }
    const isNamed = now.definition.tests.some(other => other.name === test.name)
    say(`/tests/${test.index}`, `the ${test.kind} test "${test.name}" is ${isNamed ? 'changed' : 'removed'}`)
  }
}

/** What decides whether a test fails. */
function substance(asset: Asset, test: TestDefinition): unknown {
  const { name: _name, description: _description, tags: _tags, index, ...rest } = test
  return { ...rest, query: asset.testSql.get(index)?.text }
}

function freshnessWeakened(old: Asset, now: Asset, say: Say): void {
  const [before, after] = [old.definition.freshness, now.definition.freshness]
  if (before === undefined) return
  if (after === undefined) {
    say('/freshness', 'freshness is not checked any more')
    return
  }
  for (const key of ['warnAfterMs', 'errorAfterMs'] as const) {
    const limit = before[key]
    if (limit !== undefined && (after[key] ?? Number.POSITIVE_INFINITY) > limit)
      say('/freshness', 'the asset may get older than before')
  }
  if (before.column !== after.column) say('/freshness/column', 'the age is that of another column')
}

// ---------------------------------------------------------------- contract

const strictness = ['evolve', 'discard_value', 'discard_row', 'freeze']

function contractWeakened(old: Asset, now: Asset, say: Say): void {
  const [before, after] = [old.definition.contract, now.definition.contract]
  if (before === undefined) return
  if (after === undefined) {
    say('/contract', 'the contract is removed')
    return
  }
  for (const key of ['tables', 'columns', 'types'] as const) {
    if (strictness.indexOf(after.evolution[key]) < strictness.indexOf(before.evolution[key]))
      say('/contract/evolution', `changes of ${key} are let in more easily`)
  }
  if (before.enforceTypes && !after.enforceTypes) say('/contract/enforce_types', 'types are not enforced')
  if (!before.allowEmpty && after.allowEmpty) say('/contract/allow_empty', 'the source may be empty')
  if (!isDeepStrictEqual(before.maxRejects, after.maxRejects))
    say('/contract/max_rejects', 'the number of records that may be rejected is changed')
  for (const table of promisedTables(before)) tableWeakened(table, promisedOf(after, table.child), say)
}

function tableWeakened({ at, ...before }: PromisedTable, after: TableContract, say: Say): void {
  const place = `/${at.join('/')}`
  for (const column of before.requiredColumns) {
    if (!after.requiredColumns.includes(column))
      say(`${place}/required_columns`, `the column "${column}" is not required any more`)
  }
  for (const [name, column] of Object.entries(before.columns))
    columnWeakened({ name, place: `${place}/columns/${name}` }, column, after.columns[name], say)
}

function columnWeakened(
  { name, place }: { readonly name: string; readonly place: string },
  before: ContractColumn,
  after: ContractColumn | undefined,
  say: Say,
): void {
  if (after === undefined) say(place, `the contract says nothing about "${name}" any more`)
  else if (before.type !== after.type) say(place, `the type of "${name}" in the contract is changed`)
  else if (!before.nullable && after.nullable) say(place, `values of "${name}" may be missing`)
  else if (before.from !== after.from) say(place, `"${name}" is another column of the source`)
  if (before.pii && after?.pii !== true) say(place, `"${name}" is not marked as personal any more`)
}

// ---------------------------------------------------------------- personal data

function masksWeakened({ old, now, before, after }: AssetVersions, say: Say): void {
  const columns = { ...old.definition.columns, ...now.definition.columns }
  for (const name of Object.keys(columns)) {
    const [was, is] = [old.definition.columns[name]?.pii, now.definition.columns[name]?.pii]
    const isWeaker = (was === true && is !== true) || (was !== false && is === false)
    if (isWeaker) say(`/columns/${name}/pii`, `"${name}" is not marked as personal any more`)
  }
  const [was, is] = [ingestOf(before), ingestOf(after)]
  for (const key of ['exclude', 'include', 'mask']) {
    if (key in was && !keeps(was[key], is[key])) say(`/ingest/${key}`, `ingest.${key} is removed or changed`)
    if (key === 'include' && key in was && !keeps(is[key], was[key]))
      say(`/ingest/${key}`, 'more columns are taken in')
  }
}

function ingestOf(file: unknown): Readonly<Record<string, unknown>> {
  const ingest = (file as { readonly ingest?: unknown } | undefined)?.ingest
  return typeof ingest === 'object' && ingest !== null ? (ingest as Readonly<Record<string, unknown>>) : {}
}

/** Returns whether everything that is in `old` is in `now` too. */
function keeps(old: unknown, now: unknown): boolean {
  if (typeof old !== 'object' || old === null) return [now].flat().some(each => isDeepStrictEqual(each, old))
  if (Array.isArray(old)) return old.every(each => keeps(each, now))
  const members = now as Readonly<Record<string, unknown>> | undefined
  return Object.entries(old).every(([key, value]) => isDeepStrictEqual(members?.[key], value))
}
