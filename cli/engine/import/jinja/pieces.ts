/** Cuts a template into text, comments and tags, and takes away the white space that tags ask for. */
import { JinjaProblem, type Template } from './problem.ts'
import { type Token, tokensOf } from './tokens.ts'

export type Piece =
  | { readonly kind: 'text'; text: string; readonly at: number }
  | { readonly kind: 'comment'; readonly text: string; readonly at: number; isAlone: boolean }
  | { readonly kind: 'output' | 'statement'; readonly tokens: readonly Token[]; readonly at: number }

interface Cut {
  readonly piece: Piece
  /** The signs beside the brackets: - takes white space away, + keeps it. */
  readonly before: string
  readonly after: string
}

/**
 * Stands for the end of a line that had nothing but a tag: a line break if something else is on the line when all is
 * rendered, and nothing otherwise.
 */
const softLine = '\uE002'
/** Stands for white space that a macro ends with: a blank if nothing else parts it from what follows. */
export const softBlank = '\uE003'

/** Returns the text with line breaks and blanks where they are needed. */
export function withoutSoftness(text: string): string {
  let result = ''
  const parts = text.split(/([\uE002\uE003])/)
  for (const [index, part] of parts.entries()) {
    if (part === softLine) {
      result = /(^|\n)[ \t]*$/.test(result) ? result.replace(/[ \t]+$/, '') : `${result}\n`
    } else if (part === softBlank) {
      const next = parts[index + 1] ?? ''
      const isParted = next === '' || /^[\s,);]/.test(next)
      if (!isParted) result += ' '
    } else result += part
  }
  return result
}

/**
 * `tidy`: a tag or comment that has its lines for itself goes with its lines, whatever its signs say, so that the
 * unrolled text has the layout of the template. Where text becomes a value it is left as Jinja has it.
 */
export function piecesOf(template: Template, tidy: boolean): readonly Piece[] {
  const cuts = cutAll(template)
  const alone = tidy ? linesOfTheirOwn(cuts) : new Set<number>()
  for (const [index, { piece }] of cuts.entries()) {
    if (piece.kind !== 'text') continue
    const { start, end } = trimsOf(cuts, index, tidy ? alone : undefined)
    piece.text = trimmed(piece.text, start, end)
  }
  return cuts.map(({ piece }) => piece)
}

type Trim = 'keep' | 'space' | 'line'

function trimmed(text: string, start: Trim, end: Trim): string {
  let kept = text
  if (start === 'space') kept = kept.trimStart()
  if (start === 'line')
    kept = kept.replace(/^[ \t]*(\r?\n)?/, (_, line?: string) => (line === undefined ? '' : softLine))
  if (end === 'space') kept = kept.trimEnd()
  if (end === 'line') kept = kept.replace(/[ \t]+$/, '')
  return kept
}

function trimsOf(cuts: readonly Cut[], index: number, alone: ReadonlySet<number> | undefined) {
  const trim = (neighbour: Cut | undefined, at: number, sign: string | undefined): Trim => {
    if (neighbour === undefined) return 'keep'
    // A comment stays, and so does the white space around it.
    if (alone !== undefined && neighbour.piece.kind === 'comment') return 'keep'
    if (alone?.has(at) === true) return 'line'
    return sign === '-' ? 'space' : 'keep'
  }
  const [previous, next] = [cuts[index - 1], cuts[index + 1]]
  return {
    start: trim(previous, index - 1, previous?.after),
    end: trim(next, index + 1, next?.before),
  }
}

/** Returns the indices of tags and comments that have their lines for themselves. */
function linesOfTheirOwn(cuts: readonly Cut[]): ReadonlySet<number> {
  const alone = new Set<number>()
  let depth = 0
  for (const [index, { piece }] of cuts.entries()) {
    const [previous, next] = [cuts[index - 1]?.piece, cuts[index + 1]?.piece]
    const begins = previous === undefined || (previous.kind === 'text' && beginsLine(previous, index === 1))
    const ends = next === undefined || (next.kind === 'text' && endsLine(next, index + 2 === cuts.length))
    const change = piece.kind === 'statement' ? captureChange(piece.tokens) : 0
    const isInside = depth > 0 || change !== 0
    depth += change
    if (piece.kind === 'comment') piece.isAlone = begins && ends
    // The text between such tags is a value, which conditions may compare.
    if (begins && ends && !isInside && (piece.kind === 'statement' || piece.kind === 'comment'))
      alone.add(index)
  }
  return alone
}

function beginsLine({ text }: { text: string }, isFirst: boolean): boolean {
  const line = text.slice(text.lastIndexOf('\n') + 1)
  return line.trim() === '' && (text.includes('\n') || isFirst)
}

function endsLine({ text }: { text: string }, isLast: boolean): boolean {
  return /^[ \t]*\r?\n/.test(text) || (isLast && /^[ \t]*$/.test(text))
}

/** 1 for a tag whose body becomes a value, -1 for its end. */
function captureChange(tokens: readonly Token[]): number {
  const word = tokens[0]?.value ?? ''
  if (['macro', 'call', 'filter', 'test'].includes(word)) return 1
  if (['endset', 'endmacro', 'endcall', 'endfilter', 'endtest'].includes(word)) return -1
  return word === 'set' && isBlockSet(tokens) ? 1 : 0
}

/** `{% set x %}…{% endset %}` in place of `{% set x = … %}`. */
export function isBlockSet(tokens: readonly Token[]): boolean {
  return !tokens.some(({ kind, value }) => kind === 'sign' && value === '=') || tokens[2]?.value === '|'
}

function cutAll(template: Template): readonly Cut[] {
  const { text } = template
  const cuts: Cut[] = []
  let at = 0
  while (at < text.length) {
    const open = nextTag(text, at)
    if (open > at || open === -1) {
      const end = open === -1 ? text.length : open
      cuts.push(plain(text.slice(at, end), at))
      at = end
      continue
    }
    const cut = text.startsWith('{#', at) ? comment(template, at) : tag(template, at)
    at = cut.end
    if (isWord(cut.piece, 'raw')) at = addRaw(template, cut, cuts)
    else cuts.push(cut)
  }
  return cuts
}

function nextTag(text: string, from: number): number {
  for (let at = text.indexOf('{', from); at !== -1; at = text.indexOf('{', at + 1)) {
    if (['{', '%', '#'].includes(text[at + 1] ?? '')) return at
  }
  return -1
}

function plain(text: string, at: number): Cut {
  return { piece: { kind: 'text', text, at }, before: '', after: '' }
}

function comment(template: Template, at: number): Cut & { readonly end: number } {
  const { text } = template
  const end = text.indexOf('#}', at + 2)
  if (end === -1) throw new JinjaProblem('the comment is not closed with #}', { template, at })
  const before = signAt(text, at + 2)
  const after = end > at + 2 ? signAt(text, end - 1) : ''
  const inner = text.slice(at + 2 + before.length, end - after.length)
  return { piece: { kind: 'comment', text: inner, at, isAlone: false }, before, after, end: end + 2 }
}

function tag(template: Template, at: number): Cut & { readonly end: number } {
  const { text } = template
  const isOutput = text[at + 1] === '{'
  const before = signAt(text, at + 2)
  const { tokens, end } = tokensOf(template, at + 2 + before.length, isOutput ? '}}' : '%}', at)
  const after = signAt(text, end)
  const piece: Piece = { kind: isOutput ? 'output' : 'statement', tokens, at }
  return { piece, before, after, end: end + after.length + 2 }
}

function signAt(text: string, at: number): string {
  const char = text[at] ?? ''
  return char === '-' || char === '+' ? char : ''
}

function isWord(piece: Piece, word: string): boolean {
  return piece.kind === 'statement' && piece.tokens[0]?.value === word
}

/** What stands in `{% raw %}` is text. Returns where the block ends. */
function addRaw(template: Template, open: Cut, cuts: Cut[]): number {
  const from = open.piece.at
  const rest = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g
  rest.lastIndex = from
  const close = rest.exec(template.text)
  if (close === null)
    throw new JinjaProblem('the block is not closed with {% endraw %}', { template, at: from })
  const start = template.text.indexOf('%}', from) + 2
  let inner = template.text.slice(start, close.index)
  if (open.after === '-') inner = inner.trimStart()
  if (close[1] === '-') inner = inner.trimEnd()
  const previous = cuts.at(-1)?.piece
  if (open.before === '-' && previous?.kind === 'text') previous.text = previous.text.trimEnd()
  cuts.push({ ...plain(inner, start), before: '', after: '' })
  const end = close.index + close[0].length
  if (close[2] !== '-') return end
  return end + (/^\s*/.exec(template.text.slice(end))?.[0].length ?? 0)
}
