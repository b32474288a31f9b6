/** What a screen reader says of a card: everything that its colours and glyphs show. Pure. */
import { type Facts } from './lens.ts'
import type { View } from './view.ts'
export declare function describeNode(view: View, index: number, facts: Facts): string
