/** Hints about language models: which one is asked, what it answers, what a patch may do. */

import { freePort } from '../../support/free-port.ts'
import { model, orders } from '../../support/hints/projects.ts'
import type { ErrorTable, Stage } from '../../support/hints/stage.ts'
import { type ModelServer, type Reply, startModelServer } from '../../support/model-servers.ts'

const broken = { [orders]: model('orders', 'SELECT amout FROM (SELECT 1 AS amount)') }
const repair = {
  summary: 'As asked.',
  ops: [{ op: 'replace', path: '/transform', value: 'SELECT amount FROM (SELECT 1 AS amount)' }],
}
const wrong = { summary: 'As asked.', ops: [{ ...repair.ops[0], value: 'SELECT nothing FROM nowhere' }] }
const reply = (value: unknown): Reply => ({ text: JSON.stringify(value) })

/** The servers of the scenarios at play, by their folders. */
const servers = new Map<string, ModelServer>()

/** `svc.yaml` names a model that answers so, one answer after the other. */
async function answering(p: Stage, ...replies: readonly Reply[]): Promise<void> {
  const server = await startModelServer('openai')
  server.replies = replies
  servers.set(p.root, server)
  p.atEnd(() => server.close())
  p.env['MODEL_KEY'] = 'key-for-tests'
  p.env['HOME'] = p.root
  p.notes['endpoint'] = server.endpoint
  p.write(
    'svc.yaml',
    `name: shop\nai: {provider: openai, model: one, api_key: env:MODEL_KEY, endpoint: "${server.endpoint}"}\n`,
  )
}

/** From now on it answers so. */
function answersNow(p: Stage, value: unknown): void {
  const server = servers.get(p.root)
  if (server !== undefined) server.replies = [reply(value)]
}

const act = 'ai fix orders'
export const errors: ErrorTable = {
  'answer-invalid': [
    {
      hint: 'Nothing was changed. Ask again, or choose a stronger model: svc config ai --model.',
      files: broken,
      before: p => answering(p, reply(wrong), reply(wrong), reply(repair)),
      act,
      follow: p => p.works('config ai --model two --project'),
    },
  ],
  'model-failed': [
    {
      hint: 'Wait, or look at the limits and the credit of the account.',
      files: broken,
      before: p => answering(p, { status: 429, message: 'no credit' }),
      act,
      follow: p => answersNow(p, repair),
    },
    {
      hint: 'Check the name (svc config ai --model) and the endpoint.',
      files: broken,
      before: p => answering(p, { status: 404, message: 'no such model' }),
      act,
      follow: async p => {
        answersNow(p, repair)
        await p.works('config ai --model two --project')
      },
    },
    {
      hint: 'Check the endpoint (svc config ai) and the network.',
      files: broken,
      before: async p => {
        await answering(p, reply(repair))
        p.edit('svc.yaml', p.notes['endpoint'] ?? '', `http://127.0.0.1:${await freePort()}/v1`)
      },
      act,
      follow: p => p.works(`config ai --project --endpoint ${p.notes['endpoint']}`),
    },
  ],
  'ai-not-configured': [
    {
      hint: 'Choose one: svc config ai --provider <provider> --model <model> --api-key env:NAME.',
      files: broken,
      before: async p => {
        await answering(p, reply(repair))
        p.write('svc.yaml', 'name: shop\n')
      },
      act,
      follow: p =>
        p.works(
          `config ai --provider openai --model one --api-key env:MODEL_KEY --endpoint ${p.notes['endpoint']} --global`,
        ),
    },
    {
      hint: 'Name it as the provider does: svc config ai --model <model>.',
      files: broken,
      before: async p => {
        await answering(p, reply(repair))
        p.edit('svc.yaml', 'model: one, ', '')
      },
      act,
      follow: p => p.works('config ai --model one --project'),
    },
    {
      hint: 'Write ai.api_key: env:NAME beside it; your own key is for your own provider.',
      files: broken,
      before: async p => {
        await answering(p, reply(repair))
        p.edit('svc.yaml', 'api_key: env:MODEL_KEY, ', '')
      },
      act,
      follow: p => p.edit('svc.yaml', 'model: one, ', 'model: one, api_key: env:MODEL_KEY, '),
    },
  ],
  'model-library-missing': [
    {
      hint: 'Install it where svc is: npm install @huggingface/transformers; or choose another provider.',
      files: broken,
      before: async p => {
        await answering(p, reply(repair))
        p.write('svc.yaml', 'name: shop\nai: {provider: transformers, model: one}\n')
      },
      act,
      follow: p =>
        p.works(
          `config ai --project --provider openai --model one --api-key env:MODEL_KEY --endpoint ${p.notes['endpoint']}`,
        ),
    },
  ],
  'missing-credentials': [
    {
      hint: 'Set OPENAI_API_KEY, or svc config ai --api-key <key or env:NAME>.',
      files: broken,
      before: async p => {
        await answering(p, reply(repair))
        p.write('svc.yaml', 'name: shop\n')
        await p.works(`config ai --provider openai --model one --endpoint ${p.notes['endpoint']} --global`)
      },
      act,
      follow: p => p.works('config ai --api-key env:MODEL_KEY --global'),
    },
  ],
}
