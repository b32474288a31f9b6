/** Answers where what stands under the cursor is made. */

import { glossaryPath } from '../glossary/glossary.ts'
import { locate, nodeAt } from '../project/locate.ts'
import { settingsPath } from '../project/parse-settings.ts'
import type { Asset } from '../project/project.ts'
import type { Range } from '../text/range.ts'
import type { Knowledge } from './knowledge.ts'
import { fileRange, mentionAt, type NamedBlock, transformOf } from './names/asset-names.ts'
import { occurrenceAt, occurrencesIn } from './names/occurrences.ts'
import type { Slot, Target as SqlTarget } from './names/slots.ts'
import { type Subject, subjectKey } from './names/subjects.ts'
import type { Target } from './places.ts'

export interface Definition {
  /** What of the text under the cursor leads there. */
  readonly origin: Range
  readonly targets: readonly Target[]
}

/** Undefined: nothing under the cursor has a definition that is known. */
export function definition(knowledge: Knowledge, path: string, offset: number): Definition | undefined {
  const asset = knowledge.project.assets.get(path)
  const inSql = asset && mentionAt(knowledge, asset, offset)
  const occurrence = occurrenceAt(knowledge, path, offset)
  if (inSql !== undefined) {
    const targets = sqlTargets(knowledge, inSql.named, inSql.mention.target)
    if (targets.length > 0) return { origin: inSql.range, targets }
  }
  if (occurrence === undefined) return undefined
  const targets = subjectTargets(knowledge, occurrence.subject)
  return targets.length === 0 ? undefined : { origin: occurrence.range, targets }
}

// ---------------------------------------------------------------- names of one SQL text

function sqlTargets(knowledge: Knowledge, named: NamedBlock, target: SqlTarget): readonly Target[] {
  if (target.kind === 'column') return slotTargets(knowledge, named, target.slot)
  if (target.kind === 'window') return [inBlock(named, target.name.range, target.name.range)]
  if (target.kind === 'cte') return [inBlock(named, target.cte.nameRange, target.cte.range)]
  if (target.alias !== undefined) return [inBlock(named, target.alias.range, target.table.range)]
  if (target.cte !== undefined) return [inBlock(named, target.cte.cte.nameRange, target.cte.cte.range)]
  return target.asset === undefined
    ? [inBlock(named, target.table.nameRange, target.table.range)]
    : subjectTargets(knowledge, { kind: 'asset', name: target.asset })
}

/** The item of a select list that makes a column; a star leads on to where its columns come from. */
function slotTargets(knowledge: Knowledge, named: NamedBlock, slot: Slot): readonly Target[] {
  const { maker } = slot
  switch (maker.kind) {
    case 'named':
      return [inBlock(named, maker.at.range, maker.item?.range ?? maker.at.range)]
    case 'passed':
      return [inBlock(named, maker.at.range, maker.item.range)]
    case 'replaced':
      return [inBlock(named, maker.at.range, maker.item.range)]
    case 'expression':
      return maker.item === undefined ? [] : [inBlock(named, maker.item.range, maker.item.range)]
    case 'star':
      return slotTargets(knowledge, named, maker.of)
    case 'merged':
      return maker.members.flatMap(member => slotTargets(knowledge, named, member))
    case 'union':
      return maker.sides.slice(0, 1).flatMap(side => slotTargets(knowledge, named, side))
    case 'input': {
      const { asset, column, source } = maker.origin
      return subjectTargets(
        knowledge,
        source === undefined
          ? { kind: 'column', asset, column }
          : { kind: 'raw', asset, child: source, column },
      )
    }
    case 'opaque':
      return []
  }
}

function inBlock(named: NamedBlock, range: Range, fullRange: Range): Target {
  return { path: named.asset.path, range: fileRange(named, range), fullRange: fileRange(named, fullRange) }
}

// ---------------------------------------------------------------- names of the project

export function subjectTargets(knowledge: Knowledge, subject: Subject): readonly Target[] {
  switch (subject.kind) {
    case 'asset':
      return assetTargets(knowledge, subject.name)
    case 'column':
      return columnTargets(knowledge, subject.asset, subject.column)
    case 'raw':
      return rawTargets(knowledge, subject)
    case 'child':
      return assetFile(knowledge, subject.asset).map(asset =>
        placeAt(asset, locate(asset, ['ingest'], 'key')),
      )
    case 'var':
      return definitionsIn(knowledge, settingsPath, subject)
    case 'term':
      return definitionsIn(knowledge, glossaryPath, subject)
    case 'local':
      return sqlTargets(knowledge, subject.named, subject.target)
  }
}

function assetFile(knowledge: Knowledge, name: string): readonly Asset[] {
  const { project } = knowledge
  const asset = project.byName.get(name) ?? [...project.assets.values()].find(each => each.name === name)
  return asset === undefined ? [] : [asset]
}

function assetTargets(knowledge: Knowledge, name: string): readonly Target[] {
  return assetFile(knowledge, name).map(asset => {
    const node = nodeAt(asset.tree, ['name'])
    return placeAt(asset, node?.kind === 'scalar' ? node.bodyRange : locate(asset, []))
  })
}

/** Where the asset's SQL makes the column; else where its file speaks of it. */
function columnTargets(knowledge: Knowledge, name: string, column: string): readonly Target[] {
  const [asset] = assetFile(knowledge, name)
  if (asset === undefined) return []
  const transform = transformOf(knowledge, asset)
  const slot = transform?.bound.output.find(each => sameName(each.name, column))
  const made = transform === undefined || slot === undefined ? [] : slotTargets(knowledge, transform, slot)
  if (made.length > 0) return made
  const key = Object.keys(asset.definition.columns).find(each => sameName(each, column))
  if (key !== undefined) return [placeAt(asset, locate(asset, ['columns', key], 'key'))]
  return asset.tree === undefined ? [] : [placeAt(asset, locate(asset, ['transform'], 'key'))]
}

/** What the contract says of it; else the block that says where the data come from. */
function rawTargets(knowledge: Knowledge, subject: Subject & { readonly kind: 'raw' }): readonly Target[] {
  return assetFile(knowledge, subject.asset).map(asset => {
    const columns = Object.keys(asset.definition.contract?.columns ?? {})
    const key = subject.child === '' ? columns.find(each => sameName(each, subject.column)) : undefined
    return placeAt(
      asset,
      key === undefined
        ? locate(asset, ['ingest'], 'key')
        : locate(asset, ['contract', 'columns', key], 'key'),
    )
  })
}

function definitionsIn(knowledge: Knowledge, path: string, subject: Subject): readonly Target[] {
  const key = subjectKey(subject)
  return occurrencesIn(knowledge, path)
    .filter(each => each.role === 'definition' && subjectKey(each.subject) === key)
    .map(({ range }) => ({ path, range, fullRange: range }))
}

function placeAt(asset: Asset, range: Range): Target {
  return { path: asset.path, range, fullRange: range }
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
