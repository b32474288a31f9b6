/** The page's facts for the graph: theme colours, canvas size, whether motion is allowed. */
import type { Surface } from './paint.ts'
import { makeForcedTheme, makeTheme, type Theme } from './theme.ts'

export function readTheme(host: HTMLElement): Theme {
  const style = getComputedStyle(host)
  const font = style.getPropertyValue('--vscode-font-family').trim()
  if (matchMedia('(forced-colors: active)').matches) return makeForcedTheme(systemColour(host), font)
  const kind = document.body.dataset['vscodeThemeKind'] ?? ''
  const highContrast = kind.includes('high-contrast') || document.body.className.includes('high-contrast')
  return makeTheme(variable => style.getPropertyValue(variable), highContrast)
}

function systemColour(host: HTMLElement): (name: string) => string {
  return name => {
    const probe = document.createElement('span')
    probe.style.color = name
    host.append(probe)
    const colour = getComputedStyle(probe).color
    probe.remove()
    return colour
  }
}

/** Returns the canvas in the size of `room`; undefined while it has no size, as in a hidden tab. */
export function surfaceOf(
  canvas: HTMLCanvasElement,
  room: HTMLElement | { readonly width: number; readonly height: number },
): Surface | undefined {
  const [width, height] =
    room instanceof HTMLElement ? [room.clientWidth, room.clientHeight] : [room.width, room.height]
  const pixelRatio = devicePixelRatio
  const context = canvas.getContext('2d', { alpha: false })
  if (width === 0 || height === 0 || context === null) return undefined
  const [wide, high] = [Math.round(width * pixelRatio), Math.round(height * pixelRatio)]
  if (canvas.width !== wide) canvas.width = wide
  if (canvas.height !== high) canvas.height = high
  return { context, width, height, pixelRatio }
}

/** Returns the preference of the system or of the editor. */
export function wantsNoMotion(): boolean {
  reducedMotion ??= matchMedia('(prefers-reduced-motion: reduce)')
  return reducedMotion.matches || document.body.classList.contains('vscode-reduce-motion')
}

/** Created once, because it is read in each frame. */
let reducedMotion: MediaQueryList | undefined

/**
 * Watches for theme changes: the editor changes a class or variables of the page, a browser has media
 * queries.
 */
export function watchTheme(onChange: () => void, signal: AbortSignal): void {
  const observer = new MutationObserver(onChange)
  const watched = {
    attributes: true,
    attributeFilter: ['class', 'style', 'data-vscode-theme-kind', 'data-theme'],
  }
  observer.observe(document.body, watched)
  observer.observe(document.documentElement, watched)
  for (const wish of ['forced-colors: active', 'prefers-color-scheme: dark', 'prefers-contrast: more'])
    matchMedia(`(${wish})`).addEventListener('change', onChange, { signal })
  signal.addEventListener('abort', () => observer.disconnect())
}
