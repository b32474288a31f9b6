/** For readers of SQL that are not handed their engine yet. */
import { onlyEngine } from '../../engines/only-engine.ts'

export const writtenName = onlyEngine.quoteIfNeeded
