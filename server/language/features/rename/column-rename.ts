/**
 * Renames an output column of an asset, and downstream every column that passes it on under its name: SQL,
 * tests, documentation, relationships, glossary. Each changed file is bound again and compared; where a name
 * would change its meaning, the rename is repeated with more care or refused.
 */

import { glossaryPath } from '../../glossary/glossary.ts'
import { glossaryAsset } from '../../glossary/metric-asset.ts'
import type { Macro } from '../../macros/macro.ts'
import type { Asset } from '../../project/project.ts'
import type { Column } from '../../sql/binder/model.ts'
import type { Steps } from '../../steps.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import { sameLetters } from '../../text/same-letters.ts'
import type { Knowledge } from '../knowledge.ts'
import { glossaryOccurrences } from '../names/glossary-occurrences.ts'
import { isTransform } from '../names/mentions.ts'
import type { Subject } from '../names/subjects.ts'
import { unitCteMentions } from '../names/unit-occurrences.ts'
import { yamlOccurrences } from '../names/yaml-occurrences.ts'
import { type BoundBlock, boundBlocks } from '../sql/bound-sql.ts'
import {
  attempts,
  type BlockRename,
  type RenameOptions,
  renameInBlock,
  type Seeds,
  seedsFor,
} from './block-rename.ts'
import { hidesNames, missesTable } from './hidden-names.ts'
import { keptNames, namesExpression } from './made-names.ts'
import { type Refusal, type Renaming, refuse, renaming } from './renaming.ts'
import { meansTheSame, type Owners } from './same-meaning.ts'
import { yamlEdit } from './written-names.ts'

/** Renames the column, a file a step. `home` is the file where the rename was requested. */
export function* renameColumn(
  knowledge: Knowledge,
  home: string,
  { asset: name, column }: { readonly asset: string; readonly column: string },
  newName: string,
): Steps<Renaming | Refusal> {
  const start = knowledge.project.byName.get(name)
  if (start === undefined) return refuse(`"${name}" is not in the project`)
  const refusal = refusalAt(knowledge, start, column, newName)
  if (refusal !== undefined) return refuse(refusal)
  const work: Work = { knowledge, start, column, newName, affected: new Set([name]), edits: new Map() }
  for (const assets of [downstream(work), testers(work)]) {
    for (const asset of assets) {
      const problem = renameIn(work, asset)
      if (problem !== undefined) return refuse(problem)
      yield
    }
  }
  const metrics = glossaryAsset(knowledge.project)
  const problem = metrics && readsAffected(work, metrics) ? renameIn(work, metrics) : undefined
  if (problem !== undefined) return refuse(problem)
  const edits = [...[...work.edits.values()].flat(), ...elsewhere(work)]
  const described = (path: string): string =>
    path === start.path
      ? `${path} makes the column "${column}"`
      : `${path} reads the column "${column}" of ${name}`
  return renaming(home, edits, described)
}

interface Work {
  readonly knowledge: Knowledge
  readonly start: Asset
  readonly column: string
  readonly newName: string
  /** The assets whose output column of that name is renamed. */
  readonly affected: Set<string>
  /** The edits by path. */
  readonly edits: Map<string, readonly TextEdit[]>
}

function refusalAt(knowledge: Knowledge, asset: Asset, column: string, newName: string): string | undefined {
  const columns = knowledge.analysis.of(asset.name)?.columns ?? []
  if (asset.sql === undefined) return `${asset.name} has no SQL that makes "${column}"`
  if (!columns.some(each => sameLetters(each.name, column))) return `${asset.name} has no column "${column}"`
  const taken = columns.find(each => sameLetters(each.name, newName) && !sameLetters(each.name, column))
  return taken === undefined ? undefined : `${asset.name} has a column "${taken.name}" already`
}

/** Yields the asset, then its readers in build order. The affected assets grow on the way. */
function* downstream({ knowledge, start, affected }: Work): Generator<Asset> {
  const { project } = knowledge
  const waiting = new Set([start.name])
  for (const name of project.order) {
    const asset = waiting.has(name) ? project.byName.get(name) : undefined
    if (asset === undefined) continue
    yield asset
    if (affected.has(name)) for (const reader of project.children(name)) waiting.add(reader)
  }
}

/** Returns whether a metric reads one of the renamed columns, or all columns of a table. */
function readsAffected({ knowledge, affected }: Work, metrics: Asset): boolean {
  return boundBlocks(knowledge, metrics).some(({ bound }) =>
    bound.tables.some(({ tag }) => tag?.asset !== undefined && affected.has(tag.asset)),
  )
}

/** Yields the assets whose tests name an affected asset, for a second pass once all of those are known. */
function* testers({ knowledge, affected }: Work): Generator<Asset> {
  for (const asset of knowledge.project.byName.values()) {
    if (asset.refs.some(ref => ref.from === 'test' && affected.has(ref.name))) yield asset
  }
}

/** Returns whether a macro has the name in its own SQL, other than as a parameter. */
function readsByName({ text, body }: Macro, column: string): boolean {
  const { start, end } = body.range
  return [...text.slice(start, end).matchAll(/\w+/g)].some(({ 0: word, index }) => {
    const at = start + index
    return sameLetters(word, column) && !body.places.some(place => place.start <= at && at < place.end)
  })
}

// ---------------------------------------------------------------- one file

/** Returns undefined on success, otherwise the reason for the refusal. */
function renameIn(work: Work, asset: Asset): string | undefined {
  const macro = asset.macros?.find(each => readsByName(each, work.column))
  if (macro !== undefined)
    return `the macro "${macro.name}" (${macro.path}), which ${asset.path} calls, names "${work.column}" itself`
  if (boundBlocks(work.knowledge, asset).some(block => missesTable(block, work.affected)))
    return `the SQL of ${asset.path} cannot be followed`
  const isHidden = hidesNames(work.knowledge, asset)
  const isStart = asset === work.start
  for (const options of attempts) {
    if (isHidden && options.wrap === isStart) continue
    const attempt = attemptIn(work, asset, options)
    if (attempt === undefined || !holds(work, asset, attempt, options)) continue
    // In such SQL a new name could select other columns.
    if (isHidden && isStart && attempt.renamed > 1) continue
    work.edits.set(asset.path, attempt.edits)
    if (attempt.passesOn) work.affected.add(asset.name)
    return undefined
  }
  if (isHidden)
    return `the columns of ${asset.path} come out of an expression that only the warehouse can resolve`
  return `in ${asset.path} another name would mean something else if "${work.column}" were "${work.newName}"`
}

interface Attempt {
  readonly edits: readonly TextEdit[]
  /** True if the asset's output column is renamed. */
  readonly passesOn: boolean
  /** The number of renamed columns in the transform. */
  readonly renamed: number
}

function attemptIn(work: Work, asset: Asset, options: RenameOptions): Attempt | undefined {
  const blocks = boundBlocks(work.knowledge, asset)
  const transform = blocks.find(isTransform)
  const made = transform && renameTransform(work, asset, transform, options)
  if (transform !== undefined && made === undefined) return undefined
  if (!options.wrap && blocks.some(block => reads(block, work) && namesExpression(block, work.column)))
    return undefined
  const passesOn = transform?.bound.output.columns.some(each => made?.renamed.has(each)) ?? false
  const owners = passesOn ? withAsset(work.affected, asset) : work.affected
  const columns = work.knowledge.analysis.of(asset.name)?.columns ?? []
  const kept =
    transform === undefined || made === undefined || options.wrap
      ? []
      : keptNames(transform, columns, made.edits, made.renamed, work.column)
  const edits = [...(made?.edits ?? []), ...kept]
  for (const block of blocks) {
    if (block === transform) continue
    const renamed = renameInBlock(block, inputSeeds(block, owners, work.column), work.newName, options)
    if (renamed === undefined) return undefined
    edits.push(...renamed.edits)
  }
  const ofCtes = unitCteMentions(asset, transform)
    .filter(({ target }) => target.kind === 'column' && made?.renamed.has(target.column))
    .map(({ range }) => yamlEdit(asset.path, asset.text, range, work.newName))
  return {
    edits: [...edits, ...ofCtes, ...yamlEdits(work, asset, owners)],
    passesOn,
    renamed: made?.renamed.size ?? 0,
  }
}

/** Returns the owners with one more. A copy of ten thousand names for each of ten thousand files would be most of the work. */
function withAsset(owners: Owners, { name }: Asset): Owners {
  return { has: asset => asset === name || owners.has(asset) }
}

function reads(block: BoundBlock, { affected, column }: Work): boolean {
  return inputSeeds(block, affected, column).columns.size > 0
}

function renameTransform(
  work: Work,
  asset: Asset,
  transform: BoundBlock,
  options: RenameOptions,
): BlockRename | undefined {
  const { newName, column } = work
  if (asset !== work.start) {
    return renameInBlock(transform, inputSeeds(transform, work.affected, column), newName, options)
  }
  const output = transform.bound.output.columns.find(each => sameLetters(each.name, column))
  if (output === undefined) return undefined
  const deep = seedsFor(transform, output, newName)
  const renamed = deep && renameInBlock(transform, deep, newName, options)
  if (renamed?.renamed.has(output)) return renamed
  // If the name is made further inside where it cannot be changed, the last SELECT renames it.
  const flat = flatSeeds(transform, output, newName)
  return flat && renameInBlock(transform, flat, newName, options)
}

function flatSeeds(transform: BoundBlock, output: Column, newName: string): Seeds | undefined {
  const { maker } = output
  if (maker.kind !== 'passed') return undefined
  const bare: Column = { ...output, maker: { kind: 'expression', item: maker.item } }
  const seeds = seedsFor(transform, bare, newName)
  return seeds && { columns: new Set([output]), edits: seeds.edits }
}

/** Returns the input columns that belong to assets whose column is renamed. */
function inputSeeds({ bound }: BoundBlock, owners: Owners, column: string): Seeds {
  const columns = new Set<Column>()
  const add = (each: Column): void => {
    if (each.maker.kind !== 'input') return
    const { asset, column: name, source } = each.maker.origin
    if (source === undefined && owners.has(asset) && sameLetters(name, column)) columns.add(each)
  }
  for (const table of bound.tables) for (const each of table.columns) add(each)
  for (const { target } of bound.mentions) if (target.kind === 'column') add(target.column)
  return { columns, edits: [] }
}

/** Returns edits of the file's tests, documentation and freshness, and of its relationships to others. */
function yamlEdits(work: Work, asset: Asset, owners: Owners): readonly TextEdit[] {
  return yamlOccurrences(asset, () => undefined)
    .filter(({ subject }) => isColumn(subject, owners, work.column))
    .map(({ range }) => yamlEdit(asset.path, asset.text, range, work.newName))
}

/** Returns edits of `glossary.yaml` outside of the SQL of its metrics. */
function elsewhere({ knowledge, affected, column, newName }: Work): readonly TextEdit[] {
  const text = knowledge.glossary.file?.text ?? ''
  return glossaryOccurrences(knowledge.project)
    .filter(({ subject }) => isColumn(subject, affected, column))
    .map(({ range }) => yamlEdit(glossaryPath, text, range, newName))
}

function isColumn(subject: Subject, owners: Owners, column: string): boolean {
  return subject.kind === 'column' && owners.has(subject.asset) && sameLetters(subject.column, column)
}

// ---------------------------------------------------------------- what keeps a rename from being wrong

function holds(work: Work, asset: Asset, attempt: Attempt, { wrap }: RenameOptions): boolean {
  const owners = attempt.passesOn ? withAsset(work.affected, asset) : work.affected
  const change = { owners, from: work.column, to: work.newName }
  return meansTheSame(work.knowledge, asset, attempt.edits, change, wrap)
}
