/** The message as JSON. */
import { createHmac } from 'node:crypto'
import { resolveText } from '../ingest/credentials.ts'
import { postJson } from './post-json.ts'
import type { Sender } from './sender.ts'

export const sendWebhook: Sender = async ({ endpoint, headers = {}, secret }, message, tools) => {
  const body = JSON.stringify(message)
  const given = Object.entries(headers).map(([name, value]) => [
    name,
    resolveText(value, tools.env, `notify headers.${name}`),
  ])
  const key = secret === undefined ? undefined : resolveText(secret, tools.env, 'notify secret')
  const signature = key === undefined ? undefined : createHmac('sha256', key).update(body).digest('hex')
  await postJson(
    endpoint,
    body,
    {
      ...Object.fromEntries(given),
      'idempotency-key': message.id,
      ...(signature !== undefined && { 'x-svc-signature': `sha256=${signature}` }),
    },
    tools,
  )
}
