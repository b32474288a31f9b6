/** What the features of the editor say at a place, as the lines of an answer of a spec. */
import type { Knowledge } from '@svc/server/language'
import { completionsAt } from '../../server/language/features/completion/complete-at.ts'
import type { CompletionItem } from '../../server/language/features/completion/completion.ts'
import { hoverAt } from '../../server/language/features/hover/hover-at.ts'
import { inlayHintsIn } from '../../server/language/features/inlay-hints.ts'
import { semanticTokensIn } from '../../server/language/features/semantic-tokens.ts'
import { signatureHelpAt } from '../../server/language/features/signature-help.ts'
import { lineStart } from '../../server/language/text/lines.ts'

export interface Question {
  readonly knowledge: Knowledge
  readonly path: string
  readonly text: string
  readonly offset: number
}

export function answerTo(question: Question, ask: string): string {
  const [verb = '', ...rest] = ask.split(' ')
  const argument = rest.join(' ')
  switch (verb) {
    case 'complete':
      return completionAnswer(question, rest)
    case 'insert':
      return insertAnswer(question, argument)
    case 'hover':
      return hoverAnswer(question)
    case 'signature':
      return signatureAnswer(question)
    case 'hints':
      return hintAnswer(question)
    case 'tokens':
      return tokenAnswer(question)
    default:
      throw new Error(`no such question: ${ask}`)
  }
}

/** The kinds asked for, all without; a number: that many. */
function completionAnswer({ knowledge, path, offset }: Question, words: readonly string[]): string {
  const { items } = completionsAt(knowledge, path, offset)
  const most = words.map(Number).find(each => each > 0) ?? 20
  const kinds = words.filter(word => /^[a-z]+$/.test(word))
  const fitting = sorted(items).filter(item => kinds.length === 0 || kinds.includes(item.kind))
  const lines = fitting.slice(0, most).map(line)
  if (fitting.length > most) lines.push('…')
  return lines.map(each => `${each}\n`).join('')
}

export function sorted(items: readonly CompletionItem[]): readonly CompletionItem[] {
  return [...items].sort((a, b) => (a.sort < b.sort ? -1 : a.sort > b.sort ? 1 : 0))
}

function line({ label, kind, detail }: CompletionItem): string {
  return `${label.padEnd(18)} ${kind}${detail === undefined ? '' : ` · ${detail}`}`.trimEnd()
}

/** The lines around the cursor after an item is taken; places to fill in are shown as they are. */
function insertAnswer({ knowledge, path, text, offset }: Question, label: string): string {
  const item = completionsAt(knowledge, path, offset).items.find(each => each.label === label)
  if (item === undefined) return '(not offered)\n'
  const { start, end } = item.range
  const typed = text.slice(start, offset)
  const fits = isSubsequence(typed.toLowerCase(), (item.filter ?? item.label).toLowerCase())
  const from = lineStart(text, start)
  // As editors do, lines behind the first are indented like the line of the cursor.
  const indent = /^ */.exec(text.slice(from))?.[0] ?? ''
  const insert = item.insert.replaceAll('\n', `\n${indent}`)
  const changed = text.slice(0, start) + insert + text.slice(end)
  const to = changed.indexOf('\n', start + insert.length)
  const shown = changed.slice(from, to < 0 ? undefined : to)
  return `${shown}\n${fits ? '' : `(the editor would not show it: "${typed}" is not in its filter)\n`}`
}

export function isSubsequence(letters: string, text: string): boolean {
  let at = 0
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

/** What it stands on, then the Markdown as it is, with longer fences than its own around it in the spec. */
function hoverAnswer({ knowledge, path, text, offset }: Question): string {
  const hover = hoverAt(knowledge, path, offset)
  if (hover === undefined) return '(nothing)\n'
  return `[${text.slice(hover.range.start, hover.range.end)}]\n${hover.markdown}\n`
}

/** The active argument in brackets of its own. */
function signatureAnswer({ knowledge, path, offset }: Question): string {
  const help = signatureHelpAt(knowledge, path, offset)
  if (help === undefined) return '(nothing)\n'
  const lines = help.signatures.slice(0, 4).map(({ label, parameters, activeParameter }) => {
    const active = activeParameter === undefined ? undefined : parameters[activeParameter]
    if (active === undefined) return label
    return `${label.slice(0, active.start)}«${label.slice(active.start, active.end)}»${label.slice(active.end)}`
  })
  return `${[...lines, help.signatures[0]?.documentation ?? ''].join('\n').trimEnd()}\n`
}

/** The text with each hint in its place. */
function hintAnswer({ knowledge, path, text }: Question): string {
  const hints = inlayHintsIn(knowledge, path, { start: 0, end: text.length })
  let shown = text
  for (const { offset, label } of [...hints].reverse()) {
    shown = `${shown.slice(0, offset)}‹${label}›${shown.slice(offset)}`
  }
  return shown
}

/** Each token with what it is. */
function tokenAnswer({ knowledge, path, text }: Question): string {
  return semanticTokensIn(knowledge, path)
    .map(({ range, type, modifiers }) => {
      const what = [type, ...modifiers].join(' ')
      return `${text.slice(range.start, range.end).padEnd(16)} ${what}\n`
    })
    .join('')
}
