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
/** `read` gives the value of a CSS variable, '' where there is none. */
export declare function makeTheme(read: (variable: string) => string, highContrast: boolean): Theme
/** The palette of the system where it forces its own (`forced-colors`): `read` resolves a system colour. */
export declare function makeForcedTheme(read: (systemColour: string) => string, font: string): Theme
