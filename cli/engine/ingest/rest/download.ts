/** What is made of the response to a request for a file: it is written down as it comes. */
import { SvcError } from '../../errors.ts'
import { type SaveOptions, saveBody } from '../remote/save-body.ts'
import { type Judge, judge } from './judge-response.ts'
import { page } from './request-words.ts'

export type SaveTarget = Pick<SaveOptions, 'path' | 'atMost' | 'onBytes'>

/** A body that a success has is written to a file; all others say what is wrong. */
export function savingTo(target: SaveTarget, saved: { isWhole: boolean }): Judge {
  return async (request, url, answer, headers, sender) => {
    const { statusCode: status } = answer
    // A part that nobody asked for, or an answer about the file, is not the file.
    if (status > 200 && status < 300 && status !== 203) {
      await answer.body.dump()
      throw new SvcError(
        'http-status',
        `${page(request, sender)}: status ${status} and not 200, so that the whole file has not come`,
        {
          hint: 'Look at the address with curl -i: the server has to send the whole file.',
          facts: { status },
        },
      )
    }
    if (status !== 200 && status !== 203) return judge(request, url, answer, headers, sender)
    const encoding = headers['content-encoding']
    saved.isWhole = await saveBody(answer.body, { ...target, encoding, limits: sender.ingest.limits })
    return { response: { request, url, status, action: 'ok', headers, body: undefined } }
  }
}
