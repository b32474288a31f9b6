/** The actions of keys while the graph has the focus, and the targets of the arrows. Pure. */
import type { Card } from './scene.ts'
import type { View } from './view.ts'

export type KeyAction =
  | { readonly type: 'move'; readonly to: 'up' | 'down' | 'left' | 'right' | 'first' }
  | { readonly type: 'zoom'; readonly factor: number }
  | { readonly type: 'levels'; readonly more: boolean }
  /** Moves the selected card by this many steps. */
  | { readonly type: 'shift'; readonly dx: number; readonly dy: number }
  | { readonly type: 'fit' | 'open' | 'focus' | 'clear' | 'place' }

/** Returns undefined for other keys; keys with Ctrl, Alt or Meta belong to the page and the editor. */
export function keyAction(key: string, withModifier: boolean, withShift = false): KeyAction | undefined {
  if (withModifier) return undefined
  return (withShift ? shifts.get(key) : undefined) ?? actions.get(key)
}

const shifts: ReadonlyMap<string, KeyAction> = new Map<string, KeyAction>([
  ['ArrowLeft', { type: 'shift', dx: -1, dy: 0 }],
  ['ArrowRight', { type: 'shift', dx: 1, dy: 0 }],
  ['ArrowUp', { type: 'shift', dx: 0, dy: -1 }],
  ['ArrowDown', { type: 'shift', dx: 0, dy: 1 }],
])

const actions: ReadonlyMap<string, KeyAction> = new Map<string, KeyAction>([
  ['ArrowLeft', { type: 'move', to: 'left' }],
  ['ArrowRight', { type: 'move', to: 'right' }],
  ['ArrowUp', { type: 'move', to: 'up' }],
  ['ArrowDown', { type: 'move', to: 'down' }],
  ['Home', { type: 'move', to: 'first' }],
  ['Enter', { type: 'open' }],
  [' ', { type: 'focus' }],
  ['[', { type: 'levels', more: false }],
  [']', { type: 'levels', more: true }],
  ['+', { type: 'zoom', factor: 1.25 }],
  ['=', { type: 'zoom', factor: 1.25 }],
  ['-', { type: 'zoom', factor: 0.8 }],
  ['0', { type: 'fit' }],
  ['m', { type: 'place' }],
  ['Escape', { type: 'clear' }],
])

type Moves = Extract<KeyAction, { type: 'move' }>['to']

/** Returns the next card from `current`: left and right along dependencies, up and down in the column. */
export function neighbourOf(
  view: View,
  cards: readonly Card[],
  current: number | undefined,
  to: Moves,
): number | undefined {
  const here = current === undefined ? undefined : cards[current]
  if (current === undefined || here === undefined || to === 'first') return firstOf(cards)
  if (to === 'left') return nearest(cards, view.parents[current] ?? [], here)
  if (to === 'right') return nearest(cards, view.children[current] ?? [], here)
  const beside = [...cards.keys()].filter(index => {
    const card = cards[index]
    if (card === undefined || index === current || Math.abs(card.x - here.x) >= here.width) return false
    return to === 'down' ? card.y > here.y : card.y < here.y
  })
  return nearest(cards, beside, here)
}

function firstOf(cards: readonly Card[]): number | undefined {
  const place = (index: number) => cards[index] ?? { x: 0, y: 0 }
  return [...cards.keys()].sort((a, b) => place(a).x - place(b).x || place(a).y - place(b).y)[0]
}

function nearest(cards: readonly Card[], among: readonly number[], here: Card): number | undefined {
  const distance = (index: number) => {
    const { x, y } = cards[index] ?? here
    return Math.abs(y - here.y) + Math.abs(x - here.x) / 1000
  }
  return [...among].sort((a, b) => distance(a) - distance(b))[0]
}
