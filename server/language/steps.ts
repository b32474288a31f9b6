/** Long work in steps: who does it decides what happens between two of them. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Does all steps one after another. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
