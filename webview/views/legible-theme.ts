/**
 * Text colours from the editor's theme, each adjusted until it is readable on every background of the page
 * (WCAG 1.4.3), because themes choose them for icons and plots, not for text.
 */
import { legible, mixed, type Rgba, readColour, written } from '../graph/colour.ts'
import { tokens } from '../graph/theme.ts'

const least = 4.5
/** As in app.css: a selected item has this much of the accent colour in its background. */
const tintPart = 0.16

/** The graph has the same colours. */
const sharedRoles = ['source', 'model', 'publish', 'exposure', 'pass', 'fail', 'warn'] as const

const roles: Readonly<Record<string, string>> = {
  '--accent': '--vscode-textLink-foreground',
  '--dim': '--vscode-descriptionForeground',
  ...Object.fromEntries(sharedRoles.map(role => [`--${role}`, tokens[role][0]])),
}

/**
 * `read` returns the value of a theme variable, '' if there is none; that colour then keeps the page's value.
 */
export function legibleColours(read: (variable: string) => string): ReadonlyMap<string, string> {
  const editor = readColour(read('--vscode-editor-background'))
  if (editor === undefined) return new Map()
  const sideBar = readColour(read('--vscode-sideBar-background')) ?? editor
  const accent = readColour(read('--vscode-textLink-foreground'))
  const plain = [editor, sideBar]
  const grounds =
    accent === undefined ? plain : [...plain, ...plain.map(ground => mixed(ground, accent, tintPart))]
  return new Map(
    Object.entries(roles).flatMap(([name, variable]) => {
      const colour = readColour(read(variable))
      return colour === undefined ? [] : [[name, written(onAll(colour, grounds))] as const]
    }),
  )
}

function onAll(colour: Rgba, grounds: readonly Rgba[]): Rgba {
  return grounds.reduce((adjusted, ground) => legible(adjusted, ground, least), colour)
}
