/** Turns the blocks of a spec into a project, and diagnostics into the lines of an answer. */
import { createHash } from 'node:crypto'
import type { Diagnostic, Project, RawColumn, RawTable, SourceShapes, TextEdit } from '@svc/server/language'
import {
  createMacros,
  createOwnTests,
  createProject,
  lineIndex,
  parseGlossary,
  parseSettings,
} from '@svc/server/language'
import { engine } from './engine.ts'
import type { Spec } from './spec.ts'

export const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The files of a spec by path: `svc <path>`, `yaml svc.yaml`, `sql macros/<name>.sql` and `sql tests/<name>.sql`. */
export function filesOf(spec: Spec): ReadonlyMap<string, string> {
  const files = spec.blocks.filter(block => ['svc', 'yaml', 'sql'].includes(block.kind))
  return new Map(files.map(block => [block.argument, spelledOut(block.text)]))
}

/** Markdown cannot hold every text: `␍` stands for a carriage return, `␀` for NUL, `⇥` for a tab. */
function spelledOut(text: string): string {
  return text.replaceAll('␍', '\r').replaceAll('␀', '\0').replaceAll('⇥', '\t')
}

export function projectOf(files: ReadonlyMap<string, string>): Project {
  const assets = [...files].filter(([path]) => path.endsWith('.svc')).map(([path, text]) => ({ path, text }))
  const glossary = parseGlossary(files.get('glossary.yaml'), engine)
  const inFolder = (folder: string) => new Map([...files].filter(([path]) => path.startsWith(folder)))
  const macros = createMacros(inFolder('macros/'), engine)
  const ownTests = createOwnTests(inFolder('tests/'), engine, hash)
  const settings = { ...parseSettings(files.get('svc.yaml')), ownTests }
  return createProject({ settings, files: assets, hash, glossary, macros })
}

/**
 * What is known of sources: a block `source <asset>` with a line `column TYPE` or `child.column TYPE` for each column.
 * A last line `…` says that there may be more; a block for no asset says that sources were looked at in vain.
 */
export function sourcesOf(spec: Spec): SourceShapes | undefined {
  const blocks = spec.blocks.filter(block => block.kind === 'source')
  if (blocks.length === 0) return undefined
  return new Map(
    blocks
      .filter(block => block.argument !== '')
      .map(block => [block.argument, rawTables(block.text.trim().split('\n'))]),
  )
}

function rawTables(lines: readonly string[]): readonly RawTable[] {
  const complete = lines.at(-1) !== '…'
  const columns = new Map<string | undefined, RawColumn[]>([[undefined, []]])
  for (const line of lines.filter(line => line !== '…')) {
    const [, child, name = '', type] = /^(?:(\w+)\.)?(\w+)(?: (.+))?$/.exec(line) ?? []
    const column = { name, type, path: [name], system: false, pii: false, nullable: true }
    columns.set(child, [...(columns.get(child) ?? []), column])
  }
  return Array.from(columns, ([child, columns]) => ({ child, columns, complete }))
}

// ---------------------------------------------------------------- answers

/** One line a diagnostic, then, indented: the text that it stands on, hint, fixes, related places. */
export function answerOf(files: ReadonlyMap<string, string>, diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(diagnostic => `${linesOf(files, diagnostic).join('\n')}\n`).join('')
}

function linesOf(files: ReadonlyMap<string, string>, diagnostic: Diagnostic): readonly string[] {
  const { code, severity, message, hint, path, range, fixes = [], related = [] } = diagnostic
  const kind = severity === 'error' ? '' : ` (${severity})`
  return [
    `${place(files, path, range.start)} ${code}${kind} ${message}`,
    `  | ${shown((files.get(path) ?? '').slice(range.start, range.end))}`,
    ...(hint === undefined ? [] : [`  ${hint}`]),
    ...fixes.map(fix => `  fix: ${fix.title}`),
    ...related.map(it => `  see ${place(files, it.path, it.range.start)} ${it.message}`),
  ]
}

function place(files: ReadonlyMap<string, string>, path: string, offset: number): string {
  const { line, column } = lineIndex(files.get(path) ?? '').position(offset)
  return `${path}:${line}:${column}`
}

/** In one line; the middle of a long text is left out. */
function shown(text: string): string {
  const line = text.replaceAll('\r', '␍').replaceAll('\n', '⏎').replaceAll('\0', '␀').replaceAll('\t', '⇥')
  return line.length <= 60 ? line : `${line.slice(0, 30)} … ${line.slice(-20)}`
}

export function applyEdits(
  files: ReadonlyMap<string, string>,
  edits: readonly TextEdit[],
): Map<string, string> {
  const changed = new Map(files)
  for (const edit of [...edits].sort((a, b) => b.range.start - a.range.start)) {
    const text = changed.get(edit.path) ?? ''
    changed.set(edit.path, text.slice(0, edit.range.start) + edit.newText + text.slice(edit.range.end))
  }
  return changed
}
