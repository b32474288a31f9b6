/** What the features of the editor say at a place, as the lines of an answer of a spec. */
import type { Knowledge } from '@svc/server/language'
import { completionsAt } from '../../server/language/features/completion/complete-at.ts'
import type { CompletionItem } from '../../server/language/features/completion/completion.ts'
import { lineStart } from '../../server/language/features/line-start.ts'

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
