/** Finds the definition of the name under the cursor. */

import type { ColumnOrigin } from '../analysis.ts'
import { glossaryPath } from '../glossary/glossary.ts'
import { macroKey } from '../macros/macro.ts'
import { ownTestsFolder } from '../own-tests/own-test.ts'
import { locate, nodeAt } from '../project/locate.ts'
import { settingsPath } from '../project/parse-settings.ts'
import type { Asset } from '../project/project.ts'
import { promisedOf, promisePath } from '../source/table-contract.ts'
import type { BoundTable, Column, Target as SqlTarget } from '../sql/binder/model.ts'
import type { Range } from '../text/range.ts'
import { sameLetters } from '../text/same-letters.ts'
import type { Knowledge } from './knowledge.ts'
import { fileRange, mentionAt, transformOf } from './names/mentions.ts'
import { occurrenceAt, occurrencesIn } from './names/occurrences.ts'
import { type Subject, subjectKey } from './names/subjects.ts'
import type { Target } from './places.ts'
import type { BoundBlock } from './sql/bound-sql.ts'
import { sqlFileAt } from './sql/sql-file.ts'

export interface Definition {
  /** The range of the name under the cursor. */
  readonly origin: Range
  readonly targets: readonly Target[]
}

/** Returns undefined if the name under the cursor has no known definition. */
export function definition(knowledge: Knowledge, path: string, offset: number): Definition | undefined {
  const asset = sqlFileAt(knowledge.project, path)
  const inSql = asset && mentionAt(knowledge, asset, offset)
  const occurrence = occurrenceAt(knowledge, path, offset)
  const isMacro = occurrence?.subject.kind.startsWith('macro') === true
  if (inSql !== undefined && !isMacro) {
    const targets = sqlTargets(knowledge, inSql.named, inSql.mention.target)
    if (targets.length > 0) return { origin: inSql.range, targets }
  }
  if (occurrence === undefined) return undefined
  const targets = subjectTargets(knowledge, occurrence.subject)
  return targets.length === 0 ? undefined : { origin: occurrence.range, targets }
}

// ---------------------------------------------------------------- names of one SQL text

function sqlTargets(knowledge: Knowledge, named: BoundBlock, target: SqlTarget): readonly Target[] {
  switch (target.kind) {
    case 'column':
      return columnTargets(knowledge, named, target.column)
    case 'field':
      return fieldTargets(knowledge, named, target)
    case 'window':
    case 'parameter':
      return [inBlock(named, target.name, target.name)]
    case 'cte':
      return [inBlock(named, target.cte.name, target.cte)]
    case 'table':
      return tableTargets(knowledge, named, target)
  }
}

function tableTargets(knowledge: Knowledge, named: BoundBlock, table: BoundTable): readonly Target[] {
  const { alias, cte, tag, node } = table
  if (alias !== undefined) return [inBlock(named, alias, node)]
  if (cte !== undefined) return sqlTargets(knowledge, named, cte)
  if (tag?.asset !== undefined) return subjectTargets(knowledge, { kind: 'asset', name: tag.asset })
  return [inBlock(named, node.kind === 'tag-table' ? node.tag : node, node)]
}

/** Returns the key of the struct that has the field, or else the column whose type has it. */
function fieldTargets(
  knowledge: Knowledge,
  named: BoundBlock,
  { at, value }: SqlTarget & { readonly kind: 'field' },
): readonly Target[] {
  if (at !== undefined) return [inBlock(named, at, at)]
  const [origin, ...others] = value.origins
  return origin === undefined || others.length > 0 ? [] : originTargets(knowledge, origin)
}

function originTargets(knowledge: Knowledge, { asset, column, source }: ColumnOrigin): readonly Target[] {
  return subjectTargets(
    knowledge,
    source === undefined ? { kind: 'column', asset, column } : { kind: 'raw', asset, child: source, column },
  )
}

/** Returns the item of a select list that makes a column; a star leads to the columns that it expands to. */
function columnTargets(knowledge: Knowledge, named: BoundBlock, column: Column): readonly Target[] {
  const { maker } = column
  switch (maker.kind) {
    case 'named':
      return [inBlock(named, maker.at, maker.item ?? maker.at)]
    case 'passed':
    case 'replaced':
      return [inBlock(named, maker.at, maker.item)]
    case 'expression':
      return maker.item === undefined ? [] : [inBlock(named, maker.item, maker.item)]
    case 'star':
    case 'numbered':
      return columnTargets(knowledge, named, maker.of)
    case 'merged':
      return maker.members.flatMap(member => columnTargets(knowledge, named, member))
    case 'union':
      return maker.sides.slice(0, 1).flatMap(side => columnTargets(knowledge, named, side))
    case 'input':
      return originTargets(knowledge, maker.origin)
    case 'field':
      if (maker.at !== undefined) return [inBlock(named, maker.at, maker.at)]
      return maker.of === undefined ? [] : columnTargets(knowledge, named, maker.of)
    case 'opaque':
      return maker.at === undefined ? [] : [inBlock(named, maker.at, maker.at)]
  }
}

function inBlock(named: BoundBlock, range: Range, fullRange: Range): Target {
  return { path: named.asset.path, range: fileRange(named, range), fullRange: fileRange(named, fullRange) }
}

// ---------------------------------------------------------------- names of the project

export function subjectTargets(knowledge: Knowledge, subject: Subject): readonly Target[] {
  switch (subject.kind) {
    case 'asset':
      return assetTargets(knowledge, subject.name)
    case 'column':
      return assetColumnTargets(knowledge, subject.asset, subject.column)
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
    case 'macro':
    case 'macro-parameter':
      return macroTargets(knowledge, subject)
    case 'own-test':
      return ownTestTargets(knowledge, subject.name)
    case 'own-test-parameter':
      return definitionsIn(knowledge, `${ownTestsFolder}${subject.test}.sql`, subject)
    case 'local':
      return sqlTargets(knowledge, subject.named, subject.target)
  }
}

function macroTargets(
  { project }: Knowledge,
  subject: Subject & { readonly kind: 'macro' | 'macro-parameter' },
): readonly Target[] {
  const name = subject.kind === 'macro' ? subject.name : subject.macro
  const macro = project.macros.byName.get(macroKey(name))
  if (macro === undefined) return []
  const { path, nameRange, range: fullRange } = macro
  if (subject.kind === 'macro') return [{ path, range: nameRange, fullRange }]
  return macro.parameters
    .filter(each => sameLetters(each.name, subject.parameter))
    .map(each => ({ path, range: each.nameRange, fullRange: each.nameRange }))
}

/** A test of one's own has its name from its file, which is the target as a whole. */
function ownTestTargets({ project }: Knowledge, name: string): readonly Target[] {
  const test = project.settings.ownTests.byName.get(name)
  if (test === undefined) return []
  const fullRange = { start: 0, end: test.text.length }
  return [{ path: test.path, range: { start: 0, end: 0 }, fullRange }]
}

function assetFile(knowledge: Knowledge, name: string): readonly Asset[] {
  const { project } = knowledge
  const asset = project.byName.get(name) ?? [...project.assets.values()].find(each => each.name === name)
  return asset === undefined ? [] : [asset]
}

function assetTargets(knowledge: Knowledge, name: string): readonly Target[] {
  return assetFile(knowledge, name).map(asset => placeAt(asset, nameRange(asset)))
}

/** Returns the range of the asset's name, or else that of the whole file. */
export function nameRange(asset: Asset): Range {
  const node = nodeAt(asset.tree, ['name'])
  return node?.kind === 'scalar' ? node.bodyRange : locate(asset, [])
}

/**
 * Returns the item of the asset's SQL that makes the column, or else the place where its file describes it.
 */
function assetColumnTargets(knowledge: Knowledge, name: string, column: string): readonly Target[] {
  const [asset] = assetFile(knowledge, name)
  if (asset === undefined) return []
  const transform = transformOf(knowledge, asset)
  const output = transform?.bound.output.columns.find(each => sameLetters(each.name, column))
  const made =
    transform === undefined || output === undefined ? [] : columnTargets(knowledge, transform, output)
  if (made.length > 0) return made
  const key = Object.keys(asset.definition.columns).find(each => sameLetters(each, column))
  if (key !== undefined) return [placeAt(asset, locate(asset, ['columns', key], 'key'))]
  return asset.tree === undefined ? [] : [placeAt(asset, locate(asset, ['transform'], 'key'))]
}

/** Returns the column in the contract, or else the `ingest` block. */
function rawTargets(knowledge: Knowledge, subject: Subject & { readonly kind: 'raw' }): readonly Target[] {
  return assetFile(knowledge, subject.asset).map(asset => {
    const columns = Object.keys(promisedOf(asset.definition.contract, subject.child).columns)
    const key = columns.find(each => sameLetters(each, subject.column))
    return placeAt(
      asset,
      key === undefined
        ? locate(asset, ['ingest'], 'key')
        : locate(asset, promisePath(subject.child, key), 'key'),
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
