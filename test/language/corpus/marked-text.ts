/**
 * A file with its mistakes marked, and its valid twin in the same text:
 *
 *     ⟦column orgin→origin⟧    what is wrong, and what it has to be; the first word is the kind of mistake
 *     ⟦arity upper→upper⟧      a place to show whose own text is right: what makes it wrong is a `fix` behind it
 *     ⟦fix , 2→⟧               belongs to the mistake before it, and is no place to show
 *     ⟦fix:union , 2→⟧         belongs to the last mistake of that kind before it
 *     ⟦fix> , 2→⟧              belongs to the mistake behind it
 *     ⟦slip →,⟧                a slip of syntax; the tokens beside it are good places to show it, too
 *     ⟦also (⟧                 text of both twins on which a problem may stand, because of a slip or of the mistake
 *     ⟨a ⟦type +→||⟧ b⟩        a problem anywhere between ⟨ and ⟩ shows the mistake, only not on its exact place
 */
import type { Range } from '@svc/server/language'

export interface Mark {
  readonly kind: string
  readonly wrong: string
  readonly right: string
  /** In the broken text. */
  readonly range: Range
  /** Where a problem counts as shown. */
  readonly reach: Range
}

export interface MarkedText {
  readonly broken: string
  readonly valid: string
  readonly marks: readonly Mark[]
  /** Places of `also`. */
  readonly tolerated: readonly Range[]
  /** The text in which only one mistake is left. */
  with(only: Mark): string
}

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reach'; readonly opens: boolean }
  | { readonly kind: 'mark'; readonly name: string; readonly wrong: string; readonly right: string }

const partPattern = /⟦([a-z]+(?:>|:[a-z]+)?) ([^⟧]*)⟧|[⟨⟩]/g

export function parseMarkedText(marked: string): MarkedText {
  const parts = partsOf(marked)
  const owners = ownersOf(parts)
  const found: Mark[] = []
  const tolerated: Range[] = []
  const markOf = new Map<number, Mark>()
  let broken = ''
  let reachStart: number | undefined
  let inReach: { index: number; kind: string; wrong: string; right: string; range: Range }[] = []
  const close = (): void => {
    for (const { index, ...mark } of inReach) {
      markOf.set(index, { ...mark, reach: { start: reachStart ?? mark.range.start, end: broken.length } })
    }
    inReach = []
    reachStart = undefined
  }
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'text') broken += part.text
    else if (part.kind === 'reach') {
      if (part.opens) reachStart = broken.length
      else close()
    } else {
      const range = { start: broken.length, end: broken.length + part.wrong.length }
      broken += part.wrong
      if (part.name === 'also') tolerated.push(range)
      else if (owners.get(index) === index) {
        const mark = { kind: part.name, wrong: part.wrong, right: part.right, range }
        if (reachStart === undefined) markOf.set(index, { ...mark, reach: range })
        else inReach.push({ index, ...mark })
      }
    }
  }
  for (const [index] of parts.entries()) {
    const mark = markOf.get(index)
    if (mark !== undefined) found.push(mark.kind === 'slip' ? withNeighbours(mark, broken) : mark)
  }
  const indexes = [...markOf.keys()].sort((a, b) => a - b)
  return {
    broken,
    valid: textOf(parts, () => false),
    marks: found,
    tolerated,
    with: only => {
      const owner = indexes[found.indexOf(only)]
      return textOf(parts, index => owners.get(index) === owner)
    },
  }
}

function partsOf(marked: string): readonly Part[] {
  const parts: Part[] = []
  let end = 0
  for (const match of marked.matchAll(partPattern)) {
    parts.push({ kind: 'text', text: marked.slice(end, match.index) })
    parts.push(partOf(match))
    end = match.index + match[0].length
  }
  const rest = marked.slice(end)
  if (/[⟦⟧]/.test(parts.map(part => (part.kind === 'text' ? part.text : '')).join('') + rest)) {
    throw new Error(`a mark is not written as it has to be: ${marked}`)
  }
  return [...parts, { kind: 'text', text: rest }]
}

function partOf([whole, name, text = '']: RegExpMatchArray): Part {
  if (name === undefined) return { kind: 'reach', opens: whole === '⟨' }
  if (name === 'also') return { kind: 'mark', name, wrong: text, right: text }
  const arrow = text.indexOf('→')
  if (arrow < 0) throw new Error(`${whole} has no →`)
  return { kind: 'mark', name, wrong: text.slice(0, arrow), right: text.slice(arrow + 1) }
}

/** Which mark each part of a mistake belongs to, by index. */
function ownersOf(parts: readonly Part[]): ReadonlyMap<number, number> {
  const owners = new Map<number, number>()
  const last = new Map<string, number>()
  let waiting: number[] = []
  for (const [index, part] of parts.entries()) {
    if (part.kind !== 'mark' || part.name === 'also') continue
    if (part.name === 'fix>') waiting.push(index)
    else if (/^fix(:|$)/.test(part.name)) {
      const owner = last.get(part.name.slice('fix:'.length))
      if (owner === undefined) throw new Error('a fix has no mistake before it')
      owners.set(index, owner)
    } else {
      for (const each of [...waiting, index]) owners.set(each, index)
      waiting = []
      last.set(part.name, index).set('', index)
    }
  }
  if (waiting.length > 0) throw new Error('a fix> has no mistake behind it')
  return owners
}

function textOf(parts: readonly Part[], isWrong: (index: number) => boolean): string {
  return parts
    .map((part, index) => {
      if (part.kind === 'text') return part.text
      if (part.kind === 'reach') return ''
      return isWrong(index) ? part.wrong : part.right
    })
    .join('')
}

/** A slip is often that something is missing: it is shown on the token before it or behind it as well. */
function withNeighbours(mark: Mark, text: string): Mark {
  const before = /(?:\{\{[^}]*\}\}|[\w.]+|'[^'\n]*'|\S)\s*$/.exec(text.slice(0, mark.reach.start))
  const behind = /^\s*(?:\{\{[^}]*\}\}|[\w.]+|'[^'\n]*'|\S)/.exec(text.slice(mark.reach.end))
  const start = mark.reach.start - (before?.[0].length ?? 0)
  return { ...mark, reach: { start, end: mark.reach.end + (behind?.[0].length ?? 0) } }
}
