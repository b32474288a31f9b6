/**
 * Colours as numbers: parses theme values, computes contrast (WCAG 2.2), and adjusts colours until they are
 * visible. Pure.
 */

/** Red, green, blue from 0 to 255, alpha from 0 to 1. */
export type Rgba = readonly [number, number, number, number]

/** Parses `#rgb`, `#rrggbb`, `#rrggbbaa`, `rgb()`, `rgba()`; undefined for anything else. */
export function readColour(text: string): Rgba | undefined {
  const value = text.trim().toLowerCase()
  const hex = /^#([0-9a-f]{3,8})$/.exec(value)?.[1]
  if (hex !== undefined) return readHex(hex)
  const inside = /^rgba?\(([^)]*)\)$/.exec(value)?.[1]
  if (inside === undefined) return undefined
  const parts = inside
    .split(/[\s,/]+/)
    .filter(part => part !== '')
    .map((part, at) =>
      part.endsWith('%') ? (Number.parseFloat(part) / 100) * (at < 3 ? 255 : 1) : Number(part),
    )
  const [red, green, blue, alpha = 1] = parts
  if (red === undefined || green === undefined || blue === undefined || parts.some(Number.isNaN))
    return undefined
  return [red, green, blue, alpha]
}

function readHex(hex: string): Rgba | undefined {
  if (hex.length === 5 || hex.length === 7) return undefined
  const digits = hex.length < 6 ? [...hex].map(digit => digit + digit) : (hex.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0, alpha = 255] = digits.map(pair => Number.parseInt(pair, 16))
  return [red, green, blue, alpha / 255]
}

export function written([red, green, blue, alpha]: Rgba): string {
  const parts = [red, green, blue].map(part => Math.round(part))
  return alpha >= 1 ? `rgb(${parts.join(' ')})` : `rgb(${parts.join(' ')} / ${Number(alpha.toFixed(3))})`
}

/** Mixes `part` of `b` into `a`. */
export function mixed(a: Rgba, b: Rgba, part: number): Rgba {
  const mix = (from: number, to: number) => from + (to - from) * part
  return [mix(a[0], b[0]), mix(a[1], b[1]), mix(a[2], b[2]), mix(a[3], b[3])]
}

/** Returns the colour as it looks on an opaque background. */
function over(colour: Rgba, background: Rgba): Rgba {
  const opaque: Rgba = [colour[0], colour[1], colour[2], 1]
  return mixed([background[0], background[1], background[2], 1], opaque, colour[3])
}

/** Returns a contrast from 1 to 21. */
export function contrast(a: Rgba, b: Rgba): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance([red, green, blue]: Rgba): number {
  const linear = (part: number) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** Returns the colour, or the nearest one towards black or white with this contrast on the background. */
export function legible(colour: Rgba, background: Rgba, least: number): Rgba {
  const start = over(colour, background)
  if (contrast(start, background) >= least) return start
  const towards: Rgba = luminance(background) > 0.18 ? [0, 0, 0, 1] : [255, 255, 255, 1]
  for (let part = 0.05; part < 1; part += 0.05) {
    const candidate = mixed(start, towards, part)
    if (contrast(candidate, background) >= least) return candidate
  }
  return towards
}
