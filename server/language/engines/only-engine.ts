/**
 * For code that is not handed the engine of its project yet: the only one that there is. A test lists who may import
 * this, and the list only shrinks.
 */
import type { Engine } from './engine.ts'
import { engines } from './index.ts'

export const onlyEngine: Engine = engines[0]
