/** What is under a point of the screen. Targets are never smaller than 24 pixels, whatever the zoom (WCAG 2.5.8). Pure. */
import { type Camera } from './camera.ts'
import { type Box, type Point } from './geometry.ts'
import type { Card } from './scene.ts'
export type Hit =
  | {
      readonly type: 'card'
      readonly index: number
    }
  | {
      readonly type: 'more'
      readonly index: number
      readonly side: 'up' | 'down'
    }
  | {
      readonly type: 'column'
      readonly index: number
      readonly row: number
    }
export declare const moreWidth = 30
/** The card that was drawn last wins. undefined: the background. */
export declare function hitAt(cards: readonly Card[], camera: Camera, screen: Point): Hit | undefined
/** Where `+3` stands: left of the card for what is upstream, right of it for what is downstream. */
export declare function moreBox(card: Box, side: 'up' | 'down'): Box
