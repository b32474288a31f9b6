/**
 * Splits a line of a run's log into coloured pieces. Of the terminal's escape sequences only SGR is
 * interpreted; all others, and other control characters, are removed. Pure; never creates HTML.
 */

export type AnsiColour = 'black' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white'

export interface TextPiece {
  readonly text: string
  readonly colour: AnsiColour | undefined
  readonly bold: boolean
  readonly dim: boolean
  readonly underline: boolean
}

type Style = Omit<TextPiece, 'text'>

const colours: readonly AnsiColour[] = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']
const plain: Style = { colour: undefined, bold: false, dim: false, underline: false }
// CSI, OSC (to BEL or ST, or to the end of the line), DCS and similar, two-character escapes.
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /\u001b\[([0-9:;<=>?]*)[ -/]*([@-~]|$)|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[PX^_][^\u001b]*(?:\u001b\\|$)|\u001b[ -/]*[0-~]?/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g

/** Every line starts without colour: a colour that was left open does not continue on the next line. */
export function piecesOf(line: string): readonly TextPiece[] {
  const text = lastRewrite(line)
  const pieces: TextPiece[] = []
  let style = plain
  let at = 0
  const add = (part: string) => {
    const shown = part.replaceAll(controls, '')
    if (shown !== '') pieces.push({ text: shown, ...style })
  }
  for (const match of text.matchAll(escapes)) {
    add(text.slice(at, match.index))
    at = match.index + match[0].length
    if (match[2] === 'm') style = restyled(style, match[1] ?? '')
  }
  add(text.slice(at))
  return pieces
}

export function plainText(line: string): string {
  return piecesOf(line)
    .map(piece => piece.text)
    .join('')
}

/** A progress line overwrites itself after each carriage return, so only the last text is visible. */
function lastRewrite(line: string): string {
  return (
    line
      .split('\r')
      .filter(part => part !== '')
      .at(-1) ?? ''
  )
}

function restyled(style: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map(Number)
  let next = style
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (code === 38 || code === 48) at += codes[at + 1] === 5 ? 2 : 4
    else next = withCode(next, code)
  }
  return next
}

function withCode(style: Style, code: number): Style {
  if (code === 0) return plain
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 4) return { ...style, underline: true }
  if (code === 22) return { ...style, bold: false, dim: false }
  if (code === 24) return { ...style, underline: false }
  if (code === 39) return { ...style, colour: undefined }
  if (code >= 30 && code <= 37) return { ...style, colour: colours[code - 30] }
  return code >= 90 && code <= 97 ? { ...style, colour: colours[code - 90] } : style
}
