/** How the SQL of a project is read and bound, for features that are not handed their engine yet. */
import { onlyEngine } from '../../engines/only-engine.ts'

export const { binding: dialect, grammar } = onlyEngine
