/** The visible part of the graph: the graph point in the upper left corner, and the zoom. Pure. */
import type { Box, Point } from './geometry.ts'

export interface Camera {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

const minZoom = 0.02
const maxZoom = 2

export function toGraph(camera: Camera, screen: Point): Point {
  return { x: camera.x + screen.x / camera.zoom, y: camera.y + screen.y / camera.zoom }
}

/** Moves by pixels on the screen, so that the graph follows the pointer. */
export function pannedBy(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.zoom, y: camera.y - dy / camera.zoom }
}

/** Zooms so that the point under `at` stays there. */
export function zoomedAt(camera: Camera, factor: number, at: Point): Camera {
  const zoom = Math.min(maxZoom, Math.max(minZoom, camera.zoom * factor))
  const fixed = toGraph(camera, at)
  return { x: fixed.x - at.x / zoom, y: fixed.y - at.y / zoom, zoom }
}

/** Centres `box` completely on the screen, at most at zoom 1. */
export function fitted(box: Box | undefined, screen: Size): Camera {
  const margin = 32
  if (box === undefined) return { x: 0, y: 0, zoom: 1 }
  const wide = (screen.width - 2 * margin) / Math.max(1, box.width)
  const high = (screen.height - 2 * margin) / Math.max(1, box.height)
  return centred(box, screen, Math.min(1, Math.max(minZoom, Math.min(wide, high))))
}

export function centred(box: Box, screen: Size, zoom: number): Camera {
  return {
    x: box.x + box.width / 2 - screen.width / zoom / 2,
    y: box.y + box.height / 2 - screen.height / zoom / 2,
    zoom,
  }
}

/** Returns the smallest pan that shows `box`; the same camera if it is already in view. */
export function revealing(camera: Camera, box: Box, screen: Size, margin = 32): Camera {
  const { zoom } = camera
  const x = shifted(camera.x, box.x, box.width, screen.width / zoom, margin / zoom)
  const y = shifted(camera.y, box.y, box.height, screen.height / zoom, margin / zoom)
  return x === camera.x && y === camera.y ? camera : { x, y, zoom }
}

/** Returns the camera that shows no empty room beside `box` while a part of it on the other side is out of view. */
export function filled(camera: Camera, box: Box, screen: Size): Camera {
  const margin = 16
  const { zoom } = camera
  const start = (at: number, from: number, length: number, shown: number) => {
    const least = from - margin / zoom
    const most = from + length + margin / zoom - shown
    return least > most ? (least + most) / 2 : Math.min(most, Math.max(least, at))
  }
  return {
    x: start(camera.x, box.x, box.width, screen.width / zoom),
    y: start(camera.y, box.y, box.height, screen.height / zoom),
    zoom,
  }
}

function shifted(start: number, at: number, length: number, shown: number, margin: number): number {
  if (at - margin < start) return at - margin
  return at + length + margin > start + shown ? at + length + margin - shown : start
}

/**
 * Returns the camera with which a point that moved from `before` to `after` keeps its place on the screen.
 */
export function anchored(camera: Camera, before: Point, after: Point): Camera {
  return { ...camera, x: camera.x + after.x - before.x, y: camera.y + after.y - before.y }
}

/** Interpolates with easing; `part` is from 0 to 1. */
export function between(from: Camera, to: Camera, part: number): Camera {
  const eased = part * part * (3 - 2 * part)
  const mix = (a: number, b: number) => a + (b - a) * eased
  const zoom = from.zoom * (to.zoom / from.zoom) ** eased
  return part >= 1 ? to : { x: mix(from.x, to.x), y: mix(from.y, to.y), zoom }
}

/** Returns the visible area in graph units. */
export function viewBox({ x, y, zoom }: Camera, { width, height }: Size): Box {
  return { x, y, width: width / zoom, height: height / zoom }
}
