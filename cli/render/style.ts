/** How text is dressed: colours, width, symbols. Colour only underlines what the words already say. */

export interface Style {
  /** Columns to write into. */
  readonly width: number
  readonly color: boolean
  readonly red: Dress
  readonly yellow: Dress
  readonly green: Dress
  readonly cyan: Dress
  readonly bold: Dress
  readonly dim: Dress
}

type Dress = (text: string) => string

export interface StyleOptions {
  readonly color: boolean
  readonly width: number
}

export function createStyle(options: StyleOptions): Style {
  const dress = (open: number, close: number): Dress =>
    options.color ? text => (text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`) : text => text
  return {
    width: options.width,
    color: options.color,
    red: dress(31, 39),
    yellow: dress(33, 39),
    green: dress(32, 39),
    cyan: dress(36, 39),
    bold: dress(1, 22),
    dim: dress(2, 22),
  }
}

/** What decides about colour, as it is found in the process. */
export interface ColorWishes {
  readonly isTerminal: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** `--no-color` was given. */
  readonly refused: boolean
}

/** `--no-color` and `NO_COLOR` win; then `FORCE_COLOR` (`0` refuses); else a terminal that is not `dumb`. */
export function wantsColor(wishes: ColorWishes): boolean {
  if (wishes.refused || isSet(wishes.env['NO_COLOR'])) return false
  const forced = wishes.env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return wishes.isTerminal && wishes.env['TERM'] !== 'dumb'
}

/** https://no-color.org: any value but the empty one. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}
