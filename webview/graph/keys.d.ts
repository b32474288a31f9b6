/** What a key does while the graph has the focus, and where the arrows lead. Pure. */
import type { Card } from './scene.ts'
import type { View } from './view.ts'
export type KeyAction =
  | {
      readonly type: 'move'
      readonly to: 'up' | 'down' | 'left' | 'right' | 'first'
    }
  | {
      readonly type: 'zoom'
      readonly factor: number
    }
  | {
      readonly type: 'levels'
      readonly more: boolean
    }
  | {
      readonly type: 'fit' | 'open' | 'focus' | 'clear'
    }
/** undefined: not ours; keys with Ctrl, Alt or Meta belong to the page and the editor. */
export declare function keyAction(key: string, withModifier: boolean): KeyAction | undefined
type Moves = Extract<
  KeyAction,
  {
    type: 'move'
  }
>['to']
/** The next card from `current`: left and right along dependencies, up and down in the column. */
export declare function neighbourOf(
  view: View,
  cards: readonly Card[],
  current: number | undefined,
  to: Moves,
): number | undefined
