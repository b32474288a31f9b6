/**
 * Draws frames with a cache: while the camera only pans over an unchanged graph, each frame is a copy of a
 * larger picture that was drawn once.
 */
import type { Camera, Size } from './camera.ts'
import { makeDrawList } from './draw-list.ts'
import { paint, type Surface } from './paint.ts'
import type { Scene } from './scene.ts'
import type { Theme } from './theme.ts'

/** The number of CSS pixels that are drawn in advance on each side of the canvas. */
const margin = 192
/** After this many frames of panning only, the picture is worth drawing. */
const framesBefore = 3

type Picture = ReturnType<typeof pictureOf>

export function makePainter() {
  let before: { surface: Surface; scene: Scene; camera: Camera; theme: Theme } | undefined
  let pans = 0
  let picture: Picture | undefined

  function isPan(surface: Surface, scene: Scene, camera: Camera, theme: Theme): boolean {
    return (
      before !== undefined &&
      before.surface === surface &&
      before.scene === scene &&
      before.theme === theme &&
      before.camera.zoom === camera.zoom
    )
  }

  return (surface: Surface, scene: Scene, camera: Camera, theme: Theme, pulse: number): void => {
    const hasPanned = isPan(surface, scene, camera, theme)
    pans = hasPanned ? pans + 1 : 0
    if (!hasPanned) picture = undefined
    before = { surface, scene, camera, theme }
    const isStill = !scene.cards.some(card => card.running)
    if (!isStill || pans < framesBefore) {
      paint(surface, makeDrawList(scene, camera, surface), theme, pulse)
      return
    }
    if (picture === undefined || !covers(picture, camera))
      picture = pictureOf(surface, scene, camera, theme, picture?.canvas)
    copy(surface, picture, camera)
  }
}

function covers({ camera: drawn }: Picture, camera: Camera): boolean {
  const reach = margin / camera.zoom
  return Math.abs(camera.x - drawn.x) <= reach && Math.abs(camera.y - drawn.y) <= reach
}

function pictureOf(
  { width, height, pixelRatio }: Surface,
  scene: Scene,
  camera: Camera,
  theme: Theme,
  old: HTMLCanvasElement | undefined,
) {
  const canvas = old ?? document.createElement('canvas')
  const size: Size = { width: width + 2 * margin, height: height + 2 * margin }
  canvas.width = Math.round(size.width * pixelRatio)
  canvas.height = Math.round(size.height * pixelRatio)
  const context = canvas.getContext('2d', { alpha: false })
  const larger = { ...camera, x: camera.x - margin / camera.zoom, y: camera.y - margin / camera.zoom }
  if (context !== null) paint({ context, ...size, pixelRatio }, makeDrawList(scene, larger, size), theme, 1)
  return { canvas, camera }
}

function copy({ context, pixelRatio }: Surface, { canvas, camera: drawn }: Picture, camera: Camera): void {
  const shift = (from: number, to: number) => Math.round(((from - to) * camera.zoom - margin) * pixelRatio)
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.globalAlpha = 1
  context.drawImage(canvas, shift(drawn.x, camera.x), shift(drawn.y, camera.y))
}
