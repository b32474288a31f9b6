/** The style of text: colours, width, symbols. Colour only adds to what the words already say. */

export interface Style {
  /** The width for text in columns. */
  readonly width: number
  /** Whether tables are cut to the width, as a terminal needs it; a file or a program gets all of them. */
  readonly isCut: boolean
  /** The width of the column of names in lists; undefined for the usual one. */
  readonly nameWidth?: number
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
  readonly isCut?: boolean
}

export function createStyle(options: StyleOptions): Style {
  const dress = (open: number, close: number): Dress =>
    options.color ? text => (text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`) : text => text
  return {
    width: options.width,
    isCut: options.isCut ?? true,
    color: options.color,
    red: dress(31, 39),
    yellow: dress(33, 39),
    green: dress(32, 39),
    cyan: dress(36, 39),
    bold: dress(1, 22),
    dim: dress(2, 22),
  }
}

/** The facts that decide about colour. */
export interface ColorWishes {
  readonly isTerminal: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether `--no-color` was given. */
  readonly refused: boolean
}

/**
 * `--no-color` and `NO_COLOR` take precedence, then `FORCE_COLOR` (`0` refuses), otherwise a terminal that is
 * not `dumb`.
 */
export function wantsColor(wishes: ColorWishes): boolean {
  if (wishes.refused || isSet(wishes.env['NO_COLOR'])) return false
  const forced = wishes.env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return wishes.isTerminal && wishes.env['TERM'] !== 'dumb'
}

/** As https://no-color.org says: any value except the empty one. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}
