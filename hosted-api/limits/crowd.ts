/** Limits the number of concurrent requests, and the length of addresses. */
import { type Entrance, type Guard, Problem } from '../http/index.ts'
import type { Limits } from './limits.ts'

export interface Crowd {
  readonly entrance: Entrance
  readonly guard: Guard
  /** Returns the number of requests in progress. */
  readonly inFlight: () => number
}

export function createCrowd(limits: Pick<Limits, 'url' | 'inFlight' | 'parallelUploads'>): Crowd {
  const requests = createPlaces(limits.inFlight, 'requests')
  const uploads = createPlaces(limits.parallelUploads, 'uploads')
  return {
    entrance(request, after) {
      // Health checks are answered even if the service is busy.
      if (request.url?.startsWith('/api/') === true) after(requests.take())
      if (limits.url > 0 && (request.url ?? '').length > limits.url) {
        throw new Problem('uri_too_long', `Path and query may have ${limits.url} characters.`)
      }
      return undefined
    },
    guard({ route, after }) {
      if (route.bodyRule?.upload === true) after(uploads.take())
      return undefined
    },
    inFlight: requests.taken,
  }
}

/**
 * A semaphore.
 * @param most 0: any number
 */
function createPlaces(most: number, what: string): { take(): () => void; taken(): number } {
  let taken = 0
  return {
    taken: () => taken,
    take() {
      if (most > 0 && taken >= most) {
        throw new Problem('unavailable', `The service is busy with ${most} ${what}: try again in a second.`, {
          headers: { 'Retry-After': '1' },
        })
      }
      taken++
      return () => {
        taken--
      }
    },
  }
}
