/** What one template may cost: nobody's SQL needs more, and a template that never ends is told and not waited for. */
import { CallProblem } from './problem.ts'

const mostSteps = 1_000_000
const mostCharacters = 64_000_000
/** Of one text. */
const longestText = 4_000_000
/** Of one list. */
const longestList = 200_000
const deepestCall = 80

export class Budget {
  #steps = 0
  #characters = 0
  #depth = 0

  step(): void {
    if (++this.#steps > mostSteps)
      throw new CallProblem('the template takes too many steps', 'Does a loop never end?')
  }

  /** Counts a text that was made. */
  made(text: string): string {
    this.#characters += text.length
    if (text.length > longestText || this.#characters > mostCharacters) {
      throw new CallProblem('the template makes too much text', 'Does a loop never end?')
    }
    return text
  }

  /** Runs a macro inside another one. */
  inside<T>(run: () => T): T {
    if (++this.#depth > deepestCall) {
      throw new CallProblem('the macros call one another without end', 'Take one of the calls out.')
    }
    try {
      return run()
    } finally {
      this.#depth--
    }
  }
}

export function limitedList<T>(items: T[]): T[] {
  if (items.length > longestList) throw new CallProblem(`a list of ${items.length} values is too long`)
  return items
}

export function limitedText(length: number): void {
  if (length > longestText) throw new CallProblem(`a text of ${length} characters is too long`)
}
