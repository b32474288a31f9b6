/** The glossary of a project in the hosted store. Every write names the version that was read. */
import { type EntryKind, entryShapes } from '@svc/server/language'
import { fetch as send } from 'undici'
import {
  changeGlossaryRecord,
  createGlossaryRecord,
  createHostedClient,
  deleteGlossaryRecord,
  exportGlossaryOf,
  HostedError,
  listAssetsOf,
  type StoreRecord,
  Unreachable,
  UnreadableAnswer,
} from '../../../../hosted-api/client/index.ts'
import { SvcError } from '../../errors.ts'
import { createDispatcher } from '../../ingest/rest/dispatcher.ts'
import type { HostedTarget } from '../../upload/hosted-target.ts'
import type { StoredEntry } from './sync-entry.ts'

type Place = Pick<StoredEntry, 'kind' | 'id' | 'record' | 'version'>

export type GlossaryStore = ReturnType<typeof openGlossaryStore>

export interface StoreWorld {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** All methods throw SvcError `hosted-refused`, `glossary-conflict`, `http-failed`, `http-body`, `interrupted`. */
export function openGlossaryStore(target: HostedTarget, { env, signal }: StoreWorld) {
  const dispatcher = createDispatcher(8, env)
  const client = createHostedClient({
    url: target.url,
    token: target.token,
    fetch: ((url: string, init: object) => send(url, { ...init, dispatcher })) as unknown as typeof fetch,
  })
  const { project } = target
  const told = async <T>(work: Promise<{ readonly data: T }>, what = 'the request'): Promise<T> => {
    try {
      return (await work).data
    } catch (error) {
      throw toldError(error, target, signal, what)
    }
  }
  const matching = ({ version }: Place) => ({ signal, ifMatch: `"v${version}"` })
  return {
    read: () => told(client.call(exportGlossaryOf, { path: { project } }, { signal })),
    /** Returns the record's number and version. */
    async create(kind: EntryKind, id: string, body: object) {
      const path = { plural: entryShapes[kind].list }
      const whole = kind === 'link' ? body : { ...body, project }
      const answer = await told(client.call(createGlossaryRecord, { path, body: whole }, { signal }), id)
      return answer[kind] as StoreRecord
    },
    async change(place: Place, body: object) {
      const path = { plural: entryShapes[place.kind].list, record: place.record }
      const answer = await told(client.call(changeGlossaryRecord, { path, body }, matching(place)), place.id)
      return answer[place.kind] as StoreRecord
    },
    async remove(place: Place) {
      const path = { plural: entryShapes[place.kind].list, record: place.record }
      await told(client.call(deleteGlossaryRecord, { path }, matching(place)), place.id)
    },
    /** Undefined if no upload brought an asset of this name. */
    async assetNumber(name: string) {
      const found = await told(client.call(listAssetsOf, { path: { project }, query: { name } }, { signal }))
      return found.find(each => each.name === name)?.id
    },
    close: () => dispatcher.close().catch(() => {}),
  }
}

/** The store does not take an entry as it is; all others may go on. */
export class EntryRefused extends SvcError {}

function toldError(error: unknown, target: HostedTarget, signal: AbortSignal, what: string): unknown {
  if (signal.aborted)
    return new SvcError('interrupted', 'it was stopped', { hint: 'Running it again goes on from here.' })
  if (error instanceof HostedError) return refused(error, target, what)
  if (error instanceof Unreachable)
    return new SvcError('http-failed', error.message, {
      hint: 'Check the address (--url) and the network; running it again goes on from here.',
      cause: error,
    })
  if (error instanceof UnreadableAnswer)
    return new SvcError('http-body', error.message, {
      hint: 'The address ends before /api/svc; a proxy or a login page in between answers with HTML.',
      cause: error,
    })
  return error
}

function refused(error: HostedError, { project, url }: HostedTarget, what: string): SvcError {
  const { status, code, problem } = error
  const details = (problem.errors ?? []).map(each => `${each.pointer.replace(/^\//, '')}: ${each.detail}`)
  const reason = details.length === 0 ? problem.detail : details.join(' ')
  if (status === 412 || status === 404 || code === 'already_exists') {
    if (what !== 'the request')
      return new SvcError('glossary-conflict', `somebody changed ${what} in the store meanwhile`, {
        hint: 'Nothing of it was overwritten. Run the command again: it reads the store anew.',
        cause: error,
      })
  }
  if (status === 422 || code === 'in_use') return new EntryRefused('hosted-refused', reason, { cause: error })
  const hints: Readonly<Record<number, string>> = {
    401: 'The token is unknown, expired or revoked: make a new one with svc-hosted token create.',
    403: 'svc glossary pull needs the scope glossary:read, push also glossary:write and metadata:read.',
    404: `${url} has no project ${project} that the token may see: check --project.`,
  }
  const said = status === 401 ? 'it does not know the token' : reason
  return new SvcError('hosted-refused', `the hosted store refused ${what}: ${said}`, {
    hint: hints[status] ?? `The log of the store has more under request ${problem.request_id}.`,
    cause: error,
  })
}
