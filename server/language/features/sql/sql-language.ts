/** How the editor reads SQL and binds its names. */
import { onlyEngine } from '../../engines/only-engine.ts'

export const dialect = onlyEngine.binding
export const grammar = onlyEngine.grammar
