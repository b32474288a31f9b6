/**
 * How much of a test runs: `npm test` takes a sample of what is killed, drawn at random or tried in all its forms, and
 * `npm run test:long` all of it, by `SVC_TEST_LONG`: with `1` there are the files of test/long as well, with any other word only those of `npm test`.
 */
export const isLong = (process.env['SVC_TEST_LONG'] ?? '') !== ''

/** How often something is tried. */
export function times(usual: number, long: number): number {
  return isLong ? long : usual
}

/** The seeds of what is drawn at random. */
export function seeds(usual: number, long: number): readonly number[] {
  return Array.from({ length: times(usual, long) }, (_, index) => index + 1)
}

/** All cases, or every n-th of them. */
export function sample<T>(all: readonly T[], every: number): readonly T[] {
  return isLong ? all : all.filter((_, index) => index % every === 0)
}
