/**
 * Renames an asset: its name or file, and every ref, test, relationship, qualifier and mention in the
 * glossary.
 */

import { glossaryPath } from '../../glossary/glossary.ts'
import { glossaryAsset } from '../../glossary/metric-asset.ts'
import { asWritten } from '../../macros/expand-asset.ts'
import { nodeAt } from '../../project/locate.ts'
import type { Asset } from '../../project/project.ts'
import { nameFormat } from '../../schema/formats.ts'
import { schemaLockPath } from '../../source/schema-lock.ts'
import type { Steps } from '../../steps.ts'
import type { MapEntry, MapNode } from '../../syntax/node.ts'
import { parseYaml } from '../../syntax/yaml.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import { sameLetters } from '../../text/same-letters.ts'
import type { Knowledge } from '../knowledge.ts'
import { glossaryOccurrences } from '../names/glossary-occurrences.ts'
import { macroOccurrences } from '../names/macro-occurrences.ts'
import { textIn } from '../names/mentions.ts'
import type { Occurrence } from '../names/subjects.ts'
import { unitOccurrences } from '../names/unit-occurrences.ts'
import { boundBlocks } from '../sql/bound-sql.ts'
import { type Refusal, type Renaming, refuse, renaming } from './renaming.ts'
import { sqlEdit, sqlName, yamlEdit } from './written-names.ts'

/** Does a file a step. */
export function* renameAsset(
  knowledge: Knowledge,
  home: string,
  oldName: string,
  newName: string,
): Steps<Renaming | Refusal> {
  const { project } = knowledge
  const asset = project.byName.get(oldName)
  if (asset === undefined) return refuse(`no asset is called "${oldName}"`)
  const refusal = refusalOf(knowledge, asset, newName)
  if (refusal !== undefined) return refuse(refusal)
  const inAssets: TextEdit[] = []
  for (const each of project.assets.values()) {
    inAssets.push(...editsIn(knowledge, each, oldName, newName))
    yield
  }
  const edits = [
    ...nameEdit(asset, newName),
    ...keptCredentials(knowledge, asset),
    ...inAssets,
    ...macroEdits(knowledge, oldName, newName),
    ...ownTestEdits(knowledge, oldName, newName),
    ...glossaryEdits(knowledge, oldName, newName),
    ...metricEdits(knowledge, oldName, newName),
    ...lockEdits(knowledge, oldName, newName),
  ]
  return renaming(home, edits, path => describe(path, asset), filesOf(knowledge, asset, newName))
}

function describe(path: string, asset: Asset): string {
  if (path === schemaLockPath) return `what is known of the source of ${asset.name}`
  return path === asset.path ? `the asset ${asset.name} itself` : `${path} reads ${asset.name}`
}

function refusalOf({ project }: Knowledge, asset: Asset, newName: string): string | undefined {
  if (!nameFormat.pattern.test(newName)) return nameFormat.rule
  if (/^svc_/i.test(newName) || /__raw(?:__|$)/i.test(newName)) return `the name "${newName}" is reserved`
  const file = `${asset.path.slice(0, asset.path.lastIndexOf('/') + 1)}${newName}.svc`
  if (nodeAt(asset.tree, ['name']) === undefined && project.assets.has(file)) return `${file} is in the way`
  const taken = [...project.assets.values()].find(each => each !== asset && sameLetters(each.name, newName))
  return taken === undefined ? undefined : `the name "${newName}" is taken by ${taken.path}`
}

/** Renames the `name` key. An asset without one is named by its file, which is renamed instead. */
function nameEdit(asset: Asset, newName: string): readonly TextEdit[] {
  const node = nodeAt(asset.tree, ['name'])
  return node?.kind === 'scalar' ? [yamlEdit(asset.path, asset.text, node.bodyRange, newName)] : []
}

/** Renames the file too if it has the asset's name and the new path is free. */
function filesOf({ project }: Knowledge, asset: Asset, newName: string): Renaming['files'] {
  const folder = asset.path.slice(0, asset.path.lastIndexOf('/') + 1)
  const to = `${folder}${newName}.svc`
  const isNamedAlike = asset.path === `${folder}${asset.name}.svc`
  const required = nodeAt(asset.tree, ['name']) === undefined
  return isNamedAlike && !project.assets.has(to) ? [{ from: asset.path, to, required }] : []
}

/**
 * Keeps the credentials: the default variable is named after the asset. If that variable is set, its name is
 * written into the file.
 */
function keptCredentials({ environmentVariables }: Knowledge, asset: Asset): readonly TextEdit[] {
  const { ingest } = asset.definition
  const node = nodeAt(asset.tree, ['ingest'])
  if (ingest.type === 'none' || node?.kind !== 'map' || entryOf(node, 'credentials') !== undefined) return []
  const variable = ingest.credentials.replace(/^env:/, '')
  const [first] = node.entries
  if (!environmentVariables.includes(variable) || first === undefined) return []
  const isFlow = asset.text[node.range.start] === '{'
  const { start } = first.key.range
  const indent = asset.text.slice(asset.text.lastIndexOf('\n', start - 1) + 1, start)
  const newText = `credentials: env:${variable}${isFlow ? ', ' : `\n${/^ *$/.test(indent) ? indent : ''}`}`
  return [{ path: asset.path, range: { start, end: start }, newText }]
}

/** Returns edits of refs and relationships, and of qualifiers that are the asset's own name. */
function editsIn(knowledge: Knowledge, asset: Asset, oldName: string, newName: string): readonly TextEdit[] {
  const refs = asWritten(asset).refs.filter(ref => ref.name === oldName && ref.isElsewhere !== true)
  const isOwn = asset.name === oldName
  if (refs.length === 0 && !isOwn) return []
  const inUnits = unitOccurrences(asset).filter(names(oldName))
  const edits = [...refs, ...inUnits].map(
    ({ range }): TextEdit => ({ path: asset.path, range, newText: newName }),
  )
  return [...edits, ...qualifierEdits(knowledge, asset, oldName, newName)]
}

/** Returns edits of the names of tables that are called as the asset. */
function qualifierEdits(
  knowledge: Knowledge,
  asset: Asset,
  oldName: string,
  newName: string,
): readonly TextEdit[] {
  const isOwn = asset.name === oldName
  const edits: TextEdit[] = []
  for (const named of boundBlocks(knowledge, asset)) {
    for (const { span, target, role } of named.bound.mentions) {
      if (role !== 'read' || target.kind !== 'table' || target.alias !== undefined) continue
      const name = newTableName(target.name, target.tag?.asset, isOwn, oldName, newName)
      const edit =
        name === undefined ? undefined : sqlEdit(named, span, sqlName(named, name, textIn(named, span)))
      if (edit !== undefined) edits.push(edit)
    }
  }
  return edits
}

/** Returns the new name of a table without an alias; undefined if it stays the same. */
function newTableName(
  table: string,
  asset: string | undefined,
  isOwn: boolean,
  oldName: string,
  newName: string,
): string | undefined {
  if (asset === oldName) return newName
  const raw = `${oldName}__raw`
  return isOwn && asset === undefined && (table === raw || table.startsWith(`${raw}__`))
    ? `${newName}${table.slice(oldName.length)}`
    : undefined
}

function names(asset: string): (occurrence: Occurrence) => boolean {
  return ({ subject }) => subject.kind === 'asset' && subject.name === asset
}

/** Macros read assets too. */
function macroEdits({ project }: Knowledge, oldName: string, newName: string): readonly TextEdit[] {
  return [...project.macros.files.values()].flatMap(file =>
    macroOccurrences(file)
      .filter(names(oldName))
      .map(({ range }) => ({ path: file.path, range, newText: newName })),
  )
}

function ownTestEdits({ project }: Knowledge, oldName: string, newName: string): readonly TextEdit[] {
  return [...project.settings.ownTests.files.values()].flatMap(({ path, names }) =>
    names
      .filter(({ kind, name }) => kind === 'ref' && name === oldName)
      .map(({ range }) => ({ path, range, newText: newName })),
  )
}

function glossaryEdits(knowledge: Knowledge, oldName: string, newName: string): readonly TextEdit[] {
  const text = knowledge.glossary.file?.text ?? ''
  return glossaryOccurrences(knowledge.project)
    .filter(names(oldName))
    .map(({ range }) => yamlEdit(glossaryPath, text, range, newName))
}

function metricEdits(knowledge: Knowledge, oldName: string, newName: string): readonly TextEdit[] {
  const metrics = glossaryAsset(knowledge.project)
  return metrics === undefined ? [] : qualifierEdits(knowledge, metrics, oldName, newName)
}

/** Renames the source in the lock file, which has it under the asset's name. */
function lockEdits({ lock }: Knowledge, oldName: string, newName: string): readonly TextEdit[] {
  const sources = lock === undefined ? undefined : nodeAt(parseYaml(lock).root, ['sources'])
  const entry = sources?.kind === 'map' ? entryOf(sources, oldName) : undefined
  return entry === undefined ? [] : [{ path: schemaLockPath, range: entry.key.bodyRange, newText: newName }]
}

function entryOf({ entries }: MapNode, name: string): MapEntry | undefined {
  return entries.find(entry => entry.key.value === name)
}
