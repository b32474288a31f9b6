/** Colours as numbers: reading what a theme says, contrast (WCAG 2.2), and moving a colour until it can be seen. Pure. */
/** Red, green, blue from 0 to 255, alpha from 0 to 1. */
export type Rgba = readonly [number, number, number, number]
/** `#rgb`, `#rrggbb`, `#rrggbbaa`, `rgb()`, `rgba()`; undefined for anything else. */
export declare function readColour(text: string): Rgba | undefined
export declare function written([red, green, blue, alpha]: Rgba): string
/** `part` of `b` in `a`. */
export declare function mixed(a: Rgba, b: Rgba, part: number): Rgba
/** As it looks on an opaque background. */
export declare function over(colour: Rgba, background: Rgba): Rgba
/** From 1 to 21. */
export declare function contrast(a: Rgba, b: Rgba): number
/** The same colour, or the nearest on the way to black or white that has this contrast on the background. */
export declare function legible(colour: Rgba, background: Rgba, least: number): Rgba
