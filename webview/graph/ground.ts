/**
 * Draws the background with its dots. It is drawn once per zoom as one large picture and then copied to the
 * camera's position: filling the canvas with a pattern in each frame would cost more than drawing the graph.
 */
import type { Camera } from './camera.ts'
import type { Surface } from './paint.ts'
import type { Theme } from './theme.ts'

/** The distance between dots in graph units. */
const dotStep = 22

interface Sheet {
  readonly canvas: HTMLCanvasElement
  readonly step: number
  readonly theme: Theme
}

const sheets = new WeakMap<CanvasRenderingContext2D, Sheet>()

export function paintGround(surface: Surface, camera: Camera, theme: Theme, withDots: boolean): void {
  const { context, width, height, pixelRatio } = surface
  context.globalAlpha = 1
  const step = Math.round(dotStep * camera.zoom * pixelRatio)
  if (!withDots || step < 4) {
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
    context.fillStyle = theme.background
    context.fillRect(0, 0, width, height)
    return
  }
  const shift = (start: number) => -(((Math.round(start * camera.zoom * pixelRatio) % step) + step) % step)
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.drawImage(sheetOf(surface, step, theme).canvas, shift(camera.x), shift(camera.y))
}

/** Returns a picture larger than the canvas by one step, so that it covers every shift. */
function sheetOf({ context, width, height, pixelRatio }: Surface, step: number, theme: Theme): Sheet {
  const [wide, high] = [Math.ceil(width * pixelRatio) + step, Math.ceil(height * pixelRatio) + step]
  const known = sheets.get(context)
  const isLarge = known !== undefined && known.canvas.width >= wide && known.canvas.height >= high
  if (isLarge && known.step === step && known.theme === theme) return known
  const canvas = isLarge ? known.canvas : sized(wide, high)
  const sheet = { canvas, step, theme }
  fill(sheet, pixelRatio)
  sheets.set(context, sheet)
  return sheet
}

function sized(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  return canvas
}

function fill({ canvas, step, theme }: Sheet, pixelRatio: number): void {
  const context = canvas.getContext('2d', { alpha: false })
  const tile = sized(step, step)
  const inside = tile.getContext('2d', { alpha: false })
  if (context === null || inside === null) return
  inside.fillStyle = theme.background
  inside.fillRect(0, 0, step, step)
  inside.fillStyle = theme.dots
  inside.beginPath()
  inside.arc(step / 2, step / 2, pixelRatio, 0, Math.PI * 2)
  inside.fill()
  const pattern = context.createPattern(tile, 'repeat')
  if (pattern === null) return
  context.fillStyle = pattern
  context.fillRect(0, 0, canvas.width, canvas.height)
}
