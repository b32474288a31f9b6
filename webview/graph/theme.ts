/**
 * The colours of the graph from the variables of the editor's theme, each adjusted to the contrast that it
 * needs (WCAG 1.4.3, 1.4.11): 3 for lines and shapes, 4.5 for text. Pure: the function that reads variables
 * is an argument.
 */
import { legible, mixed, type Rgba, readColour, written } from './colour.ts'
import type { ColourRole } from './lens.ts'

export interface Theme {
  readonly highContrast: boolean
  readonly background: string
  readonly dots: string
  readonly card: string
  readonly text: string
  readonly detail: string
  readonly edge: string
  readonly lit: string
  readonly focus: string
  readonly roles: Readonly<Record<ColourRole, string>>
  readonly font: string
}

export const tokens: Readonly<Record<ColourRole, readonly [variable: string, dark: string, light: string]>> =
  {
    source: ['--vscode-charts-green', '#89d185', '#388a34'],
    model: ['--vscode-charts-blue', '#75beff', '#1a85ff'],
    publish: ['--vscode-charts-purple', '#c29bea', '#652d90'],
    exposure: ['--vscode-symbolIcon-classForeground', '#e2a263', '#a85f00'],
    group: ['--vscode-descriptionForeground', '#9d9d9d', '#616161'],
    pass: ['--vscode-testing-iconPassed', '#73c991', '#2d7d46'],
    fail: ['--vscode-testing-iconFailed', '#f88070', '#b3261e'],
    warn: ['--vscode-editorWarning-foreground', '#e2c08d', '#8a6100'],
    idle: ['--vscode-descriptionForeground', '#8c8c8c', '#6b6b6b'],
    running: ['--vscode-charts-yellow', '#cca700', '#7a6400'],
  }

/** `read` returns the value of a CSS variable, '' if there is none. */
export function makeTheme(read: (variable: string) => string, highContrast: boolean): Theme {
  const background = readColour(read('--vscode-editor-background')) ?? [31, 31, 31, 1]
  const isLight = background[0] + background[1] + background[2] > 382
  const colour = (variable: string, otherwise: string): Rgba =>
    readColour(read(variable)) ?? readColour(otherwise) ?? [128, 128, 128, 1]
  const card = highContrast
    ? background
    : colour('--vscode-editorWidget-background', isLight ? '#ffffff' : '#252526')
  const text = legible(colour('--vscode-foreground', isLight ? '#3b3b3b' : '#d4d4d4'), card, 4.5)
  const on = (variable: string, otherwise: string, least: number) =>
    written(legible(colour(variable, otherwise), card, least))
  const roles = Object.fromEntries(
    Object.entries(tokens).map(([role, [variable, dark, light]]) => [
      role,
      on(variable, isLight ? light : dark, highContrast ? 4.5 : 3),
    ]),
  ) as Record<ColourRole, string>
  const accent = colour('--vscode-textLink-foreground', isLight ? '#005fb8' : '#4daafc')
  const active = highContrast ? readColour(read('--vscode-contrastActiveBorder')) : undefined
  const focus = active ?? colour('--vscode-focusBorder', isLight ? '#005fb8' : '#0078d4')
  return {
    highContrast,
    background: written(background),
    dots: written(mixed(background, text, highContrast ? 0 : 0.09)),
    card: written(card),
    text: written(text),
    detail: on('--vscode-descriptionForeground', isLight ? '#616161' : '#9d9d9d', 4.5),
    edge: written(highContrast ? text : legible(mixed(background, text, 0.3), background, 3)),
    lit: written(legible(accent, background, highContrast ? 4.5 : 3)),
    focus: written(legible(focus, background, 3)),
    roles,
    font: read('--vscode-font-family').trim() || 'system-ui, sans-serif',
  }
}

/**
 * Returns the palette of the system if it forces its own (`forced-colors`): `read` resolves a system colour.
 */
export function makeForcedTheme(read: (systemColour: string) => string, font: string): Theme {
  const [background, text, highlight] = [read('Canvas'), read('CanvasText'), read('Highlight')]
  const roles = Object.fromEntries(Object.keys(tokens).map(role => [role, text])) as Record<
    ColourRole,
    string
  >
  return {
    highContrast: true,
    background,
    dots: background,
    card: background,
    text,
    detail: text,
    edge: read('GrayText'),
    lit: highlight,
    focus: highlight,
    roles,
    font: font || 'system-ui, sans-serif',
  }
}
