import type { Engine } from '../engines/engine.ts'
import { locate, nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import { type MaskKind, maskKinds, maskRules } from '../source/masks.ts'
import { toSnakeCase } from '../source/snake-case.ts'
import { promisedTables, promisePath } from '../source/table-contract.ts'
import type { SourceIngest } from '../sources/source-kind.ts'
import type { FileCheck } from './check.ts'
import { remedy, written } from './fix.ts'
import { itemRange } from './places.ts'

export const maskConflict: FileCheck = {
  code: 'mask-conflict',
  doc: '`ingest.mask` hides a value that is needed as it is: the cursor, a key whose values would become equal, or a column that the contract promises as something else than text.',
  *run(asset, engine) {
    const { ingest } = asset.definition
    if (ingest.type === 'none' || Object.keys(ingest.mask).length === 0) return
    const maskOf = masksOf(ingest)
    yield* cursorProblems(asset, ingest, maskOf)
    yield* keyProblems(asset, ingest, maskOf)
    yield* typeProblems(asset, maskOf, engine)
  },
  fix(problem, asset) {
    const { ingest } = asset.definition
    const key = written(problem)
    const given = nodeAt(asset.tree, ['ingest', 'mask', key])
    if (ingest.type === 'none' || !ingest.primaryKey.includes(key) || given === undefined) return []
    return remedy('Mask it with hash', problem.path, { range: given.range, newText: 'hash' })
  },
}

type MaskOf = (name: string) => MaskKind | undefined

/** Returns how a column is masked, by its name at the source or in the table. */
function masksOf({ mask, naming }: SourceIngest): MaskOf {
  const own = new Map<string, MaskKind>()
  for (const [text, kind] of Object.entries(mask)) {
    const name = toSnakeCase(text)
    if (!(text.includes('*') || own.has(name))) own.set(name, kind)
  }
  const rules = maskRules({ mask, naming })
  return name => own.get(name) ?? rules.kindAt(name.split('.'))
}

function* cursorProblems(asset: Asset, ingest: SourceIngest, maskOf: MaskOf) {
  const cursor = ingest.incremental?.cursor
  if (cursor === undefined || maskOf(cursor) === undefined) return
  yield {
    range: locate(asset, ['ingest', 'incremental', 'cursor']),
    message: `the cursor "${cursor}" is masked: what is new could not be recognized`,
    hint: 'Choose a cursor that is not personal, or take it out of ingest.mask.',
  }
}

function* keyProblems(asset: Asset, ingest: SourceIngest, maskOf: MaskOf) {
  for (const key of ingest.primaryKey) {
    const kind = maskOf(key)
    if (kind === undefined || maskKinds[kind].isDistinct) continue
    yield {
      range: itemRange(asset, ['ingest', 'primary_key'], key),
      message: `${kind} makes different values of the key "${key}" equal`,
      hint: 'Write hash in ingest.mask: equal values stay equal, and different ones different.',
    }
  }
}

function* typeProblems(asset: Asset, maskOf: MaskOf, { types }: Engine) {
  const promised = promisedTables(asset.definition.contract).flatMap(({ child, columns }) =>
    Object.entries(columns).map(([name, column]) => ({ child, name, ...column })),
  )
  for (const { child, name, type, from } of promised) {
    const list = child === undefined ? '' : `${child.replaceAll('__', '.')}.`
    const kind = maskOf(`${list}${from ?? name}`)
    if (kind === undefined || type === undefined || types.family(types.parse(type)) === 'text') continue
    yield {
      range: locate(asset, promisePath(child, name)),
      message: `"${name}" is promised as ${type}, and masked with ${kind} it is text`,
      hint: 'Promise varchar, or take it out of ingest.mask.',
    }
  }
}
