import { invalidAt } from '../../http/problems.ts'

/** As many columns make an answer of several megabytes. */
const mostPlaces = 50_000

/** @throws Problem `invalid` */
export function requireBearable(places: number, parameter = 'column'): void {
  if (places <= mostPlaces) return
  const detail = `The answer would name more than ${mostPlaces} columns: ask for less, with ?${parameter}=.`
  throw invalidAt(`?${parameter}`, 'too_many', detail)
}
