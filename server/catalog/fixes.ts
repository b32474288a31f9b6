/** Makes quick fixes: the best suggestion of a finding replaces the wrong name in the file. */

import { escaped } from '../language/features/rename/written-names.ts'
import type { Engine, Fix, Node, ScalarNode } from '../language/index.ts'
import type { Range } from '../language/text/range.ts'
import type { Finding } from './diagnose/finding.ts'
import type { Statement } from './statement.ts'

/** An edit of the statement's template. */
export interface SqlEdit {
  readonly range: Range
  readonly text: string
  /** The title that the user reads; by default one that names the text. */
  readonly title?: string
}

export function fixesOf(finding: Finding, statement: Statement): Fix[] {
  if (finding.together !== undefined) return fixTogether(finding.together, statement)
  return editsOf(finding, statement).flatMap(edit => {
    const change = inFile(edit, statement)
    return change ? [{ title: edit.title ?? `Change to ${shown(edit.text)}`, edits: [change] }] : []
  })
}

/** None of the edits would do without the others. */
function fixTogether({ title, edits }: NonNullable<Finding['together']>, statement: Statement): Fix[] {
  const changes = edits.flatMap(
    ({ start, end, text }) => inFile({ range: { start, end }, text }, statement) ?? [],
  )
  return changes.length < edits.length || changes.length === 0 ? [] : [{ title, edits: changes }]
}

function editsOf(
  { code, edit, suggestions = [], range }: Finding,
  { template, engine }: Statement,
): SqlEdit[] {
  if (edit) return [edit]
  // For an ambiguous column every candidate is equally likely, so none is preferred.
  if (code === 'sql-ambiguous-column')
    return suggestions.filter(name => /^\w+\.\w+$/.test(name)).map(text => ({ range, text }))
  const [best] = suggestions
  if (best === undefined || code === 'sql-unknown-table') return []
  const before = template.text.slice(range.start, range.end)
  return [{ range, text: asWritten(best, before, code, engine), title: `Change to "${best}"` }]
}

/** Quotes the name like the text that it replaces; the name of a type gets the same case. */
function asWritten(name: string, before: string, code: string, engine: Engine): string {
  if (before.startsWith("'")) return engine.literal(name)
  if (before.startsWith('"')) return engine.quote(name)
  if (code === 'sql-unknown-type') return inCaseOf(name, before)
  return code === 'sql-unknown-function' || code === 'sql-bad-literal' ? name : engine.quoteIfNeeded(name)
}

function inCaseOf(word: string, before: string): string {
  return before === before.toLowerCase() ? word.toLowerCase() : word
}

function shown(text: string): string {
  return text.includes('"') ? text : `"${text}"`
}

/**
 * Returns the place in the file; undefined if the file has the SQL in another form: in a variable, or with
 * escapes.
 */
function inFile({ range, text }: SqlEdit, { asset, template }: Statement) {
  // The file of a test of one's own has the text of many uses.
  if (template.elsewhere !== undefined) return undefined
  const place = template.toFile.rangeToOriginal(range)
  const written = template.text.slice(range.start, range.end)
  if (asset.text.slice(place.start, place.end) !== written) return undefined
  return { path: asset.path, range: place, newText: escaped(text, scalarAt(asset.tree, place)?.style) }
}

function scalarAt(node: Node | undefined, place: Range): ScalarNode | undefined {
  if (node === undefined || place.start < node.range.start || place.end > node.range.end) return undefined
  if (node.kind === 'scalar') return node
  const children = node.kind === 'map' ? node.entries.map(entry => entry.value) : node.items
  for (const child of children) {
    const found = scalarAt(child, place)
    if (found) return found
  }
  return undefined
}
