/** Formats the content of brackets and CASE: branches below each other, plain values side by side. */
import { closes, flatten, isComment, lineWidth, type OutLine } from './sql-out-line.ts'

/**
 * Formats the branches of a CASE: the conditions of a branch stay on its line if they fit, and else go below
 * it.
 */
export function branches(body: readonly OutLine[]): readonly OutLine[] {
  if (!body.some(line => isBranch(line))) return body
  return branchesOf(body).flatMap(branch => {
    const flat = flatten(branch)
    const [first] = branch
    if (first === undefined || !isBranch(first)) return branch
    if (flat !== undefined && first.depth * 2 + flat.length <= lineWidth) return [{ ...first, text: flat }]
    const isNext = (line: OutLine) => line.depth === first.depth && !closes(line.text)
    const next = branch.findIndex((line, index) => index > 0 && isNext(line))
    return branch.map((line, index) => (next < 0 || index < next ? line : { ...line, depth: line.depth + 1 }))
  })
}

/** Groups lines into branches; a comment above a branch is separate. */
function branchesOf(body: readonly OutLine[]): OutLine[][] {
  const grouped: OutLine[][] = []
  let comments: OutLine[] = []
  for (const line of body) {
    const isOuter = line.depth === body[0]?.depth
    if (isOuter && isComment(line.text)) comments.push(line)
    else if (isOuter && isBranch(line)) {
      grouped.push(comments, [line])
      comments = []
    } else {
      grouped.push([...(grouped.pop() ?? []), ...comments, line])
      comments = []
    }
  }
  return [...grouped, comments]
}

function isBranch({ text }: OutLine): boolean {
  return /^(?:WHEN|ELSE)\b/.test(text)
}

/** Fills lines with literal values, like words of a text. */
export function filled(body: readonly OutLine[]): readonly OutLine[] {
  if (!body.every(line => !line.isRigid && isValue(line))) return body
  const lines: OutLine[] = []
  for (const value of body) {
    const line = lines.at(-1)
    const text = `${line?.text} ${value.text}`
    if (line === undefined || line.depth * 2 + text.length > lineWidth) lines.push(value)
    else lines[lines.length - 1] = { ...line, text }
  }
  return lines
}

function isValue({ engine, text }: OutLine): boolean {
  const [first, second, ...rest] = engine.tokens(text.replace(/^[-+]|,$/g, ''))
  const isPlain = first?.kind === 'number' || first?.kind === 'string' || /^(?:NULL|TRUE|FALSE),?$/.test(text)
  const isTyped = /^(?:DATE|TIME|TIMESTAMP|TIMESTAMPTZ) '/.test(text) && second?.kind === 'string'
  return rest.length === 0 && (second === undefined ? isPlain : isTyped)
}
