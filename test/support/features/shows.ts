/**
 * Said by a test that shows what a kind of source or destination can do. The tables in the docs are made of these calls
 * (`tables.ts`), so that a kind has a feature there because a test of it passes. Both lists are written as they are: they are
 * read from the text of the test.
 */
import { expect } from 'vitest'
import type { Destination, DestinationFeature, Source, SourceFeature } from './names.ts'

export function showsSource(kinds: readonly Source[], features: readonly SourceFeature[]): void {
  refuseOutside(kinds, features)
}

export function showsDestination(
  kinds: readonly Destination[],
  features: readonly DestinationFeature[],
): void {
  refuseOutside(kinds, features)
}

/** What stands outside of a test shows nothing. */
function refuseOutside(kinds: readonly string[], features: readonly string[]): void {
  expect(expect.getState().currentTestName, `${kinds} ${features}`).toBeTruthy()
}
