/** What is made of the response to a request for a file: it is written down as it comes. */
import { type SaveOptions, saveBody } from '../remote/save-body.ts'
import { type Judge, judge } from './judge-response.ts'

export type SaveTarget = Pick<SaveOptions, 'path' | 'atMost' | 'onBytes'>

/** A body that a success has is written to a file; all others say what is wrong. */
export function savingTo(target: SaveTarget, saved: { isWhole: boolean }): Judge {
  return async (request, url, answer, headers, sender) => {
    const { statusCode: status } = answer
    if (status !== 200) return judge(request, url, answer, headers, sender)
    const encoding = headers['content-encoding']
    saved.isWhole = await saveBody(answer.body, { ...target, encoding, limits: sender.ingest.limits })
    return { response: { request, url, status, action: 'ok', headers, body: undefined } }
  }
}
