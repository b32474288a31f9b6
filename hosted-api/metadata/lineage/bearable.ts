import { invalid } from '../../http/problems.ts'

/** As many columns make an answer of several megabytes. */
const mostPlaces = 50_000

/** @throws Problem `invalid` */
export function requireBearable(places: number, parameter = 'column'): void {
  if (places <= mostPlaces) return
  const detail = `The answer would name more than ${mostPlaces} columns: ask for less, with ?${parameter}=.`
  throw invalid([{ pointer: `?${parameter}`, code: 'too_many', detail }])
}
