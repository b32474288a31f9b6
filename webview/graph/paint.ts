/** Draws a draw list on a canvas. It knows nothing about assets, and sets every property that it uses. */
import { type DrawList, type DrawnCard, rowMiddle } from './draw-list.ts'
import { cardHeight, columnHeight, reachOf } from './geometry.ts'
import { paintGround } from './ground.ts'
import { moreBox, showsMore } from './hit.ts'
import type { Card } from './scene.ts'
import type { Theme } from './theme.ts'

export interface Surface {
  readonly context: CanvasRenderingContext2D
  /** In CSS pixels. */
  readonly width: number
  readonly height: number
  readonly pixelRatio: number
}

/** `pulse` from 0 to 1 is the size of the ring around running cards; always 1 if motion is unwanted. */
export function paint(surface: Surface, list: DrawList, theme: Theme, pulse: number): void {
  const { context, pixelRatio } = surface
  const { x, y, zoom } = list.camera
  paintGround(surface, list.camera, theme, showsMore(zoom) && !theme.highContrast)
  const scale = pixelRatio * zoom
  context.setTransform(scale, 0, 0, scale, -x * scale, -y * scale)
  for (const curves of list.curves) paintCurves(context, curves, list, theme)
  for (const { role, dim, boxes } of list.blocks) {
    context.globalAlpha = dim ? dimAlpha(theme) * 0.7 : 1
    context.fillStyle = theme.roles[role]
    for (let at = 0; at < boxes.length; at += 4) {
      context.fillRect(boxes[at] ?? 0, boxes[at + 1] ?? 0, boxes[at + 2] ?? 0, boxes[at + 3] ?? 0)
    }
  }
  for (const card of list.cards) paintCard(context, card, list, theme, pulse)
  context.globalAlpha = 1
}

/** In high contrast nothing becomes too pale. */
function dimAlpha(theme: Theme): number {
  return theme.highContrast ? 0.8 : 0.45
}

function paintCurves(
  context: CanvasRenderingContext2D,
  { style, ends }: DrawList['curves'][number],
  { straight, camera }: DrawList,
  theme: Theme,
): void {
  const isStrong = style !== 'plain' && style !== 'dim'
  context.globalAlpha = style === 'dim' ? (theme.highContrast ? 0.6 : 0.35) : straight && !isStrong ? 0.5 : 1
  context.strokeStyle = style === 'cycle' ? theme.roles.fail : isStrong ? theme.lit : theme.edge
  context.lineWidth = style === 'computed' && !straight ? 3 : curveWidth(isStrong, straight, camera.zoom)
  // Cycles are dashed too, so that they differ from highlighted edges without colour; what only decides is dotted.
  context.setLineDash(straight ? [] : (dashes[style] ?? []))
  if (straight) context.beginPath()
  for (let at = 0; at < ends.length; at += 4) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = [ends[at], ends[at + 1], ends[at + 2], ends[at + 3]]
    // Stroking many long curves as one path is expensive, because its bounding area is large; separate paths
    // are far cheaper.
    if (!straight) context.beginPath()
    context.moveTo(x0, y0)
    if (straight) {
      context.lineTo(x1, y1)
      continue
    }
    const reach = reachOf(x0, x1)
    context.bezierCurveTo(x0 + reach, y0, x1 - reach, y1, x1, y1)
    context.stroke()
  }
  if (straight) context.stroke()
}

const dashes: Partial<Record<DrawList['curves'][number]['style'], number[]>> = {
  cycle: [6, 4],
  hidden: [2, 3],
}

/** Lines thinner than a pixel are drawn much faster, and there are many edges only at a small zoom. */
function curveWidth(isStrong: boolean, straight: boolean, zoom: number): number {
  if (straight) return (isStrong ? 1.5 : 0.75) / zoom
  if (isStrong) return 2
  return zoom < 0.9 ? 0.99 / zoom : 1.5
}

function paintCard(
  context: CanvasRenderingContext2D,
  { card, dim, selected, hovered }: DrawnCard,
  { detail, camera }: DrawList,
  theme: Theme,
  pulse: number,
): void {
  const { x, y, width, height } = card
  const colour = theme.roles[card.role]
  context.globalAlpha = 1
  outline(context, card, 0)
  context.fillStyle = theme.card
  context.fill()
  context.globalAlpha = dim ? dimAlpha(theme) : 1
  context.strokeStyle = colour
  context.lineWidth = (theme.highContrast ? 2 : 1.5) * (hovered ? 1.5 : 1)
  context.setLineDash(card.shape === 'pill' ? [4, 3] : [])
  context.stroke()
  context.setLineDash([])
  if (card.shape === 'square' || card.shape === 'target') {
    context.fillStyle = colour
    context.fillRect(card.shape === 'square' ? x : x + width - 5, y, 5, height)
  }
  if (card.shape === 'folder') {
    context.beginPath()
    context.moveTo(x + 6, y - 4)
    context.lineTo(x + width - 6, y - 4)
    context.stroke()
  }
  if (detail === 'full') paintText(context, card, theme)
  else if (detail === 'cards') paintName(context, card, theme, camera.zoom)
  if (showsMore(camera.zoom)) {
    paintColumns(context, card, theme, camera.zoom)
    if (card.hiddenUp > 0) paintMore(context, card, 'up', theme)
    if (card.hiddenDown > 0) paintMore(context, card, 'down', theme)
  }
  if (card.running) ring(context, card, theme.roles.running, 3 + 3 * pulse, dim ? 0.5 : 1.1 - pulse * 0.6, 2)
  if (selected) ring(context, card, theme.focus, 4, 1, detail === 'blocks' ? 3 / camera.zoom : 2.5)
  context.globalAlpha = 1
}

function outline(
  context: CanvasRenderingContext2D,
  { x, y, width, height, shape }: Card,
  grow: number,
): void {
  const radius =
    shape === 'square' || shape === 'target' ? 0 : shape === 'pill' ? Math.min(height, cardHeight) / 2 : 6
  context.beginPath()
  if (radius + grow === 0) context.rect(x, y, width, height)
  else context.roundRect(x - grow, y - grow, width + 2 * grow, height + 2 * grow, radius + grow)
}

function ring(
  context: CanvasRenderingContext2D,
  card: Card,
  colour: string,
  grow: number,
  alpha: number,
  lineWidth: number,
): void {
  context.globalAlpha = Math.min(1, alpha)
  context.strokeStyle = colour
  context.lineWidth = lineWidth
  outline(context, card, grow)
  context.stroke()
}

function paintText(context: CanvasRenderingContext2D, card: Card, theme: Theme): void {
  const left = card.x + textInset(card)
  const room = card.x + card.width - left - (card.shape === 'target' ? 14 : 10)
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  context.fillStyle = theme.text
  const [bold, small] = [`600 13px ${theme.font}`, `11px ${theme.font}`]
  context.font = bold
  const title = fitting(context, bold, card.title, room - (card.mark === undefined ? 0 : 18))
  context.fillText(title, left, card.y + 18)
  context.fillStyle = theme.detail
  context.font = small
  context.fillText(fitting(context, small, card.detail, room), left, card.y + 36)
  if (card.mark !== undefined) {
    context.fillStyle = theme.roles[card.mark.role]
    context.font = bold
    context.textAlign = 'center'
    context.fillText(card.mark.glyph, card.x + card.width - (card.shape === 'target' ? 20 : 17), card.y + 18)
    context.textAlign = 'left'
  }
}

function paintColumns(context: CanvasRenderingContext2D, card: Card, theme: Theme, zoom: number): void {
  if (card.columns.length === 0) return
  const size = Math.round(Math.min(16, Math.max(11, 9 / zoom)))
  const fonts = { name: `${size}px ${theme.font}`, note: `${Math.max(10, size - 1)}px ${theme.font}` }
  context.textBaseline = 'middle'
  card.columns.forEach((column, row) => {
    if (column.isChosen) markChosen(context, card, row, theme)
    paintColumn(context, column, { card, middle: rowMiddle(card, row), theme, fonts })
  })
  context.textAlign = 'left'
}

/** Without colours of their own, which high contrast does not have, an outline says the same. */
function markChosen(context: CanvasRenderingContext2D, card: Card, row: number, theme: Theme): void {
  const alpha = context.globalAlpha
  const box = [
    card.x + 6,
    rowMiddle(card, row) - columnHeight / 2 + 1,
    card.width - 12,
    columnHeight - 2,
  ] as const
  context.fillStyle = theme.lit
  context.globalAlpha = theme.highContrast ? 0 : 0.16
  context.fillRect(...box)
  context.globalAlpha = alpha
  context.strokeStyle = theme.focus
  context.lineWidth = theme.highContrast ? 1.5 : 1
  context.setLineDash(theme.highContrast ? [4, 2] : [])
  context.strokeRect(...box)
  context.setLineDash([])
}

interface ColumnPlace {
  readonly card: Card
  readonly middle: number
  readonly theme: Theme
  readonly fonts: { readonly name: string; readonly note: string }
}

/** Writes the name, and at the right how it comes where the name leaves room for that. */
function paintColumn(
  context: CanvasRenderingContext2D,
  { column, pii, beside, how = '' }: Card['columns'][number],
  { card, middle, theme, fonts }: ColumnPlace,
): void {
  const left = card.x + textInset(card)
  let right = card.x + card.width - 10
  context.textAlign = 'right'
  if (pii) {
    context.font = fonts.name
    context.fillStyle = theme.roles.warn
    context.fillText('pii', right, middle)
    right -= 26
  }
  context.font = fonts.name
  const width = context.measureText(column).width
  context.font = fonts.note
  const noteWidth = context.measureText(how).width + 8
  if (how !== '' && (width + noteWidth <= right - left || noteWidth < (right - left) * 0.45)) {
    context.fillStyle = theme.detail
    context.fillText(how, right, middle)
    right -= noteWidth
  }
  context.textAlign = 'left'
  context.font = fonts.name
  context.fillStyle = beside ? theme.text : theme.lit
  context.fillText(fitting(context, fonts.name, column, right - left), left, middle)
}

function textInset({ shape }: Card): number {
  return shape === 'pill' ? 22 : 14
}

/** The height of a name at a small zoom, in graph units: two lines of it are as high as a card. */
const largestName = 24

/** At a small zoom a name is written larger than the card, and in two lines if one does not fit. */
function paintName(context: CanvasRenderingContext2D, card: Card, theme: Theme, zoom: number): void {
  const size = Math.min(largestName, 10.5 / zoom)
  context.fillStyle = theme.text
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  const font = `600 ${Math.round(size)}px ${theme.font}`
  context.font = font
  const left = card.x + (card.shape === 'pill' ? 18 : 12)
  // A mark is drawn only if there is space for it beside the name.
  const mark = zoom < 0.4 ? undefined : card.mark
  const room = card.width - 20 - (mark === undefined ? 0 : size)
  // The count of a folder is shown only if its name leaves space.
  const { lines, scale } = writtenName(context, font, zoom < 0.55 ? card.title : card.short, room)
  if (scale < 1) context.font = `600 ${Math.round(size * scale)}px ${theme.font}`
  // Text without descenders looks too high when it is centred exactly.
  const middle = card.y + cardHeight / 2 + size / 12 - ((lines.length - 1) * size) / 2
  lines.forEach((line, at) => {
    context.fillText(line, left, middle + at * size)
  })
  if (mark === undefined) return
  context.fillStyle = theme.roles[mark.role]
  context.textAlign = 'right'
  context.fillText(
    mark.glyph,
    card.x + card.width - (card.shape === 'target' ? 12 : 8),
    card.y + cardHeight / 2,
  )
  context.textAlign = 'left'
}

function paintMore(context: CanvasRenderingContext2D, card: Card, side: 'up' | 'down', theme: Theme): void {
  const { x, y, width, height } = moreBox(card, side)
  context.fillStyle = theme.card
  context.strokeStyle = theme.edge
  context.lineWidth = 1
  context.beginPath()
  context.roundRect(x, y + 2, width, height - 4, 10)
  context.fill()
  context.stroke()
  context.fillStyle = theme.detail
  context.textAlign = 'center'
  context.font = `11px ${theme.font}`
  const count = side === 'up' ? card.hiddenUp : card.hiddenDown
  context.fillText(count > 99 ? '99+' : `+${count}`, x + width / 2, y + height / 2)
  context.textAlign = 'left'
}

interface WrittenName {
  readonly lines: readonly string[]
  /** The scale of the font, at most 1. */
  readonly scale: number
}

const names = new Map<string, WrittenName>()
/** Smaller letters are harder to read than a shortened name. */
const leastScale = 0.8

/**
 * Returns one line, or two if the name can be split; a little smaller if that avoids shortening it. `font` is the
 * one of the context, which takes long to be read from there.
 */
function writtenName(
  context: CanvasRenderingContext2D,
  font: string,
  text: string,
  room: number,
): WrittenName {
  const key = `${font}\n${Math.round(room)}\n${text}`
  const known = names.get(key)
  if (known !== undefined) return known
  const width = (line: string) => context.measureText(line).width
  const parts = width(text) <= room ? [text] : partedInTwo(text, width)
  const scale = Math.max(leastScale, Math.min(1, room / Math.max(...parts.map(width))))
  const name = { lines: parts.map(line => fitting(context, font, line, room / scale)), scale }
  if (names.size > 20_000) names.clear()
  names.set(key, name)
  return name
}

/**
 * Splits after a separator so that the longer part is shortest, but before an underscore: at the end of the first line it
 * would be a bar over the second.
 */
function partedInTwo(text: string, width: (line: string) => number): readonly string[] {
  const places = [...text.matchAll(/(?<=.)_(?=.)|[.\-: ](?=.)/g)].map(({ 0: sign, index }) =>
    sign === '_' ? index : index + 1,
  )
  const pairs = places.map(at => [text.slice(0, at).trimEnd(), text.slice(at)])
  const longer = (pair: readonly string[]) => Math.max(...pair.map(width))
  return pairs.sort((a, b) => longer(a) - longer(b))[0] ?? [text]
}

const fits = new Map<string, string>()

/** Shortens with `…` in the middle, because names of one project differ at both ends. */
function fitting(context: CanvasRenderingContext2D, font: string, text: string, room: number): string {
  const key = `${font}\n${Math.round(room)}\n${text}`
  const known = fits.get(key)
  if (known !== undefined) return known
  let shown = text
  for (let left = text.length - 1; left > 2 && context.measureText(shown).width > room; left--) {
    const tail = Math.floor(left / 3)
    shown = `${text.slice(0, left - tail)}…${text.slice(text.length - tail)}`
  }
  if (fits.size > 20_000) fits.clear()
  fits.set(key, shown)
  return shown
}
