/** All features, in the order in which they are announced. One is a file beside these and a line here. */
import type { Feature } from '../feature.ts'

export const features: readonly Feature[] = []
