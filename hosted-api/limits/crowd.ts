/** Limits the number of concurrent requests, of all and of one token or project, and the length of addresses. */
import { type Entrance, type Guard, maySee, Problem } from '../http/index.ts'
import type { Limits } from './limits.ts'

export interface Crowd {
  readonly entrance: Entrance
  readonly guard: Guard
  /** Returns the number of requests in progress. */
  readonly inFlight: () => number
}

type CrowdLimits = Pick<
  Limits,
  'url' | 'inFlight' | 'tokenInFlight' | 'parallelUploads' | 'tokenUploads' | 'projectUploads'
>

/** Asked when the service is busy, so they are answered in any case. */
const healthPaths = ['/healthz', '/readyz', '/metrics']

export function createCrowd(limits: CrowdLimits): Crowd {
  const requests = createPlaces(limits.inFlight, 'requests')
  const tokenRequests = createPlaces(limits.tokenInFlight, 'requests of this token')
  const uploads = createPlaces(limits.parallelUploads, 'uploads')
  const tokenUploads = createPlaces(limits.tokenUploads, 'uploads of this token')
  const projectUploads = createPlaces(limits.projectUploads, 'uploads to this project')
  return {
    entrance(request, after) {
      const url = request.url ?? ''
      if (!healthPaths.some(path => url.startsWith(path))) after(requests.take(0))
      if (limits.url > 0 && url.length > limits.url) {
        throw new Problem('uri_too_long', `Path and query may have ${limits.url} characters.`)
      }
      return undefined
    },
    guard({ route, principal, params, after }) {
      if (route.scope === 'public') return undefined
      after(tokenRequests.take(principal.tokenId))
      if (route.bodyRule?.upload === undefined) return undefined
      after(tokenUploads.take(principal.tokenId))
      const { project } = route
      const number = project.from === 'path' ? Number(params[project.param]) : 0
      // Who may not see a project cannot take its places either.
      if (number > 0 && maySee(principal, number)) after(projectUploads.take(number))
      after(uploads.take(0))
      return undefined
    },
    inFlight: () => requests.taken(0),
  }
}

/**
 * A semaphore per key.
 * @param most 0: any number
 */
function createPlaces(most: number, what: string) {
  const taken = new Map<number, number>()
  const count = (key: number) => taken.get(key) ?? 0
  return {
    taken: count,
    /** @throws Problem `unavailable` */
    take(key: number) {
      if (most > 0 && count(key) >= most) {
        throw new Problem('unavailable', `The service is busy with ${most} ${what}: try again in a second.`, {
          headers: { 'Retry-After': '1' },
        })
      }
      taken.set(key, count(key) + 1)
      return () => {
        const left = count(key) - 1
        if (left > 0) taken.set(key, left)
        else taken.delete(key)
      }
    },
  }
}
