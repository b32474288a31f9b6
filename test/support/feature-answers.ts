/** Asks a feature of the editor and writes its answer as lines, for the Markdown specs. */
import { type Catalog, lineIndex } from '@svc/server/language'
import type { CodeAction } from '../../server/language/features/actions/code-action.ts'
import { codeActions, fixAll } from '../../server/language/features/actions/code-actions.ts'
import {
  type HierarchyCall,
  incoming,
  outgoing,
  prepareHierarchy,
} from '../../server/language/features/call-hierarchy.ts'
import { codeLenses } from '../../server/language/features/code-lenses.ts'
import { definition } from '../../server/language/features/definition.ts'
import { documentLinks } from '../../server/language/features/document-links.ts'
import { type DocumentSymbol, documentSymbols } from '../../server/language/features/document-symbols.ts'
import { foldings } from '../../server/language/features/folding.ts'
import { highlights } from '../../server/language/features/highlights.ts'
import type { Knowledge } from '../../server/language/features/knowledge.ts'
import { references } from '../../server/language/features/references.ts'
import { prepareRename, rename } from '../../server/language/features/rename/rename.ts'
import { selectionRanges } from '../../server/language/features/selection-ranges.ts'
import { workspaceSymbols } from '../../server/language/features/workspace-symbols.ts'
import type { Range } from '../../server/language/text/range.ts'
import { applyEdits } from './spec-project.ts'

export interface Question {
  readonly knowledge: Knowledge
  readonly files: ReadonlyMap<string, string>
  readonly path: string
  readonly offset: number
  readonly catalog: Catalog
}

type Answer = (question: Question, words: readonly string[]) => string | Promise<string>

const answers: Readonly<Record<string, Answer>> = {
  rename: renamed,
  /** With further words only the actions whose title has them. */
  actions: ({ knowledge, files, path, offset }, words) => {
    const found = codeActions(knowledge, path, { start: offset, end: offset })
    return lines(
      found
        .filter(each => each.title.includes(words.join(' ')))
        .flatMap(each => actionLines(files, each, words.length > 0)),
    )
  },
  fixAll: ({ knowledge, files, path }) => {
    const found = fixAll(knowledge, path)
    return lines(found === undefined ? [] : actionLines(files, found, true))
  },
  symbols: ({ knowledge, files, path }) =>
    lines(symbolLines(documentSymbols(knowledge, path), files, path, '')),
  find: ({ knowledge, files }, words) =>
    lines(
      workspaceSymbols(knowledge, words.join(' ')).map(
        found => `${found.kind} ${found.name} (${found.container}) ${place(files, found.path, found.range)}`,
      ),
    ),
  folding: ({ knowledge, path }) =>
    lines(
      foldings(knowledge, path).map(({ firstLine, lastLine, kind }) => `${firstLine}-${lastLine} ${kind}`),
    ),
  selection: ({ knowledge, files, path, offset }) =>
    lines(selectionRanges(knowledge, path, offset).map(range => `|${shown(files, path, range)}|`)),
  links: ({ knowledge, files, path }) =>
    lines(
      documentLinks(knowledge, path).map(
        link =>
          `${place(files, path, link.range)} -> ${link.kind === 'web' ? link.url : `file ${link.path}`}`,
      ),
    ),
  hierarchy: ({ knowledge, files, path, offset }) => {
    const item = prepareHierarchy(knowledge, path, offset)
    if (item === undefined) return 'nothing\n'
    const name = `${item.kind} ${item.asset}${item.column === undefined ? '' : `.${item.column}`}`
    const calls = (way: string, list: readonly HierarchyCall[], readerOf: (call: HierarchyCall) => string) =>
      list.map(call => {
        const { asset, column, detail } = call.item
        const ranges = call.ranges.map(range => place(files, readerOf(call), range)).join(' ')
        return `${way} ${asset}${column === undefined ? '' : `.${column}`} [${detail}] ${ranges}`
      })
    const own = knowledge.project.byName.get(item.asset)?.path ?? path
    return lines([
      name,
      ...calls('reads', outgoing(knowledge, item), () => own),
      ...calls(
        'read by',
        incoming(knowledge, item),
        call => knowledge.project.byName.get(call.item.asset)?.path ?? '',
      ),
    ])
  },
  lenses: ({ knowledge, files, path }) =>
    lines(
      codeLenses(knowledge, path, { now: Date.parse('2024-01-02T00:00:00Z'), isTrusted: true }).map(
        lens => `${place(files, path, lens.range)} ${lens.title}: ${lens.action} ${lens.asset}`,
      ),
    ),
  definition: ({ knowledge, files, path, offset }) => {
    const found = definition(knowledge, path, offset)
    if (found === undefined) return 'nothing\n'
    const targets = found.targets.map(
      target =>
        `${place(files, target.path, target.range)} in |${shown(files, target.path, target.fullRange)}|`,
    )
    return lines([`from ${place(files, path, found.origin)}`, ...targets])
  },
  references: ({ knowledge, files, path, offset }) =>
    lines(
      references(knowledge, path, offset).map(
        found =>
          `${place(files, found.path, found.range)}${found.role === 'definition' ? ' (definition)' : ''}`,
      ),
    ),
  highlights: ({ knowledge, files, path, offset }) =>
    lines(
      highlights(knowledge, path, offset).map(found => `${found.kind} ${place(files, path, found.range)}`),
    ),
}

function symbolLines(
  symbols: readonly DocumentSymbol[],
  files: ReadonlyMap<string, string>,
  path: string,
  indent: string,
): readonly string[] {
  return symbols.flatMap(({ name, detail, kind, selection, children }) => [
    `${indent}${kind} ${name}${detail === '' ? '' : ` [${detail}]`} ${place(files, path, selection)}`,
    ...symbolLines(children, files, path, `${indent}  `),
  ])
}

/** `whole`: with what it does. */
function actionLines(
  files: ReadonlyMap<string, string>,
  action: CodeAction,
  whole: boolean,
): readonly string[] {
  const title = `${action.title} (${action.kind}${action.preferred ? ', preferred' : ''})`
  if (!whole) return [title]
  const after = applyEdits(files, action.edits)
  return [
    title,
    ...[...after].flatMap(([file, text]) =>
      text === (files.get(file) ?? '') ? [] : [`${file}:`, ...indented(text)],
    ),
    ...action.creates.flatMap(({ path, text }) => [`new ${path}:`, ...indented(text)]),
  ]
}

function indented(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map(line => `  ${line}`.trimEnd())
}

/** What each file has instead of what; then what a preview asks about. */
function renamed({ knowledge, files, path, offset }: Question, [newName = '']: readonly string[]): string {
  const prepared = prepareRename(knowledge, path, offset)
  if ('refusal' in prepared) return `refused: ${prepared.refusal}\n`
  const result = rename(knowledge, path, offset, newName)
  if ('refusal' in result) return `${prepared.placeholder}: refused: ${result.refusal}\n`
  const after = applyEdits(files, result.edits)
  return lines([
    prepared.placeholder,
    ...[...after].flatMap(([file, text]) => changedLines(file, files.get(file) ?? '', text)),
    ...result.files.map(({ from, to }) => `file ${from} -> ${to}`),
    ...result.annotations.map(each => `ask: ${each.description}`),
  ])
}

/** Lines that differ, of two texts of as many lines. */
export function changedLines(path: string, before: string, after: string): readonly string[] {
  if (before === after) return []
  const now = after.split('\n')
  const differences = before
    .split('\n')
    .flatMap((line, index) => (line === now[index] ? [] : [`- ${line.trim()}`, `+ ${now[index]?.trim()}`]))
  return [path, ...differences]
}

/** `argument`: the feature's name and further words. */
export async function answerTo(argument: string, question: Question): Promise<string> {
  const [name = '', ...words] = argument.split(' ')
  const answer = answers[name]
  if (answer === undefined) throw new Error(`no feature is called "${name}"`)
  return await answer(question, words)
}

export function lines(list: readonly string[]): string {
  return list.length === 0 ? 'nothing\n' : list.map(line => `${line}\n`).join('')
}

/** `models/a.svc:3:7 |text|` */
export function place(files: ReadonlyMap<string, string>, path: string, range: Range): string {
  const { line, column } = lineIndex(files.get(path) ?? '').position(range.start)
  return `${path}:${line}:${column} |${shown(files, path, range)}|`
}

/** In one line; the middle of a long text is left out. */
export function shown(files: ReadonlyMap<string, string>, path: string, range: Range): string {
  const text = (files.get(path) ?? '').slice(range.start, range.end).replaceAll('\n', '⏎')
  return text.length <= 60 ? text : `${text.slice(0, 30)} … ${text.slice(-20)}`
}
